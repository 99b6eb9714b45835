//! Offsets of parts of a pose.

use nalgebra::Vector3;

/// Offsets of parts of the target in one frame: inner world, metres of a 1.7 m body, applied in the order of the
/// fields.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PoseOffset {
    /// Rotation of the body about the midpoint of the hips, a rotation vector, radians; feet and hands keep their
    /// rotations in the world.
    pub(crate) tilt: Vector3<f64>,
    /// Translation of the body.
    pub(crate) root: Vector3<f64>,
    /// Translation of each end effector, in the order of [`Limb::ALL`](rebone_body::body::Limb::ALL); `None` moves it with
    /// the body.
    pub(crate) ends: [Option<Vector3<f64>>; 4],
    /// Rotation of each hand about its wrist in the world, left and right, a rotation vector, radians.
    pub(crate) hands: [Vector3<f64>; 2],
    /// Rotation of each foot about its ankle in the world, likewise.
    pub(crate) feet: [Vector3<f64>; 2],
    /// Bend of the toes of each foot, upwards, radians.
    pub(crate) toes: [f64; 2],
}
