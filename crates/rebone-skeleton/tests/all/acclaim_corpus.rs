//! Acclaim files of the CMU library against conversions of them by others, in the folder that the environment variable
//! `REBONE_CORPUS` names.

#![cfg(feature = "disk")]

use rebone_skeleton::nalgebra::Vector3;
use rebone_skeleton::{Document, Motion, forward_kinematics};
use std::path::PathBuf;

/// The two ends of limbs of the left side by their joints: thigh, shin, upper arm, forearm; the right side by `sides`.
struct Names {
    sides: [&'static str; 2],
    limbs: [[&'static str; 2]; 4],
}

const CMU: Names = Names {
    sides: ["l", "r"],
    limbs: [
        ["{}femur", "{}tibia"],
        ["{}tibia", "{}foot"],
        ["{}humerus", "{}radius"],
        ["{}radius", "{}wrist"],
    ],
};

/// A conversion by others.
struct Conversion {
    file: &'static str,
    amc: &'static str,
    names: Names,
    /// The frame of the AMC that a frame of the file shows.
    frame: fn(usize) -> Option<usize>,
    /// The limbs that are compared, in the order of their names.
    limbs: usize,
    /// The most degrees between the directions of a limb: on average, and in the worst frame.
    mean_degrees: f64,
    max_degrees: f64,
}

/// Their skeletons are other ones, to which the poses were fitted.
const CONVERSIONS: [Conversion; 3] = [
    Conversion {
        file: "cmu-uniform/02_01.bvh",
        amc: "02_01.amc",
        names: Names {
            sides: ["Left", "Right"],
            limbs: [
                ["{}UpLeg", "{}Leg"],
                ["{}Leg", "{}Foot"],
                ["{}Arm", "{}ForeArm"],
                ["{}ForeArm", "{}Hand"],
            ],
        },
        frame: Some,
        limbs: 4,
        mean_degrees: 5.5,
        max_degrees: 8.0,
    },
    Conversion {
        file: "cmu-cc/002_01.bvh",
        amc: "02_01.amc",
        names: Names {
            sides: ["L", "R"],
            limbs: [
                ["CC_Base_{}_Thigh", "CC_Base_{}_Calf"],
                ["CC_Base_{}_Calf", "CC_Base_{}_Foot"],
                ["CC_Base_{}_Upperarm", "CC_Base_{}_Forearm"],
                ["CC_Base_{}_Forearm", "CC_Base_{}_Hand"],
            ],
        },
        frame: |frame| Some(2 * frame + 1),
        limbs: 4,
        mean_degrees: 2.5,
        max_degrees: 3.5,
    },
    Conversion {
        file: "cmu-daz/02_02-daz19.bvh",
        amc: "02_02.amc",
        names: Names {
            sides: ["Left", "Right"],
            limbs: [
                ["{}Hip", "{}Knee"],
                ["{}Knee", "{}Ankle"],
                ["{}Shoulder", "{}Elbow"],
                ["{}Elbow", "{}Wrist"],
            ],
        },
        // It begins with a T pose, from which it takes ten frames to the motion.
        frame: |frame| frame.checked_sub(1).filter(|&frame| frame > 10),
        // Its forearms are bent at rest.
        limbs: 3,
        mean_degrees: 5.5,
        max_degrees: 10.5,
    },
];

#[test]
fn limbs_point_as_in_conversions_by_others() {
    let Some(files) = crate::common::files(&["amc", "bvh"]) else { return };
    for Conversion { file, amc, names, frame, limbs, mean_degrees, max_degrees } in CONVERSIONS {
        let of = |end: &str| -> PathBuf {
            files.iter().find(|path| path.ends_with(end)).unwrap().clone()
        };
        let open = |path| Document::open(path, None).unwrap().clip(None).unwrap().motion;
        let (ours, theirs) = (open(of(amc)), open(of(file)));
        let (mut worst, mut compared) = (Vec::new(), 0);
        for side in 0..2 {
            for limb in 0..limbs {
                let angles: Vec<f64> = (0..theirs.clip.len())
                    .filter_map(|own| Some((own, frame(own)?)))
                    .filter(|(_, frame)| *frame < ours.clip.len())
                    .map(|(own, frame)| {
                        let ours = direction(&ours, frame, &CMU, limb, side);
                        let theirs = direction(&theirs, own, &names, limb, side);
                        ours.angle(&theirs).to_degrees()
                    })
                    .collect();
                compared = angles.len();
                let mean = angles.iter().sum::<f64>() / angles.len() as f64;
                let max = angles.into_iter().fold(0.0, f64::max);
                let what = format!("{file}: {:?}: {mean:.1} {max:.1} degrees", CMU.limbs[limb]);
                eprintln!("{what}");
                if mean > mean_degrees || max > max_degrees {
                    worst.push(what);
                }
            }
        }
        assert!(compared > 100, "{file}: {compared} frames only");
        assert!(worst.is_empty(), "{worst:#?}");
    }
}

fn direction(
    motion: &Motion,
    frame: usize,
    names: &Names,
    limb: usize,
    side: usize,
) -> Vector3<f64> {
    let world = forward_kinematics(&motion.skeleton, &motion.clip.pose(frame).unwrap()).unwrap();
    let [start, end] = names.limbs[limb].map(|name| {
        let name = name.replace("{}", names.sides[side]);
        world.positions[motion.skeleton.find(name.as_str().into()).unwrap().index()]
    });
    end - start
}
