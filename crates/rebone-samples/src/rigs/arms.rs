//! Rigs with more and with fewer joints in the arms.

use super::parts::{fingers, head, leg, spine};
use crate::Sample;
use crate::body::{ADULT, Body};
use crate::build::{Build, order, rig};
use nalgebra::Vector3;

/// A twist joint in the middle of each upper arm and forearm; names as in Rigify; cm, Z up.
pub(super) fn twist_zup_cm() -> Sample {
    let body = Body { shin: 40.0, thigh: 41.0, upper_arm: 28.0, forearm: 25.0, ..ADULT };
    let mut build = Build::new(order::XYZ);
    let root = build.root("DEF-spine", Vector3::new(0.0, body.hip_height() + 4.0, 0.0));
    let joints = [("DEF-spine.001", 0.2), ("DEF-spine.002", 0.45), ("DEF-spine.003", 0.7)];
    let chest = spine(&mut build, root, &body, &joints);
    head(&mut build, chest, &body, &[("DEF-spine.004", 0.0), ("DEF-spine.006", 1.0)]);
    for (side, sign) in [("L", 1.0), ("R", -1.0)] {
        let [collar, shoulder, elbow, wrist] = body.arm(sign);
        let joints = [
            ("shoulder", "", collar),
            ("upper_arm", "", shoulder),
            ("upper_arm", ".001", body.along_limb(sign, -0.5)),
            ("forearm", "", elbow),
            ("forearm", ".001", body.along_limb(sign, 0.5)),
            ("hand", "", wrist),
        ];
        let named = joints.map(|(name, part, at)| (format!("DEF-{name}.{side}{part}"), at));
        let hand = build.chain(chest, named);
        let name = |finger: usize, joint: usize| {
            let finger = ["thumb", "f_index", "f_middle", "f_ring", "f_pinky"][finger];
            format!("DEF-{finger}.0{}.{side}", joint + 1)
        };
        fingers(&mut build, hand, (&body, sign), (&[0, 1, 2, 3, 4], 3), name);
    }
    for (side, sign) in [("L", 1.0), ("R", -1.0)] {
        let names = ["thigh", "shin", "foot", "toe"].map(|name| format!("DEF-{name}.{side}"));
        leg(&mut build, root, &body, sign, names);
    }
    let about = "Twist joints in arm and forearm; Rigify names, cm, Z up, facing -Y, XYZ.";
    rig("twist-zup-cm", about, build.skeleton(|v| Vector3::new(v.x, -v.z, v.y)))
}

/// Arms and head hang on the chest directly; names as in Mixamo; decimetres.
pub(super) fn no_collar_no_neck() -> Sample {
    let body = Body { neck: 8.0, head: 22.0, shoulder: 17.0, hip: 8.5, hand: 17.5, ..ADULT };
    let mut build = Build::new(order::YZX);
    let at = Vector3::new(0.0, body.hip_height() + 5.0, 0.0);
    let root = build.root("mixamorig:Hips", at);
    let joints =
        [("mixamorig:Spine", 0.22), ("mixamorig:Spine1", 0.48), ("mixamorig:Spine2", 0.74)];
    let chest = spine(&mut build, root, &body, &joints);
    head(&mut build, chest, &body, &[("mixamorig:Head", 0.85)]);
    for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
        let names = ["Arm", "ForeArm", "Hand"].map(|name| format!("mixamorig:{side}{name}"));
        let hand = build.chain(chest, names.into_iter().zip(body.arm(sign).into_iter().skip(1)));
        let name = |finger: usize, joint: usize| {
            let finger = ["Thumb", "Index", "Middle", "Ring", "Pinky"][finger];
            format!("mixamorig:{side}Hand{finger}{}", joint + 1)
        };
        fingers(&mut build, hand, (&body, sign), (&[0, 1, 2, 3, 4], 3), name);
    }
    for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
        let names = ["UpLeg", "Leg", "Foot", "ToeBase"];
        let names = names.map(|name| format!("mixamorig:{side}{name}"));
        leg(&mut build, root, &body, sign, names);
    }
    let about = "No collar bones and no neck; Mixamo names, decimetres, YZX.";
    rig("no-collar-no-neck", about, build.skeleton(|v| v / 10.0))
}
