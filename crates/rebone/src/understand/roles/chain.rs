//! One branch of the tree as a line of joints, and the limb within it.

use nalgebra::Vector3;
use rebone_skeleton::{JointId, Skeleton, WorldPose, rotation::direction};

/// Hips and shoulders are at least this share of a limb's length apart.
const WIDE: f64 = 0.2;

/// A joint whose segments never turn against each other more than this (radians) does not bend.
const STIFF: f64 = 0.03;

/// A joint that does not bend and whose segments are in line to this (radians) only twists.
const STRAIGHT: f64 = 0.07;

/// Segments shorter than this share of the branch have no length.
const SHORT: f64 = 0.01;

/// The joints of a branch that can be hip, knee or ankle, from the trunk outwards.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    joints: Vec<JointId>,
    /// Lengths from each joint to the next, the last to its end.
    segments: Vec<f64>,
    /// The largest change of the bend at each joint over the poses, in radians.
    bends: Vec<f64>,
    /// Where fingers branch off, as a place in `joints`.
    palm: Option<usize>,
}

/// The longest way down from a joint, itself included.
pub(super) fn spine(skeleton: &Skeleton, reach: &[f64], from: JointId) -> Vec<JointId> {
    std::iter::successors(Some(from), |&id| longest_child(skeleton, reach, id)).collect()
}

fn longest_child(skeleton: &Skeleton, reach: &[f64], id: JointId) -> Option<JointId> {
    let full = |id: JointId| skeleton.joint(id).rest_translation.norm() + reach[id.index()];
    let children = skeleton.children(id).filter(|&child| full(child) > 0.0);
    children.max_by(|&a, &b| full(a).total_cmp(&full(b)).then(b.cmp(&a)))
}

/// The branches of a joint that have at least two joints in line.
pub(super) fn digits(skeleton: &Skeleton, reach: &[f64], id: JointId) -> Vec<Vec<JointId>> {
    let lines = skeleton.children(id).map(|child| spine(skeleton, reach, child));
    lines.filter(|line| line.len() >= 2).collect()
}

/// True where some joint on the way down carries three or more fingers.
pub(super) fn has_fingers(skeleton: &Skeleton, reach: &[f64], branch: JointId) -> bool {
    let line = spine(skeleton, reach, branch);
    line.into_iter().any(|id| digits(skeleton, reach, id).len() >= 3)
}

/// The world place of a joint's farthest child or end site, its own where it has none.
pub(super) fn tip(
    skeleton: &Skeleton,
    pose: &WorldPose,
    reach: &[f64],
    id: JointId,
) -> Vector3<f64> {
    let position = pose.positions[id.index()];
    if let Some(child) = longest_child(skeleton, reach, id) {
        return pose.positions[child.index()];
    }
    let rotation = pose.rotations[id.index()];
    skeleton.end_sites_of(id).next().map_or(position, |site| position + rotation * site.offset)
}

impl Chain {
    /// The branch below `from`, without joints that have no length and without those that only
    /// twist, as far as the poses can tell.
    pub(super) fn new(
        skeleton: &Skeleton,
        poses: &[WorldPose],
        reach: &[f64],
        from: JointId,
    ) -> Self {
        let line = spine(skeleton, reach, from);
        let whole = reach[from.index()];
        let mut joints: Vec<JointId> = vec![from];
        for &id in &line[1..] {
            let fused = skeleton.joint(id).rest_translation.norm() < SHORT * whole;
            if !fused {
                joints.push(id);
            }
        }
        let bends = |joints: &[JointId]| -> Vec<Option<(f64, f64)>> {
            (0..joints.len()).map(|at| bend(skeleton, poses, reach, joints, at)).collect()
        };
        let is_palm = |id: JointId| digits(skeleton, reach, id).len() >= 3;
        let first = bends(&joints);
        let is_stiff = |bend: &Option<(f64, f64)>| {
            bend.is_some_and(|(least, most)| most - least < STIFF && most < STRAIGHT)
        };
        let moves = first.iter().flatten().any(|(least, most)| most - least > 3.0 * STIFF);
        if moves && first.iter().filter(|bend| !is_stiff(bend)).count() >= 3 {
            let inner = 1..joints.len() - 1;
            let twists = inner.filter(|&at| is_stiff(&first[at]) && !is_palm(joints[at]));
            let twists: Vec<JointId> = twists.map(|at| joints[at]).collect();
            joints.retain(|id| !twists.contains(id));
        }
        let range = |bend: Option<(f64, f64)>| bend.map_or(0.0, |(least, most)| most - least);
        let bends = bends(&joints).into_iter().map(range).collect();
        let palm = joints.iter().position(|&id| is_palm(id));
        Self { segments: segments(reach, &joints), bends, joints, palm }
    }
}

/// Lengths from joint to joint of a line, and of what lies behind the last.
fn segments(reach: &[f64], joints: &[JointId]) -> Vec<f64> {
    let length = |at: usize| match joints.get(at + 1) {
        Some(next) => reach[joints[at].index()] - reach[next.index()],
        None => reach[joints[at].index()],
    };
    (0..joints.len()).map(length).collect()
}

/// The least and the largest angle between the segments before and behind a joint over the poses,
/// in radians; `None` where a segment has no length.
fn bend(
    skeleton: &Skeleton,
    poses: &[WorldPose],
    reach: &[f64],
    joints: &[JointId],
    at: usize,
) -> Option<(f64, f64)> {
    let before = if at > 0 { joints[at - 1] } else { skeleton.joint(joints[at]).parent? };
    let mut range = (f64::INFINITY, f64::NEG_INFINITY);
    for pose in poses {
        let here = pose.positions[joints[at].index()];
        let next = match joints.get(at + 1) {
            Some(next) => pose.positions[next.index()],
            None => tip(skeleton, pose, reach, joints[at]),
        };
        let (Some(into), Some(out)) =
            (direction(&(here - pose.positions[before.index()])), direction(&(next - here)))
        else {
            continue;
        };
        let angle = libm::acos(into.dot(&out).clamp(-1.0, 1.0));
        range = (range.0.min(angle), range.1.max(angle));
    }
    (range.1 >= range.0).then_some(range)
}

/// The base, middle and end joints of the limbs within two like branches.
///
/// Where fingers branch off, that is the end and the two joints before are the limb. Else the two
/// longest neighbouring segments of both branches together; rather those whose middle joint bends,
/// and whose bases are apart as hips and shoulders are.
pub(super) fn limbs(
    poses: &[WorldPose],
    chains: &[Chain; 2],
    is_arm: bool,
) -> Option<[[JointId; 3]; 2]> {
    let at_palm = |chain: &Chain| chain.palm.filter(|&end| end >= 2).map(|end| end - 2);
    let bases = match chains.each_ref().map(at_palm) {
        [Some(a), Some(b)] if is_arm => [a, b],
        _ => [best_base(poses, chains)?; 2],
    };
    let joints = |at: usize| -> Option<[JointId; 3]> {
        chains[at].joints.get(bases[at]..bases[at] + 3)?.try_into().ok()
    };
    Some([joints(0)?, joints(1)?])
}

/// The place at which a limb begins in both chains.
fn best_base(poses: &[WorldPose], chains: &[Chain; 2]) -> Option<usize> {
    let length = |chain: &Chain, at: usize| {
        let (upper, lower) = (chain.segments[at], chain.segments[at + 1]);
        (upper.min(lower) + 0.25 * upper.max(lower)) * (1.0 + chain.bends[at + 1].min(0.6))
    };
    let merit = |at: usize| {
        let width = WIDE * chains[0].segments[at..].iter().sum::<f64>();
        let apart = apart(poses, chains[0].joints[at], chains[1].joints[at]);
        let lengths = length(&chains[0], at) + length(&chains[1], at);
        lengths * (apart / width).min(1.0)
    };
    let shorter = chains[0].joints.len().min(chains[1].joints.len());
    (0..shorter.checked_sub(2)?).max_by(|&a, &b| merit(a).total_cmp(&merit(b)).then(b.cmp(&a)))
}

/// The mean distance of two joints over the poses.
fn apart(poses: &[WorldPose], a: JointId, b: JointId) -> f64 {
    let far = |pose: &WorldPose| (pose.positions[a.index()] - pose.positions[b.index()]).norm();
    poses.iter().map(far).sum::<f64>() / poses.len().max(1) as f64
}
