//! Rig cards: what is known of one skeleton, as a short TOML text that the user corrects.
//!
//! ```toml
//! unit = "cm"
//!
//! [roles]
//! leftUpperArm = "clavicle_l/upperarm_l"
//! leftToes = []
//!
//! [limits]
//! lowerarm_l = { swing_x = [0, 140] }
//!
//! [helpers]
//! ik_hand_l = "leftHand"
//!
//! [surface]
//! belly = 1.3
//!
//! [generated]
//! up = "+Z"
//! facing = "-Y"
//!
//! [generated.roles]
//! hips = "pelvis"  # 0.98 both thighs hang on it
//!
//! [generated.pose]
//! upperarm_l = [0, 0, 45]
//!
//! [generated.axes]
//! lowerarm_l = { x = "+Z", y = [0.99, 0.01, 0] }
//! ```
//!
//! The program writes `[generated]`; entries of the user, outside it, go before those in it. Roles that a card does
//! not name are worked out; an empty list means that no joint plays that role.

mod assemble;
mod calibration;
mod draft;
mod edit;
mod generated;
mod lengths;
pub mod map;
mod parse;
mod scan;
mod text;
mod update;
mod write;

pub use calibration::calibration_summary;
pub use text::{with_key, with_pose, with_role, with_turn, without_turns};
pub use update::CardFile;

use crate::body::{BALL, JointEntry, Ranges, Role, Roles, SignedAxis, channel_name};
use crate::error::{LineError, ValueError};
use nalgebra::UnitQuaternion;
use rebone_skeleton::selector::{SelectorError, resolve, select, shown};
use rebone_skeleton::{JointId, Skeleton};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The entries of a card: those of the user, and generated ones where the user states nothing.
///
/// ```
/// use rebone_body::card::Card;
///
/// let card = Card::parse(
///     "[roles]\nhead = \"Skull\"\n\n[generated.roles]\nhips = \"Pelvis\"\nhead = \"Hat\"\n",
/// )?;
/// assert_eq!(card.roles.len(), 2);
/// assert_eq!(card.roles[0].joints, ["Skull"]);
/// assert!(card.generated.contains_key("roles.hips"));
///
/// let error = Card::parse("up = \"north\"").unwrap_err();
/// assert_eq!(error.line, 1);
/// # Ok::<(), rebone_body::LineError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Card {
    /// The axis of the file that points up.
    pub up: Option<SignedAxis>,
    /// The axis of the file that the body faces in its rest pose.
    pub facing: Option<SignedAxis>,
    /// Metres for one unit of the file.
    pub unit: Option<f64>,
    /// Factor on the positions of the root, where they are not in the unit of the bones.
    pub root_scale: Option<RootScale>,
    /// Source of the calibration pose.
    pub pose_from: Option<PoseFrom>,
    /// The line of `pose_from`, counted from 1; 0 for a card that was not read.
    pub pose_from_line: usize,
    /// Whether rotation copy between bind poses begins with the calibration pose: it corrects a bind pose in which
    /// the body stands another way.
    pub correct_bind: bool,
    /// Height of the lowest joint of a standing foot over the floor, in the unit of the file.
    pub sole_height: Option<f64>,
    /// Distances of the middle of the hips, the chest joint and the head joint from the skin, in the unit of the file: what
    /// the body sits and lies on. They count where no mesh tells them.
    pub trunk_radii: Option<[f64; 3]>,
    /// The lines of `sole_height` and `trunk_radii`, counted from 1; 0 for a card that was not read.
    pub length_lines: [usize; 2],
    /// Confidence of the generated calibration, 0 to 1. It is only reported, and changes
    /// nothing else.
    pub confidence: Option<f64>,
    /// Roles and the joints that play them.
    pub roles: Vec<RoleEntry>,
    /// Ranges of joints: lower and upper bounds of variables by name, degrees. Variables are `swing_x`, `swing_z` and
    /// `twist` of a ball joint, or the channels `x`, `y`, `z`.
    pub limits: Vec<JointEntry<Ranges>>,
    /// Helper joints, each with the joint that it follows as if it hung on it: a role, or the selector of a joint.
    pub helpers: Vec<JointEntry<String>>,
    /// Surfaces of segments by name (`belly`, `leftUpperArm`, `upperArm` for both sides): a factor from 0.3 to 3 on the
    /// distances of the surface from its axis, or `None` for the usual surface in place of the skin.
    pub surface: BTreeMap<String, Option<f64>>,
    /// Rotations of joints in the calibration pose, from the rest pose, in the axes of the joint.
    pub pose: Vec<JointEntry<UnitQuaternion<f64>>>,
    /// Anatomical frames in the axes of their joints; they override the calibration pose.
    pub axes: Vec<JointEntry<UnitQuaternion<f64>>>,
    /// Ranges that [`Card::to_toml`] writes as comments, for the user to start from.
    pub limit_examples: Vec<JointEntry<Ranges>>,
    /// Entries of `[generated]`, with the comment after each: by key (`up`) or section and key (`roles.hips`,
    /// `axes.arm_l`). The comment for the empty key stands at the top of that part. All other entries are the user's.
    pub generated: BTreeMap<String, String>,
}

/// A role and the selectors of the joints that play it; an empty list means that no joint does.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleEntry {
    /// The role.
    pub role: Role,
    /// Selectors of joints, see [`resolve`].
    pub joints: Vec<String>,
    /// The line of the card, counted from 1; 0 for a card that was not read.
    pub line: usize,
}

/// Factors that a root's positions may need: from kilometres to millimetres, and back.
const ROOT_SCALES: RangeInclusive<f64> = 1e-6..=1e6;

/// Names of units and their metres.
const UNITS: [(&str, f64); 6] =
    [("m", 1.0), ("dm", 0.1), ("cm", 0.01), ("mm", 0.001), ("inch", 0.0254), ("foot", 0.3048)];

/// Reads a unit of length, by name or as a number of metres.
///
/// # Errors
/// When it is neither, or no length between a nanometre and a million kilometres.
pub fn metres(text: &str) -> Result<f64, ValueError> {
    let named = UNITS.iter().find(|(unit, _)| unit.eq_ignore_ascii_case(text));
    let number = named.map_or_else(|| text.parse().ok(), |(_, metres)| Some(*metres));
    number.filter(|metres| (1e-9..=1e9).contains(metres)).ok_or_else(|| {
        ValueError("expected m, dm, cm, mm, inch, foot, or metres a unit".to_owned())
    })
}

/// Factor from the unit of a root's positions to that of the bones, written as a number or `auto`.
///
/// ```
/// use rebone_body::card::RootScale;
///
/// assert_eq!("0.01".parse(), Ok(RootScale::Factor(0.01)));
/// assert_eq!("auto".parse(), Ok(RootScale::Auto));
/// assert!("-1".parse::<RootScale>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RootScale {
    /// The factor with which feet stand still, at the height zero.
    Auto,
    /// This factor, greater than 0.
    Factor(f64),
}

impl FromStr for RootScale {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let number = text.parse().ok().filter(|factor: &f64| ROOT_SCALES.contains(factor));
        let expected =
            || ValueError("expected auto, or a number from 0.000001 to 1000000".to_owned());
        number.map(Self::Factor).ok_or_else(expected)
    }
}

impl fmt::Display for RootScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Factor(factor) => write!(f, "{factor}"),
        }
    }
}

/// Source of a calibration pose, written `rest` or `FILE[:FRAME]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PoseFrom {
    /// The rest pose.
    Rest,
    /// A frame of a file, counted from 0; its rest pose where no frame is given.
    File(String, Option<usize>),
}

impl FromStr for PoseFrom {
    type Err = ValueError;

    /// Reads `rest`, `FILE` or `FILE:FRAME`.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        let (file, frame) = match text.rsplit_once(':').map(|(file, at)| (file, at.parse())) {
            Some((file, Ok(frame))) => (file, Some(frame)),
            _ => (text, None),
        };
        match file {
            "" => Err(ValueError("expected rest, FILE or FILE:FRAME".to_owned())),
            "rest" if frame.is_none() => Ok(PoseFrom::Rest),
            file => Ok(PoseFrom::File(file.into(), frame)),
        }
    }
}

impl fmt::Display for PoseFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PoseFrom::Rest => write!(f, "rest"),
            PoseFrom::File(file, None) => write!(f, "{file}"),
            PoseFrom::File(file, Some(frame)) => write!(f, "{file}:{frame}"),
        }
    }
}

/// Least number of roles of a card that is said to be of another rig.
const MIN_RIG_ROLES: usize = 4;

impl Card {
    /// Message for a joint that cannot be resolved: where none of many can, the card is that of another rig.
    fn unresolved(&self, skeleton: &Skeleton, error: &SelectorError) -> String {
        let mut joints = self.roles.iter().flat_map(|entry| &entry.joints);
        let is_of_other_rig = self.roles.len() >= MIN_RIG_ROLES
            && joints.all(|text| resolve(skeleton, text).is_err());
        match is_of_other_rig {
            true => format!(
                "{error}; the skeleton has no joint that the card names: it is the card of another rig"
            ),
            false => error.to_string(),
        }
    }

    /// The joints that the card gives roles to, for
    /// [`assign_other_roles`](crate::roles::assign_other_roles).
    ///
    /// # Errors
    /// The first line that names a joint which is not there, or a joint for the second time.
    pub fn resolve_roles(
        &self,
        skeleton: &Skeleton,
    ) -> Result<Vec<(Role, Vec<JointId>)>, LineError> {
        let is_generated = |entry: &&RoleEntry| self.is_generated("roles", &entry.role.name());
        let mut entries: Vec<&RoleEntry> = self.roles.iter().collect();
        entries.sort_by_key(is_generated);
        let mut taken: BTreeMap<JointId, &RoleEntry> = BTreeMap::new();
        let mut roles = Vec::new();
        for entry in entries {
            let at = |message: String| LineError { line: entry.line, message };
            let mut joints = Vec::new();
            for text in &entry.joints {
                let joint = resolve(skeleton, text)
                    .map_err(|error| at(self.unresolved(skeleton, &error)))?;
                match taken.get(&joint) {
                    Some(first) if is_generated(&entry) && !is_generated(first) => continue,
                    Some(first) => {
                        return Err(at(format!(
                            "joint {:?} cannot be both {} and {}",
                            shown(text),
                            first.role.name(),
                            entry.role.name()
                        )));
                    }
                    None => drop(taken.insert(joint, entry)),
                }
                joints.push(joint);
            }
            if !joints.is_empty() || entry.joints.is_empty() {
                roles.push((entry.role, joints));
            }
        }
        Ok(roles)
    }

    /// The ranges that the card states, by joint.
    ///
    /// # Errors
    /// The first line that names a joint which is not there, a joint for the second time, or a variable
    /// that the joint has not.
    pub fn joint_limits(&self, skeleton: &Skeleton) -> Result<Vec<(JointId, Ranges)>, LineError> {
        let mut taken = BTreeSet::new();
        let resolved = self.limits.iter().map(|limits| {
            let joint = resolve(skeleton, &limits.joint);
            let at = |message: String| LineError { line: limits.line, message };
            let joint = joint.map_err(|error| at(error.to_string()))?;
            if !taken.insert(joint) {
                let joint = shown(&limits.joint);
                return Err(at(format!(
                    "joint {joint:?} is limited already, in another line: put its ranges into one"
                )));
            }
            check_variables(skeleton, joint, limits).map_err(at)?;
            Ok((joint, limits.value.clone()))
        });
        resolved.collect()
    }

    /// Makes a card of roles, all generated, with their confidence and reasons as comments.
    pub fn of(skeleton: &Skeleton, roles: &Roles) -> Self {
        let mut card = Card::default();
        for role in Role::all() {
            let joints: Vec<JointId> = roles.joints(role).collect();
            let assigned = joints.iter().filter_map(|id| roles.by_joint[id.index()].as_ref());
            let least = assigned.min_by(|a, b| a.confidence.total_cmp(&b.confidence));
            let Some(least) = least else { continue };
            let texts = joints.iter().map(|&joint| select(skeleton, joint)).collect();
            card.roles.push(RoleEntry { role, joints: texts, line: 0 });
            let remark = write::remark(skeleton, &joints, least);
            card.generated.insert(format!("roles.{}", role.name()), remark);
        }
        card
    }
}

/// A joint is limited by its swing and twist or by channels that it has, not by both.
fn check_variables(
    skeleton: &Skeleton,
    joint: JointId,
    limits: &JointEntry<Ranges>,
) -> Result<(), String> {
    let axes = &skeleton[joint].rotation_axes;
    let channels: Vec<&str> = axes.iter().map(|&axis| channel_name(axis)).collect();
    let is_ball = |name: &str| BALL.contains(&name);
    let by_channel = limits.value.iter().any(|(name, _)| !is_ball(name));
    let has = |name: &str| match is_ball(name) {
        true => !by_channel && !channels.is_empty(),
        false => channels.contains(&name),
    };
    match limits.value.iter().find(|(name, _)| !has(name)) {
        None => Ok(()),
        Some((variable, _)) => {
            let expected = match channels[..] {
                [] => "nothing, it has no rotation channels".to_owned(),
                _ => format!("either {}, or {}", BALL.join(", "), channels.join(", ")),
            };
            Err(format!("joint {:?} has no {variable}: say {expected}", shown(&limits.joint)))
        }
    }
}

#[cfg(test)]
mod tests;
