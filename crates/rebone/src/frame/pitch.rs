//! The pitch of feet and toes.

use super::target_pose::TargetPose;
use crate::align::Plan;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::JointId;

/// Pitch about which that of a foot flat on a slope ends: 10 degrees.
const SLOPE_RADIANS: f64 = std::f64::consts::PI / 18.0;
/// Largest bend of toes, upwards: 60 degrees.
pub(super) const MAX_TOE_BEND_RADIANS: f64 = std::f64::consts::PI / 3.0;

/// Returns the pitch of a foot or its toes over the horizontal, upwards, radians.
pub(super) fn pitch_of(plan: &Plan, target: &TargetPose, joint: JointId) -> f64 {
    let ahead = target.frame(plan, joint) * Vector3::z();
    libm::asin(ahead.y.clamp(-1.0, 1.0))
}

/// Returns the part of a pitch that no slope explains: `θ³ / (θ² + σ²)`.
pub(super) fn beyond_slope(pitch: f64) -> f64 {
    pitch * pitch * pitch / (pitch * pitch + SLOPE_RADIANS * SLOPE_RADIANS)
}

/// Rotates a joint about its lateral axis, upwards.
pub(super) fn pitch_up(plan: &Plan, target: &mut TargetPose, joint: JointId, angle: f64) {
    let left = Unit::new_unchecked(target.frame(plan, joint) * Vector3::x());
    let turned =
        UnitQuaternion::from_axis_angle(&left, -angle) * target.world.rotations[joint.index()];
    target.set_world_rotation(plan, joint, &turned);
}
