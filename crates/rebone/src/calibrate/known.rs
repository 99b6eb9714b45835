//! Prior knowledge of a calibration.

use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::{JointId, Pose, SkinPoint};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Prior knowledge of a calibration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// Up, in the file's axes.
    pub(crate) up: Option<Unit<Vector3<f64>>>,
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
