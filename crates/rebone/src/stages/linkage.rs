//! The joints that one stage moves, as a chain of the solver.

use super::Optimiser;
use crate::align::Plan;
use crate::limits::{JointBox, joint_box};
use crate::posing::Posing;
use rebone_ik::{Base, Chain, Goal, IkError, Link, LinkId, Motion, Problem, Solution};
use rebone_skeleton::JointId;

/// How one joint's local rotation becomes variables.
#[derive(Clone, Debug)]
enum Coordinates {
    /// It keeps the rotation it has.
    Fixed,
    /// Swing and twist, or the file's channels.
    Limited(JointBox),
    /// Any rotation.
    Free,
}

impl Coordinates {
    fn motion(&self) -> Motion {
        match self {
            Coordinates::Fixed => Motion::Fixed,
            Coordinates::Limited(own) => own.motion.clone(),
            Coordinates::Free => Motion::Rotation,
        }
    }
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
            let mut link = Link::new(parent, plan.bones[id.index()], own.motion());
            link.translates = carrier == Some(id);
            if let Coordinates::Limited(own) = &own {
                (link.pre, link.post) = (own.pre, own.post);
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
                set_box(&mut self.problem, start, &[0.0; 3], FREE);
                start += 3;
            }
            match &self.coordinates[place] {
                Coordinates::Fixed => self.problem.chain.set_pre(link, local),
                Coordinates::Free => {
                    self.problem.chain.set_pre(link, local);
                    set_box(&mut self.problem, start, &[0.0; 3], FREE);
                }
                Coordinates::Limited(own) => {
                    let x = own.coordinates(&local);
                    let bounds = own.bounds(&x, plan.options.limits);
                    set_box(&mut self.problem, start, &x[..own.motion.len()], bounds);
                }
            }
        }
    }

    /// The joints that it turns.
    pub fn turned(&self) -> impl Iterator<Item = JointId> + '_ {
        let turns = |place: &usize| !matches!(self.coordinates[*place], Coordinates::Fixed);
        (0..self.joints.len()).filter(turns).map(|place| self.joints[place])
    }

    /// Solves, and gives the answer to the pose's local transforms.
    pub fn solve(&self, solver: &mut Optimiser, posing: &mut Posing) -> Solution {
        let solution = solver.solve(&self.problem);
        let start_is_answer = solution.iterations == 0 && solver.x() == self.problem.start;
        for (place, &joint) in self.joints.iter().enumerate() {
            let link = LinkId(place);
            let fixed = matches!(self.coordinates[place], Coordinates::Fixed);
            let limited = matches!(self.coordinates[place], Coordinates::Limited(_));
            if !fixed && (!start_is_answer || limited) {
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

/// Start and box of the variables from `at` on.
fn set_box(problem: &mut Problem, at: usize, x: &[f64], [lower, upper]: [[f64; 3]; 2]) {
    for (k, x) in x.iter().enumerate() {
        problem.lower[at + k] = lower[k];
        problem.upper[at + k] = upper[k];
        problem.start[at + k] = x.clamp(lower[k], upper[k]);
    }
}

/// The box of a variable that is free.
const FREE: [[f64; 3]; 2] = [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]];

fn coordinates_of(plan: &Plan, joint: JointId, moves: Moves) -> Coordinates {
    let has_channels = !plan.target.skeleton.joint(joint).rotation_axes.is_empty();
    match moves {
        Moves::Limited if has_channels => Coordinates::Limited(joint_box(&plan.target, joint)),
        Moves::Fixed | Moves::Limited => Coordinates::Fixed,
        Moves::Freely => Coordinates::Free,
    }
}
