//! Toes with a mesh bend so that no part of them is lower below the foot than the source's: a longer or thicker tip of a shoe
//! would go through the floor while the ball bears.

use super::pitch::{MAX_TOE_BEND_RADIANS, beyond_slope, pitch_of, pitch_up};
use super::source_pose::SourcePose;
use super::target_pose::TargetPose;
use crate::align::Plan;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_body::body::{METRES_PER_CENTIMETRE, Side};
use rebone_skeleton::JointId;

/// Depth of toes below those of the source that is left, metres: 0.5 cm at 1.8 m.
const ALLOWED_METRES: f64 = 0.5 * METRES_PER_CENTIMETRE;

/// Toes of the target with a mesh, and the joint that bends them.
#[derive(Clone, Copy, Debug)]
pub(super) struct ToeMesh {
    side: Side,
    foot: JointId,
    toes: JointId,
}

impl ToeMesh {
    /// Returns the toes of a side; `None` without a mesh or a joint that bends freely, and where both skeletons are one.
    pub(super) fn new(plan: &Plan, side: Side) -> Option<Self> {
        let leg = &plan.target.body.legs[side.index()];
        let points = &plan.supports.feet[1][side.index()];
        let toes = leg.toes.filter(|&toes| plan.target.skeleton[toes].rotation_axes.len() == 3)?;
        let is_shown = !points.foot.is_empty() && !points.toes.is_empty();
        is_shown.then_some(Self { side, foot: leg.foot, toes })
    }

    /// Bends the toes upwards in a posed frame, and returns by how much, radians; `nearness` is 1 where the foot is near
    /// the ground.
    pub(super) fn pose(
        &self,
        plan: &Plan,
        (source, nearness): (&SourcePose, f64),
        target: &mut TargetPose,
    ) -> f64 {
        let points = &plan.supports.feet[1][self.side.index()];
        let least = points.lowest_of_foot(&target.world)
            - plan.supports.room_for_toes(&source.world, self.side)
            - ALLOWED_METRES;
        let middle = target.world.positions[self.toes.index()];
        let left = Unit::new_unchecked(target.frame(plan, self.toes) * Vector3::x());
        let height = |bend: f64| {
            let turn = UnitQuaternion::from_axis_angle(&left, -bend);
            let places = points.toes.iter().map(|point| point.place(&target.world));
            places.map(|place| (middle + turn * (place - middle)).y).fold(f64::INFINITY, f64::min)
        };
        let missing = least - height(0.0);
        if missing <= 0.0 {
            return 0.0;
        }
        let [foot, toes] = [self.foot, self.toes].map(|joint| pitch_of(plan, target, joint));
        let most = (-beyond_slope(toes)).min(MAX_TOE_BEND_RADIANS - (toes - foot)).max(0.0);
        let gain = height(most) - height(0.0);
        // Heights are concave in the bend: a share of the bend gains more than that share, and never jumps.
        let share = if gain > missing { missing / gain } else { 1.0 };
        let bend = most * share * nearness;
        pitch_up(plan, target, self.toes, bend);
        target.update_group(plan, plan.groups[self.toes.index()].place());
        bend
    }
}
