//! Writes a card.

use super::{Card, JointLimits, JointRotation, SignedAxis};
use crate::understand::Assigned;
use bstr::ByteSlice;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{Axis, JointId, Skeleton};
use toml_edit::{Array, Key, Value};

/// A direction that is off an axis by less is written as that axis.
const EXACT: f64 = 1e-12;

impl Card {
    /// The card as a text that [`Card::parse`] reads, with its remarks.
    pub fn to_toml(&self) -> String {
        let mut lines = Vec::new();
        let mut head = |key: &str, value: Option<Value>| {
            let line = value.map(|value| format!("{key} = {value}"));
            lines.extend(line.map(|line| self.remarked(line, key)));
        };
        head("up", self.up.map(|axis| axis.to_string().into()));
        head("facing", self.facing.map(|axis| axis.to_string().into()));
        head("unit", self.unit.map(Value::from));
        head("pose_from", self.pose_from.as_ref().map(|pose| pose.to_string().into()));
        let mut sections = vec![lines];
        if !self.roles.is_empty() {
            sections.push(self.role_lines());
        }
        if !self.limits.is_empty() || !self.limit_examples.is_empty() {
            sections.push(self.limit_lines());
        }
        sections.push(section(
            "[pose]  # degrees from the rest pose, in the joint's axes",
            &self.pose,
            turn_line,
        ));
        sections.push(section(
            "[frames]  # in the joint's axes: y along the bone or up, x what it bends about or left",
            &self.frames,
            frame_line,
        ));
        sections.retain(|section| !section.is_empty());
        let texts: Vec<String> = sections.iter().map(|section| section.join("\n")).collect();
        texts.join("\n\n") + "\n"
    }

    fn role_lines(&self) -> Vec<String> {
        let mut lines = vec!["[roles]".to_string()];
        for casting in &self.roles {
            let name = casting.role.name();
            let value = match &casting.joints[..] {
                [joint] if !casting.role.is_list() => Value::from(joint),
                joints => Value::from(joints.iter().map(String::as_str).collect::<Array>()),
            };
            lines.push(self.remarked(format!("{name} = {value}"), &format!("roles.{name}")));
        }
        lines
    }

    fn limit_lines(&self) -> Vec<String> {
        let head = match self.limit_examples.is_empty() {
            true => "[limits]",
            false => "[limits]  # degrees; take away a # and change what it limits",
        };
        let mut lines = vec![head.to_owned()];
        lines.extend(self.limits.iter().map(limit_line));
        lines.extend(self.limit_examples.iter().map(|limit| format!("# {}", limit_line(limit))));
        lines
    }

    /// The line with the remark for its key behind it.
    fn remarked(&self, line: String, key: &str) -> String {
        match self.remarks.get(key) {
            Some(remark) if !remark.is_empty() => format!("{line}  # {}", one_line(remark)),
            _ => line,
        }
    }
}

/// A head and its lines; nothing without lines.
fn section(
    head: &str,
    rotations: &[JointRotation],
    line: fn(&UnitQuaternion<f64>) -> String,
) -> Vec<String> {
    let line = |of: &JointRotation| format!("{} = {}", Key::new(&of.joint), line(&of.rotation));
    let head = rotations.first().map(|_| head.to_owned());
    head.into_iter().chain(rotations.iter().map(line)).collect()
}

/// `[0.0, 0.0, 45.0]`
fn turn_line(turn: &UnitQuaternion<f64>) -> String {
    vector(&turn.scaled_axis().map(f64::to_degrees))
}

/// `{ x = "+Z", y = [0.99, 0.01, 0.0] }`
fn frame_line(frame: &UnitQuaternion<f64>) -> String {
    let axis = |direction: Vector3<f64>| {
        let signed = Axis::ALL
            .into_iter()
            .flat_map(|axis| [false, true].map(|negative| SignedAxis { axis, negative }));
        let exact =
            signed.into_iter().find(|axis| (axis.unit().into_inner() - direction).norm() < EXACT);
        exact.map_or_else(|| vector(&direction), |axis| format!("\"{axis}\""))
    };
    format!("{{ x = {}, y = {} }}", axis(frame * Vector3::x()), axis(frame * Vector3::y()))
}

/// Three numbers, to twelve decimals.
fn vector(v: &Vector3<f64>) -> String {
    let number = |x: f64| Value::from((x * 1e12).round() / 1e12 + 0.0).to_string();
    format!("[{}, {}, {}]", number(v.x), number(v.y), number(v.z))
}

/// `arm = { swing_x = [0.0, 140.0] }`
fn limit_line(limit: &JointLimits) -> String {
    let range = |(name, [low, high]): &(String, [f64; 2])| {
        format!("{name} = [{}, {}]", Value::from(*low), Value::from(*high))
    };
    let ranges: Vec<String> = limit.ranges.iter().map(range).collect();
    format!("{} = {{ {} }}", Key::new(&limit.joint), ranges.join(", "))
}

/// A comment must not hold control characters.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// "0.95 named LeftArm, above LeftForeArm; or LeftShoulder", with the names of joints that only have
/// a number.
pub(super) fn remark(skeleton: &Skeleton, joints: &[JointId], assigned: &Assigned) -> String {
    let name = |id: JointId| skeleton.joint(id).name.to_str_lossy().into_owned();
    let numbered = |&&id: &&JointId| super::select(skeleton, id).starts_with('#');
    let names: Vec<String> = joints.iter().filter(numbered).map(|&id| name(id)).collect();
    let mut remark = format!("{:.2} {}", assigned.confidence, assigned.reason);
    if let Some(other) = assigned.runner_up {
        remark += &format!("; or {}", super::select(skeleton, other));
    }
    if !names.is_empty() {
        remark += &format!(" ({})", names.join(", "));
    }
    remark
}
