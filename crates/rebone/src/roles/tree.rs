//! Ways through a skeleton's tree.

use nalgebra::UnitQuaternion;
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// The joints on the way from `from` (excluded) to `to` (included): up to the lowest common
/// ancestor, then down.
pub(crate) fn way(skeleton: &Skeleton, from: JointId, to: JointId) -> Vec<JointId> {
    let apex = skeleton.lowest_common_ancestor(from, to);
    let up = skeleton.path_to_root(from).take_while(|&id| id != apex).skip(1);
    let mut joints: Vec<JointId> = up.collect();
    if from != apex {
        joints.push(apex);
    }
    let mut down: Vec<JointId> = skeleton.path_to_root(to).take_while(|&id| id != apex).collect();
    down.reverse();
    joints.extend(down);
    joints
}

/// The joints strictly between an ancestor and a joint below it, from the top.
pub(crate) fn between(skeleton: &Skeleton, ancestor: JointId, below: JointId) -> Vec<JointId> {
    let mut joints: Vec<JointId> =
        skeleton.path_to_root(below).skip(1).take_while(|&id| id != ancestor).collect();
    joints.reverse();
    joints
}

/// All joints below `joint`, parents first.
pub(crate) fn below(skeleton: &Skeleton, joint: JointId) -> Vec<JointId> {
    let mut joints: Vec<JointId> = skeleton.children(joint).collect();
    let mut next = 0;
    while let Some(&id) = joints.get(next) {
        joints.extend(skeleton.children(id));
        next += 1;
    }
    joints.sort_unstable();
    joints
}

/// The rotation of a joint against its parent in a pose.
pub(crate) fn local(skeleton: &Skeleton, pose: &WorldPose, joint: JointId) -> UnitQuaternion<f64> {
    let rotation = pose.rotations[joint.index()];
    match skeleton.joint(joint).parent {
        Some(parent) => pose.rotations[parent.index()].inverse() * rotation,
        None => rotation,
    }
}

/// The largest turn of a joint against its parent since the first pose, in radians.
pub(crate) fn max_rotation(skeleton: &Skeleton, poses: &[WorldPose], joint: JointId) -> f64 {
    let Some(first) = poses.first().map(|pose| local(skeleton, pose, joint)) else { return 0.0 };
    let turn = |pose| first.angle_to(&local(skeleton, pose, joint));
    poses.iter().map(turn).fold(0.0, f64::max)
}
