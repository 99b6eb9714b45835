//! Frames of joints as frames of a motion show them.

use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{JointId, WorldPose, rotation};

/// A frame in its joint's axes, and the standard deviations of its error about its own axes, radians.
pub(crate) type Estimate = (UnitQuaternion<f64>, Vector3<f64>);

/// The mean of `other`'s frame when it is what `joint`'s frame carries: `mean(R_joint⁻¹ R_other) F`.
pub(crate) fn carried<P: std::borrow::Borrow<WorldPose>>(
    frames: &[P],
    other: JointId,
    other_frame: Option<UnitQuaternion<f64>>,
    joint: JointId,
) -> Option<UnitQuaternion<f64>> {
    let frame = other_frame?;
    Some(rotation::mean(frames.iter().map(|pose| {
        let rotations = &pose.borrow().rotations;
        rotations[joint.index()].inverse() * rotations[other.index()] * frame
    })))
}
