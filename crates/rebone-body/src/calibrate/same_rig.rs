//! Compares two skeletons: files of the same rig share their calibration.
//!
//! A rig and a clip of it are often two files: the clip moves, the rig stands in one pose. A calibration that is read off
//! one of them holds for the other, as a card of one would serve both.

use super::anatomy_of::anatomy_of;
use super::calibration::MIN_DOUBTFUL_SIGMA;
use super::known::Known;
use crate::body::{Anatomy, CalibrationSource, Role};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::selector::select;
use rebone_skeleton::{Clip, JointId, Pose, Skeleton, WorldPose};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Largest difference of rest directions within one rig, radians: 5 degrees.
const MAX_REST_DIFFERENCE_RADIANS: f64 = 0.087;

/// Least share of joints that two skeletons of one rig have in common.
const MIN_COMMON_FRACTION: f64 = 0.9;

/// Calibrates the uncertain one of two skeletons of the same rig as the other, if that one is more certain.
pub(crate) fn calibrate_alike([a, b]: [Anatomy; 2], [a_clip, b_clip]: [&Clip; 2]) -> [Anatomy; 2] {
    if a.confidence >= b.confidence {
        let b = surer(b, b_clip, &a);
        [a, b]
    } else {
        let a = surer(a, a_clip, &b);
        [a, b]
    }
}

/// Calibrates `own` as `other`, where it is uncertain and both are of the same rig.
fn surer(own: Anatomy, clip: &Clip, other: &Anatomy) -> Anatomy {
    if own.calibration == CalibrationSource::Given || own.least_sure().1 < MIN_DOUBTFUL_SIGMA {
        return own;
    }
    match same_rig(other, &own) {
        Ok(own_of_other) => adopt(own, clip, other, &own_of_other),
        Err(_) => own,
    }
}

/// `own` with the calibration of `other`.
fn adopt(
    own: Anatomy,
    clip: &Clip,
    other: &Anatomy,
    own_of_other: &BTreeMap<JointId, JointId>,
) -> Anatomy {
    let mut pose = own.skeleton.rest_pose();
    for (from, to) in own_of_other {
        pose.rotations[to.index()] = other.calibration_rotations[from.index()];
    }
    // Up is taken from the file itself, unless it shows no standing pose.
    let upright_from_file =
        if own.stands() { own.upright_from_file } else { other.upright_from_file };
    let known = Known {
        skin: Arc::clone(&own.skin),
        up: Some(upright_from_file.inverse() * Vector3::y_axis()),
        up_of_format: None,
        facing: None,
        bound: None,
        frames: frames(&own, &pose, other, own_of_other),
        pose: Some(pose),
    };
    let Ok(mut alike) = anatomy_of(&own.skeleton, own.roles.clone(), clip, &known) else {
        return own;
    };
    alike.take(own.metres_per_file_unit, &own.limits, &own.helpers, own.stated_surfaces);
    alike.take_lost_skin(&own.skin_lost);
    for (from, to) in own_of_other {
        alike.sigmas[to.index()] = other.sigmas[from.index()];
    }
    Anatomy {
        up_question: own.up_question,
        facing: own.facing,
        bind_rotations: own.bind_rotations,
        card_corrects_bind_pose: own.card_corrects_bind_pose,
        calibration: CalibrationSource::SameRig,
        confidence: other.confidence,
        ..alike
    }
}

/// The other's frames; a joint that it lacks has the frame of the joint above.
fn frames(
    own: &Anatomy,
    pose: &Pose,
    other: &Anatomy,
    own_of_other: &BTreeMap<JointId, JointId>,
) -> BTreeMap<JointId, UnitQuaternion<f64>> {
    let mut frames: BTreeMap<_, _> = other
        .framed()
        .filter_map(|id| Some((*own_of_other.get(&id)?, other.joint_from_anatomical[id.index()])))
        .collect();
    for joint in own.framed() {
        let parent = own.skeleton[joint].parent;
        let above = parent.and_then(|parent| frames.get(&parent).copied());
        if let Some(above) = above {
            frames.entry(joint).or_insert(pose.rotations[joint.index()].inverse() * above);
        }
    }
    frames
}

/// Pairs the joints of two skeletons of the same rig by name, else by role (nine of ten), else by number. Paired joints have the
/// same parent among them and, below the joint that carries the body, the same direction at rest.
///
/// # Errors
/// The first joint in the order of `a` that differs, by name.
pub(crate) fn same_rig(a: &Anatomy, b: &Anatomy) -> Result<BTreeMap<JointId, JointId>, String> {
    let [names_a, names_b] = [a, b].map(by_name);
    let [roles_a, roles_b] = [a, b].map(by_role);
    let by_name = matching(&names_a, &names_b);
    checked(a, b, by_name).or_else(|difference| {
        let by_role = checked(a, b, matching(&roles_a, &roles_b));
        by_role.or_else(|_| checked(a, b, by_order(a, b))).map_err(|_| difference)
    })
}

/// All joints in the order of the files, where both list the same tree and no two joints of a pair play different roles: a rig
/// whose joints were renamed.
fn by_order(a: &Anatomy, b: &Anatomy) -> BTreeMap<JointId, JointId> {
    let parents = [a, b].map(|own| own.skeleton.joints().iter().map(|joint| joint.parent));
    let [of_a, of_b] = parents;
    let agree = |id: JointId| match (a.roles.of(id), b.roles.of(id)) {
        (Some(of_a), Some(of_b)) => of_a == of_b,
        _ => true,
    };
    match of_a.eq(of_b) && a.skeleton.ids().all(agree) {
        true => a.skeleton.ids().zip(b.skeleton.ids()).collect(),
        false => BTreeMap::new(),
    }
}

/// The joints that two skeletons have under the same key.
fn matching<K: Ord>(
    a: &BTreeMap<K, JointId>,
    b: &BTreeMap<K, JointId>,
) -> BTreeMap<JointId, JointId> {
    a.iter().filter_map(|(key, &id)| Some((id, *b.get(key)?))).collect()
}

/// Checks pairs: whether parents and rest directions agree.
fn checked(
    a: &Anatomy,
    b: &Anatomy,
    pairs: BTreeMap<JointId, JointId>,
) -> Result<BTreeMap<JointId, JointId>, String> {
    let largest = a.skeleton.len().max(b.skeleton.len());
    if (pairs.len() as f64) < MIN_COMMON_FRACTION * largest as f64 {
        return Err(alone([&a.skeleton, &b.skeleton], &pairs));
    }
    let [rest_a, rest_b] = [a, b].map(|anatomy| anatomy.skeleton.rest_world());
    let common: [BTreeSet<JointId>; 2] =
        [pairs.keys().copied().collect(), pairs.values().copied().collect()];
    let translation_joint = translation_joint(a);
    for (&id, &other) in &pairs {
        let from = above(&a.skeleton, id, &common[0]);
        let to = above(&b.skeleton, other, &common[1]);
        let joint = || select(&b.skeleton, other);
        let pair = from.zip(to).filter(|(from, to)| pairs.get(from) == Some(to));
        let Some((from, to)) = pair else {
            if from.is_none() && to.is_none() {
                continue;
            }
            let name = |skeleton, id: Option<_>| {
                id.map_or_else(|| "nothing".to_owned(), |id| select(skeleton, id))
            };
            let (expected, found) = (name(&a.skeleton, from), name(&b.skeleton, to));
            return Err(format!("its {} hangs on {found}, expected {expected}", joint()));
        };
        let off = apart(&rest_a, [from, id], &rest_b, [to, other]);
        if off >= MAX_REST_DIFFERENCE_RADIANS && !a.skeleton.is_ancestor(id, translation_joint) {
            let (joint, degrees) = (joint(), off.to_degrees());
            return Err(format!(
                "its {joint} lies {degrees:.0} degrees off at rest, expected less than 5"
            ));
        }
    }
    Ok(pairs)
}

/// The lowest joint that carries the whole body. Where it and those above it lie is the place of the body
/// in the file, no matter of the skeleton.
fn translation_joint(anatomy: &Anatomy) -> JointId {
    let lowest = |[a, b]: [JointId; 2]| anatomy.skeleton.lowest_common_ancestor(a, b);
    lowest([lowest(anatomy.hips()), lowest(anatomy.shoulders())])
}

/// Names the first joint without a counterpart, of `a` or else of `b`.
fn alone([a, b]: [&Skeleton; 2], pairs: &BTreeMap<JointId, JointId>) -> String {
    let of_b: BTreeSet<JointId> = pairs.values().copied().collect();
    match a.ids().find(|id| !pairs.contains_key(id)) {
        Some(id) => format!("{} has no counterpart in it", select(a, id)),
        None => {
            let id = b.ids().find(|id| !of_b.contains(id)).unwrap_or(JointId(0));
            format!("its {} has no counterpart", select(b, id))
        }
    }
}

/// The next joint above that is in `common`.
fn above(skeleton: &Skeleton, joint: JointId, common: &BTreeSet<JointId>) -> Option<JointId> {
    skeleton.path_to_root(joint).skip(1).find(|id| common.contains(id))
}

/// Angle between the directions from one joint to another in two poses, radians.
fn apart(a: &WorldPose, in_a: [JointId; 2], b: &WorldPose, in_b: [JointId; 2]) -> f64 {
    let direction = |pose: &WorldPose, [from, to]: [JointId; 2]| {
        let offset = pose.positions[to.index()] - pose.positions[from.index()];
        pose.rotations[from.index()].inverse() * offset
    };
    rest_angle(&direction(a, in_a), &direction(b, in_b))
}

/// Compares two skeletons with one hierarchy: the largest angle between bones, given as vectors from the parent to each
/// joint, and between rest rotations, radians; `None` where it is larger than within one rig, or lists differ in
/// length.
pub fn rest_difference(
    bones: [&[Vector3<f64>]; 2],
    rest_rotations: [&[UnitQuaternion<f64>]; 2],
) -> Option<f64> {
    if bones[0].len() != bones[1].len() || rest_rotations[0].len() != rest_rotations[1].len() {
        return None;
    }
    let bones = bones[0].iter().zip(bones[1]).map(|(a, b)| rest_angle(a, b));
    let rotations = rest_rotations[0].iter().zip(rest_rotations[1]).map(|(a, b)| a.angle_to(b));
    let largest = bones.chain(rotations).fold(0.0, f64::max);
    Some(largest).filter(|&largest| largest < MAX_REST_DIFFERENCE_RADIANS)
}

/// Angle between two bones at rest, radians: 0 where neither has a length, half a turn where only one has.
fn rest_angle(a: &Vector3<f64>, b: &Vector3<f64>) -> f64 {
    if a.norm() * b.norm() < 1e-12 {
        let none = a.norm() < 1e-6 && b.norm() < 1e-6;
        return if none { 0.0 } else { std::f64::consts::PI };
    }
    a.angle(b)
}

/// Joints by their role: how many play it, and which of them they are.
fn by_role(anatomy: &Anatomy) -> BTreeMap<(Role, usize, usize), JointId> {
    let part = |id: JointId| {
        let role = anatomy.roles.of(id)?;
        let all: Vec<JointId> = anatomy.roles.joints(role).collect();
        Some(((role, all.len(), all.iter().position(|&other| other == id)?), id))
    };
    anatomy.skeleton.ids().filter_map(part).collect()
}

/// Joints by what is after the last colon of their names, where no two have the same.
fn by_name(anatomy: &Anatomy) -> BTreeMap<&[u8], JointId> {
    let skeleton = &anatomy.skeleton;
    let mut names = BTreeMap::new();
    let mut twice = BTreeSet::new();
    for id in skeleton.ids() {
        let name: &[u8] = &skeleton[id].name;
        let name = name.rsplit(|&byte| byte == b':').next().unwrap_or(name);
        if names.insert(name, id).is_some() {
            twice.insert(name);
        }
    }
    names.retain(|name, _| !twice.contains(name));
    names
}
