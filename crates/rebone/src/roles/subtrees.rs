//! A skeleton seen without names: lines of joints from the trunk outwards, digits, tips.

use nalgebra::Vector3;
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// How far the longest way down from each joint is, end sites included.
///
/// An end site counts at most as much as its joint's own length: some programs give each leaf an
/// end of any length.
pub(crate) fn subtree_lengths(skeleton: &Skeleton) -> Vec<f64> {
    let mut reach = vec![0.0_f64; skeleton.len()];
    for site in skeleton.end_sites() {
        let own = skeleton.joint(site.parent).rest_translation.norm();
        let known = &mut reach[site.parent.index()];
        *known = known.max(site.offset.norm().min(own));
    }
    for id in skeleton.ids().rev() {
        let joint = skeleton.joint(id);
        if let Some(parent) = joint.parent {
            let through = joint.rest_translation.norm() + reach[id.index()];
            reach[parent.index()] = reach[parent.index()].max(through);
        }
    }
    reach
}

/// The longest way down from a joint, itself included.
pub(crate) fn longest_path(skeleton: &Skeleton, reach: &[f64], from: JointId) -> Vec<JointId> {
    std::iter::successors(Some(from), |&id| longest_child(skeleton, reach, id)).collect()
}

pub(crate) fn longest_child(skeleton: &Skeleton, reach: &[f64], id: JointId) -> Option<JointId> {
    let full = |id: JointId| skeleton.joint(id).rest_translation.norm() + reach[id.index()];
    let children = skeleton.children(id).filter(|&child| full(child) > 0.0);
    children.max_by(|&a, &b| full(a).total_cmp(&full(b)).then(b.cmp(&a)))
}

/// The branches of a joint that have at least two joints in line.
pub(crate) fn finger_chains(skeleton: &Skeleton, reach: &[f64], id: JointId) -> Vec<Vec<JointId>> {
    let lines = skeleton.children(id).map(|child| longest_path(skeleton, reach, child));
    lines.filter(|line| line.len() >= 2).collect()
}

/// The world place of a joint's farthest child or end site, its own where it has none.
pub(crate) fn tip(
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
