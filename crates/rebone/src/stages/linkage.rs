//! The joints that one stage moves, as a chain of the solver.

use crate::limits::{Coordinates, JointBox};
use crate::posing::Posing;
use crate::{LimitMode, align::Plan};
use rebone_ik::{Base, Chain, Goal, IkError, Link, LinkId, Motion, Problem, Solution, Solver};
use rebone_skeleton::JointId;

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
            let mut link = Link::new(parent, plan.bones[id.index()], motion(&own));
            link.translates = carrier == Some(id);
            match &own {
                Coordinates::Ball(ball) => (link.pre, link.post) = (ball.pre, ball.post),
                Coordinates::Channels(channels) => link.pre = channels.rest,
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
                    let x = ball.coordinates(&local);
                    let extend = plan.options.limits == LimitMode::Source;
                    set_box(&mut self.problem, start, &x, [&ball.lower, &ball.upper], extend);
                }
                Coordinates::Channels(channels) => {
                    let x = channels.angles(&local);
                    for (k, (&lower, &upper)) in
                        channels.lower.iter().zip(&channels.upper).enumerate()
                    {
                        self.problem.start[start + k] = x[k].clamp(lower, upper);
                        self.problem.lower[start + k] = lower;
                        self.problem.upper[start + k] = upper;
                    }
                }
            }
        }
    }

    /// Whether it moves a joint.
    pub fn moves(&self, joint: JointId) -> bool {
        let place = self.joints.iter().position(|&id| id == joint);
        place.is_some_and(|place| !matches!(self.coordinates[place], Coordinates::Fixed))
    }

    /// Where its joints stand in the boxes of the last frame.
    pub fn boxes<'a>(&'a self, posing: &'a Posing) -> impl Iterator<Item = JointBox> + 'a {
        self.joints.iter().enumerate().filter_map(|(place, &joint)| {
            let read = self.coordinates[place].read(joint, &posing.locals[joint.index()])?;
            let end = self.problem.chain.range(LinkId(place)).end;
            let range = end - read.values.len()..end;
            let [lower, upper] = [&self.problem.lower, &self.problem.upper];
            Some(JointBox {
                lower: lower[range.clone()].to_vec(),
                upper: upper[range].to_vec(),
                ..read
            })
        })
    }

    /// Solves, and gives the answer to the pose's local transforms.
    pub fn solve(&self, solver: &mut Solver, posing: &mut Posing) -> Solution {
        let solution = solver.solve(&self.problem);
        let start_is_answer = solution.iterations == 0 && solver.x() == self.problem.start;
        for (place, &joint) in self.joints.iter().enumerate() {
            let link = LinkId(place);
            let fixed = matches!(self.coordinates[place], Coordinates::Fixed);
            let clamped = || {
                matches!(self.coordinates[place], Coordinates::Channels(_) | Coordinates::Ball(_))
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
    match moves {
        Moves::Fixed => Coordinates::Fixed,
        Moves::Freely => Coordinates::Free,
        Moves::Limited => match Coordinates::limited(&plan.target, joint) {
            Coordinates::Channels(channels) if channels.axes.is_empty() => Coordinates::Fixed,
            limited => limited,
        },
    }
}

fn motion(coordinates: &Coordinates) -> Motion {
    match coordinates {
        Coordinates::Fixed => Motion::Fixed,
        Coordinates::Free => Motion::Rotation,
        Coordinates::Ball(_) => Motion::SwingTwist,
        Coordinates::Channels(channels) => {
            Motion::Axes(channels.axes.iter().map(|axis| axis.unit()).collect())
        }
    }
}
