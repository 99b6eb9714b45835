//! A point of the body that can support it on the ground.

use nalgebra::Vector3;
use rebone_body::body::{Anatomy, Extent};
use rebone_skeleton::{JointId, WorldPose};

/// A point of the body that can support it on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Support {
    /// The joint that it is attached to.
    pub(crate) joint: JointId,
    /// Its position in the axes of the joint, metres of a 1.7 m body.
    pub(crate) offset: Vector3<f64>,
    /// Its distance from the skin, metres of a 1.7 m body.
    pub(crate) radius: f64,
    /// The mesh around it, where it is known: its distance from the skin is that of the direction that is down.
    pub(crate) extent: Option<Extent>,
}

impl Support {
    /// Returns its position: so that the lowest point of its skin is lower by its radius.
    pub(crate) fn place(&self, pose: &WorldPose) -> Vector3<f64> {
        let index = self.joint.index();
        let place = pose.positions[index] + pose.rotations[index] * self.offset;
        let below = |extent: &Extent| extent.below(&pose.rotations[index]) - self.radius;
        place - Vector3::y() * self.extent.as_ref().map_or(0.0, below)
    }

    /// Takes the mesh of the part around it, where there is one.
    pub(crate) fn with_mesh(self, anatomy: &Anatomy, joints: &[JointId]) -> Self {
        let extent = Extent::of(anatomy, self.joint, joints);
        Self { offset: extent.map_or(self.offset, |extent| extent.centre), extent, ..self }
    }
}

/// Returns the height of a support over level zero.
pub(crate) fn clearance(support: &Support, pose: &WorldPose) -> f64 {
    support.place(pose).y - support.radius
}

/// Builds a support from its position in the T pose.
pub(crate) fn on(anatomy: &Anatomy, joint: JointId, place: Vector3<f64>, radius: f64) -> Support {
    let offset = anatomy.t_pose.rotations[joint.index()].inverse() * (place - anatomy.place(joint));
    Support { joint, offset, radius, extent: None }
}
