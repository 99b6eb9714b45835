//! The stages that solve: each a small problem over the joints of one part of the body.

mod body;
mod limb;
mod linkage;
mod optimiser;
mod palm;

pub use body::BodyStage;
pub use limb::{LimbJoints, LimbStage};
pub use linkage::{Linkage, Moves};
pub use optimiser::Optimiser;
pub use palm::PalmStage;

use crate::align::{Group, Plan};
use crate::observe::Observation;
use crate::posing::Posing;
use crate::understand::{Arm, Leg, Side};
use rebone_ik::{IkError, Solution};
use rebone_skeleton::JointId;

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
            let joints = |arm: &Arm| [arm.upper, arm.lower, arm.hand];
            let [source, target] = [&plan.source, &plan.target]
                .map(|anatomy| joints(&anatomy.body.arms[side.index()]));
            LimbStage::new(plan, source, target, plan.options.limbs.arms)
        };
        let leg = |side: Side| {
            let joints = |leg: &Leg| [leg.upper, leg.lower, leg.foot];
            let [source, target] = [&plan.source, &plan.target]
                .map(|anatomy| joints(&anatomy.body.legs[side.index()]));
            LimbStage::new(plan, source, target, plan.options.limbs.legs)
        };
        Ok(Self {
            body: BodyStage::new(plan)?,
            arms: [arm(Side::Left)?, arm(Side::Right)?],
            legs: [leg(Side::Left)?, leg(Side::Right)?],
            palms: [PalmStage::new(plan, Side::Left)?, PalmStage::new(plan, Side::Right)?],
            solver: Optimiser::new(plan.options.method),
        })
    }

    /// The joints that stages turn; all others are posed in closed form.
    pub fn turned(&self) -> impl Iterator<Item = JointId> + '_ {
        let limbs = self.arms.iter().chain(&self.legs).map(|limb| &limb.linkage);
        let palms = self.palms.iter().flatten().map(|palm| &palm.linkage);
        [&self.body.linkage].into_iter().chain(limbs).chain(palms).flat_map(Linkage::turned)
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
