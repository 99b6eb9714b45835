//! Two skeletons of the same kind are calibrated alike.
//!
//! A rig and a clip of it are often two files: the clip moves, the rig stands in one pose. What one
//! of them teaches holds for the other, as a card of one would serve both.

use super::calibration::{DOUBTFUL, NOBODY_STANDS};
use super::{Anatomy, CalibrationSource, Known, Role};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{Clip, JointId, Pose, Skeleton, WorldPose, forward_kinematics};
use std::collections::{BTreeMap, BTreeSet};

/// Rest directions of one kind agree within this, radians: 5 degrees.
const ALIKE: f64 = 0.087;

/// The share of the joints that two skeletons of one kind have in common.
const COMMON: f64 = 0.9;

/// Both as they are; or, where they are of one kind and one is in doubt, that one calibrated as the other
/// if the other is surer.
pub(super) fn calibrate_alike([a, b]: [Anatomy; 2], [a_clip, b_clip]: [&Clip; 2]) -> [Anatomy; 2] {
    if a.confidence >= b.confidence {
        let b = surer(b, b_clip, &a);
        [a, b]
    } else {
        let a = surer(a, a_clip, &b);
        [a, b]
    }
}

/// `own`; calibrated as `other` where it is in doubt and both are of one kind.
fn surer(own: Anatomy, clip: &Clip, other: &Anatomy) -> Anatomy {
    if own.calibration == CalibrationSource::Given || own.least_sure().1 < DOUBTFUL {
        return own;
    }
    match same_kind(other, &own) {
        Some(own_of_other) => adopt(own, clip, other, &own_of_other),
        None => own,
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
        pose.rotations[to.index()] = other.locals[from.index()];
    }
    // What is up is the file's own matter, unless it shows nobody who stands.
    let stands = own.sigmas[own.body.pelvis().index()].max() < NOBODY_STANDS;
    let upright_from_file = if stands { own.upright_from_file } else { other.upright_from_file };
    let known = Known {
        up: Some(upright_from_file.inverse() * Vector3::y_axis()),
        facing: None,
        frames: frames(&own, &pose, other, own_of_other),
        pose: Some(pose),
    };
    let Ok(mut alike) = Anatomy::new(&own.skeleton, own.roles.clone(), clip, &known) else {
        return own;
    };
    alike.take(own.metres_per_file_unit, &own.limits);
    for (from, to) in own_of_other {
        alike.sigmas[to.index()] = other.sigmas[from.index()];
    }
    Anatomy {
        facing: own.facing,
        calibration: CalibrationSource::Kind,
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
        let parent = own.skeleton.joint(joint).parent;
        let above = parent.and_then(|parent| frames.get(&parent).copied());
        if let Some(above) = above {
            frames.entry(joint).or_insert(pose.rotations[joint.index()].inverse() * above);
        }
    }
    frames
}

/// Joints of `a` and the same of `b`, where the two are of one kind: nine of ten joints play the same
/// role or, without one, are called the same, hang on the same, and lie in the same direction at rest.
fn same_kind(a: &Anatomy, b: &Anatomy) -> Option<BTreeMap<JointId, JointId>> {
    let [in_a, in_b] = [a, b].map(by_role_or_name);
    let pairs = in_a.iter().filter_map(|(part, &id)| Some((id, *in_b.get(part)?)));
    let pairs: BTreeMap<JointId, JointId> = pairs.collect();
    let largest = a.skeleton.len().max(b.skeleton.len());
    if (pairs.len() as f64) < COMMON * largest as f64 {
        return None;
    }
    let [rest_a, rest_b] =
        [a, b].map(|anatomy| forward_kinematics(&anatomy.skeleton, &anatomy.skeleton.rest_pose()));
    let common: [BTreeSet<JointId>; 2] =
        [pairs.keys().copied().collect(), pairs.values().copied().collect()];
    let alike = pairs.iter().all(|(&id, &other)| {
        let from = above(&a.skeleton, id, &common[0]);
        let to = above(&b.skeleton, other, &common[1]);
        match (from, to) {
            (Some(from), Some(to)) => {
                pairs.get(&from) == Some(&to)
                    && points_alike(&rest_a, [from, id], &rest_b, [to, other])
            }
            (from, to) => from == to,
        }
    });
    alike.then_some(pairs)
}

/// The next joint above that is in `common`.
fn above(skeleton: &Skeleton, joint: JointId, common: &BTreeSet<JointId>) -> Option<JointId> {
    skeleton.path_to_root(joint).skip(1).find(|id| common.contains(id))
}

/// Whether the way from one joint to another has the same direction in both, or no length in both.
fn points_alike(a: &WorldPose, in_a: [JointId; 2], b: &WorldPose, in_b: [JointId; 2]) -> bool {
    let way = |pose: &WorldPose, [from, to]: [JointId; 2]| {
        let way = pose.positions[to.index()] - pose.positions[from.index()];
        pose.rotations[from.index()].inverse() * way
    };
    let (a, b) = (way(a, in_a), way(b, in_b));
    if a.norm() * b.norm() < 1e-12 {
        return a.norm() < 1e-6 && b.norm() < 1e-6;
    }
    a.angle(&b) < ALIKE
}

/// What a joint is in its skeleton: its role and which of those that play it, or its name.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part<'a> {
    Role(Role, usize),
    Name(&'a [u8]),
}

/// Joints by their role or, without one, by what is behind the last colon of their names, where no two
/// have the same.
fn by_role_or_name(anatomy: &Anatomy) -> BTreeMap<Part<'_>, JointId> {
    let skeleton = &anatomy.skeleton;
    let mut parts = BTreeMap::new();
    let mut twice = BTreeSet::new();
    for id in skeleton.ids() {
        if let Some(role) = anatomy.roles.of(id) {
            let place = anatomy.roles.joints(role).position(|other| other == id);
            parts.insert(Part::Role(role, place.unwrap_or_default()), id);
            continue;
        }
        let name: &[u8] = &skeleton.joint(id).name;
        let name = name.rsplit(|&byte| byte == b':').next().unwrap_or(name);
        if parts.insert(Part::Name(name), id).is_some() {
            twice.insert(name);
        }
    }
    parts.retain(|part, _| !matches!(part, Part::Name(name) if twice.contains(name)));
    parts
}
