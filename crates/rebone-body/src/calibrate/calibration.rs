//! Calibration: the pose in which a skeleton's anatomical frames are read off.

use crate::body::{CalibrationSource, SoleSource};
use crate::poses;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::{Clip, Skeleton, WorldPose};

/// A motion of fewer frames is no evidence; one of more is thinned.
pub(crate) const MIN_MOTION_FRAMES: usize = 8;
pub(crate) const MAX_MOTION_FRAMES: usize = 2000;
/// Frames that may be off by more are corrected where the rest pose is straight along one axis.
pub(crate) const MIN_DOUBTFUL_SIGMA: f64 = 9_f64.to_radians();

/// The result of looking for a calibration pose.
pub(crate) struct Calibration {
    pub(crate) source: CalibrationSource,
    /// Standard deviations of each joint's frame about its own axes, radians.
    pub(crate) sigmas: Vec<Vector3<f64>>,
    pub(crate) up: Unit<Vector3<f64>>,
    /// The question that is left of it, where the evidence is thin.
    pub(crate) up_question: Option<String>,
    pub(crate) facing: Option<f64>,
    /// `joint_from_anatomical` of joints with a role.
    pub(crate) frames: Vec<UnitQuaternion<f64>>,
    /// Source of the soles.
    pub(crate) soles: SoleSource,
    /// Whether a straight zero pose has corrected the frames.
    pub(crate) from_zero_pose: bool,
    /// The frames before other evidence corrected them, where it did.
    pub(crate) without_motion_evidence: Option<Vec<UnitQuaternion<f64>>>,
    /// Local rotations of the pose, for joints that play no part.
    pub(crate) locals: Vec<UnitQuaternion<f64>>,
    /// Whether the body does not stand straight in the pose.
    pub(crate) is_not_standing: bool,
    /// Remarks, a sentence each.
    pub(crate) warnings: Vec<String>,
}

/// Poses of the clip, spread over it, at most `count`.
pub fn spread(skeleton: &Skeleton, clip: &Clip, count: usize) -> Vec<WorldPose> {
    let step = clip.len().div_ceil(count).max(1);
    let frames = (0..clip.len()).step_by(step);
    frames.map(|frame| poses::world_of(skeleton, &poses::pose(clip, frame))).collect()
}
