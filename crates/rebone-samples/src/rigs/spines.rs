//! Rigs with few and with many spine joints.

use super::parts::{arm, fingers, head, leg, spine};
use crate::Sample;
use crate::body::{ADULT, Body};
use crate::build::{Build, order, rig};
use nalgebra::Vector3;

/// One spine joint, mitten hands; names as in the files of the CMU database; inches.
pub(super) fn one_spine() -> Sample {
    let body = Body { thigh: 46.0, shin: 41.0, trunk: 50.0, upper_arm: 27.0, ..ADULT };
    let mut build = Build::new(order::ZYX);
    let root = build.root("root", Vector3::new(0.0, body.hip_height() + 6.0, 0.0));
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        let names = ["femur", "tibia", "foot", "toes"].map(|name| format!("{side}{name}"));
        leg(&mut build, root, &body, sign, names);
    }
    let thorax = spine(&mut build, root, &body, &[("thorax", 0.48)]);
    head(&mut build, thorax, &body, &[("lowerneck", 0.0), ("head", 0.9)]);
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        let names = ["clavicle", "humerus", "radius", "wrist"].map(|name| format!("{side}{name}"));
        let hand = arm(&mut build, thorax, &body, sign, names);
        let name = |finger, _| format!("{side}{}", if finger == 0 { "thumb" } else { "fingers" });
        fingers(&mut build, hand, (&body, sign), (&[2, 0], 1), name);
    }
    let about = "One spine joint and mitten hands; CMU names, inches, ZYX.";
    rig("one-spine", about, build.skeleton(|v| v / 2.54))
}

/// Seven spine joints, a pelvis in the same place as the root; names as in 3ds Max Biped; cm.
pub(super) fn seven_spine() -> Sample {
    let body = Body { trunk: 58.0, thigh: 41.0, shoulder: 20.0, forearm: 28.0, ..ADULT };
    let mut build = Build::new(order::YXZ);
    let center = Vector3::new(0.0, body.hip_height() + 2.0, 0.0);
    let root = build.root("Bip01", center);
    let pelvis = build.joint("Bip01_Pelvis", root, center);
    let names = ["", "1", "2", "3", "4", "5", "6"].map(|number| format!("Bip01_Spine{number}"));
    let places = (0..7).map(|index| body.spine(0.1 + 0.115 * f64::from(index)));
    let chest = build.chain(pelvis, names.into_iter().zip(places));
    head(
        &mut build,
        chest,
        &body,
        &[("Bip01_Neck", 0.0), ("Bip01_Neck1", 0.45), ("Bip01_Head", 1.0)],
    );
    for (side, sign) in [("L", 1.0), ("R", -1.0)] {
        let names = ["Clavicle", "UpperArm", "Forearm", "Hand"];
        let names = names.map(|name| format!("Bip01_{side}_{name}"));
        let hand = arm(&mut build, chest, &body, sign, names);
        let name = |finger, joint| match joint {
            0 => format!("Bip01_{side}_Finger{finger}"),
            _ => format!("Bip01_{side}_Finger{finger}{joint}"),
        };
        fingers(&mut build, hand, (&body, sign), (&[0, 1, 2, 3, 4], 3), name);
    }
    for (side, sign) in [("L", 1.0), ("R", -1.0)] {
        let names = ["Thigh", "Calf", "Foot", "Toe0"].map(|name| format!("Bip01_{side}_{name}"));
        leg(&mut build, pelvis, &body, sign, names);
    }
    let about = "Seven spine joints, two neck joints; 3ds Max Biped names, cm, YXZ.";
    rig("seven-spine", about, build.skeleton(|v| v))
}
