//! Feet that a clip turns over.

use super::*;
use crate::analyse::{Hints, analyse};
use crate::calibrate::calibration::{MAX_MOTION_FRAMES, spread};
use crate::calibrate::feet::ankle::turned_over;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::rotation::direction;

/// Frames of a foot and warnings, where its clip turns it over about the line to its ball in some of the frames.
fn right_foot(turned: impl Fn(usize) -> bool) -> (UnitQuaternion<f64>, Vec<String>) {
    let walk = rebone_samples::walk().motion;
    let anatomy = analyse(&walk, &Hints::default()).unwrap();
    let (skeleton, body) = (&anatomy.skeleton, &anatomy.body);
    let leg = &body.legs[1];
    let mut frames = spread(skeleton, &walk.clip, MAX_MOTION_FRAMES);
    let ahead = direction(&skeleton[leg.toes.unwrap()].rest_translation).unwrap();
    let half = UnitQuaternion::from_axis_angle(&ahead, std::f64::consts::PI);
    for (_, pose) in frames.iter_mut().enumerate().filter(|(k, _)| turned(*k)) {
        pose.rotations[leg.foot.index()] *= half;
    }
    let up = Unit::new_normalize(anatomy.upright_from_file.inverse() * Vector3::y());
    let found = frames_from_motion(skeleton, body, &frames, up, RestEvidence::Ankles);
    let found: Vec<_> = found.iter().map(|found| found.unwrap_or_default().0).collect();
    (found[leg.foot.index()], turned_over(skeleton, body, &frames, up, &found))
}

#[test]
fn a_foot_that_its_clip_turns_over_in_most_frames_has_its_sole_down_and_is_told() {
    let (plain, warnings) = right_foot(|_| false);
    assert_eq!(warnings, Vec::<String>::new());
    let (found, warnings) = right_foot(|k| k % 3 > 0);
    assert!(found.angle_to(&plain).to_degrees() < 10.0, "{}", found.angle_to(&plain).to_degrees());
    assert!(warnings.len() == 1 && warnings[0].contains("RightFoot over"), "{warnings:?}");
}

#[test]
fn a_foot_that_is_turned_in_all_frames_has_other_axes() {
    let (found, warnings) = right_foot(|_| true);
    let (plain, _) = right_foot(|_| false);
    assert!(found.angle_to(&plain).to_degrees() > 150.0);
    assert_eq!(warnings, Vec::<String>::new());
}
