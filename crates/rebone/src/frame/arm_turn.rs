//! Turns of an arm.

use nalgebra::Vector3;

/// Rotations of an arm in one frame, each about its joint and carrying what is below it: rotation vectors in the world before
/// any of them, radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ArmTurn {
    pub(crate) shoulder: Vector3<f64>,
    pub(crate) elbow: Vector3<f64>,
    pub(crate) wrist: Vector3<f64>,
}
