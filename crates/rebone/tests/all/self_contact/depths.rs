//! Depths of hands in the own body.

use crate::self_contact::bodies::{HAND, THIGH, body, renamed, result};
use nalgebra::Vector3;
use rebone::skeleton::{Pose, forward_kinematics};
use rebone::{BodyPart, Hints, arm_depths};

/// Distance of a place from a line segment.
fn distance(place: &Vector3<f64>, [from, to]: [Vector3<f64>; 2]) -> f64 {
    let share = (place - from).dot(&(to - from)) / (to - from).norm_squared();
    (place - from - (to - from) * share.clamp(0.0, 1.0)).norm()
}

#[test]
fn samples_of_hands_in_broad_thighs_are_as_deep_as_the_thighs_are_near() {
    let (girth, metres_off) = (2.2, 0.01);
    let (source, broad) = (body("", 1.0), body("other:", girth));
    let unit = broad.metres_per_unit();
    let (mut count, mut deepest) = (0, 0.0_f64);
    for pose in result(&source, &broad, true).poses() {
        let world = forward_kinematics(&broad.skeleton, &pose).unwrap();
        for (part, on, place, depth) in arm_depths(&broad, &pose).unwrap().unwrap() {
            let (BodyPart::Hand(_), BodyPart::Thigh(side)) = (part, on) else { continue };
            let leg = &broad.body.legs[side.index()];
            let axis = [leg.upper, leg.lower].map(|joint| world.positions[joint.index()]);
            let off = distance(&place, axis) * unit - girth * THIGH;
            assert!((off - depth).abs() < metres_off, "{depth} for {off}");
            count += 1;
            deepest = deepest.min(depth);
        }
    }
    assert!(count > 100 && deepest < -HAND, "{count} samples, {deepest}");
}

#[test]
fn arms_away_from_the_body_have_no_near_samples_and_a_body_without_skin_none_that_are_known() {
    let thin = body("", 1.0);
    let t_pose = Pose { rotations: thin.t_pose_locals(), ..thin.skeleton.rest_pose() };
    assert!(arm_depths(&thin, &t_pose).unwrap().unwrap().is_empty());
    let bare = renamed("", Hints::default());
    assert!(arm_depths(&bare, &t_pose).unwrap().is_none());
}
