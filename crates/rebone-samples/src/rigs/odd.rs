//! Rigs that are odd in proportions, names or channels.

use super::parts::{arm, fingers, head, leg, spine};
use crate::Sample;
use crate::body::{ADULT, Body};
use crate::build::{Build, order, rig};
use nalgebra::Vector3;
use rebone_skeleton::{Axis, JointId};

/// A big head, short legs and three-fingered hands, arms 40 degrees down; Poser names, metres.
pub(super) fn toy_a_pose() -> Sample {
    let body = Body {
        ankle: 5.0,
        shin: 14.0,
        thigh: 15.0,
        hip: 7.0,
        trunk: 31.0,
        neck: 3.5,
        head: 34.0,
        shoulder: 11.5,
        upper_arm: 14.0,
        forearm: 12.5,
        hand: 9.5,
        foot: 8.5,
        arm_drop: 40.0,
    };
    let mut build = Build::new(order::YZX);
    let root = build.root("hip", Vector3::new(0.0, body.hip_height() + 3.0, 0.0));
    let chest = spine(&mut build, root, &body, &[("abdomen", 0.25), ("chest", 0.6)]);
    head(&mut build, chest, &body, &[("neck", 0.0), ("head", 1.0)]);
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        let names = ["Collar", "Shldr", "ForeArm", "Hand"].map(|name| format!("{side}{name}"));
        let hand = arm(&mut build, chest, &body, sign, names);
        let name = |finger: usize, joint: usize| {
            format!("{side}{}{}", ["Thumb", "Index", "Mid", "Ring"][finger], joint + 1)
        };
        fingers(&mut build, hand, (&body, sign), (&[0, 1, 3], 2), name);
    }
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        let names = ["Thigh", "Shin", "Foot", "Toe"].map(|name| format!("{side}{name}"));
        leg(&mut build, root, &body, sign, names);
    }
    let about = "Toy proportions in A-pose, three fingers of two joints; Poser names, metres, YZX.";
    rig("toy-a-pose", about, build.skeleton(|v| v / 100.0))
}

/// Names that say nothing, siblings in an unusual order; millimetres, facing +X.
pub(super) fn nameless() -> Sample {
    let body = Body { trunk: 49.0, thigh: 44.0, shin: 40.0, forearm: 27.0, ..ADULT };
    let mut build = Build::new(order::ZYX);
    let root = build.root("", Vector3::new(0.0, body.hip_height() + 7.0, 0.0));
    let none = || [const { String::new() }; 4];
    let chest = spine(&mut build, root, &body, &[("", 0.3), ("", 0.5), ("", 0.72)]);
    for sign in [-1.0, 1.0] {
        let hand = arm(&mut build, chest, &body, sign, none());
        fingers(&mut build, hand, (&body, sign), (&[4, 3, 2, 1, 0], 3), |_, _| String::new());
    }
    head(&mut build, chest, &body, &[("", 0.0), ("", 1.0)]);
    for sign in [-1.0, 1.0] {
        leg(&mut build, root, &body, sign, none());
    }
    // 37 and the number of joints (52) have no common divisor, so no name comes twice.
    build.rename(|index| format!("j{:02}", (37 * index + 11) % 52));
    let about = "Joint names that say nothing; millimetres, facing +X, ZYX.";
    rig("nameless", about, build.skeleton(|v| Vector3::new(v.z, v.y, -v.x) * 10.0))
}

/// Knees turn about X alone and elbows about Y alone; no fingers; cm.
pub(super) fn one_channel() -> Sample {
    let body = Body { thigh: 42.0, trunk: 52.0, upper_arm: 30.0, forearm: 25.0, ..ADULT };
    let mut build = Build::new(order::ZXY);
    let root = build.root("Hips", Vector3::new(0.0, body.hip_height() + 2.0, 0.0));
    for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
        let names = ["Hip", "Knee", "Ankle", "Toe"].map(|name| format!("{side}{name}"));
        leg(&mut build, root, &body, sign, names);
        let knee = root.index() + if sign > 0.0 { 2 } else { 6 };
        build.turns(JointId(knee), &[Axis::X]);
    }
    let joints = [("Chest", 0.2), ("Chest2", 0.45), ("Chest3", 0.7)];
    let chest = spine(&mut build, root, &body, &joints);
    head(&mut build, chest, &body, &[("Neck", 0.0), ("Head", 1.0)]);
    for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
        let names = ["Collar", "Shoulder", "Elbow", "Wrist"].map(|name| format!("{side}{name}"));
        let hand = arm(&mut build, chest, &body, sign, names);
        build.turns(JointId(hand.index() - 1), &[Axis::Y]);
        let [.., tip] = body.finger(sign, 2);
        build.end(hand, tip);
    }
    let about = "Knees and elbows with one rotation channel each, no fingers; cm, ZXY.";
    rig("one-channel", about, build.skeleton(|v| v))
}
