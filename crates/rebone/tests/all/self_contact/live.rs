//! Self-contact frame by frame, beside that of a whole clip.

use crate::self_contact::bodies::{HAND, THIGH, body, hand_to_thigh, largest_difference};
use rebone::body::Anatomy;
use rebone::skeleton::Clip;
use rebone::{LiveContacts, Options, Retargeter, align};
use rebone_samples as samples;

/// The walk on a target, frame by frame.
fn live(source: &Anatomy, target: &Anatomy, no_self_contact: bool) -> Clip {
    let plan = align(source, target, &Options { no_self_contact, ..Options::default() });
    let walk = samples::walk().motion.clip;
    let mut retargeter = Retargeter::new(plan.clone()).expect("a plan");
    let mut contacts = LiveContacts::new(&plan, walk.frame_time).expect("a frame time");
    let mut pose = target.skeleton.rest_pose();
    let mut all = Clip::new(&target.skeleton, walk.frame_time);
    for source in walk.poses() {
        contacts.frame(&mut retargeter, &source, &mut pose).expect("a pose of the source");
        all.push(&pose).expect("a pose of the target");
    }
    all
}

/// The largest second difference of the rotation of a joint over a clip, degrees.
fn largest_jolt(anatomy: &Anatomy, clip: &Clip) -> f64 {
    let mut largest = 0.0_f64;
    for arm in &anatomy.body.arms {
        let poses: Vec<_> = clip.poses().map(|pose| pose.rotations[arm.upper.index()]).collect();
        for of in poses.windows(3) {
            let steps = [of[0].inverse() * of[1], of[1].inverse() * of[2]];
            largest = largest.max((steps[0].inverse() * steps[1]).angle());
        }
    }
    largest.to_degrees()
}

#[test]
fn hands_pass_outside_thick_thighs_without_jolts() {
    let (source, broad) = (body("", 1.0), body("other:", 2.2));
    let [on, off] = [false, true].map(|off| live(&source, &broad, off));
    let wanted = 2.2 * THIGH + HAND;
    assert!(hand_to_thigh(&broad, &off) < wanted, "the walk's hands are no test");
    let found = hand_to_thigh(&broad, &on);
    assert!(found > wanted - 0.02, "{found}");
    // Frames beside thighs come and go: 1.4 degrees; 0.3 over the whole clip, which knows later frames.
    let jolt = largest_jolt(&broad, &on);
    assert!(jolt < 2.0, "{jolt}");
}

#[test]
fn bodies_with_the_same_surface_keep_the_pose() {
    let [source, target] = ["", "other:"].map(|prefix| body(prefix, 1.0));
    let [on, off] = [false, true].map(|off| live(&source, &target, off));
    assert!(largest_difference(&on, &off) < 1e-6);
}
