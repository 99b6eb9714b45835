//! Names of a joint's variables, and default limits as a card states them.

use super::defaults::table_key;
use super::joint_limits::joint_range;
use super::joint_range::JointRange;
use crate::body::{Anatomy, BALL, JointEntry, Ranges, Role, channel_name};
use rebone_ik::LinkMotion;
use rebone_skeleton::JointId;
use rebone_skeleton::selector::select;

/// Returns the default limits of the body's joints, without fingers and joints that the card limits, as a card would
/// state them: a starting point for users.
pub fn default_limits(anatomy: &Anatomy) -> Vec<JointEntry<Ranges>> {
    let body = &anatomy.body;
    let top = body.trunk[body.trunk_top()];
    let part = |&id: &JointId| {
        let finger = matches!(anatomy.roles.of(id), Some(Role::Finger(..)));
        let stated = anatomy.limits.iter().any(|(joint, _)| *joint == id);
        let has_channels = !anatomy.skeleton[id].rotation_axes.is_empty();
        id != top && !finger && !stated && has_channels && table_key(anatomy, id).is_some()
    };
    let joints = anatomy.skeleton.ids().filter(|id| anatomy.is_in_card(*id));
    joints.filter(part).map(|id| default_limit(anatomy, id)).collect()
}

/// Returns the names of a joint's variables in cards.
pub fn variable_names(anatomy: &Anatomy, joint: JointId, own: &JointRange) -> Vec<&'static str> {
    let axes = &anatomy.skeleton[joint].rotation_axes;
    match own.motion {
        LinkMotion::SwingTwist => BALL.to_vec(),
        _ => axes.iter().map(|&axis| channel_name(axis)).collect(),
    }
}

/// Returns the display name of a variable: "bend", "side" and "twist" of joints that bend about one axis, "swing x"
/// and "swing z" of others, "x channel" of joints with fewer than three channels.
pub fn angle_name(anatomy: &Anatomy, joint: JointId, variable: &str) -> String {
    let bends = match table_key(anatomy, joint) {
        Some(("hand", _)) => ["swing_z", "swing_x"],
        Some(("upperArm" | "upperLeg" | "shoulder" | "hipBone" | "thumb", _)) | None => ["", ""],
        Some(_) => ["swing_x", "swing_z"],
    };
    match variable {
        "x" | "y" | "z" => format!("{variable} channel"),
        _ if variable == bends[0] => "bend".to_owned(),
        _ if variable == bends[1] => "side".to_owned(),
        _ => variable.replace('_', " "),
    }
}

fn default_limit(anatomy: &Anatomy, joint: JointId) -> JointEntry<Ranges> {
    let own = joint_range(anatomy, joint);
    let names = variable_names(anatomy, joint, &own);
    let tenths = |radians: f64| (radians.to_degrees() * 10.0).round() / 10.0;
    let range = |(k, name): (usize, &&str)| {
        ((*name).to_owned(), [tenths(own.lower[k]), tenths(own.upper[k])])
    };
    JointEntry {
        joint: select(&anatomy.skeleton, joint),
        value: names.iter().enumerate().map(range).collect(),
        line: 0,
    }
}
