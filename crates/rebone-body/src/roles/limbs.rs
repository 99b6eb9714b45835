//! Finds the arms and legs by the names of their joints.

use super::by_name::{NameMeaning, Part};
use crate::body::{Landmark, Role, Side, bone_end};
use rebone_skeleton::{JointId, Skeleton};

/// The joints of an arm or leg, from the trunk outwards.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Limb {
    /// Shoulder, elbow and, but for arms that end with the forearm, wrist; or hip, knee and ankle.
    pub(crate) joints: Vec<JointId>,
    /// Confidence of each, 0 to 1.
    pub(crate) confidence: Vec<f64>,
    /// Why, in a few words.
    pub(crate) reasons: Vec<String>,
    /// The best other joint for each.
    pub(crate) runners_up: Vec<Option<JointId>>,
}

impl Limb {
    /// The wrist, where there is a joint, or the ankle.
    pub(crate) fn end(&self) -> Option<JointId> {
        self.joints.get(2).copied()
    }
}

/// Finds the end of a forearm without a hand; its twist joints are called so, or as the forearm.
pub(crate) fn forearm_end(
    skeleton: &Skeleton,
    readings: &[NameMeaning],
    forearm: JointId,
) -> Option<Landmark> {
    let is_twist = |id: JointId| {
        let reading = &readings[id.index()];
        reading.twist || reading.strength(Part::LowerArm) > 0.0
    };
    bone_end(skeleton, forearm, &is_twist)
}

/// Both arms and both legs, left before right.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Limbs {
    pub(crate) arms: [Limb; 2],
    pub(crate) legs: [Limb; 2],
}

/// Confidence of a joint above, between or below two named ones of its limb.
pub(super) const GAP_CONFIDENCE: f64 = 0.6;
/// Length of a collar or a hip bone over that of an upper arm or a thigh, at most.
const MAX_GIRDLE_RATIO: f64 = 0.8;

/// An arm or a leg, by names.
pub(super) struct LimbKind {
    pub(super) parts: [Part; 3],
    /// The part between the trunk and the limb, which may be called as the first one.
    girdle: Part,
    words: [&'static str; 3],
}

pub(super) const ARM: LimbKind = LimbKind {
    parts: [Part::UpperArm, Part::LowerArm, Part::Hand],
    girdle: Part::Shoulder,
    words: ["upper arm", "forearm", "hand"],
};

pub(super) const LEG: LimbKind = LimbKind {
    parts: [Part::UpperLeg, Part::LowerLeg, Part::Foot],
    girdle: Part::HipBone,
    words: ["thigh", "shin", "foot"],
};

/// The limbs by names; what was searched for and not found otherwise.
pub(crate) fn by_name(skeleton: &Skeleton, readings: &[NameMeaning]) -> Result<Limbs, Missing> {
    let find = |kind: &LimbKind, side| limb(skeleton, readings, kind, side);
    let [left_arm, right_arm] = Side::BOTH.map(|side| find(&ARM, side));
    let [left_leg, right_leg] = Side::BOTH.map(|side| find(&LEG, side));
    match (left_arm, right_arm, left_leg, right_leg) {
        (Ok(la), Ok(ra), Ok(ll), Ok(rl)) => Ok(Limbs { arms: [la, ra], legs: [ll, rl] }),
        (la, ra, ll, rl) => {
            let limbs = [la.err(), ra.err(), ll.err(), rl.err()];
            let found = limbs.iter().filter(|fault| fault.is_none()).count();
            Err(Missing { missing: limbs.into_iter().flatten().collect(), found })
        }
    }
}

/// Role, joint, confidence and reason of each joint of the limbs that are found as a whole.
pub(super) fn whole_limbs(
    skeleton: &Skeleton,
    readings: &[NameMeaning],
) -> Vec<(Role, JointId, f64, String)> {
    let mut found = Vec::new();
    for side in Side::BOTH {
        let arm = [Role::UpperArm(side), Role::LowerArm(side), Role::Hand(side)];
        let leg = [Role::UpperLeg(side), Role::LowerLeg(side), Role::Foot(side)];
        for (kind, roles) in [(&ARM, arm), (&LEG, leg)] {
            let Ok(limb) = limb(skeleton, readings, kind, side) else { continue };
            let joints = limb.joints.into_iter().zip(limb.confidence).zip(limb.reasons);
            let named = roles.into_iter().zip(joints);
            found.extend(named.map(|(role, ((joint, sure), reason))| (role, joint, sure, reason)));
        }
    }
    found
}

/// Limbs that were not found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Missing {
    /// One text for each missing limb.
    pub(crate) missing: Vec<String>,
    /// Number of limbs that were found.
    pub(crate) found: usize,
}

/// A joint that may be a part by its name, and how much the name speaks for it.
type Candidate = (JointId, f64);

/// Joints that may be a limb, and how much their names speak for it.
type Line = (Vec<JointId>, f64);

pub(super) fn candidates(
    readings: &[NameMeaning],
    part: Part,
    side: Option<Side>,
) -> Vec<Candidate> {
    let of = |(index, reading): (usize, &NameMeaning)| {
        let strength = reading.strength(part);
        (reading.side == side && strength > 0.0).then_some((JointId(index), strength))
    };
    readings.iter().enumerate().filter_map(of).collect()
}

/// The joints, each below the one before, that the names speak for most; two where no arm has a hand
/// but some forearm an end. Where several are equal, the uppermost: "upperarm01" before "upperarm02".
pub(super) fn limb(
    skeleton: &Skeleton,
    readings: &[NameMeaning],
    kind: &LimbKind,
    side: Side,
) -> Result<Limb, String> {
    let [uppers, lowers, ends] = kind.parts.map(|part| candidates(readings, part, Some(side)));
    let ending = |c: &Candidate| forearm_end(skeleton, readings, c.0).is_some();
    let mut parts = vec![uppers, lowers, ends];
    if kind.parts[2] == Part::Hand && best_line(skeleton, &parts, None).is_none() {
        parts.truncate(2);
        parts[1].retain(ending);
    }
    if let Some((joints, _)) = best_line(skeleton, &parts, None) {
        let others = joints.iter().map(|&joint| best_line(skeleton, &parts, Some(joint)));
        let others = others.enumerate().map(|(at, line)| Some(line?.0[at])).collect();
        let mut limb = settle(skeleton, readings, kind, &joints, others);
        if let Some(base) = below_girdle(skeleton, readings, kind, &joints) {
            let [upper, lower] = [0, 1].map(|at| &skeleton[joints[at]].name);
            limb.reasons[0] = format!("between {upper} and {lower}");
            limb.runners_up[0] = Some(joints[0]);
            (limb.joints[0], limb.confidence[0]) = (base, GAP_CONFIDENCE);
        }
        return Ok(limb);
    }
    let name = |id: JointId| skeleton[id].name.to_string();
    let [uppers, lowers, _] = kind.parts.map(|part| candidates(readings, part, Some(side)));
    let upper = uppers.first().map(|c| name(c.0));
    let lower = best_line(skeleton, &[uppers, lowers], None).map(|(joints, _)| name(joints[1]));
    Err(missing(kind, side, upper, lower))
}

/// Returns whether a joint is rather the collar or the hip bone above a limb than its first joint, by its name.
pub(super) fn is_rather_girdle(reading: &NameMeaning, kind: &LimbKind) -> bool {
    reading.strength(kind.girdle) > reading.strength(kind.parts[0])
}

/// The joint without a name below one that may be a collar or a hip bone by its name, if it is where an upper arm or a thigh
/// begins: the collar of "Shoulder, Foo, ForeArm" is no upper arm.
pub(super) fn below_girdle(
    skeleton: &Skeleton,
    readings: &[NameMeaning],
    kind: &LimbKind,
    joints: &[JointId],
) -> Option<JointId> {
    let is_girdle = |id: JointId| readings[id.index()].strength(kind.girdle) > 0.0;
    let (upper, lower) = (joints[0], joints[1]);
    // A collar above it, and it is the upper arm.
    if !is_girdle(upper) || skeleton.path_to_root(upper).skip(1).any(is_girdle) {
        return None;
    }
    let path: Vec<JointId> = skeleton.path_to_root(lower).take_while(|&id| id != upper).collect();
    let (&base, below) = path.split_last().filter(|(_, below)| !below.is_empty())?;
    let bone = |id: &JointId| skeleton[*id].rest_translation.norm();
    let is_short = bone(&base) < MAX_GIRDLE_RATIO * below.iter().map(bone).sum::<f64>();
    let side = readings[upper.index()].side?;
    (is_short && may_be(&readings[base.index()], kind.parts[0], side)).then_some(base)
}

/// Returns whether nothing in a name speaks against a part of a side.
pub(super) fn may_be(reading: &NameMeaning, part: Part, side: Side) -> bool {
    let is_bone = !(reading.twist || reading.end || reading.is_control || reading.tail);
    let has_side = reading.side.is_none_or(|known| known == side);
    let has_part = reading.parts.is_empty() || reading.strength(part) > 0.0;
    is_bone && has_side && has_part && reading.finger.is_none()
}

/// The joints, one a part and each below the one before, that their names speak for most, with one
/// joint left out; of equal ones the uppermost.
pub(super) fn best_line(
    skeleton: &Skeleton,
    parts: &[Vec<Candidate>],
    without: Option<JointId>,
) -> Option<Line> {
    let count = skeleton.len();
    // For each joint the best line that ends above it, then the best that ends with it.
    let mut above: Vec<Option<Line>> = vec![Some((Vec::new(), 0.0)); count];
    let mut ending: Vec<Option<Line>> = Vec::new();
    for part in parts {
        ending = vec![None; count];
        for &(id, strength) in part.iter().filter(|c| Some(c.0) != without) {
            let line = above[id.index()].as_ref();
            ending[id.index()] =
                line.map(|(line, sum)| ([line, &[id][..]].concat(), sum + strength));
        }
        above = vec![None; count];
        for id in skeleton.ids() {
            if let Some(parent) = skeleton[id].parent {
                let lines = [&above[parent.index()], &ending[parent.index()]];
                above[id.index()] = first_best(lines.into_iter().flatten()).cloned();
            }
        }
    }
    first_best(ending.iter().flatten()).cloned()
}

/// The line that the names speak for most, the first of equals.
fn first_best<'a>(lines: impl Iterator<Item = &'a Line>) -> Option<&'a Line> {
    lines.fold(None, |best, line| match best {
        Some(known) if known.1 >= line.1 => best,
        _ => Some(line),
    })
}

/// "no left forearm below the left upper arm (LeftArm)".
fn missing(kind: &LimbKind, side: Side, upper: Option<String>, lower: Option<String>) -> String {
    let [upper_word, lower_word, end_word] = kind.words;
    match (upper, lower) {
        (None, _) => format!("no {side} {upper_word}"),
        (Some(upper), None) => {
            format!("no {side} {lower_word} below a {side} {upper_word} ({upper})")
        }
        (_, Some(lower)) => format!("no {side} {end_word} below a {side} {lower_word} ({lower})"),
    }
}

/// Confidence of a joint by the strength of its name; what the name lacks counts 0.4, as joints in line support each other.
pub(super) fn name_confidence(strength: f64) -> f64 {
    1.0 - 0.4 * (1.0 - strength)
}

/// Confidence and reasons of the chosen joints.
fn settle(
    skeleton: &Skeleton,
    readings: &[NameMeaning],
    kind: &LimbKind,
    joints: &[JointId],
    runners_up: Vec<Option<JointId>>,
) -> Limb {
    let name = |at: usize| skeleton[joints[at]].name.to_string();
    let reason = |at: usize| match at {
        0 => format!("named {}, above {}", name(0), name(1)),
        1 if joints.len() < 3 => format!("named {}, the last joint below {}", name(1), name(0)),
        1 => format!("named {}, between {} and {}", name(1), name(0), name(2)),
        _ => format!("named {}, below {}", name(2), name(1)),
    };
    let confidence =
        |at: usize| name_confidence(readings[joints[at].index()].strength(kind.parts[at]));
    Limb {
        joints: joints.to_vec(),
        confidence: (0..joints.len()).map(confidence).collect(),
        reasons: (0..joints.len()).map(reason).collect(),
        runners_up,
    }
}
