//! Names of joints as programs give them. The names of the clips are those of Mixamo, without prefix.

use crate::kit::edit::side_and_part;

/// A naming convention, by its column in [`WORDS`].
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) enum Style {
    Mixamo,
    Unreal,
    Cmu,
    Biped,
}

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

/// The name of a joint in a convention.
pub(crate) fn named(style: Style, name: &str) -> String {
    if style == Style::Mixamo {
        return format!("mixamorig:{name}");
    }
    let (side, part) = side_and_part(name);
    let (stem, twist) = part.split_once("Twist").unwrap_or((part, ""));
    let known = WORDS.iter().find(|row| row[0] == stem).map(|row| row[style as usize]);
    let word = known.map(String::from);
    let word = word.unwrap_or_else(|| stem.trim_start_matches("Hand").to_lowercase());
    let word = if twist.is_empty() { word } else { format!("{word}_twist_0{twist}") };
    let letter = if side > 0.0 { 'l' } else { 'r' };
    match (style, side == 0.0) {
        (Style::Biped, true) => format!("Bip01 {word}"),
        (Style::Biped, false) => format!("Bip01 {} {word}", letter.to_ascii_uppercase()),
        (_, true) => word,
        (Style::Cmu, false) => format!("{letter}{word}"),
        (_, false) => format!("{word}_{letter}"),
    }
}
