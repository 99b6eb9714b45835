//! Writes a card.

use super::{Card, JointLimits};
use crate::understand::Assigned;
use bstr::ByteSlice;
use rebone_skeleton::{JointId, Skeleton};
use toml_edit::{Array, Key, Value};

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
