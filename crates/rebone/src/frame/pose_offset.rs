//! How far parts of a pose are moved.

use nalgebra::Vector3;

/// How far parts of the target move in one frame, metres in the inner world, after the body has tilted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PoseOffset {
    /// How the body tilts about the middle of the hips, a rotation vector; feet and hands do not turn with it.
    pub(crate) tilt: Vector3<f64>,
    /// The body.
    pub(crate) root: Vector3<f64>,
    /// The end of each of [`Limb::ALL`]; of one that no contact is kept of, `None`: it goes with the body.
    pub(crate) ends: [Option<Vector3<f64>>; 4],
}
