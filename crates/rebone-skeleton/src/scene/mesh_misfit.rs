//! Judgement of a mesh: whether it is on the skeleton that moves it.

use crate::pose::bounds;
use crate::{SkinPoint, WorldPose};
use nalgebra::Vector3;

/// Distance from the box around all joints, over its longest side, beyond which a vertex is far off: large heads, hats and
/// long tools are nearer.
const MAX_DISTANCE_EXTENTS: f64 = 1.0;
/// Share of the vertices of a mesh that may be far off.
const MAX_FAR_SHARE: f64 = 0.05;
/// Length of the box around a skinned mesh over that around its joints: below it the mesh has another unit.
const MIN_MESH_EXTENTS: f64 = 0.5;

/// Returns why the vertices of a mesh are not on the skeleton in the rest pose; `None` where they are, or where there
/// are none.
pub(super) fn misfit(
    points: &[SkinPoint],
    rest: &WorldPose,
    is_skinned: bool,
) -> Option<&'static str> {
    let [low, high] = rest.bounds();
    let margin = Vector3::repeat(MAX_DISTANCE_EXTENTS * (high - low).amax());
    let (low, high) = (low - margin, high + margin);
    let is_near = |place: &Vector3<f64>| (0..3).all(|k| (low[k]..=high[k]).contains(&place[k]));
    let vertices = points.iter().filter(|point| point.is_vertex);
    let [joints, places]: [Vec<Vector3<f64>>; 2] = {
        let joint = |point: &SkinPoint| rest.positions[point.joint.index()];
        let place = |p: &SkinPoint| joint(p) + rest.rotations[p.joint.index()] * p.offset;
        [vertices.clone().map(joint).collect(), vertices.map(place).collect()]
    };
    let far = places.iter().filter(|place| !is_near(place)).count();
    let size = |own: &[Vector3<f64>]| {
        let [low, high] = bounds(own.iter().copied());
        (high - low).norm()
    };
    if far as f64 > MAX_FAR_SHARE * places.len() as f64 {
        return Some("its vertices are far from the skeleton");
    }
    let is_small = is_skinned && size(&places) < MIN_MESH_EXTENTS * size(&joints);
    (is_small && !places.is_empty()).then_some("it is much smaller than its skeleton")
}
