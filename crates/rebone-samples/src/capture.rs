//! The skeleton of the clips: what an optical capture system delivers.

use super::body::ADULT;
use super::build::{Build, order};
use nalgebra::Vector3;
use rebone_skeleton::{Axis, JointId, Skeleton};

/// The skeleton of the clips and the places of its joints.
#[derive(Clone, Debug)]
pub(super) struct Capture {
    pub(super) skeleton: Skeleton,
    pub(super) hips: JointId,
    /// From the lowest upward; the last carries neck and collars.
    pub(super) spine: [JointId; 4],
    /// Two neck joints and the head.
    pub(super) neck: [JointId; 3],
    /// Left, right.
    pub(super) legs: [Leg; 2],
    /// Left, right.
    pub(super) arms: [Arm; 2],
}

/// The joints of a leg.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    pub(super) thigh: JointId,
    pub(super) shin: JointId,
    pub(super) foot: JointId,
    pub(super) toes: JointId,
}

/// The joints of an arm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    pub(super) collar: JointId,
    pub(super) upper: JointId,
    pub(super) fore: JointId,
    pub(super) hand: JointId,
    /// Thumb, index, middle, ring, little finger: three joints each.
    pub(super) fingers: [[JointId; 3]; 5],
}

/// The names of the fingers in joint names.
const FINGER_NAMES: [&str; 5] = ["Thumb", "Index", "Middle", "Ring", "Pinky"];

/// How far the hips joint is above the hip joints, in cm.
pub(super) const HIPS_ABOVE: f64 = 3.0;

/// Left and right in joint names, with the sign of X.
const SIDES: [(&str, f64); 2] = [("Left", 1.0), ("Right", -1.0)];

impl Capture {
    /// 54 joints, T-pose, cm, Y up, facing +Z.
    pub(super) fn new() -> Self {
        let mut build = Build::new(order::ZXY);
        let hips = build.root("Hips", Vector3::new(0.0, ADULT.hip_height() + HIPS_ABOVE, 0.0));
        let legs = SIDES.map(|side| leg(&mut build, hips, side));
        let spine = joints(
            &mut build,
            hips,
            [("Spine", 0.17), ("Spine1", 0.38), ("Spine2", 0.58), ("Spine3", 0.78)]
                .map(|(name, share)| (name.into(), ADULT.spine(share))),
        );
        let chest = spine[3];
        let neck = joints(
            &mut build,
            chest,
            [("Neck", 0.0), ("Neck1", 0.5), ("Head", 1.0)]
                .map(|(name, share)| (name.into(), ADULT.neck(share))),
        );
        build.end(neck[2], ADULT.neck(2.0));
        let arms = SIDES.map(|side| arm(&mut build, chest, side));
        Self { skeleton: build.skeleton(|place| place), hips, spine, neck, legs, arms }
    }
}

/// Adds a chain of joints and gives all of them back.
fn joints<const N: usize>(
    build: &mut Build,
    parent: JointId,
    joints: [(String, Vector3<f64>); N],
) -> [JointId; N] {
    let mut parent = parent;
    joints.map(|(name, place)| {
        parent = build.joint(&name, parent, place);
        parent
    })
}

fn leg(build: &mut Build, hips: JointId, (side, sign): (&str, f64)) -> Leg {
    let [hip, knee, ankle, ball, tip] = ADULT.leg(sign);
    let names = ["UpLeg", "Leg", "Foot", "ToeBase"].map(|name| format!("{side}{name}"));
    let [a, b, c, d] = names;
    let [thigh, shin, foot, toes] =
        joints(build, hips, [(a, hip), (b, knee), (c, ankle), (d, ball)]);
    build.end(toes, tip);
    // X first: sitting turns the thigh by more than 90 degrees about it.
    for joint in [thigh, shin, foot, toes] {
        build.turns(joint, &[Axis::X, Axis::Y, Axis::Z]);
    }
    Leg { thigh, shin, foot, toes }
}

fn arm(build: &mut Build, chest: JointId, (side, sign): (&str, f64)) -> Arm {
    let [at_collar, shoulder, elbow, wrist] = ADULT.arm(sign);
    let names = ["Shoulder", "Arm", "ForeArm", "Hand"].map(|name| format!("{side}{name}"));
    let [a, b, c, d] = names;
    let [collar, upper, fore, hand] =
        joints(build, chest, [(a, at_collar), (b, shoulder), (c, elbow), (d, wrist)]);
    let fingers = [0, 1, 2, 3, 4].map(|finger| {
        let places = ADULT.finger(sign, finger);
        let name = |number| format!("{side}Hand{}{number}", FINGER_NAMES[finger]);
        let ids =
            joints(build, hand, [(name(1), places[0]), (name(2), places[1]), (name(3), places[2])]);
        build.end(ids[2], places[3]);
        ids
    });
    Arm { collar, upper, fore, hand, fingers }
}
