//! The anatomy of a skeleton that was given a root bone.

use super::anatomy::Anatomy;
use super::parts::Body;
use super::role::Roles;
use super::surface::SharedSurface;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{JointId, Skeleton, SkinPoint, WorldPose};

impl Anatomy {
    /// Returns the same body in `skeleton`, which is its own below one more joint:
    /// [`Skeleton::with_root`]. The new root has no role.
    #[doc(hidden)]
    pub fn with_root(&self, skeleton: &Skeleton) -> Self {
        let root = skeleton.rest_transform().rotation;
        let mut by_joint = self.roles.by_joint.clone();
        for assigned in by_joint.iter_mut().flatten() {
            assigned.runner_up = assigned.runner_up.map(JointId::below_root);
        }
        let roles = Roles { by_joint: with_first(None, &by_joint) };
        let locals = |rotations: &[UnitQuaternion<f64>]| {
            let mut own = with_first(root, rotations);
            own[1] = root.inverse() * own[1];
            own
        };
        let world = self.inner_from_file() * root;
        let top = (self.t_pose.positions[0], skeleton[JointId(1)].rest_translation);
        let place = top.0 - world * top.1 * self.metres_per_unit();
        let below = |own: &SkinPoint| SkinPoint { joint: own.joint.below_root(), ..*own };
        let without_motion_evidence = self.without_motion_evidence.as_ref();
        let plain = without_motion_evidence.map(|plain| Box::new(plain.with_root(skeleton)));
        Self {
            body: Body::new(skeleton, &roles).expect("a body is still one below one more joint"),
            roles,
            joint_from_anatomical: with_first(world.inverse(), &self.joint_from_anatomical),
            t_pose: WorldPose {
                positions: with_first(place, &self.t_pose.positions),
                rotations: with_first(world, &self.t_pose.rotations),
            },
            calibration_rotations: locals(&self.calibration_rotations),
            bind_rotations: locals(&self.bind_rotations),
            corrections: self
                .corrections
                .iter()
                .map(|(joint, own)| (joint.below_root(), *own))
                .collect(),
            limits: self.limits.iter().map(|own| (own.0.below_root(), own.1.clone())).collect(),
            helpers: self.helpers.iter().map(|pair| pair.map(JointId::below_root)).collect(),
            sigmas: with_first(Vector3::zeros(), &self.sigmas),
            skin: self.skin.iter().map(below).collect(),
            surface: SharedSurface::default(),
            without_motion_evidence: plain,
            skeleton: skeleton.clone(),
            ..self.clone()
        }
    }
}

fn with_first<T: Clone>(first: T, others: &[T]) -> Vec<T> {
    [first].into_iter().chain(others.iter().cloned()).collect()
}
