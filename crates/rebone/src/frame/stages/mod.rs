//! The stages: small inverse kinematics problems over the joints of one region of the body.

mod body;
mod limb;
mod palm;
mod stage_chain;
mod stage_solver;

use body::BodyStage;
use limb::LimbStage;
use palm::PalmStage;
use stage_chain::StageChain;
use stage_solver::StageSolver;

use super::source_pose::SourcePose;
use super::target_pose::TargetPose;
use crate::align::{Group, Plan};
use nalgebra::Vector3;
use rebone_body::body::{Arm, Landmark, Leg, Limb, Side};
use rebone_body::limits::{ActiveLimit, JointRangeUse};
use rebone_ik::{Goal, IkError, Options, Solution, SolverKind};

/// Stop criteria of the Jacobian's transpose: as many steps as in the program of Tonoli et al. More bring hands no nearer to
/// what they touch, and turn limbs farther from their start.
const TRANSPOSE: Options =
    Options { max_iterations: 10, gradient_tolerance: 1e-6, posture_regularisation: false };

/// The problems of all stages of one target, with the solver's memory.
#[derive(Clone, Debug)]
pub(crate) struct Stages {
    body: BodyStage,
    arms: [LimbStage; 2],
    legs: [LimbStage; 2],
    palms: [Option<PalmStage>; 2],
    solver: StageSolver,
    /// The solver of limbs that only bring an end effector to its position.
    transpose: StageSolver,
}

impl Stages {
    /// Sets up the problems of a plan.
    ///
    /// # Errors
    /// If the target's joints do not form chains.
    pub(crate) fn new(plan: &Plan) -> Result<Self, IkError> {
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
            solver: StageSolver::new(plan.options.solver),
            transpose: StageSolver::with_options(SolverKind::JacobianTranspose, TRANSPOSE),
        })
    }

    /// Returns values and ranges of the solved joints in the last frame.
    pub(crate) fn range_uses<'a>(
        &'a self,
        target_pose: &'a TargetPose,
    ) -> impl Iterator<Item = JointRangeUse> + 'a {
        self.chains().flat_map(|chain| chain.range_uses(target_pose))
    }

    /// Returns the limits that were active at the last solutions.
    pub(crate) fn active_limits(&self) -> impl Iterator<Item = ActiveLimit> {
        self.chains().flat_map(StageChain::active_limits)
    }

    /// Returns the goals of a group's stage at the last solution: name, goal, and error in metres or radians
    /// ([`Goal::error_size`]).
    pub(crate) fn goals(&self, group: Group) -> impl Iterator<Item = (&str, &Goal, f64)> {
        let chain = match group {
            Group::Body => Some(self.body.chain()),
            Group::Arm(side) => Some(self.arms[side.index()].chain()),
            Group::Leg(side) => Some(self.legs[side.index()].chain()),
            Group::Palm(side) => self.palms[side.index()].as_ref().map(PalmStage::chain),
            _ => None,
        };
        chain.into_iter().flat_map(StageChain::goals)
    }

    fn chains(&self) -> impl Iterator<Item = &StageChain> {
        let limbs = self.arms.iter().chain(&self.legs).map(LimbStage::chain);
        let palms = self.palms.iter().flatten().map(PalmStage::chain);
        [self.body.chain()].into_iter().chain(limbs).chain(palms)
    }

    /// Moves the end effector of a limb to a position in the inner world.
    pub(crate) fn move_end_effector(
        &mut self,
        plan: &Plan,
        target_pose: &mut TargetPose,
        limb: Limb,
        wanted: Vector3<f64>,
    ) {
        let stage = stage_of(&mut self.arms, &mut self.legs, limb);
        stage.move_end_effector(plan, target_pose, wanted, &mut self.solver);
    }

    /// Brings the end effector of a limb to a position in the inner world by the Jacobian's transpose, whatever becomes of
    /// the directions of its bones.
    pub(crate) fn place_end(
        &mut self,
        plan: &Plan,
        target_pose: &mut TargetPose,
        limb: Limb,
        wanted: Vector3<f64>,
    ) {
        let stage = stage_of(&mut self.arms, &mut self.legs, limb);
        stage.solve_position(plan, target_pose, wanted, &mut self.transpose);
    }

    /// Brings an arm within its limits after it was turned.
    pub(crate) fn hold_arm(&mut self, plan: &Plan, target_pose: &mut TargetPose, side: Side) {
        self.arms[side.index()].hold_pose(plan, target_pose, &mut self.solver);
    }

    /// Solves the stage of a group from the start in `target_pose`; `None` if the group has no stage.
    pub(crate) fn solve(
        &mut self,
        plan: &Plan,
        source_pose: &SourcePose,
        target_pose: &mut TargetPose,
        group: Group,
    ) -> Option<Solution> {
        let solver = &mut self.solver;
        match group {
            Group::Body => Some(self.body.solve(plan, source_pose, target_pose, solver)),
            Group::Arm(side) => {
                Some(self.arms[side.index()].solve(plan, source_pose, target_pose, solver))
            }
            Group::Leg(side) => {
                Some(self.legs[side.index()].solve(plan, source_pose, target_pose, solver))
            }
            Group::Palm(side) => {
                let palm = self.palms[side.index()].as_mut()?;
                Some(palm.solve(plan, source_pose, target_pose, solver))
            }
            _ => None,
        }
    }
}

/// Returns the stage of a limb.
fn stage_of<'a>(
    arms: &'a mut [LimbStage; 2],
    legs: &'a mut [LimbStage; 2],
    limb: Limb,
) -> &'a mut LimbStage {
    match limb {
        Limb::Leg(side) => &mut legs[side.index()],
        Limb::Arm(side) => &mut arms[side.index()],
    }
}
