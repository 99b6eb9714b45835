//! Branches and rotations, read off the tree of joints without names.

use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// The branches of a joint that have at least two joints in line. `reach`: [`Skeleton::subtree_lengths`].
pub(crate) fn finger_chains(skeleton: &Skeleton, reach: &[f64], id: JointId) -> Vec<Vec<JointId>> {
    let lines = skeleton.children(id).map(|child| skeleton.longest_path(reach, child));
    lines.filter(|line| line.len() >= 2).collect()
}

/// The lines of joints on a hand that can be fingers: its branches, and those of a joint of the palm in their place.
pub(crate) fn hand_lines(skeleton: &Skeleton, reach: &[f64], hand: JointId) -> Vec<Vec<JointId>> {
    let branches = |id: &JointId| finger_chains(skeleton, reach, *id).len() > 1;
    let lines = finger_chains(skeleton, reach, hand);
    let palm = match &lines[..] {
        [line] => line.iter().copied().find(branches),
        _ => None,
    };
    let lines = palm.map_or(lines, |palm| finger_chains(skeleton, reach, palm));
    let apart = |line: Vec<JointId>| {
        let below = finger_chains(skeleton, reach, line[0]);
        if below.len() > 1 { below } else { vec![line] }
    };
    lines.into_iter().flat_map(apart).collect()
}

/// The world position of a joint's farthest child or end site, of the joint itself where it has none.
pub(crate) fn tip(
    skeleton: &Skeleton,
    pose: &WorldPose,
    reach: &[f64],
    id: JointId,
) -> Vector3<f64> {
    let position = pose.positions[id.index()];
    if let Some(child) = skeleton.longest_child(reach, id) {
        return pose.positions[child.index()];
    }
    let rotation = pose.rotations[id.index()];
    skeleton.end_sites_of(id).next().map_or(position, |site| position + rotation * site.offset)
}

/// The world position of the last end below a joint, along its longest branch.
pub(crate) fn last_tip(
    skeleton: &Skeleton,
    pose: &WorldPose,
    reach: &[f64],
    id: JointId,
) -> Vector3<f64> {
    let last = skeleton.longest_path(reach, id).last().copied().unwrap_or(id);
    tip(skeleton, pose, reach, last)
}

/// The largest rotation of a joint against its parent since the first pose, in radians.
pub(crate) fn max_rotation(skeleton: &Skeleton, poses: &[WorldPose], joint: JointId) -> f64 {
    let local = |pose: &WorldPose| -> UnitQuaternion<f64> {
        let rotation = pose.rotations[joint.index()];
        let parent = skeleton[joint].parent;
        parent.map_or(rotation, |parent| pose.rotations[parent.index()].inverse() * rotation)
    };
    let Some(first) = poses.first().map(local) else { return 0.0 };
    poses.iter().map(|pose| first.angle_to(&local(pose))).fold(0.0, f64::max)
}
