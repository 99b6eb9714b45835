//! Rigs whose root is not the pelvis.

use super::parts::{arm, fingers, head, leg};
use crate::Sample;
use crate::body::{ADULT, Body};
use crate::build::{Build, order, rig};
use nalgebra::Vector3;

/// The root is the chest and the spine runs down to the pelvis; VRM names, metres.
pub(super) fn chest_root() -> Sample {
    let body = Body { shin: 44.0, hip: 10.0, trunk: 51.0, upper_arm: 30.0, foot: 14.0, ..ADULT };
    let mut build = Build::new(order::ZXY);
    let chest = build.root("chest", body.spine(0.55));
    let low = [("spine", body.spine(0.28)), ("hips", body.spine(0.04))];
    let hips = build.chain(chest, low);
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let names = ["UpperLeg", "LowerLeg", "Foot", "Toes"].map(|name| format!("{side}{name}"));
        leg(&mut build, hips, &body, sign, names);
    }
    let upper = build.joint("upperChest", chest, body.spine(0.75));
    head(&mut build, upper, &body, &[("neck", 0.0), ("head", 1.0)]);
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let names = ["Shoulder", "UpperArm", "LowerArm", "Hand"];
        let names = names.map(|name| format!("{side}{name}"));
        let hand = arm(&mut build, upper, &body, sign, names);
        let name = |finger: usize, joint: usize| {
            let finger_name = ["Thumb", "Index", "Middle", "Ring", "Little"][finger];
            let thumb = ["Metacarpal", "Proximal", "Distal"];
            let part = ["Proximal", "Intermediate", "Distal"];
            format!("{side}{finger_name}{}", if finger == 0 { thumb[joint] } else { part[joint] })
        };
        fingers(&mut build, hand, (&body, sign), (&[0, 1, 2, 3, 4], 3), name);
    }
    let about = "The root is the chest, the spine runs down to the pelvis; VRM names, metres, ZXY.";
    rig("chest-root", about, build.skeleton(|v| v / 100.0))
}

/// A root on the floor, a pelvis that moves as well, hip bones; names as in Unreal; cm.
pub(super) fn ground_root() -> Sample {
    let body = Body { thigh: 45.0, shin: 43.0, hip: 10.5, shoulder: 19.0, trunk: 55.0, ..ADULT };
    let mut build = Build::new(order::XZY);
    let root = build.root("root", Vector3::zeros());
    let pelvis = build.joint("pelvis", root, Vector3::new(0.0, body.hip_height() + 5.0, -1.0));
    build.moves(pelvis);
    let spine = [("spine_01", 0.2), ("spine_02", 0.44), ("spine_03", 0.68)];
    let chest = super::parts::spine(&mut build, pelvis, &body, &spine);
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        let names = ["clavicle", "upperarm", "lowerarm", "hand"];
        let names = names.map(|name| format!("{name}_{side}"));
        let hand = arm(&mut build, chest, &body, sign, names);
        let name = |finger: usize, joint: usize| {
            let finger = ["thumb", "index", "middle", "ring", "pinky"][finger];
            format!("{finger}_0{}_{side}", joint + 1)
        };
        fingers(&mut build, hand, (&body, sign), (&[1, 2, 4, 3, 0], 3), name);
    }
    head(&mut build, chest, &body, &[("neck_01", 0.0), ("head", 1.0)]);
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        let place = Vector3::new(sign * 5.0, body.hip_height() + 3.0, 0.0);
        let hip = build.joint(&format!("hip_{side}"), pelvis, place);
        let names = ["thigh", "calf", "foot", "ball"].map(|name| format!("{name}_{side}"));
        leg(&mut build, hip, &body, sign, names);
    }
    let about = "A root on the floor, a pelvis that moves too, hip bones; Unreal names, cm, XZY.";
    rig("ground-root", about, build.skeleton(|v| v))
}
