//! Palm stage: rotation of the hand from the directions to its knuckles.

use super::stage_chain::{JointFreedom, StageChain};
use super::stage_solver::StageSolver;
use crate::align::{Plan, paired_knuckles};
use crate::frame::source_pose::SourcePose;
use crate::frame::target_pose::TargetPose;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::body::{Anatomy, Side};
use rebone_ik::{
    Chain, Goal, IkError, Link, LinkId, LinkMotion, Point, PointRef, Problem, Solution, Solver,
};
use rebone_skeleton::JointId;
use rebone_skeleton::rotation::direction;

/// Lever of the directions to the knuckles.
const KNUCKLE_LEVER_METRES: f64 = 0.1;

/// Names of fingers in the report.
const FINGERS: [&str; 5] = ["thumb", "index", "middle", "ring", "little"];

/// One hand, if both bodies have two or more knuckles in common.
#[derive(Clone, Debug)]
pub(crate) struct PalmStage {
    chain: StageChain,
    /// Hands of source and target.
    hands: [JointId; 2],
    /// Rotation from the target's hand to the source's that meets the goals best: the start.
    rotation: UnitQuaternion<f64>,
    /// Vectors from the source's wrist to its knuckles in the axes of the hand, in the order of the goals, with
    /// straight fingers, so that curling fingers do not rotate the palm.
    knuckles: Vec<Vector3<f64>>,
}

impl PalmStage {
    /// Sets up the problem; `None` if the hands have fewer than two knuckles in common.
    ///
    /// # Errors
    /// If the target's joints do not form a chain.
    pub(crate) fn new(plan: &Plan, side: Side) -> Result<Option<Self>, IkError> {
        let (from, to) =
            (&plan.source.body.arms[side.index()], &plan.target.body.arms[side.index()]);
        let fingers = paired_knuckles(&plan.source, &plan.target, side);
        let (false, Some(from_hand), Some(to_hand)) = (fingers.is_empty(), from.hand, to.hand)
        else {
            return Ok(None);
        };
        let knuckles = |anatomy: &Anatomy, hand: JointId, finger: &[JointId]| {
            let from_wrist = anatomy.place(*finger.first()?) - anatomy.place(hand);
            Some(anatomy.t_pose.rotations[hand.index()].inverse() * from_wrist)
        };
        let pair = |k: usize| {
            let source = knuckles(&plan.source, from_hand, &from.fingers[k])?;
            let target = knuckles(&plan.target, to_hand, &to.fingers[k])?;
            Some((source, (format!("{} knuckle", FINGERS[k]), target)))
        };
        let (source, target): (Vec<_>, Vec<_>) = fingers.into_iter().filter_map(pair).unzip();
        let hand = LinkId(0);
        let goal = |(name, offset): (String, Vector3<f64>)| {
            let ends =
                [PointRef::At(Point::origin(hand)), PointRef::At(Point { link: hand, offset })];
            (name, Goal::direction(1.0, KNUCKLE_LEVER_METRES, ends, Vector3::y_axis()))
        };
        let goals: Vec<_> = target.into_iter().map(goal).collect();
        let rotation = best_rotation(plan, [from_hand, to_hand], &source, &goals)?;
        let chain = StageChain::new(plan, &[(to_hand, JointFreedom::Limited)], None, goals)?;
        Ok(Some(Self { chain, hands: [from_hand, to_hand], rotation, knuckles: source }))
    }

    /// Returns its chain.
    pub(crate) fn chain(&self) -> &StageChain {
        &self.chain
    }

    /// Solves the hand of one frame; `target_pose` holds the start.
    pub(crate) fn solve(
        &mut self,
        plan: &Plan,
        source_pose: &SourcePose,
        target_pose: &mut TargetPose,
        solver: &mut StageSolver,
    ) -> Solution {
        let hand = source_pose.world.rotations[self.hands[0].index()];
        let (_, parent) = target_pose.parent(plan, self.hands[1]);
        target_pose.locals[self.hands[1].index()] = parent.inverse() * hand * self.rotation;
        self.chain.fill(plan, target_pose);
        set_goals(&mut self.chain.problem.goals, &self.knuckles, &hand);
        self.chain.solve(solver, target_pose)
    }
}

/// Sets the goals to the directions of the knuckles, given the world rotation of the source's hand.
fn set_goals(goals: &mut [Goal], knuckles: &[Vector3<f64>], hand: &UnitQuaternion<f64>) {
    for (goal, knuckle) in goals.iter_mut().zip(knuckles) {
        goal.set_target_direction(direction(&(hand * knuckle)).unwrap_or(Vector3::y_axis()));
    }
}

/// Returns the rotation of the target's hand relative to the source's for which the directions of the knuckles agree
/// best: constant, as knuckles are constants of both hands. Directions that leave freedom are resolved towards the
/// rotation at which the anatomical axes agree.
fn best_rotation(
    plan: &Plan,
    hands: [JointId; 2],
    knuckles: &[Vector3<f64>],
    goals: &[(String, Goal)],
) -> Result<UnitQuaternion<f64>, IkError> {
    let [from, to] = [(&plan.source, hands[0]), (&plan.target, hands[1])]
        .map(|(anatomy, hand)| anatomy.joint_from_anatomical[hand.index()]);
    let mut link = Link::new(None, Vector3::zeros(), LinkMotion::Rotation);
    link.pre = from * to.inverse();
    let goals = goals.iter().map(|(_, goal)| goal.clone()).collect();
    let mut problem = Problem::new(Chain::new(vec![link])?, goals)?;
    set_goals(&mut problem.goals, knuckles, &UnitQuaternion::identity());
    let mut solver = Solver::default();
    solver.solve(&problem)?;
    Ok(solver.configuration().rotation(LinkId(0)).unwrap_or_default())
}
