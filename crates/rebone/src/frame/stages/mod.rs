//! The stages that solve: each a small problem over the joints of one part of the body.

mod body;
mod limb;
mod linkage;
mod optimiser;
mod palm;

pub use body::BodyStage;
pub use limb::{LimbPoints, LimbStage};
pub use linkage::{Linkage, Moves};
pub use optimiser::Optimiser;
pub use palm::PalmStage;

use super::source_pose::Observation;
use super::target_pose::Posing;
use crate::align::{Group, Plan};
use crate::body::Limb;
use crate::body::{Arm, Landmark, Leg, Side};
use crate::limits::{Binding, JointBox};
use nalgebra::Vector3;
use rebone_ik::{Goal, IkError, Solution};

/// The problems of all stages of one target, and the solver's memory.
#[derive(Clone, Debug)]
pub struct Stages {
    body: BodyStage,
    arms: [LimbStage; 2],
    legs: [LimbStage; 2],
    palms: [Option<PalmStage>; 2],
    solver: Optimiser,
}

impl Stages {
    /// Sets up all problems.
    ///
    /// # Errors
    /// When the target's joints do not form chains.
    pub fn new(plan: &Plan) -> Result<Self, IkError> {
        let arm = |side: Side| {
            let points = |arm: &Arm| [arm.upper.into(), arm.lower.into(), arm.wrist];
            let [source, target] = [&plan.source, &plan.target]
                .map(|anatomy| points(&anatomy.body.arms[side.index()]));
            LimbStage::new(plan, source, target, plan.options.arm_blend())
        };
        let leg = |side: Side| {
            let points = |leg: &Leg| [leg.upper, leg.lower, leg.foot].map(Landmark::from);
            let [source, target] = [&plan.source, &plan.target]
                .map(|anatomy| points(&anatomy.body.legs[side.index()]));
            LimbStage::new(plan, source, target, plan.options.leg_blend())
        };
        Ok(Self {
            body: BodyStage::new(plan)?,
            arms: [arm(Side::Left)?, arm(Side::Right)?],
            legs: [leg(Side::Left)?, leg(Side::Right)?],
            palms: [PalmStage::new(plan, Side::Left)?, PalmStage::new(plan, Side::Right)?],
            solver: Optimiser::new(plan.options.solver),
        })
    }

    /// Where the joints that the stages move stand in their boxes in the last frame.
    pub fn boxes<'a>(&'a self, posing: &'a Posing) -> impl Iterator<Item = JointBox> + 'a {
        self.linkages().flat_map(|linkage| linkage.boxes(posing))
    }

    /// The limits that bound at the last answers.
    pub fn bindings(&self) -> impl Iterator<Item = Binding> {
        self.linkages().flat_map(Linkage::bindings)
    }

    /// The goals of a group's stage at the last answer, with their names, and how far from being met
    /// they are: metres, or radians ([`Goal::error_size`]).
    pub fn goals(&self, group: Group) -> impl Iterator<Item = (&str, &Goal, f64)> {
        let linkage = match group {
            Group::Body => Some(self.body.linkage()),
            Group::Arm(side) => Some(self.arms[side.index()].linkage()),
            Group::Leg(side) => Some(self.legs[side.index()].linkage()),
            Group::Palm(side) => self.palms[side.index()].as_ref().map(PalmStage::linkage),
            _ => None,
        };
        linkage.into_iter().flat_map(Linkage::goals)
    }

    fn linkages(&self) -> impl Iterator<Item = &Linkage> {
        let limbs = self.arms.iter().chain(&self.legs).map(LimbStage::linkage);
        let palms = self.palms.iter().flatten().map(PalmStage::linkage);
        [self.body.linkage()].into_iter().chain(limbs).chain(palms)
    }

    /// Puts the end of a limb elsewhere.
    pub(crate) fn put(
        &mut self,
        plan: &Plan,
        posing: &mut Posing,
        limb: Limb,
        wanted: Vector3<f64>,
    ) {
        let stage = match limb {
            Limb::Leg(side) => &mut self.legs[side.index()],
            Limb::Arm(side) => &mut self.arms[side.index()],
        };
        stage.put(plan, posing, wanted, &mut self.solver);
    }

    /// Solves the stage of a group, if it has one, from the start in `posing`.
    pub fn solve(
        &mut self,
        plan: &Plan,
        seen: &Observation,
        posing: &mut Posing,
        group: Group,
    ) -> Option<Solution> {
        let solver = &mut self.solver;
        match group {
            Group::Body => Some(self.body.solve(plan, seen, posing, solver)),
            Group::Arm(side) => Some(self.arms[side.index()].solve(plan, seen, posing, solver)),
            Group::Leg(side) => Some(self.legs[side.index()].solve(plan, seen, posing, solver)),
            Group::Palm(side) => {
                let palm = self.palms[side.index()].as_mut()?;
                Some(palm.solve(plan, seen, posing, solver))
            }
            _ => None,
        }
    }
}
