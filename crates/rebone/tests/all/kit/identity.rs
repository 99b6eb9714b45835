//! The kit checks itself: what it says of its rigs is so, and errors that are put in are seen.

use crate::kit::compare::Made;
use crate::kit::edit::edited;
use crate::kit::generated_case::{config, exact, thinned};
use crate::kit::test_rig::TestRig;
use nalgebra::{UnitQuaternion, Vector3};
use proptest::prelude::*;
use rebone::skeleton::{Motion, Pose};

/// What rounding leaves, in statures.
const ROUNDING: f64 = 1e-9;

fn walk() -> Motion {
    thinned(rebone_samples::walk().motion, 8)
}

/// The largest errors of a place and of a direction when the file of a test rig itself, changed in one
/// frame, is taken for the result.
fn off(test_rig: &TestRig, change: impl Fn(&mut Pose)) -> [f64; 2] {
    let mut file = test_rig.file(1..test_rig.frames.len()).unwrap();
    file.clip
        .edit(|frame, pose| {
            if frame == 2 {
                change(pose);
            }
        })
        .unwrap();
    let (source, target) = (test_rig.clone(), test_rig.clone());
    let made = Made { source, target, found: TestRig::of(&file) };
    [made.places().0, made.directions().0]
}

proptest! {
    #![proptest_config(config(50))]

    /// Through the text of the file and forward kinematics; and the places are those of the body before
    /// it was edited.
    #[test]
    fn the_file_of_an_edited_puppet_has_its_places(edits in exact()) {
        let original = TestRig::of(&walk());
        let rig = edited(&original, &edits);
        prop_assert!(off(&rig, |_| ())[0] < ROUNDING);
        let unit = rig.stature() / original.stature();
        for (k, node) in rig.nodes.iter().enumerate().filter(|(_, node)| !node.key.is_empty()) {
            let Some(was) = original.find(&node.key) else { continue };
            for (now, then) in rig.frames.iter().zip(&original.frames).skip(1) {
                let wanted = rig.world * then.positions[was] * unit;
                let off = (now.positions[k] - wanted).norm() / rig.stature();
                prop_assert!(off < ROUNDING, "{} is off by {off:e}", node.key);
            }
        }
    }
}

#[test]
fn no_edits_change_nothing() {
    let walk = walk();
    let test_rig = edited(&TestRig::of(&walk), &[]);
    assert_eq!(test_rig, TestRig::of(&walk));
    let file = test_rig.file(1..test_rig.frames.len()).unwrap();
    assert_eq!(file.clip.len(), walk.clip.len());
    for (ours, theirs) in file.skeleton.joints().iter().zip(walk.skeleton.joints()) {
        assert_eq!((&ours.name, ours.parent), (&theirs.name, theirs.parent));
        assert!((ours.rest_translation - theirs.rest_translation).norm() < 1e-9);
    }
    for (ours, theirs) in file.clip.poses().zip(walk.clip.poses()) {
        let pairs = ours.rotations.iter().zip(&theirs.rotations);
        assert!(pairs.clone().all(|(a, b)| a.angle_to(b) < 1e-9));
    }
}

#[test]
fn an_error_that_is_put_in_is_seen() {
    let test_rig = TestRig::of(&walk());
    let elbow = test_rig.find("LeftForeArm").unwrap();
    let joint = test_rig.nodes[..elbow].iter().filter(|node| !node.site).count();
    let angle = 1e-3;
    let bend = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
    let [place, direction] = off(&test_rig, |pose| pose.rotations[joint] *= bend);
    assert!((direction - angle).abs() < 1e-6, "{direction}");
    let forearm = test_rig.offsets()[test_rig.find("LeftHand").unwrap()].norm();
    assert!(place > forearm * angle / test_rig.stature(), "{place}");
    let [place, direction] = off(&test_rig, |pose| pose.translations[0].x += 1.0);
    assert!((place - 1.0 / test_rig.stature()).abs() < ROUNDING && direction < ROUNDING);
}

#[test]
fn a_bone_that_is_not_rigid_is_an_error() {
    let mut test_rig = TestRig::of(&walk());
    test_rig.frames[3].positions[5].x += 1e-6 * test_rig.stature();
    let error = test_rig.file(0..test_rig.frames.len()).unwrap_err();
    assert!(error.contains("is not rigid"), "{error}");
}
