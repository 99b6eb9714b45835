//! One branch of the tree as a line of joints, and the limb within it.

use nalgebra::Vector3;
use rebone_skeleton::{JointId, Skeleton, WorldPose, rotation::direction};

/// A joint whose segments never turn against each other more than this (radians) only twists.
const STIFF: f64 = 0.03;

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
    // A branch without length or joints beyond is no way on.
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
        let bends = |joints: &[JointId]| -> Vec<f64> {
            (0..joints.len()).map(|at| bend(skeleton, poses, reach, joints, at)).collect()
        };
        let first = bends(&joints);
        if first.iter().filter(|&&bend| bend > STIFF).count() >= 2 {
            let mut place = 0;
            joints.retain(|_| {
                place += 1;
                place == 1 || first[place - 1] > STIFF
            });
        }
        let palm = joints.iter().position(|&id| digits(skeleton, reach, id).len() >= 3);
        Self { segments: segments(reach, &joints), bends: bends(&joints), joints, palm }
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

/// How much the angle between the segments before and behind a joint changes over the poses.
fn bend(
    skeleton: &Skeleton,
    poses: &[WorldPose],
    reach: &[f64],
    joints: &[JointId],
    at: usize,
) -> f64 {
    let Some(before) = skeleton.joint(joints[at]).parent else { return 0.0 };
    let before = if at > 0 { joints[at - 1] } else { before };
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
    (range.1 - range.0).max(0.0)
}

/// The base, middle and end joint of the limb within a branch.
///
/// Where fingers branch off, that is the end and the two joints before are the limb. Else the two
/// longest neighbouring segments, and rather those whose middle joint bends.
pub(super) fn limb(chain: &Chain, is_arm: bool) -> Option<[JointId; 3]> {
    let Chain { joints, segments, bends, palm } = chain;
    if let (true, Some(end)) = (is_arm, palm.filter(|&end| end >= 2)) {
        return Some([joints[end - 2], joints[end - 1], joints[end]]);
    }
    let merit = |at: usize| {
        let (upper, lower) = (segments[at], segments[at + 1]);
        (upper.min(lower) + 0.25 * upper.max(lower)) * (0.5 + bends[at + 1].min(1.0))
    };
    let places = 0..joints.len().checked_sub(2)?;
    let best = places.max_by(|&a, &b| merit(a).total_cmp(&merit(b)).then(b.cmp(&a)))?;
    Some([joints[best], joints[best + 1], joints[best + 2]])
}
