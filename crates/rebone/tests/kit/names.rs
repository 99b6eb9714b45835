//! Names of joints as programs give them. The names of the clips are those of Mixamo, without prefix.

use crate::edit::side_and_part;
use crate::puppet::Puppet;

/// A naming convention.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) enum Style {
    Mixamo,
    Unreal,
    Cmu,
    Biped,
}

/// A part in the words of Mixamo, Unreal, CMU and Biped.
const WORDS: [[&str; 4]; 17] = [
    ["Hips", "pelvis", "hips", "Pelvis"],
    ["Spine", "spine_01", "lowerback", "Spine"],
    ["Spine1", "spine_02", "upperback", "Spine1"],
    ["Spine2", "spine_03", "thorax", "Spine2"],
    ["Spine3", "spine_04", "thorax2", "Spine3"],
    ["Neck", "neck_01", "lowerneck", "Neck"],
    ["Neck1", "neck_02", "upperneck", "Neck1"],
    ["Head", "head", "head", "Head"],
    ["Shoulder", "clavicle", "clavicle", "Clavicle"],
    ["Arm", "upperarm", "humerus", "UpperArm"],
    ["ForeArm", "lowerarm", "radius", "Forearm"],
    ["Hand", "hand", "hand", "Hand"],
    ["HipBone", "hip", "hipjoint", "HipBone"],
    ["UpLeg", "thigh", "femur", "Thigh"],
    ["Leg", "calf", "tibia", "Calf"],
    ["Foot", "foot", "foot", "Foot"],
    ["ToeBase", "ball", "toes", "Toe0"],
];

/// Gives all joints names of a convention.
pub(crate) fn rename(puppet: &mut Puppet, style: Style) {
    puppet.nodes.iter_mut().for_each(|node| node.name = named(style, &node.name));
}

fn named(style: Style, name: &str) -> String {
    let (side, part) = side_and_part(name);
    let (stem, twist) = part.split_once("Twist").map_or((part, None), |(a, b)| (a, Some(b)));
    let known = WORDS.iter().find(|row| row[0] == stem);
    let finger = stem.strip_prefix("Hand").filter(|rest| !rest.is_empty());
    let word = match (known, finger) {
        (Some(row), _) => row[style as usize].to_string(),
        (None, Some(finger)) if style != Style::Mixamo => finger.to_lowercase(),
        _ => stem.to_string(),
    };
    let word = match (twist, style) {
        (None, _) => word,
        (Some(number), Style::Mixamo | Style::Biped) => format!("{word}Twist{number}"),
        (Some(number), _) => format!("{word}_twist_0{number}"),
    };
    let letter = if side > 0.0 { 'l' } else { 'r' };
    match (style, side == 0.0) {
        (Style::Mixamo, _) => format!("mixamorig:{}", name),
        (Style::Unreal | Style::Cmu, true) => word,
        (Style::Unreal, false) => format!("{word}_{letter}"),
        (Style::Cmu, false) => format!("{letter}{word}"),
        (Style::Biped, true) => format!("Bip01 {word}"),
        (Style::Biped, false) => format!("Bip01 {} {word}", letter.to_ascii_uppercase()),
    }
}
