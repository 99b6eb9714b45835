//! Prior knowledge of a calibration.

use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::{JointId, Pose, SkinPoint};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Up by the format of a file, in its axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormatUp {
    pub(crate) axis: Unit<Vector3<f64>>,
    /// True if the format fixes it, so that it holds unless a standing pose and the motion show another axis; else it is a
    /// convention, and goes for a standing pose where there is none.
    pub(crate) is_fixed: bool,
}

/// Prior knowledge of a calibration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// Up, in the file's axes.
    pub(crate) up: Option<Unit<Vector3<f64>>>,
    /// Up by the file's format.
    pub(crate) up_of_format: Option<FormatUp>,
    /// Direction that the rest pose faces, in the file's axes.
    pub(crate) facing: Option<Unit<Vector3<f64>>>,
    /// The calibration pose.
    pub(crate) pose: Option<Pose>,
    /// The pose in which the mesh was skinned, where it is another than the rest pose.
    pub(crate) bound: Option<Pose>,
    /// Vertices of the character's meshes.
    pub(crate) skin: Arc<[SkinPoint]>,
    /// Anatomical frames, in the axes of their joints.
    pub(crate) frames: BTreeMap<JointId, UnitQuaternion<f64>>,
}
