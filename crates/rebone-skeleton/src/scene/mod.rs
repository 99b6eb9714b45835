//! Trees of nodes, as scene files hold them, and the skeleton in such a tree.
//!
//! A scene's nodes have scales, and only some of them are joints. A [`Skeleton`](crate::Skeleton) has no
//! scales: [`Armature`] folds them into its lengths, which become those of the scene's world, and converts back.

mod armature;
mod bind;
mod characters;
mod error;
mod mesh;
mod mesh_misfit;
mod paths;
mod reparent;
mod skin;
mod skin_mesh;
mod space;

pub(crate) use armature::Armature;
pub use characters::ListedCharacter;
pub(crate) use characters::{
    CharacterJoints, MAX_CHARACTERS, below_named, choices, described, divided,
};
pub use error::ArmatureError;
pub(crate) use mesh::{Carrier, Mesh};
#[cfg(feature = "fbx")]
pub(crate) use mesh_misfit::MeshPoints;
pub(crate) use mesh_misfit::RestBox;
pub use skin::SkinPoints;
pub use skin_mesh::SkinMesh;
pub(crate) use skin_mesh::{LinearColour, SkinPart};

use bstr::BString;
use nalgebra::{Matrix3, Matrix4, Rotation3, UnitQuaternion, Vector3};

/// A node of a scene.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// Its name; empty where it has none.
    pub(crate) name: BString,
    /// The index of its parent.
    pub(crate) parent: Option<usize>,
    /// Transform in the parent's frame at rest.
    pub(crate) local: Local,
    /// Its kind.
    pub(crate) kind: NodeKind,
}

/// Kinds of nodes, as far as a skeleton is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// A mesh is skinned to it, or the file says that it is a bone.
    Joint,
    /// A node without content.
    Plain,
    /// It shows something: a mesh, a camera, a light.
    Object,
}

/// A transform from a node's frame to its parent's: scaled, then turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Local {
    /// In the parent's frame.
    pub(crate) translation: Vector3<f64>,
    /// Against the parent.
    pub(crate) rotation: UnitQuaternion<f64>,
    /// Along the node's own axes.
    pub(crate) scale: Vector3<f64>,
}

impl Local {
    /// No transform at all.
    pub(crate) const IDENTITY: Self = Self {
        translation: Vector3::new(0.0, 0.0, 0.0),
        rotation: UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(1.0, 0.0, 0.0, 0.0)),
        scale: Vector3::new(1.0, 1.0, 1.0),
    };

    /// Decomposes a matrix; `None` where its axes are not at right angles, or have no length.
    pub(crate) fn from_matrix(matrix: &Matrix4<f64>) -> Option<Self> {
        let axes = matrix.fixed_view::<3, 3>(0, 0).into_owned();
        let mut scale = Vector3::from_fn(|k, _| axes.column(k).norm());
        if !scale.iter().all(|length| *length > 1e-12 && length.is_finite()) {
            return None;
        }
        if axes.determinant() < 0.0 {
            scale.neg_mut();
        }
        let turn = Matrix3::from_fn(|row, k| axes[(row, k)] / scale[k]);
        if (turn.transpose() * turn - Matrix3::identity()).amax() > 1e-3 {
            return None;
        }
        let rotation =
            UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
        let translation = matrix.fixed_view::<3, 1>(0, 3).into_owned();
        let finite = translation.iter().chain(&rotation.coords).all(|x| x.is_finite());
        finite.then_some(Self { translation, rotation, scale })
    }

    /// The matrix of the transform.
    pub(crate) fn to_matrix(self) -> Matrix4<f64> {
        let turned = self.rotation.to_homogeneous() * Matrix4::new_nonuniform_scaling(&self.scale);
        Matrix4::new_translation(&self.translation) * turned
    }

    /// The one number that stands for all three scales, negative where all axes are mirrored; `None` where they differ.
    pub(crate) fn uniform_scale(&self) -> Option<f64> {
        let [x, y, z] = self.scale.into();
        let mean = (x + y + z) / 3.0;
        let same = [x, y, z].iter().all(|length| (length - mean).abs() <= 1e-3 * mean.abs());
        (same && mean != 0.0 && mean.is_finite()).then_some(mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_is_taken_apart() {
        let local = Local {
            translation: Vector3::new(1.0, -2.0, 3.0),
            rotation: UnitQuaternion::from_euler_angles(0.3, -1.0, 2.0),
            scale: Vector3::new(0.01, 0.01, 0.01),
        };
        let again = Local::from_matrix(&local.to_matrix()).unwrap();
        assert!((again.translation - local.translation).norm() < 1e-12);
        assert!(again.rotation.angle_to(&local.rotation) < 1e-9);
        assert!((again.uniform_scale().unwrap() - 0.01).abs() < 1e-12);
        let mirrored = Local::from_matrix(&Matrix4::new_scaling(-1.0)).unwrap();
        assert_eq!(mirrored.uniform_scale(), Some(-1.0));
        let uneven = Local { scale: Vector3::new(1.0, 1.0, -1.0), ..Local::IDENTITY };
        assert_eq!(uneven.uniform_scale(), None);
        let mut sheared = Matrix4::identity();
        sheared[(0, 1)] = 0.5;
        assert_eq!(Local::from_matrix(&sheared), None);
        assert_eq!(Local::from_matrix(&Matrix4::zeros()), None);
    }
}
