//! Joints and end sites: the nodes of a hierarchy.

use bstr::BString;
use nalgebra::{Unit, UnitQuaternion, Vector3};

/// The index of a joint in its skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub usize);

impl JointId {
    /// The index into [`Skeleton::joints`](crate::Skeleton::joints) and into poses.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// The first coordinate.
    X,
    /// The second coordinate.
    Y,
    /// The third coordinate.
    Z,
}

impl Axis {
    /// All axes in order.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The unit vector.
    pub fn unit(self) -> Unit<Vector3<f64>> {
        match self {
            Axis::X => Vector3::x_axis(),
            Axis::Y => Vector3::y_axis(),
            Axis::Z => Vector3::z_axis(),
        }
    }
}

/// A node of the hierarchy that can move.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The name as the file has it: bytes, often but not always UTF-8, not always unique.
    pub name: BString,
    /// `None` for the root alone.
    pub parent: Option<JointId>,
    /// Position in the parent's frame in the rest pose (the BVH `OFFSET`), in file units.
    pub rest_translation: Vector3<f64>,
    /// Rotation against the parent in the rest pose: identity in BVH.
    pub rest_rotation: UnitQuaternion<f64>,
    /// Axes of translation that the file can animate; empty for most joints.
    pub translation_axes: Vec<Axis>,
    /// Axes of rotation that the file can animate, in the order of multiplication
    /// (`R = R₀ R₁ R₂`, the order of BVH channels). Three for a ball joint.
    pub rotation_axes: Vec<Axis>,
}

/// A leaf without motion, which gives the last bone its length and direction.
#[derive(Clone, Debug, PartialEq)]
pub struct EndSite {
    /// The joint above it.
    pub parent: JointId,
    /// Position in the frame of that joint, in file units.
    pub offset: Vector3<f64>,
}

/// A point of a character's surface, a vertex of its mesh or a point within a large face: it moves with the joint that has the
/// most weight on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinPoint {
    /// The joint.
    pub joint: JointId,
    /// Position in the axes of the joint, in file units.
    pub offset: Vector3<f64>,
    /// True for a vertex, false for a point within a face.
    pub is_vertex: bool,
}
