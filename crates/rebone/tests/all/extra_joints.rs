//! Joints that the source does not have: ropes, hair, twist joints in line and beside.

use crate::motions::retarget_motions;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone::body::{Anatomy, Role, Side};
use rebone::skeleton::{Clip, EndSite, Joint, JointId, Motion, Pose, Skeleton};
use rebone::{AnalysisError, Hints, Options, Retargeter, align, analyse};
use rebone_samples::{reach, rigs, walk};

/// Puts `count` joints in line below a joint; what hung on it hangs on the last where `in_line`.
fn extended(
    motion: &Motion,
    at: JointId,
    names: &str,
    steps: &[Vector3<f64>],
    in_line: bool,
) -> Motion {
    let (skeleton, count) = (&motion.skeleton, steps.len());
    let moved = |id: JointId| if id > at { JointId(id.index() + count) } else { id };
    let below = |parent: JointId| {
        if parent == at && in_line { JointId(at.index() + count) } else { moved(parent) }
    };
    let whole: Vector3<f64> = steps.iter().sum();
    let mut joints: Vec<Joint> = Vec::new();
    for id in skeleton.ids() {
        let joint = skeleton[id].clone();
        let shift = if joint.parent == Some(at) && in_line { whole } else { Vector3::zeros() };
        let rest_translation = joint.rest_translation - shift;
        joints.push(Joint { parent: joint.parent.map(below), rest_translation, ..joint });
        if id == at {
            joints.extend(steps.iter().enumerate().map(|(k, &rest_translation)| Joint {
                name: format!("{names}{k}").into(),
                parent: Some(JointId(at.index() + k)),
                rest_translation,
                translation_axes: Vec::new(),
                ..skeleton[at].clone()
            }));
        }
    }
    let sites = skeleton.end_sites().iter();
    let sites = sites.map(|site| EndSite { parent: below(site.parent), ..site.clone() }).collect();
    let poses = motion.clip.poses().map(|mut pose| {
        let place = at.index() + 1;
        pose.rotations.splice(place..place, vec![UnitQuaternion::identity(); count]);
        pose.translations.splice(place..place, steps.iter().copied());
        pose
    });
    let skeleton = Skeleton::new(joints, sites).unwrap();
    let clip = Clip::from_poses(&skeleton, motion.clip.frame_time, poses).unwrap();
    Motion { skeleton, clip }
}

fn rig(name: &str) -> Motion {
    rigs().into_iter().find(|rig| rig.name == name).unwrap().motion
}

fn anatomy(motion: &Motion) -> Anatomy {
    analyse(motion, &Hints::default()).unwrap()
}

#[test]
fn a_rope_for_a_spine_is_refused_by_name() {
    let walk = walk().motion;
    let spine = anatomy(&walk).body.trunk[1];
    let rope = extended(&walk, spine, "rope", &[Vector3::y() * 0.001; 100], true);
    let error = analyse(&rope, &Hints::default()).unwrap_err();
    assert!(matches!(error, AnalysisError::NoBody(_)), "{error}");
    assert!(error.to_string().contains("trunk has 105 joints"), "{error}");
}

/// Rounding errors of a long chain of joints without a role must not double from joint to joint.
#[test]
fn hair_of_three_hundred_joints_stays_still_to_the_last_digits() {
    let walk = walk().motion;
    let head = anatomy(&walk).body.head().unwrap();
    let long = extended(&walk, head, "hair", &[Vector3::y() * 0.01; 300], false);
    let done = retarget_motions(&long, &long, &Options::default()).unwrap();
    for (source, target) in long.clip.poses().zip(done.clip.poses()).step_by(40) {
        for (a, b) in source.rotations.iter().zip(&target.rotations) {
            assert!(a.angle_to(b) < 1e-9, "{}", a.angle_to(b));
        }
    }
}

/// The twist of a local rotation about a bone, in degrees.
fn twist(local: &UnitQuaternion<f64>, bone: &Vector3<f64>) -> f64 {
    let along = local.imag().dot(bone) / bone.norm();
    (2.0 * along.atan2(local.w)).to_degrees()
}

/// What `joint` turns about its bone since the calibration pose, in a frame.
fn own_twist(target: &Anatomy, pose: &Pose, joint: JointId, bone: &Vector3<f64>) -> f64 {
    let local =
        target.calibration_rotations[joint.index()].inverse() * pose.rotations[joint.index()];
    twist(&local, bone)
}

/// The left hand turns about its forearm, up to 60 degrees either way.
fn pronating(mut motion: Motion) -> Motion {
    let hand = anatomy(&motion).body.arms[Side::Left.index()].hand.unwrap();
    let bone = Unit::new_normalize(motion.skeleton[hand].rest_translation);
    motion
        .clip
        .edit(|k, pose| {
            let turn = UnitQuaternion::from_axis_angle(&bone, (0.05 * k as f64).sin());
            pose.rotations[hand.index()] = turn * pose.rotations[hand.index()];
        })
        .unwrap();
    motion
}

#[test]
fn a_forearms_twist_joints_carry_the_hands_turn_by_their_place() {
    let (source, target) = (pronating(reach().motion), rig("seven-spine"));
    let arm = anatomy(&target).body.arms[Side::Left.index()].clone();
    let (lower, hand) = (arm.lower, arm.hand.unwrap());
    let bone = target.skeleton[hand].rest_translation;
    let plain = Retargeter::new(align(&anatomy(&source), &anatomy(&target), &Options::default()));
    let mut plain = plain.unwrap();
    for in_line in [true, false] {
        let steps: &[Vector3<f64>] = if in_line { &[bone / 4.0; 3] } else { &[bone / 2.0] };
        let twisted = extended(&target, lower, "LeftForeArmTwist", steps, in_line);
        let analysed = anatomy(&twisted);
        assert_eq!(analysed.roles.joints(Role::LowerArmTwist(Side::Left)).count(), steps.len());
        let mut shared =
            Retargeter::new(align(&anatomy(&source), &analysed, &Options::default())).unwrap();
        let (mut before, mut after) = (target.skeleton.rest_pose(), twisted.skeleton.rest_pose());
        let mut largest: f64 = 0.0;
        for frame in source.clip.poses().step_by(10) {
            plain.frame(&frame, &mut before).unwrap();
            shared.frame(&frame, &mut after).unwrap();
            let whole = own_twist(&plain.plan().target, &before, hand, &bone);
            largest = largest.max(whole.abs());
            for k in 1..=steps.len() {
                let part = own_twist(&analysed, &after, JointId(lower.index() + k), &bone);
                let share = if in_line { 0.25 } else { 0.5 };
                assert!((part - share * whole).abs() < 1e-6, "{part} of {whole}");
            }
        }
        assert!(largest > 40.0, "the hand turns: {largest}");
    }
}
