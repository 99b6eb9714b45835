//! The pose in which a mesh was skinned.

use super::Armature;
use crate::{JointId, Pose, forward_kinematics};
use nalgebra::UnitQuaternion;
use std::collections::BTreeMap;

/// Radians: bind and rest poses that are nearer are the same.
const SAME: f64 = 0.01;
/// Radians against the parent that come of the 32 bit numbers of a file.
const NOISE: f64 = 1e-5;
/// Radians that the root may have turned since, where the space of the mesh is to be told.
const TURNED: f64 = 0.8;

impl Armature {
    /// The pose in which the mesh was skinned, where it is another than the rest pose. `bound` says how joints
    /// were turned then, in the space of the mesh; only rotations say something.
    ///
    /// That space may be turned against the world: by as much as what carries the skeleton, or by nothing; else
    /// the root is taken to be at rest.
    pub fn bind_pose(&self, bound: &BTreeMap<JointId, UnitQuaternion<f64>>) -> Option<Pose> {
        let skeleton = self.skeleton();
        let mut pose = skeleton.rest_pose();
        let rest = forward_kinematics(skeleton, &pose);
        let (top, first) = bound.first_key_value()?;
        let wanted = rest.rotations[top.index()] * first.inverse();
        let spaces = [UnitQuaternion::identity(), self.carried.rotation];
        let near =
            spaces.into_iter().min_by(|a, b| a.angle_to(&wanted).total_cmp(&b.angle_to(&wanted)));
        let space = near.filter(|near| near.angle_to(&wanted) < TURNED).unwrap_or(wanted);
        let mut world = rest.rotations.clone();
        for id in skeleton.ids() {
            let parent = skeleton.joint(id).parent.map(|parent| world[parent.index()]);
            let parent = parent.unwrap_or_else(UnitQuaternion::identity);
            let rotation = &mut pose.rotations[id.index()];
            let own = bound.get(&id).map(|own| parent.inverse() * space * own);
            *rotation = own.filter(|own| own.angle_to(rotation) > NOISE).unwrap_or(*rotation);
            world[id.index()] = parent * *rotation;
        }
        let differs = |id: JointId| rest.rotations[id.index()].angle_to(&world[id.index()]) > SAME;
        skeleton.ids().any(differs).then_some(pose)
    }
}
