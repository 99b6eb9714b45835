//! Writes a card.

use super::Card;
use super::calibration::JointRotation;
use super::helpers::HelperEntry;
use super::mark::marked;
use crate::body::Assigned;
use crate::body::{JointLimits, SignedAxis};
use bstr::ByteSlice;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{Axis, JointId, Skeleton};
use toml_edit::{Array, Key, Value};

/// A direction that is off an axis by less is written as that axis.
const EXACT: f64 = 1e-12;

/// What a card begins with that the program wrote.
const RULE: &str = "# Lines that end in ~ and six digits are rebone's own: it renews them with the \
                    card. Change one, and it is yours.";

/// A section of a card, line by line.
#[derive(Debug, Default)]
pub(crate) struct Section {
    /// The name between the brackets; empty for the lines before the first.
    pub(super) name: &'static str,
    /// Comments before, or the line with the name.
    pub(super) head: Vec<String>,
    /// Keys and their lines.
    pub(super) entries: Vec<(String, String)>,
    /// Comments below.
    pub(super) examples: Vec<String>,
}

impl Section {
    /// All lines.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        let entries = self.entries.iter().map(|(_, line)| line);
        self.head.iter().chain(entries).chain(&self.examples).map(String::as_str)
    }

    fn is_empty(&self) -> bool {
        let is_top = self.name.is_empty() && !self.head.is_empty();
        self.entries.is_empty() && self.examples.is_empty() && !is_top
    }
}

impl Card {
    /// The card as a text that [`Card::parse`] reads, with its remarks.
    ///
    /// A line with a remark is a guess of the program and says so: it ends in a mark, see
    /// [`CardFile`](super::update::CardFile).
    pub fn to_toml(&self) -> String {
        let sections = self.sections();
        let texts = sections.iter().map(|section| section.lines().collect::<Vec<_>>().join("\n"));
        texts.collect::<Vec<_>>().join("\n\n") + "\n"
    }

    /// All sections that are not empty.
    pub(super) fn sections(&self) -> Vec<Section> {
        let pose = self.rotations("pose", "degrees from the rest pose, in the joint's axes");
        let frames = self.rotations(
            "axes",
            "in the joint's axes: y along the bone or up, x what it bends about or left",
        );
        let mut sections = vec![
            self.top(),
            self.role_lines(),
            self.limit_lines(),
            self.follow_lines(),
            pose,
            frames,
        ];
        sections.retain(|section| !section.is_empty());
        sections
    }

    fn top(&self) -> Section {
        let mut section = Section::default();
        if !self.remarks.is_empty() {
            section.head.push(RULE.to_owned());
        }
        if let Some(remark) = self.remarks.get("") {
            section.head.push(marked("", &[&format!("# {}", one_line(remark))]));
        }
        let mut add = |key: &str, value: Option<Value>| {
            let line = value.map(|value| self.remarked("", key, format!("{key} = {value}")));
            section.entries.extend(line.map(|line| (key.to_owned(), line)));
        };
        add("up", self.up.map(|axis| axis.to_string().into()));
        add("facing", self.facing.map(|axis| axis.to_string().into()));
        add("unit", self.unit.map(Value::from));
        add("pose_from", self.pose_from.as_ref().map(|pose| pose.to_string().into()));
        add("correct_bind", self.correct_bind.then(|| true.into()));
        add("confidence", self.confidence.map(Value::from));
        section
    }

    fn role_lines(&self) -> Section {
        let head = vec!["[roles]".to_owned()];
        let mut section = Section { name: "roles", head, ..Section::default() };
        for entry in &self.roles {
            let name = entry.role.name();
            let value = match &entry.joints[..] {
                [joint] if !entry.role.is_list() => Value::from(joint),
                joints => Value::from(joints.iter().map(String::as_str).collect::<Array>()),
            };
            let line = self.remarked("roles", &name, format!("{name} = {value}"));
            section.entries.push((name, line));
        }
        section
    }

    fn limit_lines(&self) -> Section {
        let head = match self.limit_examples.is_empty() {
            true => "[limits]",
            false => "[limits]  # degrees; take away a # and change what it limits",
        };
        let example = |limit| format!("# {}", limit_line(limit));
        Section {
            name: "limits",
            head: vec![head.to_owned()],
            entries: self.limits.iter().map(|l| (l.joint.clone(), limit_line(l))).collect(),
            examples: self.limit_examples.iter().map(example).collect(),
        }
    }

    fn follow_lines(&self) -> Section {
        let line = |own: &HelperEntry| {
            let after = Value::from(own.after.as_str());
            (own.joint.clone(), format!("{} = {after}", Key::new(&own.joint)))
        };
        Section {
            name: "helpers",
            head: vec!["[helpers]".to_owned()],
            entries: self.helpers.iter().map(line).collect(),
            examples: Vec::new(),
        }
    }

    /// The section `pose` or `frames`. A pose is one thing: the mark at its head is that of all its turns.
    fn rotations(&self, name: &'static str, about: &str) -> Section {
        let is_pose = name == "pose";
        let rotations = if is_pose { &self.pose } else { &self.axes };
        let text = if is_pose { turn_line } else { frame_line };
        let line = |of: &JointRotation| {
            let line = format!("{} = {}", Key::new(&of.joint), text(&of.rotation));
            (of.joint.clone(), self.remarked(name, &of.joint, line))
        };
        let entries: Vec<_> = rotations.iter().map(line).collect();
        let mut head = format!("[{name}]  # {about}");
        if self.remarks.contains_key(name) {
            let lines = [&head].into_iter().chain(entries.iter().map(|(_, line)| line));
            head = marked(name, &lines.map(String::as_str).collect::<Vec<_>>());
        }
        Section { name, head: vec![head], entries, examples: Vec::new() }
    }

    /// The line, with the remark for its key behind it and a mark, where there is one.
    fn remarked(&self, section: &str, key: &str, line: String) -> String {
        let place = if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") };
        match self.remarks.get(&place) {
            Some(remark) if !remark.is_empty() => {
                marked(section, &[&format!("{line}  # {}", one_line(remark))])
            }
            _ => line,
        }
    }
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
pub(crate) fn remark(skeleton: &Skeleton, joints: &[JointId], assigned: &Assigned) -> String {
    let name = |id: JointId| skeleton.joint(id).name.to_str_lossy().into_owned();
    let numbered =
        |&&id: &&JointId| rebone_skeleton::selector::select(skeleton, id).starts_with('#');
    let names: Vec<String> = joints.iter().filter(numbered).map(|&id| name(id)).collect();
    let mut remark = format!("{:.2} {}", assigned.confidence, assigned.reason);
    if let Some(other) = assigned.runner_up {
        remark += &format!("; or {}", rebone_skeleton::selector::select(skeleton, other));
    }
    if !names.is_empty() {
        remark += &format!(" ({})", names.join(", "));
    }
    remark
}
