//! Joints of the characters, and their names in five conventions.

use super::CharacterJoint;
use super::field::V;
use crate::body::Body;

/// The convention of the names of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    Mixamo,
    Unreal,
    Rigify,
    Biped,
    Vroid,
}

/// Joints in T-pose by their part.
#[derive(Clone, Debug)]
pub(super) struct Rig {
    pub(super) joints: Vec<CharacterJoint>,
    pub(super) hips: usize,
    pub(super) spine: Vec<usize>,
    pub(super) neck: usize,
    pub(super) head: usize,
    /// Left, right: collar, upper arm, forearm, hand.
    pub(super) arms: [[usize; 4]; 2],
    /// Left, right: joints of each finger.
    pub(super) fingers: [Vec<Vec<usize>>; 2],
    /// Left, right: thigh, shin, foot, toes.
    pub(super) legs: [[usize; 4]; 2],
}

/// Parts of the body that names are asked for.
#[derive(Clone, Copy)]
enum Part {
    Hips,
    Spine(usize),
    Neck,
    Head,
    Arm(usize),
    Leg(usize),
    Finger(usize, usize),
}

impl Rig {
    /// A rig in T-pose, cm; `fingers` are those of `Body::finger`, `joints` of each.
    pub(super) fn new(body: &Body, names: Names, fingers: &[usize], count: usize) -> Self {
        let mut joints: Vec<CharacterJoint> = Vec::new();
        let mut add = |name: String, parent: Option<usize>, place: V| {
            joints.push(CharacterJoint { name, parent, place });
            joints.len() - 1
        };
        let pelvis = body.spine(0.0) + V::new(0.0, 0.06 * body.trunk, 0.0);
        let root = match names {
            Names::Unreal => Some(add("root".into(), None, V::zeros())),
            Names::Biped => Some(add("Bip01".into(), None, pelvis)),
            _ => None,
        };
        let hips = add(name(names, Part::Hips, None), root, pelvis);
        let mut below = hips;
        let spine: Vec<usize> = [0.22, 0.46, 0.70]
            .into_iter()
            .enumerate()
            .map(|(k, share)| {
                below = add(name(names, Part::Spine(k), None), Some(below), body.spine(share));
                below
            })
            .collect();
        let neck = add(name(names, Part::Neck, None), Some(below), body.neck(0.0));
        let head = add(name(names, Part::Head, None), Some(neck), body.neck(1.0));
        if names == Names::Mixamo {
            add("mixamorig:HeadTop_End".into(), Some(head), body.neck(2.0));
        }
        let mut hand_fingers = [Vec::new(), Vec::new()];
        let arms = [0, 1].map(|side| {
            let sign = [1.0, -1.0][side];
            let mut above = below;
            let arm = [0, 1, 2, 3].map(|k| {
                above = add(name(names, Part::Arm(k), Some(side)), Some(above), body.arm(sign)[k]);
                above
            });
            hand_fingers[side] = fingers
                .iter()
                .map(|&finger| {
                    let mut above = arm[3];
                    (0..count)
                        .map(|k| {
                            let part = Part::Finger(finger, k);
                            let place = body.finger(sign, finger)[k];
                            above = add(name(names, part, Some(side)), Some(above), place);
                            above
                        })
                        .collect()
                })
                .collect();
            arm
        });
        let legs = [0, 1].map(|side| {
            let mut above = hips;
            [0, 1, 2, 3].map(|k| {
                let place = body.leg([1.0, -1.0][side])[k];
                above = add(name(names, Part::Leg(k), Some(side)), Some(above), place);
                above
            })
        });
        Self { joints, hips, spine, neck, head, arms, fingers: hand_fingers, legs }
    }
}

fn name(names: Names, part: Part, side: Option<usize>) -> String {
    let number = |n: usize| [String::new(), n.to_string()][usize::from(n > 0)].clone();
    let pick = |list: [&str; 4], k: usize| list[k].to_owned();
    match names {
        Names::Mixamo => {
            let side = ["Left", "Right", ""][side.unwrap_or(2)];
            let word = match part {
                Part::Hips => "Hips".into(),
                Part::Spine(k) => format!("Spine{}", number(k)),
                Part::Neck => "Neck".into(),
                Part::Head => "Head".into(),
                Part::Arm(k) => pick(["Shoulder", "Arm", "ForeArm", "Hand"], k),
                Part::Leg(k) => pick(["UpLeg", "Leg", "Foot", "ToeBase"], k),
                Part::Finger(f, k) => format!("Hand{}{}", FINGERS[f], k + 1),
            };
            format!("mixamorig:{side}{word}")
        }
        Names::Unreal => {
            let word = match part {
                Part::Hips => "pelvis".into(),
                Part::Spine(k) => format!("spine_0{}", k + 1),
                Part::Neck => "neck_01".into(),
                Part::Head => "head".into(),
                Part::Arm(k) => pick(["clavicle", "upperarm", "lowerarm", "hand"], k),
                Part::Leg(k) => pick(["thigh", "calf", "foot", "ball"], k),
                Part::Finger(f, k) => format!("{}_0{}", FINGERS[f].to_lowercase(), k + 1),
            };
            word + ["_l", "_r", ""][side.unwrap_or(2)]
        }
        Names::Rigify => {
            let word = match part {
                Part::Hips => "spine".into(),
                Part::Spine(k) => format!("spine.00{}", k + 1),
                Part::Neck => "neck".into(),
                Part::Head => "head".into(),
                Part::Arm(k) => pick(["shoulder", "upper_arm", "forearm", "hand"], k),
                Part::Leg(k) => pick(["thigh", "shin", "foot", "toe"], k),
                Part::Finger(0, k) => format!("thumb.0{}", k + 1),
                Part::Finger(f, k) => format!("f_{}.0{}", FINGERS[f].to_lowercase(), k + 1),
            };
            word + [".L", ".R", ""][side.unwrap_or(2)]
        }
        Names::Biped => {
            let side = ["L ", "R ", ""][side.unwrap_or(2)];
            let word = match part {
                Part::Hips => "Pelvis".into(),
                Part::Spine(k) => format!("Spine{}", number(k)),
                Part::Neck => "Neck".into(),
                Part::Head => "Head".into(),
                Part::Arm(k) => pick(["Clavicle", "UpperArm", "Forearm", "Hand"], k),
                Part::Leg(k) => pick(["Thigh", "Calf", "Foot", "Toe0"], k),
                Part::Finger(f, k) => format!("Finger{}{}", f.min(2), number(k)),
            };
            format!("Bip01 {side}{word}")
        }
        Names::Vroid => {
            let side = ["L", "R", "C"][side.unwrap_or(2)];
            let word = match part {
                Part::Hips => "Hips".into(),
                Part::Spine(k) => pick(["Spine", "Chest", "UpperChest", ""], k),
                Part::Neck => "Neck".into(),
                Part::Head => "Head".into(),
                Part::Arm(k) => pick(["Shoulder", "UpperArm", "LowerArm", "Hand"], k),
                Part::Leg(k) => pick(["UpperLeg", "LowerLeg", "Foot", "ToeBase"], k),
                Part::Finger(4, k) => format!("Little{}", k + 1),
                Part::Finger(f, k) => format!("{}{}", FINGERS[f], k + 1),
            };
            format!("J_Bip_{side}_{word}")
        }
    }
}

/// Fingers in the order of `Body::finger`.
const FINGERS: [&str; 5] = ["Thumb", "Index", "Middle", "Ring", "Pinky"];
