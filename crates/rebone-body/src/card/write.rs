//! Writes a card.

use super::generated::entry_key;
use super::parse::surface::USUAL;
use super::parse::syntax::TOP_KEYS;
use super::{Card, RoleEntry, RootScale};
use crate::body::{Assigned, JointEntry, Ranges, SignedAxis};
use bstr::ByteSlice;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{Axis, JointId, Skeleton};
use toml_edit::{Array, Key, Value};

/// A direction that is off an axis by less is written as that axis.
const MAX_AXIS_ERROR: f64 = 1e-12;

/// Head of a card.
pub(crate) const RULE: [&str; 3] = [
    "# What you write above [generated] goes before what stands in it, entry by entry, and is never changed.",
    "# To correct an entry, write it up here: a key such as up, or a line below [roles], [pose] or [axes].",
    "# Keys such as up, facing and unit stand here, above the first [table].",
];

/// Head of the generated part.
const GENERATED_HEAD: &str =
    "[generated]  # rebone rewrites this part; delete it to have everything found anew";

/// A section of a card, line by line.
#[derive(Debug, Default)]
pub(crate) struct Section {
    /// The name without `generated.`; empty for the keys before the first section.
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

/// Leaves out sections of the generated part that are empty, and its head where all are.
pub(crate) fn without_empty(mut sections: Vec<Section>) -> Vec<Section> {
    let is_empty = sections.iter().all(|section| section.entries.is_empty());
    sections
        .retain(|section| !section.entries.is_empty() || (section.name.is_empty() && !is_empty));
    sections
}

/// Part of a card that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    User,
    Generated,
}

impl Card {
    /// Writes the card as a text that [`Card::parse`] reads: entries of the user, then `[generated]` with the entries
    /// that [`Card::generated`] names and their comments.
    pub fn to_toml(&self) -> String {
        let sections = without_empty(self.generated_sections());
        let sections = self.user_sections().into_iter().chain(sections);
        let texts = sections.map(|section| section.lines().collect::<Vec<_>>().join("\n"));
        texts.collect::<Vec<_>>().join("\n\n") + "\n"
    }

    /// The sections of the user that are not empty.
    fn user_sections(&self) -> Vec<Section> {
        let mut top = self.top(Part::User);
        if !self.generated.is_empty() {
            top.head = RULE.map(str::to_owned).to_vec();
        }
        let mut sections = vec![
            top,
            self.role_lines(Part::User),
            self.limit_lines(),
            self.helper_lines(),
            self.surface_lines(),
            self.pose_lines(Part::User),
            self.axes_lines(Part::User),
        ];
        sections.retain(|section| !section.is_empty());
        sections
    }

    /// The sections of the generated part, empty ones as well; the first has the empty name.
    pub(super) fn generated_sections(&self) -> Vec<Section> {
        let mut top = self.top(Part::Generated);
        let about = self.generated.get("").map(|about| format!("# {}", one_line(about)));
        top.head = [GENERATED_HEAD.to_owned()].into_iter().chain(about).collect();
        let [roles, pose, axes] = [Self::role_lines, Self::pose_lines, Self::axes_lines]
            .map(|section| section(self, Part::Generated));
        vec![top, roles, pose, axes]
    }

    fn top(&self, part: Part) -> Section {
        let mut section = Section::default();
        for key in TOP_KEYS {
            let entry = self.top_value(key).and_then(|value| {
                let line = format!("{key} = {value}");
                self.entry_line(part, "", key, line)
            });
            section.entries.extend(entry);
        }
        section
    }

    /// The value of a key at the top, where it has one.
    pub(super) fn top_value(&self, key: &str) -> Option<Value> {
        match key {
            "up" => self.up.map(|axis| axis.to_string().into()),
            "facing" => self.facing.map(|axis| axis.to_string().into()),
            "unit" => self.unit.map(Value::from),
            "root_scale" => self.root_scale.map(|own| match own {
                RootScale::Auto => "auto".into(),
                RootScale::Factor(factor) => factor.into(),
            }),
            "pose_from" => self.pose_from.as_ref().map(|pose| pose.to_string().into()),
            "correct_bind" => self.correct_bind.then(|| true.into()),
            "sole_height" => self.sole_height.map(Value::from),
            "trunk_radii" => self.trunk_radii.map(|radii| radii.into_iter().collect()),
            _ => self.confidence.map(Value::from),
        }
    }

    fn role_lines(&self, part: Part) -> Section {
        let line = |entry: &RoleEntry| {
            let name = entry.role.name();
            let value = match &entry.joints[..] {
                [joint] if !entry.role.is_list() => Value::from(joint),
                joints => Value::from(joints.iter().map(String::as_str).collect::<Array>()),
            };
            self.entry_line(part, "roles", &name, format!("{name} = {value}"))
        };
        let entries = self.roles.iter().filter_map(line).collect();
        Section { name: "roles", head: vec![part.head("roles")], entries, ..Section::default() }
    }

    /// The section `limits`, with examples as comments.
    pub(super) fn limit_lines(&self) -> Section {
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

    fn helper_lines(&self) -> Section {
        let line = |own: &JointEntry<String>| {
            let after = Value::from(own.value.as_str());
            (own.joint.clone(), format!("{} = {after}", Key::new(&own.joint)))
        };
        let entries = self.helpers.iter().map(line).collect();
        let head = vec![Part::User.head("helpers")];
        Section { name: "helpers", head, entries, ..Section::default() }
    }

    fn surface_lines(&self) -> Section {
        let line = |(name, girth): (&String, &Option<f64>)| {
            let value = girth.map_or_else(|| Value::from(USUAL), Value::from);
            (name.clone(), format!("{} = {value}", Key::new(name)))
        };
        let entries = self.surface.iter().map(line).collect();
        let head = vec![Part::User.head("surface")];
        Section { name: "surface", head, entries, ..Section::default() }
    }

    fn pose_lines(&self, part: Part) -> Section {
        let head = "  # degrees from the rest pose, in the joint's axes";
        self.rotations(part, "pose", head, &self.pose, turn_line)
    }

    fn axes_lines(&self, part: Part) -> Section {
        let head = "  # in the joint's axes: y along the bone or up, x what it bends about or left";
        self.rotations(part, "axes", head, &self.axes, frame_line)
    }

    fn rotations(
        &self,
        part: Part,
        name: &'static str,
        about: &str,
        rotations: &[JointEntry<UnitQuaternion<f64>>],
        text: fn(&UnitQuaternion<f64>) -> String,
    ) -> Section {
        let line = |of: &JointEntry<UnitQuaternion<f64>>| {
            let line = format!("{} = {}", Key::new(&of.joint), text(&of.value));
            self.entry_line(part, name, &of.joint, line)
        };
        let entries = rotations.iter().filter_map(line).collect();
        Section { name, head: vec![part.head(name) + about], entries, ..Section::default() }
    }

    /// The key and the line with its comment after it; `None` for an entry of the other part.
    fn entry_line(
        &self,
        part: Part,
        section: &str,
        key: &str,
        line: String,
    ) -> Option<(String, String)> {
        let line = match (part, self.generated.get(&entry_key(section, key))) {
            (Part::User, None) => line,
            (Part::Generated, Some(comment)) if comment.is_empty() => line,
            (Part::Generated, Some(comment)) => format!("{line}  # {}", one_line(comment)),
            _ => return None,
        };
        Some((key.to_owned(), line))
    }
}

impl Part {
    fn head(self, name: &str) -> String {
        match self {
            Part::User => format!("[{name}]"),
            Part::Generated => format!("[generated.{name}]"),
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
        let exact = signed
            .into_iter()
            .find(|axis| (axis.unit().into_inner() - direction).norm() < MAX_AXIS_ERROR);
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
fn limit_line(limit: &JointEntry<Ranges>) -> String {
    let range = |(name, [low, high]): &(String, [f64; 2])| {
        format!("{name} = [{}, {}]", Value::from(*low), Value::from(*high))
    };
    let ranges: Vec<String> = limit.value.iter().map(range).collect();
    format!("{} = {{ {} }}", Key::new(&limit.joint), ranges.join(", "))
}

/// A comment must not hold control characters.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// "0.95 named LeftArm, above LeftForeArm; or LeftShoulder", with the names of joints that only have
/// a number.
pub(crate) fn remark(skeleton: &Skeleton, joints: &[JointId], assigned: &Assigned) -> String {
    let name = |id: JointId| skeleton[id].name.to_str_lossy().into_owned();
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
