//! Motions on the skeleton of VRM: what a `.vrma` holds, for any avatar.
//!
//! Its joints are the humanoid bones of VRM 1.0, each turned as the world is in the T pose, so that rotations
//! are those since the T pose (`VRMC_vrm_animation-1.0`).

use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::body::{Anatomy, Finger, Role};
use rebone_body::poses;
use rebone_body::roles::role_of_bone;
use rebone_skeleton::{Axis, Clip, Joint, JointId, Motion, Pose, Skeleton, WorldPose};

/// Bones of the trunk and their parents, parents first (`VRMC_vrm-1.0`, `humanoid.md`).
const TRUNK: [(&str, &str); 6] = [
    ("hips", ""),
    ("spine", "hips"),
    ("chest", "spine"),
    ("upperChest", "chest"),
    ("neck", "upperChest"),
    ("head", "neck"),
];
/// Those of a side, without it.
const LIMBS: [(&str, &str); 8] = [
    ("Shoulder", "upperChest"),
    ("UpperArm", "Shoulder"),
    ("LowerArm", "UpperArm"),
    ("Hand", "LowerArm"),
    ("UpperLeg", "hips"),
    ("LowerLeg", "UpperLeg"),
    ("Foot", "LowerLeg"),
    ("Toes", "Foot"),
];
/// Joints of the thumb, and of the other fingers.
const THUMB: [&str; 3] = ["Metacarpal", "Proximal", "Distal"];
const FINGER: [&str; 3] = ["Proximal", "Intermediate", "Distal"];

/// A bone of VRM, its parent's name, and the joint that plays it.
struct Bone {
    name: String,
    parent: String,
    joint: JointId,
}

/// Converts a clip to the humanoid bones of VRM: lengths in metres (`metres` per unit of the skeleton), up +Y, the T
/// pose facing +Z.
///
/// `stated` are the bones that the file names, hips among them; its rest pose is then the T pose, as VRM defines it.
/// Else the bones follow from the roles, and the T pose from calibration.
pub(crate) fn vrm_motion(
    anatomy: &Anatomy,
    stated: &[(String, JointId)],
    metres: f64,
    clip: &Clip,
) -> Motion {
    // All bones are below the hips, which come first.
    let is_stated = stated.iter().any(|own| own.0 == TRUNK[0].0);
    let (bones, t_pose) = if is_stated {
        (of_table(stated), world(anatomy, &anatomy.skeleton.rest_pose(), metres))
    } else {
        (of_roles(anatomy), standing(anatomy, metres))
    };
    let above = parents(&bones);
    let place = |bone: usize| t_pose.positions[bones[bone].joint.index()];
    let joints = bones.iter().enumerate().map(|(index, bone)| Joint {
        name: bone.name.as_str().into(),
        parent: above[index].map(JointId),
        rest_translation: place(index) - above[index].map_or(Vector3::zeros(), place),
        rest_rotation: UnitQuaternion::identity(),
        translation_axes: if index == 0 { Axis::ALL.to_vec() } else { Vec::new() },
        rotation_axes: Axis::ALL.to_vec(),
    });
    let skeleton = Skeleton::new(joints.collect(), Vec::new());
    let skeleton = skeleton.unwrap_or_else(|_| anatomy.skeleton.clone());
    let poses = clip.poses().map(|pose| {
        let world = world(anatomy, &pose, metres);
        let turn = |bone: usize| {
            let joint = bones[bone].joint.index();
            world.rotations[joint] * t_pose.rotations[joint].inverse()
        };
        let mut pose = skeleton.rest_pose();
        pose.translations[0] = world.positions[bones[0].joint.index()];
        for (index, above) in above.iter().enumerate() {
            let over = above.map_or(UnitQuaternion::identity(), turn);
            pose.rotations[index] = over.inverse() * turn(index);
        }
        pose
    });
    let clip = poses::clip(&skeleton, clip.frame_time, poses);
    Motion { clip, skeleton }
}

/// Returns a pose of the file in the inner world, in metres.
fn world(anatomy: &Anatomy, pose: &Pose, metres: f64) -> WorldPose {
    let inner = anatomy.inner_from_file();
    let mut world = poses::world_of(&anatomy.skeleton, pose);
    world.positions.iter_mut().for_each(|place| *place = inner * *place * metres);
    world.rotations.iter_mut().for_each(|turn| *turn = inner * *turn);
    world
}

/// Returns the calibrated T pose, its lowest joint on the floor, in metres.
fn standing(anatomy: &Anatomy, metres: f64) -> WorldPose {
    let mut t_pose = anatomy.t_pose.clone();
    let scale = metres / anatomy.metres_per_unit();
    let lowest = t_pose.positions.iter().map(|place| place.y).fold(0.0, f64::min);
    t_pose.positions.iter_mut().for_each(|place| *place = (*place - Vector3::y() * lowest) * scale);
    t_pose
}

/// Returns the index of each bone's nearest existing parent.
fn parents(bones: &[Bone]) -> Vec<Option<usize>> {
    let table = table();
    let above = |name: &str| table.iter().find(|own| own.0 == name).map(|own| own.1.clone());
    let place = |name: &str| bones.iter().position(|bone| bone.name == name);
    let nearest = |bone: &Bone| {
        let mut names = std::iter::successors(Some(bone.parent.clone()), |name| above(name));
        names.find_map(|name| place(&name))
    };
    bones.iter().map(nearest).collect()
}

/// All bones of VRM but eyes and jaw, and their parents, parents first.
fn table() -> Vec<(String, String)> {
    let own = |name: &str, parent: &str| (name.to_owned(), parent.to_owned());
    let mut bones: Vec<(String, String)> =
        TRUNK.iter().map(|(name, parent)| own(name, parent)).collect();
    for side in ["left", "right"] {
        for (name, parent) in LIMBS {
            let is_trunk = TRUNK.iter().any(|bone| bone.0 == parent);
            let parent = if is_trunk { parent.to_owned() } else { format!("{side}{parent}") };
            bones.push((format!("{side}{name}"), parent));
        }
        for finger in ["Thumb", "Index", "Middle", "Ring", "Little"] {
            let mut parent = format!("{side}Hand");
            for part in if finger == "Thumb" { THUMB } else { FINGER } {
                let name = format!("{side}{finger}{part}");
                bones.push((name.clone(), std::mem::replace(&mut parent, name)));
            }
        }
    }
    bones
}

/// Returns the bones that a file names.
fn of_table(stated: &[(String, JointId)]) -> Vec<Bone> {
    let bones = table().into_iter().filter_map(|(name, parent)| {
        let joint = stated.iter().find(|own| own.0 == name)?.1;
        Some(Bone { name, parent, joint })
    });
    bones.collect()
}

/// Returns the bones of joints with roles: of several joints of spine or neck the best placed, of fingers the first
/// three.
fn of_roles(anatomy: &Anatomy) -> Vec<Bone> {
    let body = &anatomy.body;
    let spine: Vec<JointId> = anatomy.roles.joints(Role::Spine).collect();
    let neck: Vec<JointId> = anatomy.roles.joints(Role::Neck).collect();
    let last = spine.len().saturating_sub(1);
    let joint = |name: &str| -> Option<JointId> {
        match name {
            "hips" => anatomy.roles.joint(Role::Hips).or(Some(body.pelvis())),
            "spine" => spine.first().copied(),
            "chest" => (last > 0).then(|| spine[last.div_ceil(2)]),
            "upperChest" => (last > 1).then(|| spine[last]),
            "neck" => neck.get(neck.len() / 2).copied(),
            _ => of_limb(anatomy, name),
        }
    };
    let bones = table().into_iter();
    let bones = bones.filter_map(|(name, parent)| {
        let joint = joint(&name)?;
        Some(Bone { name, parent, joint })
    });
    bones.collect()
}

/// Returns the joint of a bone outside the trunk.
fn of_limb(anatomy: &Anatomy, bone: &str) -> Option<JointId> {
    let (role, part) = role_of_bone(bone)?;
    let Role::Finger(side, finger) = role else { return anatomy.roles.joint(role) };
    let parts = if finger == Finger::Thumb { THUMB } else { FINGER };
    let place = parts.iter().position(|own| *own == part)?;
    anatomy.body.arms[side.index()].fingers[finger as usize].get(place).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_body::analyse;
    use rebone_body::analyse::Hints;
    use rebone_body::body::Side;
    use rebone_samples as samples;
    use rebone_skeleton::forward_kinematics;

    #[test]
    fn a_sample_is_the_same_motion_on_the_bones_of_vrm() {
        let walk = samples::walk().motion;
        let anatomy = analyse(&walk, &Hints::default()).unwrap();
        let vrm = vrm_motion(&anatomy, &[], 0.01, &walk.clip);
        let names: Vec<String> = vrm.skeleton.joints().iter().map(|j| j.name.to_string()).collect();
        assert!(names.iter().any(|name| name == "rightLowerLeg") && names[0] == "hips");
        for (own, pose) in walk.clip.poses().zip(vrm.clip.poses()).step_by(7) {
            let own = forward_kinematics(&walk.skeleton, &own).unwrap();
            let pose = forward_kinematics(&vrm.skeleton, &pose).unwrap();
            for (role, name) in [(Role::LowerLeg(Side::Left), "leftLowerLeg"), (Role::Head, "head")]
            {
                let joint = anatomy.roles.joint(role).unwrap().index();
                let bone = names.iter().position(|own| own == name).unwrap();
                let turned = own.rotations[joint] * anatomy.t_pose.rotations[joint].inverse();
                assert!(turned.angle_to(&pose.rotations[bone]) < 1e-9, "{name}");
                let off = own.positions[joint] * 0.01 - pose.positions[bone];
                assert!(off.norm() < 0.03, "{name}: {off}");
            }
        }
    }

    #[test]
    fn a_bone_hangs_on_the_nearest_one_that_is_there() {
        let stated = [("hips", 0), ("spine", 1), ("head", 5), ("leftHand", 7)];
        let stated = stated.map(|(name, joint)| (name.to_owned(), JointId(joint)));
        assert_eq!(parents(&of_table(&stated)), [None, Some(0), Some(1), Some(1)]);
    }
}
