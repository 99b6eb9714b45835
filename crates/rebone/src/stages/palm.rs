//! Palms: the hand's three rotations, from the directions of its knuckles.

use super::Optimiser;
use super::linkage::{Linkage, Moves};
use crate::align::Plan;
use crate::observe::Observation;
use crate::posing::Posing;
use crate::understand::{Anatomy, Side};
use nalgebra::Vector3;
use rebone_ik::{Goal, IkError, LinkId, Place, Point, Solution};
use rebone_skeleton::{JointId, rotation::direction};

/// Lever of the knuckles' directions, metres.
const KNUCKLE_LEVER: f64 = 0.1;

/// What fingers are called in the report.
const FINGERS: [&str; 5] = ["thumb", "index", "middle", "ring", "little"];

/// One hand, where both bodies have two outer knuckles or more.
#[derive(Clone, Debug)]
pub struct PalmStage {
    linkage: Linkage,
    /// The source's hand.
    hand: JointId,
    /// From its wrist to the knuckles with straight fingers, in its own axes, in the order of the
    /// goals: what a finger does must not turn the palm.
    knuckles: Vec<Vector3<f64>>,
}

impl PalmStage {
    /// Sets up the problem; `None` where the hand's frame is all there is to follow.
    ///
    /// # Errors
    /// When the target's joints do not form a chain.
    pub fn new(plan: &Plan, side: Side) -> Result<Option<Self>, IkError> {
        let (from, to) =
            (&plan.source.body.arms[side.index()], &plan.target.body.arms[side.index()]);
        let (Some(from_hand), Some(to_hand)) = (from.hand, to.hand) else { return Ok(None) };
        let knuckles = |anatomy: &Anatomy, hand: JointId, finger: &[JointId]| {
            let from_wrist = anatomy.place(*finger.first()?) - anatomy.place(hand);
            Some(anatomy.t_pose.rotations[hand.index()].inverse() * from_wrist)
        };
        let pair = |k: usize| {
            let source = knuckles(&plan.source, from_hand, &from.fingers[k])?;
            let target = knuckles(&plan.target, to_hand, &to.fingers[k])?;
            Some((source, (format!("{} knuckle", FINGERS[k]), target)))
        };
        let (source, target): (Vec<_>, Vec<_>) = (1..5).filter_map(pair).unzip();
        if source.len() < 2 {
            return Ok(None);
        }
        let hand = LinkId(0);
        let goal = |(name, offset): (String, Vector3<f64>)| {
            let ends = [Place::At(Point::origin(hand)), Place::At(Point { link: hand, offset })];
            (name, Goal::direction(1.0, KNUCKLE_LEVER, ends, Vector3::y_axis()))
        };
        let goals = target.into_iter().map(goal).collect();
        let linkage = Linkage::new(plan, &[(to_hand, Moves::Limited)], None, goals)?;
        Ok(Some(Self { linkage, hand: from_hand, knuckles: source }))
    }

    /// What it moves.
    pub(super) fn linkage(&self) -> &Linkage {
        &self.linkage
    }

    /// Solves the hand of one frame; `posing` holds the start.
    pub fn solve(
        &mut self,
        plan: &Plan,
        seen: &Observation,
        posing: &mut Posing,
        solver: &mut Optimiser,
    ) -> Solution {
        self.linkage.fill(plan, posing);
        let hand = seen.world.rotations[self.hand.index()];
        for (goal, knuckle) in self.linkage.problem.goals.iter_mut().zip(&self.knuckles) {
            let line = hand * knuckle;
            goal.want_direction(direction(&line).unwrap_or(Vector3::y_axis()));
        }
        self.linkage.solve(solver, posing)
    }
}
