//! Default limits of a body's joints, from a table.

use super::joint_range::JointRange;
use crate::body::{Anatomy, Finger, Role, Side, turned_to};
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_ik::LinkMotion;
use rebone_skeleton::JointId;
use rebone_skeleton::rotation::direction;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::LazyLock;

/// One entry of the table, degrees.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(default)]
    whole: bool,
    centre: Option<[f64; 3]>,
    swing_x: [f64; 2],
    swing_z: [f64; 2],
    twist: [f64; 2],
}

static TABLE: LazyLock<HashMap<String, Entry>> = LazyLock::new(|| {
    toml_edit::de::from_str(include_str!("limits.toml")).expect("the table is tested")
});

/// Returns the default range of a ball joint; unlimited for joints without a role.
pub(crate) fn default_range(anatomy: &Anatomy, joint: JointId) -> JointRange {
    let index = joint.index();
    let parent = anatomy.skeleton[joint].parent;
    let parent_frame = parent
        .map_or(UnitQuaternion::identity(), |parent| anatomy.joint_from_anatomical[parent.index()]);
    let parent_t = parent.map_or(UnitQuaternion::identity(), |parent| {
        anatomy.anatomical(parent, &anatomy.t_pose.rotations[parent.index()])
    });
    let own_t = anatomy.anatomical(joint, &anatomy.t_pose.rotations[index]);
    let post = anatomy.joint_from_anatomical[index].inverse();
    let (motion, stated) = (LinkMotion::SwingTwist, [false; 3]);
    let Some((key, side)) = table_key(anatomy, joint) else {
        let [lower, upper] = [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]];
        let pre = parent_frame * parent_t.inverse() * own_t;
        return JointRange { pre, motion, post, lower, upper, stated };
    };
    let entry = &TABLE[key];
    let sign = side.map_or(1.0, Side::sign);
    let centre = swing_centre(key, side).map_or(own_t, |centre| turned_to(own_t, &centre));
    let share = if entry.whole { 1.5 / chain_length(anatomy, joint) as f64 } else { 1.0 };
    let scale = share.min(1.0).to_radians();
    let mirrored = |[low, high]: [f64; 2]| if sign < 0.0 { [-high, -low] } else { [low, high] };
    let ranges = [entry.swing_x, mirrored(entry.swing_z), mirrored(entry.twist)];
    JointRange {
        pre: parent_frame * parent_t.inverse() * centre,
        motion,
        post,
        stated,
        lower: ranges.map(|range| range[0] * scale),
        upper: ranges.map(|range| range[1] * scale),
    }
}

/// Returns the swing centre of a limb, a direction in the world of the T pose; `None` for segments that point down or stand
/// in it.
fn swing_centre(key: &str, side: Option<Side>) -> Option<Unit<Vector3<f64>>> {
    let [out, up, forward] = TABLE.get(key)?.centre?;
    direction(&Vector3::new(out * side.map_or(1.0, Side::sign), up, forward))
}

/// Returns the anatomical rotation of a thigh at its swing centre, without twist, from that in the T pose.
pub fn thigh_mid_swing(side: Side, t_pose: UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    swing_centre("upperLeg", Some(side)).map_or(t_pose, |centre| turned_to(t_pose, &centre))
}

/// Returns the number of joints that share the limits of a joint's chain.
fn chain_length(anatomy: &Anatomy, joint: JointId) -> usize {
    let body = &anatomy.body;
    if body.neck.contains(&joint) { body.neck.len() } else { (body.trunk.len() - 1).max(1) }
}

/// Returns the table's key of a joint, and its side.
pub(crate) fn table_key(anatomy: &Anatomy, joint: JointId) -> Option<(&'static str, Option<Side>)> {
    let body = &anatomy.body;
    if body.neck.contains(&joint) {
        return Some(("neck", None));
    }
    if body.trunk.contains(&joint) {
        return Some(("spine", None));
    }
    let (key, side) = match anatomy.roles.of(joint)? {
        Role::Shoulder(side) => ("shoulder", side),
        Role::UpperArm(side) => ("upperArm", side),
        Role::LowerArm(side) => ("lowerArm", side),
        Role::Hand(side) => ("hand", side),
        Role::HipBone(side) => ("hipBone", side),
        Role::UpperLeg(side) => ("upperLeg", side),
        Role::LowerLeg(side) => ("lowerLeg", side),
        Role::Foot(side) => ("foot", side),
        Role::Toes(side) => ("toes", side),
        Role::Finger(side, Finger::Thumb) => ("thumb", side),
        Role::Finger(side, finger) => {
            let chain = &body.arms[side.index()].fingers[finger as usize];
            let from_tip = chain.iter().rev().position(|&id| id == joint)?;
            (["fingerDistal", "fingerIntermediate", "fingerProximal"][from_tip.min(2)], side)
        }
        _ => return None,
    };
    Some((key, Some(side)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_boxes() {
        for (key, entry) in TABLE.iter() {
            for [low, high] in [entry.swing_x, entry.swing_z, entry.twist] {
                assert!(low < 0.0 && high > 0.0, "{key}: {low} to {high}");
            }
        }
    }
}
