//! Judgement of a mesh: whether it is on the skeleton that moves it.

use crate::pose::bounds;
use crate::{SkinPoint, WorldPose};
use nalgebra::Vector3;

/// Distance from the box around all joints, over its longest side, beyond which a vertex is far off: large heads, hats and
/// long tools are nearer.
const MAX_DISTANCE_EXTENTS: f64 = 1.0;
/// Distance from its joint, over the same side, beyond which a vertex of a skin is a stray.
const MAX_REACH_EXTENTS: f64 = 0.7;
/// Share of the vertices of a mesh that may be far off.
const MAX_FAR_SHARE: f64 = 0.05;
/// Length of the box around a skinned mesh over that around its joints: below it the mesh has another unit.
const MIN_MESH_EXTENTS: f64 = 0.5;
/// Median distance of the vertices of a file from their joints, over the longest side of the box around all joints, beyond which they
/// are not the skin: 0.02 to 0.15 of people, up to 0.23 of toys; from 0.43 on of meshes that are twice or half as large as their
/// skeleton, or turned by 90 degrees.
const MAX_MEDIAN_EXTENTS: f64 = 0.35;

/// Returns the points of a mesh that are on the skeleton in the rest pose, and the number of vertices that are not.
///
/// # Errors
/// The reason for which the mesh as a whole is not on it.
pub(super) fn points_on_skeleton(
    mut points: Vec<SkinPoint>,
    rest: &WorldPose,
    is_skinned: bool,
) -> Result<(Vec<SkinPoint>, usize), &'static str> {
    let [low, high] = rest.bounds();
    let side = (high - low).amax();
    let margin = Vector3::repeat(MAX_DISTANCE_EXTENTS * side);
    let (low, high) = (low - margin, high + margin);
    let is_near = |point: &SkinPoint| {
        let place = place(point, rest);
        (0..3).all(|k| (low[k]..=high[k]).contains(&place[k]))
    };
    let vertices = || points.iter().filter(|point| point.is_vertex);
    let (count, far) = (vertices().count(), vertices().filter(|own| !is_near(own)).count());
    if far as f64 > MAX_FAR_SHARE * count as f64 {
        return Err("its vertices are far from the skeleton");
    }
    if is_skinned && is_small(&points, rest) {
        return Err("it is much smaller than its skeleton");
    }
    // Tools are often meshes of their own.
    let reach = if is_skinned { MAX_REACH_EXTENTS * side } else { f64::INFINITY };
    let is_kept = |own: &SkinPoint| is_near(own) && own.offset.norm() <= reach;
    let left_out = vertices().filter(|own| !is_kept(own)).count();
    points.retain(is_kept);
    Ok((points, left_out))
}

/// Returns whether the vertices of skinned meshes are much nearer together than the joints that carry them.
fn is_small(points: &[SkinPoint], rest: &WorldPose) -> bool {
    let size = |of: fn(&SkinPoint, &WorldPose) -> Vector3<f64>| {
        let vertices = points.iter().filter(|point| point.is_vertex);
        let [low, high] = bounds(vertices.map(|point| of(point, rest)));
        (high - low).norm()
    };
    let joints = size(|point, rest| rest.positions[point.joint.index()]);
    points.iter().any(|point| point.is_vertex) && size(place) < MIN_MESH_EXTENTS * joints
}

/// Returns whether half of the vertices are far from the joints that carry them.
pub(super) fn is_elsewhere(points: &[SkinPoint], rest: &WorldPose) -> bool {
    let [low, high] = rest.bounds();
    let vertices = points.iter().filter(|point| point.is_vertex);
    let mut distances: Vec<f64> = vertices.map(|point| point.offset.norm()).collect();
    let middle = distances.len() / 2;
    middle < distances.len()
        && *distances.select_nth_unstable_by(middle, f64::total_cmp).1
            > MAX_MEDIAN_EXTENTS * (high - low).amax()
}

/// Returns where a point is in the rest pose.
fn place(point: &SkinPoint, rest: &WorldPose) -> Vector3<f64> {
    let joint = point.joint.index();
    rest.positions[joint] + rest.rotations[joint] * point.offset
}
