//! Mirrored calibrations, on bodies with a known answer.

use super::*;
use crate::analyse::{Hints, analyse};
use crate::calibrate::with_frames;
use crate::correct::level_feet;
use rebone_samples as samples;
use rebone_skeleton::selector::select;
use rebone_skeleton::{Motion, Skeleton};

/// Sample rigs, whose sides are mirror images, and the walk.
fn symmetric() -> Vec<(Motion, Anatomy)> {
    let motions = samples::rigs().into_iter().chain([samples::walk()]).map(|own| own.motion);
    let analysed = |motion: Motion| {
        let anatomy = analyse(&motion, &Hints::default()).unwrap();
        (motion, anatomy)
    };
    motions.map(analysed).collect()
}

fn mirrored(anatomy: &Anatomy, motion: &Motion, from: Side) -> Anatomy {
    mirror(anatomy, &motion.clip, from, &Card::default()).unwrap()
}

fn frame_of(anatomy: &Anatomy, joint: JointId) -> UnitQuaternion<f64> {
    anatomy.joint_from_anatomical[joint.index()]
}

#[track_caller]
fn assert_same(a: &Anatomy, b: &Anatomy) {
    for joint in a.framed() {
        let angle = frame_of(a, joint).angle_to(&frame_of(b, joint));
        assert!(angle < 1e-9, "{}: {angle}", a.skeleton[joint].name);
        let apart = (a.place(joint) - b.place(joint)).norm();
        assert!(apart < 1e-9, "{}: {apart} m", a.skeleton[joint].name);
    }
}

/// The anatomy with the frames of joints turned, each about another axis.
fn disturbed(anatomy: &Anatomy, clip: &Clip, joints: &[JointId]) -> Anatomy {
    let frame = |(k, joint): (usize, &JointId)| {
        let x = k as f64;
        let turn = Vector3::new(libm::sin(x), libm::cos(2.0 * x), libm::sin(3.0 * x));
        (*joint, frame_of(anatomy, *joint) * UnitQuaternion::from_scaled_axis(turn))
    };
    with_frames(anatomy.clone(), clip, &joints.iter().enumerate().map(frame).collect())
}

#[test]
fn a_symmetric_body_stays_as_it_is() {
    for (motion, anatomy) in symmetric() {
        for side in Side::BOTH {
            let found = mirrored(&anatomy, &motion, side);
            assert_same(&found, &anatomy);
            assert!(found.corrected().count() >= 8);
            assert_eq!(found.warnings, anatomy.warnings);
            assert_eq!(found.sole_height, anatomy.sole_height);
            assert_eq!(found.confidence, anatomy.confidence);
        }
    }
}

#[test]
fn a_side_that_was_disturbed_is_restored() {
    for (motion, anatomy) in symmetric() {
        for side in Side::BOTH {
            let joints: Vec<JointId> = mirrored(&anatomy, &motion, side).corrected().collect();
            let wrong = disturbed(&anatomy, &motion.clip, &joints);
            let found = mirrored(&wrong, &motion, side);
            assert_same(&found, &anatomy);
        }
    }
}

/// A pose that was corrected on one side alone: the rest pose shows the symmetry.
#[test]
fn a_pose_of_one_side_serves_the_other() {
    let sample = samples::rigs().into_iter().find(|own| own.name == "ground-root").unwrap();
    let motion = sample.motion;
    let posed = |pose: &str| {
        let card = Card::parse(&format!("facing = \"+Z\"\n[pose]\n{pose}")).unwrap();
        analyse(&motion, &Hints { card: Some(card), ..Hints::default() }).unwrap()
    };
    let [left, right] = ["upperarm_l = [30, 0, -40]\n", "upperarm_r = [30, 0, 40]\n"];
    let both = posed(&format!("{left}{right}"));
    let one = posed(left);
    let [_, upper] = both.shoulders();
    assert!(frame_of(&one, upper).angle_to(&frame_of(&both, upper)) > 0.1);
    assert_same(&mirrored(&one, &motion, Side::Left), &both);
}

#[test]
fn what_the_user_states_and_what_was_levelled_stays() {
    let (motion, anatomy) = symmetric().pop().unwrap();
    let [_, right] = anatomy.body.legs.each_ref().map(|leg| leg.foot);
    let joints: Vec<JointId> = mirrored(&anatomy, &motion, Side::Left).corrected().collect();
    let wrong = disturbed(&anatomy, &motion.clip, &joints);
    let card = Card::parse("[axes]\nRightHand = { x = \"+X\", y = \"+Y\" }\n").unwrap();
    let found = mirror(&wrong, &motion.clip, Side::Left, &card).unwrap();
    let hand = anatomy.body.arms[1].hand.unwrap();
    assert_eq!(found.corrected().count(), joints.len() - 1);
    assert!(found.warnings[0].ends_with(": RightHand"), "{:?}", found.warnings);
    assert!(frame_of(&found, hand).angle_to(&frame_of(&wrong, hand)) < 1e-9);
    let level = |frames: [Option<usize>; 2]| {
        level_feet(&anatomy, &motion.clip, frames, &Card::default()).unwrap()
    };
    let both = mirrored(&level([Some(0); 2]), &motion, Side::Left);
    let is_mirrored = |anatomy: &Anatomy| {
        anatomy.corrections.get(&right) == Some(&Correction::MirroredFrom(Side::Left))
    };
    assert!(!is_mirrored(&both), "it was levelled itself");
    let one = mirrored(&level([Some(0), None]), &motion, Side::Left);
    assert!(is_mirrored(&one));
}

#[test]
fn joints_without_a_counterpart_are_named() {
    let (motion, mut anatomy) = symmetric().pop().unwrap();
    let gone = std::mem::take(&mut anatomy.body.arms[1].fingers[2]);
    let left = anatomy.body.arms[0].fingers[2].clone();
    assert!(!gone.is_empty());
    for side in Side::BOTH {
        let warnings = mirrored(&anatomy, &motion, side).warnings;
        let names: Vec<String> = left.iter().map(|&id| select(&anatomy.skeleton, id)).collect();
        assert!(warnings[0].ends_with(&format!("joint: {}", names.join(", "))), "{warnings:?}");
    }
}

#[test]
fn a_body_without_a_sagittal_plane_is_an_error() {
    let (motion, anatomy) = symmetric().pop().unwrap();
    let ankle = anatomy.body.legs[1].foot;
    let mut joints = anatomy.skeleton.joints().to_vec();
    let bone = &mut joints[ankle.index()].rest_translation;
    *bone = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 0.5) * *bone;
    let skeleton = Skeleton::new(joints, anatomy.skeleton.end_sites().to_vec()).unwrap();
    let bent = Anatomy { skeleton, ..anatomy.clone() };
    let error = mirror(&bent, &motion.clip, Side::Left, &Card::default()).unwrap_err();
    assert!(
        error.to_string().starts_with("the shins of both sides are 29 degrees from"),
        "{error}"
    );
    let other = samples::rigs().remove(0).motion.clip;
    let error = mirror(&anatomy, &other, Side::Left, &Card::default()).unwrap_err();
    assert!(error.to_string().contains("of another skeleton"), "{error}");
}
