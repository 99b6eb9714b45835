//! Joint limits: a box in each joint's own coordinates, by default or as a card states it.

mod channels;

use crate::LimitMode;
use crate::card::{JointLimits, select};
use crate::understand::frames::turned_to;
use crate::understand::{Anatomy, Finger, Role, Side};
use channels::channel_ranges;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_ik::Motion;
use rebone_skeleton::{Axis, JointId, rotation::direction};
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The coordinates of a joint and the box that they stay in: `parent_from_joint = pre · Q(x) · post`.
///
/// A joint of three channels has a swing vector and a twist; one of fewer channels, or of which the
/// card limits channels, has their angles. Radians.
#[derive(Clone, Debug, PartialEq)]
pub struct JointBox {
    /// The centre of the swing, in the parent joint's own axes; the rest rotation before channels.
    pub pre: UnitQuaternion<f64>,
    /// `Q(x)`: swing about X, swing about Z, twist; or the channels.
    pub motion: Motion,
    /// From the anatomical frame to the joint's own axes.
    pub post: UnitQuaternion<f64>,
    /// Least value of each variable.
    pub lower: [f64; 3],
    /// Greatest value of each variable.
    pub upper: [f64; 3],
    /// Which variables the card limits: these are never widened.
    pub stated: [bool; 3],
}

impl JointBox {
    /// The variables at which the joint is nearest to a local rotation: of those that mean the same,
    /// the ones nearest to the middle of the box.
    pub fn coordinates(&self, local: &UnitQuaternion<f64>) -> [f64; 3] {
        let turn = self.pre.inverse() * local * self.post.inverse();
        let middle = [0, 1, 2].map(|k| (self.lower[k] + self.upper[k]) / 2.0);
        let middle = middle.map(|x| if x.is_finite() { x } else { 0.0 });
        self.motion.coordinates(&turn, &middle[..self.motion.len()]).unwrap_or_default()
    }

    /// The local rotation of variables.
    pub fn rotation(&self, x: &[f64; 3]) -> UnitQuaternion<f64> {
        self.pre * self.motion.rotation(x) * self.post
    }

    /// The box of a frame in which the source asks for `x`: with [`LimitMode::Source`] what is not
    /// stated is widened to hold it.
    pub fn bounds(&self, x: &[f64; 3], mode: LimitMode) -> [[f64; 3]; 2] {
        let widened = |k: usize| mode == LimitMode::Source && !self.stated[k];
        let end = |k: usize, own: f64, asked: f64| if widened(k) { asked } else { own };
        let lower = [0, 1, 2].map(|k| end(k, self.lower[k], self.lower[k].min(x[k])));
        let upper = [0, 1, 2].map(|k| end(k, self.upper[k], self.upper[k].max(x[k])));
        [lower, upper]
    }

    /// The local rotation whose variables are those of `local`, each moved into the box.
    ///
    /// A joint of fewer than three channels gets a rotation that they can make.
    pub fn hold(&self, local: &UnitQuaternion<f64>, mode: LimitMode) -> UnitQuaternion<f64> {
        let x = self.coordinates(local);
        let [lower, upper] = self.bounds(&x, mode);
        let held = [0, 1, 2].map(|k| x[k].clamp(lower[k], upper[k]));
        if held == x && self.motion.len() == 3 { *local } else { self.rotation(&held) }
    }

    /// Whether nothing can be outside: all is widened to what the source does.
    pub(crate) fn is_open(&self, mode: LimitMode) -> bool {
        mode == LimitMode::Source && self.stated == [false; 3] && self.motion.len() == 3
    }

    /// Puts stated ranges in the place of default ones.
    fn state(&mut self, limits: &JointLimits, names: &[&str]) {
        for (name, [low, high]) in &limits.ranges {
            if let Some(k) = names.iter().position(|known| known == name) {
                (self.lower[k], self.upper[k]) = (low.to_radians(), high.to_radians());
                self.stated[k] = true;
            }
        }
    }
}

/// Names of the variables of a ball joint in cards.
pub(crate) const BALL: [&str; 3] = ["swing_x", "swing_z", "twist"];

/// The name of a channel's angle in cards.
pub(crate) fn channel_name(axis: Axis) -> &'static str {
    ["x", "y", "z"][axis.index()]
}

/// The limits of a joint: the default ones, and over them what its card states.
///
/// A joint of three channels of which the card limits some turns freely about the others.
pub fn joint_box(anatomy: &Anatomy, joint: JointId) -> JointBox {
    let own = anatomy.skeleton.joint(joint);
    let stated = anatomy.limits.iter().find(|(id, _)| *id == joint).map(|(_, limits)| limits);
    let names: Vec<&str> = own.rotation_axes.iter().map(|&axis| channel_name(axis)).collect();
    let by_channel = stated
        .is_some_and(|limits| limits.ranges.iter().any(|(name, _)| names.contains(&name.as_str())));
    let mut ball = ball_box(anatomy, joint);
    if let Some(limits) = stated {
        ball.state(limits, &BALL);
    }
    if names.len() == 3 && !by_channel {
        return ball;
    }
    let mut channels = JointBox {
        pre: own.rest_rotation,
        motion: match own.rotation_axes[..] {
            [] => Motion::Fixed,
            ref axes => Motion::Axes(axes.iter().map(|axis| axis.unit()).collect()),
        },
        post: UnitQuaternion::identity(),
        ..ball
    };
    (channels.lower, channels.upper) = if names.len() < 3 {
        channel_ranges(&ball, own)
    } else {
        ([f64::NEG_INFINITY; 3], [f64::INFINITY; 3])
    };
    if names.len() == 3 {
        channels.stated = [false; 3];
    } else {
        channels.stated = [ball.stated.contains(&true); 3];
    }
    if let Some(limits) = stated {
        channels.state(limits, &names);
    }
    channels
}

/// The limits of the body's joints (without fingers, and without what the card states) as a card would
/// state them: for people to start from.
pub fn examples(anatomy: &Anatomy) -> Vec<JointLimits> {
    let body = &anatomy.body;
    let top = body.trunk[body.trunk_top()];
    let part = |&id: &JointId| {
        let finger = matches!(anatomy.roles.of(id), Some(Role::Finger(..)));
        let stated = anatomy.limits.iter().any(|(joint, _)| *joint == id);
        let has_channels = !anatomy.skeleton.joint(id).rotation_axes.is_empty();
        id != top && !finger && !stated && has_channels && key(anatomy, id).is_some()
    };
    anatomy.skeleton.ids().filter(part).map(|id| example(anatomy, id)).collect()
}

fn example(anatomy: &Anatomy, joint: JointId) -> JointLimits {
    let own = joint_box(anatomy, joint);
    let axes = &anatomy.skeleton.joint(joint).rotation_axes;
    let names: Vec<&str> = match own.motion {
        Motion::SwingTwist => BALL.to_vec(),
        _ => axes.iter().map(|&axis| channel_name(axis)).collect(),
    };
    let tenths = |radians: f64| (radians.to_degrees() * 10.0).round() / 10.0;
    let range = |(k, name): (usize, &&str)| {
        ((*name).to_owned(), [tenths(own.lower[k]), tenths(own.upper[k])])
    };
    JointLimits {
        joint: select(&anatomy.skeleton, joint),
        ranges: names.iter().enumerate().map(range).collect(),
        line: 0,
    }
}

/// One entry of the table, in degrees.
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

/// The default limits of a ball joint; no limits for joints that play no part.
fn ball_box(anatomy: &Anatomy, joint: JointId) -> JointBox {
    let index = joint.index();
    let parent = anatomy.skeleton.joint(joint).parent;
    let parent_frame = parent
        .map_or(UnitQuaternion::identity(), |parent| anatomy.joint_from_anatomical[parent.index()]);
    let parent_t = parent.map_or(UnitQuaternion::identity(), |parent| {
        anatomy.anatomical(parent, &anatomy.t_pose.rotations[parent.index()])
    });
    let own_t = anatomy.anatomical(joint, &anatomy.t_pose.rotations[index]);
    let post = anatomy.joint_from_anatomical[index].inverse();
    let (motion, stated) = (Motion::SwingTwist, [false; 3]);
    let Some((key, side)) = key(anatomy, joint) else {
        let [lower, upper] = [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]];
        let pre = parent_frame * parent_t.inverse() * own_t;
        return JointBox { pre, motion, post, lower, upper, stated };
    };
    let entry = &TABLE[key];
    let sign = side.map_or(1.0, Side::sign);
    let centred = entry
        .centre
        .and_then(|[out, up, forward]| direction(&Vector3::new(out * sign, up, forward)));
    let centre = centred.map_or(own_t, |centre| turned_to(own_t, &centre));
    let share = if entry.whole { 1.5 / chain_length(anatomy, joint) as f64 } else { 1.0 };
    let scale = share.min(1.0).to_radians();
    let mirrored = |[low, high]: [f64; 2]| if sign < 0.0 { [-high, -low] } else { [low, high] };
    let ranges = [entry.swing_x, mirrored(entry.swing_z), mirrored(entry.twist)];
    JointBox {
        pre: parent_frame * parent_t.inverse() * centre,
        motion,
        post,
        stated,
        lower: ranges.map(|range| range[0] * scale),
        upper: ranges.map(|range| range[1] * scale),
    }
}

/// How many joints share the limits of the chain that `joint` is part of.
fn chain_length(anatomy: &Anatomy, joint: JointId) -> usize {
    let body = &anatomy.body;
    if body.neck.contains(&joint) { body.neck.len() } else { (body.trunk.len() - 1).max(1) }
}

/// The entry of the table for a joint, and its side.
fn key(anatomy: &Anatomy, joint: JointId) -> Option<(&'static str, Option<Side>)> {
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
            let from_tip = chain.iter().rev().position(|&id| id == joint).unwrap_or(0);
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
