//! Files of one rig: the calibration of a clip holds for a skeleton that shows no standing pose.

use crate::motions::retarget_motions;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::Options;
use rebone::body::CalibrationSource;
use rebone::skeleton::{Clip, Joint, JointId, Motion, Skeleton, forward_kinematics};
use rebone_samples::walk;

/// Names of the sample's joints in another convention; all others are numbered.
const NAMES: [(&str, &str); 18] = [
    ("Hips", "pelvis"),
    ("Spine", "spine_01"),
    ("Head", "head"),
    ("Neck", "neck_01"),
    ("LeftShoulder", "clavicle_l"),
    ("LeftArm", "upperarm_l"),
    ("LeftForeArm", "lowerarm_l"),
    ("LeftHand", "hand_l"),
    ("LeftUpLeg", "thigh_l"),
    ("LeftLeg", "calf_l"),
    ("LeftFoot", "foot_l"),
    ("RightShoulder", "clavicle_r"),
    ("RightArm", "upperarm_r"),
    ("RightForeArm", "lowerarm_r"),
    ("RightHand", "hand_r"),
    ("RightUpLeg", "thigh_r"),
    ("RightLeg", "calf_r"),
    ("RightFoot", "foot_r"),
];

/// Joints without a role.
const HELPERS: usize = 12;

/// A motion with the bone of each joint turned along +Y of its axes: a zero pose in which nobody stands.
fn along_one_axis(motion: &Motion) -> Motion {
    let skeleton = &motion.skeleton;
    let axes: Vec<UnitQuaternion<f64>> = skeleton
        .ids()
        .map(|id| {
            let mut children = skeleton.children(id);
            let bone = children.next().map(|child| skeleton[child].rest_translation);
            let turn = bone.and_then(|bone| UnitQuaternion::rotation_between(&Vector3::y(), &bone));
            turn.unwrap_or_default()
        })
        .collect();
    let above =
        |joint: &Joint| joint.parent.map_or(UnitQuaternion::identity(), |id| axes[id.index()]);
    let joints = skeleton.joints().iter().map(|joint| Joint {
        rest_translation: above(joint).inverse() * joint.rest_translation,
        ..joint.clone()
    });
    // Helpers without a role: too many for roles alone to show the rig.
    let helper = |k: usize| Joint {
        name: format!("Helper{k}").into(),
        parent: Some(JointId(0)),
        rest_translation: Vector3::new(0.0, 0.01 * k as f64 + 0.01, 0.0),
        ..skeleton.joints()[1].clone()
    };
    let joints = joints.chain((0..HELPERS).map(helper)).collect();
    let turned = Skeleton::new(joints, Vec::new()).unwrap();
    let poses = motion.clip.poses().map(|pose| {
        let mut turned_pose = turned.rest_pose();
        for (k, joint) in skeleton.joints().iter().enumerate() {
            turned_pose.rotations[k] = above(joint).inverse() * pose.rotations[k] * axes[k];
            turned_pose.translations[k] = above(joint).inverse() * pose.translations[k];
        }
        turned_pose
    });
    let clip = Clip::from_poses(&turned, motion.clip.frame_time, poses).unwrap();
    Motion { skeleton: turned, clip }
}

/// The skeleton alone, in its zero pose, with other names.
fn renamed_rig(motion: &Motion) -> Motion {
    let name = |(index, joint): (usize, &Joint)| {
        let known = NAMES.iter().find(|(own, _)| joint.name == *own);
        let name = known.map_or(format!("extra_{index}"), |(_, other)| (*other).to_owned());
        Joint { name: name.into(), ..joint.clone() }
    };
    let joints = motion.skeleton.joints().iter().enumerate().map(name).collect();
    let skeleton = Skeleton::new(joints, Vec::new()).unwrap();
    let clip = Clip::from_poses(&skeleton, 1.0, [skeleton.rest_pose()]).unwrap();
    Motion { skeleton, clip }
}

#[test]
fn a_rig_with_other_names_is_calibrated_as_a_clip_of_it() {
    let walk = along_one_axis(&walk().motion);
    let rig = renamed_rig(&walk);
    let result = retarget_motions(&walk, &rig, &Options::default()).unwrap();
    assert_eq!(result.plan.target.calibration, CalibrationSource::SameRig);
    let hips = result.plan.source.body.pelvis().index();
    for (frame, (own, source)) in result.clip.poses().zip(walk.clip.poses()).enumerate() {
        let [own, source] = [(&rig, own), (&walk, source)]
            .map(|(motion, pose)| forward_kinematics(&motion.skeleton, &pose).unwrap());
        for (a, b) in own.positions.iter().zip(&source.positions) {
            let off = (a - own.positions[hips]) - (b - source.positions[hips]);
            assert!(off.norm() < 0.02, "frame {frame}: a joint is {} m off", off.norm());
        }
    }
}

#[test]
fn a_rig_with_another_direction_at_rest_is_another() {
    let walk = along_one_axis(&walk().motion);
    let mut rig = renamed_rig(&walk);
    let mut joints = rig.skeleton.joints().to_vec();
    let arm = joints.iter_mut().find(|joint| joint.name == "lowerarm_l").unwrap();
    arm.rest_translation = arm.rest_translation.norm() * Vector3::x();
    rig.skeleton = Skeleton::new(joints, Vec::new()).unwrap();
    rig.clip = Clip::from_poses(&rig.skeleton, 1.0, [rig.skeleton.rest_pose()]).unwrap();
    let options = Options { accept_guesses: true, ..Options::default() };
    let result = retarget_motions(&walk, &rig, &options).unwrap();
    assert_ne!(result.plan.target.calibration, CalibrationSource::SameRig);
}
