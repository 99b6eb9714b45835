//! Limbs that most rigs have in the same way.

use crate::body::{Body, Sign};
use crate::build::Build;
use rebone_skeleton::JointId;

/// Adds thigh, shin, foot and toes.
pub(super) fn leg(build: &mut Build, parent: JointId, body: &Body, sign: Sign, names: [String; 4]) {
    let [hip, knee, ankle, ball, tip] = body.leg(sign);
    let toes = build.chain(parent, names.into_iter().zip([hip, knee, ankle, ball]));
    build.end(toes, tip);
}

/// Adds collar, upper arm, forearm and hand, and gives back the hand.
pub(super) fn arm(
    build: &mut Build,
    parent: JointId,
    body: &Body,
    sign: Sign,
    names: [String; 4],
) -> JointId {
    build.chain(parent, names.into_iter().zip(body.arm(sign)))
}

/// Adds fingers (0 the thumb) of so many joints each, named by finger and joint, with end sites.
pub(super) fn fingers(
    build: &mut Build,
    hand: JointId,
    (body, sign): (&Body, Sign),
    (fingers, joints): (&[usize], usize),
    name: impl Fn(usize, usize) -> String,
) {
    for &finger in fingers {
        let places = body.finger(sign, finger);
        let names = (0..joints).map(|joint| name(finger, joint));
        let last = build.chain(hand, names.zip(places));
        build.end(last, places[3]);
    }
}

/// Adds neck joints and the head at their shares of the neck, with the skull's top.
pub(super) fn head(build: &mut Build, parent: JointId, body: &Body, joints: &[(&str, f64)]) {
    let places = joints.iter().map(|&(name, share)| (name, body.neck(share)));
    let head = build.chain(parent, places);
    build.end(head, body.neck(2.0));
}

/// Adds spine joints at their shares of the trunk, and gives back the last.
pub(super) fn spine(
    build: &mut Build,
    parent: JointId,
    body: &Body,
    joints: &[(&str, f64)],
) -> JointId {
    build.chain(parent, joints.iter().map(|&(name, share)| (name, body.spine(share))))
}
