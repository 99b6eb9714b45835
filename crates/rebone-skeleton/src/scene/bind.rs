//! Bind poses.

use super::Armature;
use crate::{JointId, Pose, WorldPose};
use nalgebra::UnitQuaternion;
use std::collections::BTreeMap;

/// Bind and rest poses that differ less are equal.
const MIN_DIFFERENCE_RADIANS: f64 = 0.01;
/// Rounding of 32 bit numbers, against the parent.
const F32_NOISE_RADIANS: f64 = 1e-5;
/// The root may have rotated by this since, where the space of the mesh is inferred.
const MAX_ROOT_TURN_RADIANS: f64 = 0.8;

impl Armature {
    /// The pose in which the mesh was skinned, where it differs from the rest pose. `bound` holds rotations of joints
    /// in it, in the space of the mesh; its translations are those of the rest pose.
    ///
    /// The space of the mesh may be rotated against the world: as the nodes above the root are, or not at all; else the
    /// root is taken to be at rest.
    pub(crate) fn bind_pose(&self, bound: &BTreeMap<JointId, UnitQuaternion<f64>>) -> Option<Pose> {
        let rest = self.skeleton().rest_world();
        let (top, first) = bound.first_key_value()?;
        let mirrored = self.mirror_turn(*top).map(|turn| *first * turn);
        let wanted = rest.rotations[top.index()] * mirrored.unwrap_or(*first).inverse();
        let spaces = [UnitQuaternion::identity(), self.root_transform.rotation];
        let near =
            spaces.into_iter().min_by(|a, b| a.angle_to(&wanted).total_cmp(&b.angle_to(&wanted)));
        let space =
            near.filter(|near| near.angle_to(&wanted) < MAX_ROOT_TURN_RADIANS).unwrap_or(wanted);
        self.bind_pose_in_space(bound, space)
    }

    /// The pose in which the mesh was skinned, where it differs from the rest pose. `bound` holds rotations of joints in
    /// it, in a space that `space` turns to the world.
    pub(crate) fn bind_pose_in_space(
        &self,
        bound: &BTreeMap<JointId, UnitQuaternion<f64>>,
        space: UnitQuaternion<f64>,
    ) -> Option<Pose> {
        let skeleton = self.skeleton();
        let mut pose = skeleton.rest_pose();
        let rest = WorldPose::of(skeleton, &pose);
        let mut world = rest.rotations.clone();
        for id in skeleton.ids() {
            let parent = skeleton[id].parent.map(|parent| world[parent.index()]);
            let parent = parent.unwrap_or_else(UnitQuaternion::identity);
            let rotation = &mut pose.rotations[id.index()];
            let own = bound.get(&id).map(|own| parent.inverse() * space * own);
            let own = own.map(|own| self.mirror_turn(id).map_or(own, |turn| own * turn));
            *rotation =
                own.filter(|own| own.angle_to(rotation) > F32_NOISE_RADIANS).unwrap_or(*rotation);
            world[id.index()] = parent * *rotation;
        }
        let differs = |id: JointId| {
            rest.rotations[id.index()].angle_to(&world[id.index()]) > MIN_DIFFERENCE_RADIANS
        };
        skeleton.ids().any(differs).then_some(pose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Local, Node, NodeKind};
    use nalgebra::Vector3;

    fn turn(x: f64, y: f64, z: f64) -> UnitQuaternion<f64> {
        UnitQuaternion::from_euler_angles(x, y, z)
    }

    /// An armature on a node that is turned, as exporters leave it: a root, a limb, and its end.
    fn armature(rests: [UnitQuaternion<f64>; 3]) -> Armature {
        let translation_joint = turn(-std::f64::consts::FRAC_PI_2, 0.0, 0.0);
        let node = |(index, rotation): (usize, UnitQuaternion<f64>)| Node {
            name: format!("n{index}").into(),
            parent: index.checked_sub(1),
            local: Local { translation: Vector3::y(), rotation, scale: Vector3::repeat(1.0) },
            kind: if index == 0 { NodeKind::Plain } else { NodeKind::Joint },
        };
        let turns = [translation_joint, rests[0], rests[1], rests[2]];
        let tree: Vec<Node> = turns.into_iter().enumerate().map(node).collect();
        Armature::new(&tree, &(1..4).collect()).unwrap()
    }

    /// World rotations of the joints at rest.
    fn world(armature: &Armature) -> Vec<UnitQuaternion<f64>> {
        armature.skeleton().rest_world().rotations
    }

    #[test]
    fn a_mesh_that_was_skinned_at_rest_says_nothing() {
        let own = armature([turn(0.1, 0.2, 0.3), turn(0.0, 0.4, 0.0), turn(0.3, 0.0, 0.1)]);
        // The mesh may lie in the world, under the carrier, or anywhere.
        for space in
            [turn(0.0, 0.0, 0.0), turn(-std::f64::consts::FRAC_PI_2, 0.0, 0.0), turn(1.0, 2.0, 0.5)]
        {
            let bound = world(&own).into_iter().map(|turn| space.inverse() * turn).enumerate();
            let bound = bound.map(|(joint, turn)| (JointId(joint), turn)).collect();
            assert_eq!(own.bind_pose(&bound), None);
        }
        assert_eq!(own.bind_pose(&BTreeMap::new()), None);
    }

    #[test]
    fn bind_rotations_of_the_world_stay_where_the_root_has_turned_since() {
        let turned = armature([turn(1.9, 0.4, 0.3), turn(0.0, 0.4, 0.0), turn(0.3, 0.0, 0.1)]);
        let straight = armature([turn(0.1, 0.0, 0.0), turn(0.0, 0.0, 0.0), turn(0.2, 0.0, 0.0)]);
        let bound = world(&straight).into_iter().enumerate();
        let bound = bound.map(|(joint, turn)| (JointId(joint), turn)).collect();
        let found = turned.bind_pose_in_space(&bound, UnitQuaternion::identity()).unwrap();
        for (own, wanted) in found.rotations.iter().zip(straight.skeleton().rest_pose().rotations) {
            assert!(own.angle_to(&wanted) < 1e-6);
        }
    }

    #[test]
    fn a_limb_that_has_turned_since_is_found() {
        let bent = armature([turn(0.1, 0.0, 0.0), turn(0.0, 0.0, 1.1), turn(0.2, 0.0, 0.0)]);
        let straight = armature([turn(0.1, 0.0, 0.0), turn(0.0, 0.0, 0.0), turn(0.2, 0.0, 0.0)]);
        let translation_joint = turn(-std::f64::consts::FRAC_PI_2, 0.0, 0.0);
        for space in [turn(0.0, 0.0, 0.0), translation_joint] {
            // Of the end nothing is known: it keeps its turn against the limb.
            let bound = world(&straight).into_iter().take(2).map(|turn| space.inverse() * turn);
            let bound = bound.enumerate().map(|(joint, turn)| (JointId(joint), turn)).collect();
            let found = bent.bind_pose(&bound).unwrap();
            for (own, wanted) in
                found.rotations.iter().zip(straight.skeleton().rest_pose().rotations)
            {
                assert!(own.angle_to(&wanted) < 1e-6);
            }
        }
    }
}
