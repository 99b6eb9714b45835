//! The joints that one stage moves, as a chain of the solver.

use crate::limits::{BallLimits, ball_limits};
use crate::posing::Posing;
use crate::{LimitMode, align::Plan};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_ik::{Base, Chain, Goal, IkError, Link, LinkId, Motion, Problem, Solution, Solver};
use rebone_skeleton::{JointId, rotation::shortest_arc};

/// How one joint's local rotation becomes variables.
#[derive(Clone, Debug)]
enum Coordinates {
    /// It keeps the rotation it has.
    Fixed,
    /// Swing and twist.
    Ball(BallLimits),
    /// One or two of the file's channels, within this range each.
    Channels { lower: Vec<f64>, upper: Vec<f64> },
    /// Any rotation.
    Free,
}

/// How a stage moves one joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// Not at all.
    Fixed,
    /// Within the joint's limits.
    Limited,
    /// Freely: the top of the trunk.
    Freely,
}

/// A stage's joints and the problem they pose.
#[derive(Clone, Debug)]
pub struct Linkage {
    joints: Vec<JointId>,
    coordinates: Vec<Coordinates>,
    /// The link whose place the stage solves, too.
    carrier: Option<LinkId>,
    /// The problem: its goals are the stage's to fill in.
    pub problem: Problem,
}

impl Linkage {
    /// A chain of `joints`, parents first, which hangs on the parent of the first.
    ///
    /// # Errors
    /// When the goals read links that are not there.
    pub fn new(
        plan: &Plan,
        joints: &[(JointId, Moves)],
        carrier: Option<JointId>,
        goals: Vec<Goal>,
    ) -> Result<Self, IkError> {
        let mut links = Vec::with_capacity(joints.len());
        let mut coordinates = Vec::with_capacity(joints.len());
        let find = |id: JointId| joints.iter().position(|(joint, _)| *joint == id).map(LinkId);
        for &(id, moves) in joints {
            let joint = plan.target.skeleton.joint(id);
            let own = coordinates_of(plan, id, moves);
            let parent = joint.parent.and_then(find);
            let mut link = Link::new(parent, plan.bones[id.index()], motion(plan, id, &own));
            link.translates = carrier == Some(id);
            match &own {
                Coordinates::Ball(ball) => (link.pre, link.post) = (ball.pre, ball.post),
                Coordinates::Channels { .. } => link.pre = joint.rest_rotation,
                Coordinates::Fixed | Coordinates::Free => {}
            }
            links.push(link);
            coordinates.push(own);
        }
        let problem = Problem::new(Chain::new(links)?, goals)?;
        let joints: Vec<_> = joints.iter().map(|(joint, _)| *joint).collect();
        Ok(Self {
            carrier: carrier
                .and_then(|id| joints.iter().position(|&joint| joint == id).map(LinkId)),
            joints,
            coordinates,
            problem,
        })
    }

    /// Takes over base, constants, start and box from the pose as it stands.
    pub fn fill(&mut self, plan: &Plan, posing: &Posing) {
        let Some(&first) = self.joints.first() else { return };
        let (position, rotation) = posing.parent(plan, first);
        self.problem.chain.base = Base { position, rotation };
        for (place, &joint) in self.joints.iter().enumerate() {
            let link = LinkId(place);
            let local = posing.locals[joint.index()];
            let range = self.problem.chain.range(link);
            let mut start = range.start;
            self.problem.chain.set_translation(link, posing.translations[joint.index()]);
            if self.carrier == Some(link) {
                set_box(&mut self.problem, start, &[0.0; 3], FREE, false);
                start += 3;
            }
            match &self.coordinates[place] {
                Coordinates::Fixed => self.problem.chain.set_pre(link, local),
                Coordinates::Free => {
                    self.problem.chain.set_pre(link, local);
                    set_box(&mut self.problem, start, &[0.0; 3], FREE, false);
                }
                Coordinates::Ball(ball) => {
                    let x = ball_coordinates(ball, &local);
                    let extend = plan.options.limits == LimitMode::Source;
                    set_box(&mut self.problem, start, &x, [&ball.lower, &ball.upper], extend);
                }
                Coordinates::Channels { lower, upper } => {
                    let axes = &plan.target.skeleton.joint(joint).rotation_axes;
                    let x = channel_angles(
                        axes,
                        &(plan.target.skeleton.joint(joint).rest_rotation.inverse() * local),
                    );
                    for (k, (&lower, &upper)) in lower.iter().zip(upper).enumerate() {
                        self.problem.start[start + k] = x[k].clamp(lower, upper);
                        self.problem.lower[start + k] = lower;
                        self.problem.upper[start + k] = upper;
                    }
                }
            }
        }
    }

    /// Solves, and gives the answer to the pose's local transforms.
    pub fn solve(&self, solver: &mut Solver, posing: &mut Posing) -> Solution {
        let solution = solver.solve(&self.problem);
        let start_is_answer = solution.iterations == 0 && solver.x() == self.problem.start;
        for (place, &joint) in self.joints.iter().enumerate() {
            let link = LinkId(place);
            let fixed = matches!(self.coordinates[place], Coordinates::Fixed);
            let clamped = || {
                matches!(
                    self.coordinates[place],
                    Coordinates::Channels { .. } | Coordinates::Ball(_)
                )
            };
            if !fixed && (!start_is_answer || clamped()) {
                posing.locals[joint.index()] = self.problem.chain.local_rotation(link, solver.x());
            }
            if self.carrier == Some(link) {
                posing.translations[joint.index()] =
                    self.problem.chain.local_translation(link, solver.x());
            }
        }
        solution
    }
}

/// Start and box of the three variables at `at`; `extend` widens the box to hold the start.
fn set_box(
    problem: &mut Problem,
    at: usize,
    x: &[f64; 3],
    [lower, upper]: [&[f64; 3]; 2],
    extend: bool,
) {
    for k in 0..3 {
        let (mut low, mut high) = (lower[k], upper[k]);
        if extend {
            (low, high) = (low.min(x[k]), high.max(x[k]));
        }
        problem.lower[at + k] = low;
        problem.upper[at + k] = high;
        problem.start[at + k] = x[k].clamp(low, high);
    }
}

/// The box of a variable that is free.
const FREE: [&[f64; 3]; 2] = [&[f64::NEG_INFINITY; 3], &[f64::INFINITY; 3]];

fn coordinates_of(plan: &Plan, joint: JointId, moves: Moves) -> Coordinates {
    let channels = plan.target.skeleton.joint(joint).rotation_axes.len();
    match (moves, channels) {
        (Moves::Fixed, _) | (Moves::Limited, 0) => Coordinates::Fixed,
        (Moves::Freely, _) => Coordinates::Free,
        (Moves::Limited, 1 | 2) => channel_ranges(plan, joint),
        (Moves::Limited, _) => Coordinates::Ball(ball_limits(&plan.target, joint)),
    }
}

fn motion(plan: &Plan, joint: JointId, coordinates: &Coordinates) -> Motion {
    match coordinates {
        Coordinates::Fixed => Motion::Fixed,
        Coordinates::Free => Motion::Rotation,
        Coordinates::Ball(_) => Motion::SwingTwist,
        Coordinates::Channels { .. } => Motion::Axes(
            plan.target
                .skeleton
                .joint(joint)
                .rotation_axes
                .iter()
                .map(|axis| axis.unit())
                .collect(),
        ),
    }
}

/// The range of each channel that stays inside the joint's anatomical box, the others at rest.
fn channel_ranges(plan: &Plan, joint: JointId) -> Coordinates {
    let ball = ball_limits(&plan.target, joint);
    let rest = plan.target.skeleton.joint(joint).rest_rotation;
    let inside = |axis: rebone_skeleton::Axis, degrees: i32| {
        let turn = UnitQuaternion::from_axis_angle(&axis.unit(), f64::from(degrees).to_radians());
        let x = ball_coordinates(&ball, &(rest * turn));
        // The side angle and the twist of a hinge are the rig's own: only the bend counts.
        ball.lower[0] <= x[0] && x[0] <= ball.upper[0]
    };
    let axes = &plan.target.skeleton.joint(joint).rotation_axes;
    let end = |axis, sign: i32| {
        let last = (0..=180).take_while(|&degrees| inside(axis, sign * degrees)).last();
        f64::from(sign * last.unwrap_or(180)).to_radians()
    };
    Coordinates::Channels {
        lower: axes.iter().map(|&axis| end(axis, -1)).collect(),
        upper: axes.iter().map(|&axis| end(axis, 1)).collect(),
    }
}

/// Swing vector and twist of a local rotation.
pub(crate) fn ball_coordinates(ball: &BallLimits, local: &UnitQuaternion<f64>) -> [f64; 3] {
    let turn = ball.pre.inverse() * local * ball.post.inverse();
    let bone = nalgebra::Unit::new_unchecked(turn * Vector3::y());
    let swing = shortest_arc(&Vector3::y_axis(), &bone);
    let twist = swing.inverse() * turn;
    let angle = 2.0 * libm::atan2(twist.j, twist.w);
    let vector = swing.scaled_axis();
    [vector.x, vector.z, wrapped(angle)]
}

/// An angle between −π and π.
fn wrapped(angle: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    if angle > PI {
        angle - TAU
    } else if angle < -PI {
        angle + TAU
    } else {
        angle
    }
}

/// The channel angles whose product comes near `rotation`: exact where it is such a product.
pub(crate) fn channel_angles(
    axes: &[rebone_skeleton::Axis],
    rotation: &UnitQuaternion<f64>,
) -> [f64; 3] {
    let mut angles = [0.0; 3];
    let mut left = *rotation;
    for (angle, axis) in angles.iter_mut().zip(axes) {
        let (_, twist) = rebone_skeleton::rotation::swing_twist(&left.inverse(), &axis.unit());
        *angle = -wrapped(2.0 * libm::atan2(twist.imag().dot(&axis.unit()), twist.w));
        left = UnitQuaternion::from_axis_angle(&axis.unit(), -*angle) * left;
    }
    angles
}
