//! Judgement of a mesh: whether it is on the skeleton that moves it.

use super::mesh::MeshPoints;
use crate::pose::bounds;
use crate::{SkinPoint, WorldPose};
use nalgebra::Vector3;

/// Distance from the box around all joints, over its longest side, beyond which a vertex is far off: large heads, hats and
/// long tools are nearer.
const MAX_DISTANCE_EXTENTS: f64 = 1.0;
/// Distance from its joint, over the same side, beyond which a vertex of a skin is a stray.
const MAX_REACH_EXTENTS: f64 = 0.7;
/// Share of the vertices of a mesh that may be far off, or out of reach.
const MAX_FAR_SHARE: f64 = 0.05;
/// Length of the box around a skinned mesh over that around its joints: below it the mesh has another unit.
const MIN_MESH_EXTENTS: f64 = 0.5;
/// Median distance of the vertices of a file from their joints, over the longest side of the box around all joints, beyond which they
/// are not the skin: 0.02 to 0.15 of people, up to 0.23 of toys; from 0.43 on of meshes that are twice or half as large as their
/// skeleton, or turned by 90 degrees.
const MAX_MEDIAN_EXTENTS: f64 = 0.35;

/// The box around all joints of a skeleton in the rest pose.
pub(crate) struct RestBox<'a> {
    rest: &'a WorldPose,
    corners: [Vector3<f64>; 2],
    /// Its longest side.
    side: f64,
}

impl<'a> RestBox<'a> {
    pub(crate) fn new(rest: &'a WorldPose) -> Self {
        let corners = rest.bounds();
        Self { rest, corners, side: (corners[1] - corners[0]).amax() }
    }

    /// Returns whether a vertex is far off the skeleton. Nothing is far off joints that are all at one place.
    pub(super) fn is_far(&self, point: &SkinPoint) -> bool {
        let [low, high] = self.corners;
        let (place, margin) = (self.place(point), MAX_DISTANCE_EXTENTS * self.side);
        let is_near = |k: usize| (low[k] - margin..=high[k] + margin).contains(&place[k]);
        self.side > 0.0 && !(0..3).all(is_near)
    }

    /// Returns whether a vertex of a skin is farther from its joint than any skin reaches.
    pub(super) fn is_out_of_reach(&self, point: &SkinPoint) -> bool {
        self.side > 0.0 && point.offset.norm() > MAX_REACH_EXTENTS * self.side
    }

    /// Returns why a mesh is not on the skeleton; `None` where it is, or where it has no vertices.
    pub(super) fn misfit(&self, mesh: &MeshPoints) -> Option<&'static str> {
        if (mesh.far + mesh.out_of_reach) as f64 > MAX_FAR_SHARE * mesh.carried as f64 {
            return Some("its vertices are far from the skeleton, or from their joints");
        }
        let is_small = mesh.is_skinned && self.is_small(&mesh.points);
        is_small.then_some("it is much smaller than its skeleton")
    }

    /// Returns whether vertices are much nearer together than the joints that carry them.
    fn is_small(&self, points: &[SkinPoint]) -> bool {
        let size = |of: &dyn Fn(&SkinPoint) -> Vector3<f64>| {
            let vertices = points.iter().filter(|point| point.is_vertex);
            let [low, high] = bounds(vertices.map(of));
            (high - low).norm()
        };
        let joints = size(&|point| self.rest.positions[point.joint.index()]);
        let has_vertices = points.iter().any(|point| point.is_vertex);
        has_vertices && size(&|point| self.place(point)) < MIN_MESH_EXTENTS * joints
    }

    /// Returns whether half of some vertices, of which the distances from their joints are given, are far from these.
    pub(super) fn are_elsewhere(&self, distances: &mut [f32]) -> bool {
        if self.side == 0.0 || distances.is_empty() {
            return false;
        }
        let middle = distances.len() / 2;
        let (_, median, _) = distances.select_nth_unstable_by(middle, f32::total_cmp);
        f64::from(*median) > MAX_MEDIAN_EXTENTS * self.side
    }

    /// Returns where a point is in the rest pose.
    fn place(&self, point: &SkinPoint) -> Vector3<f64> {
        let joint = point.joint.index();
        self.rest.positions[joint] + self.rest.rotations[joint] * point.offset
    }
}
