//! Judgement of a mesh: whether it is on the skeleton that moves it.

use crate::pose::bounds;
use crate::{JointId, SkinPoint, WorldPose};
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// Distance from the box around all joints, over its longest side, beyond which a vertex is far off: large heads, hats and
/// long tools are nearer.
const MAX_DISTANCE_EXTENTS: f64 = 1.0;
/// Distance from its joint, over the same side, beyond which a vertex of a skin is a stray.
const MAX_REACH_EXTENTS: f64 = 0.7;
/// Share of the vertices of a mesh, and of a joint of it, that may be far off, or out of reach.
const MAX_FAR_SHARE: f64 = 0.05;
/// Share of the joints of a mesh, or of a file, whose skin may be off while that of the others stays: of a toy it is that of
/// the head; of meshes that are twice or half as large as their skeleton, or turned by 90 degrees, that of two fifths of all.
const MAX_OFF_JOINTS: f64 = 1.0 / 3.0;
/// Length of the box around a skinned mesh over that around its joints: below it the mesh has another unit.
const MIN_MESH_EXTENTS: f64 = 0.5;
/// Median distance of the vertices of a file from their joints, over the longest side of the box around all joints, beyond which they
/// are not the skin: 0.02 to 0.15 of people, up to 0.23 of toys; from 0.43 on of meshes that are twice or half as large as their
/// skeleton, or turned by 90 degrees.
const MAX_MEDIAN_EXTENTS: f64 = 0.35;

/// The points of a mesh that are part of the body, and the numbers of vertices that are not.
pub(crate) struct MeshPoints {
    pub(crate) points: Vec<SkinPoint>,
    pub(super) is_skinned: bool,
    /// All vertices, and those with a joint.
    pub(super) count: usize,
    pub(super) carried: usize,
    /// Far from the skeleton, or, of a skin, from their joint.
    pub(super) far: usize,
    pub(super) out_of_reach: usize,
    /// Far from the others of their joint.
    pub(super) strays: usize,
    /// Of each joint the vertices that are far or out of reach, and all.
    pub(super) by_joint: BTreeMap<JointId, [usize; 2]>,
}

impl MeshPoints {
    /// Takes away the points of joints of which too many vertices are off; returns how many joints these are.
    pub(super) fn leave_out_joints(&mut self, is_off: impl Fn([usize; 2]) -> bool) -> usize {
        let off = |joint: &JointId| self.by_joint.get(joint).is_some_and(|&counts| is_off(counts));
        self.points.retain(|point| !off(&point.joint));
        self.by_joint.values().filter(|&&counts| is_off(counts)).count()
    }
}

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

    /// Returns whether too many of some vertices are far off, or out of reach, given these and all.
    pub(super) fn are_off([off, all]: [usize; 2]) -> bool {
        off as f64 > MAX_FAR_SHARE * all as f64
    }

    /// Returns why a mesh is not on the skeleton; `None` where it is, or where it has no vertices.
    pub(super) fn misfit(&self, mesh: &MeshPoints) -> Option<&'static str> {
        let off = mesh.by_joint.values().filter(|&&counts| Self::are_off(counts)).count();
        if Self::are_off([mesh.far + mesh.out_of_reach, mesh.carried])
            && off as f64 > MAX_OFF_JOINTS * mesh.by_joint.len() as f64
        {
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

    /// Returns whether half of some vertices, of which the joints and the distances from these are given, are far from their
    /// joints, and so are those of a third of the joints.
    pub(super) fn are_elsewhere(&self, distances: &mut [(JointId, f32)]) -> bool {
        if self.side == 0.0 || distances.is_empty() {
            return false;
        }
        let is_far = |own: &mut [(JointId, f32)]| {
            let middle = own.len() / 2;
            let (_, (_, median), _) =
                own.select_nth_unstable_by(middle, |a, b| a.1.total_cmp(&b.1));
            f64::from(*median) > MAX_MEDIAN_EXTENTS * self.side
        };
        if !is_far(distances) {
            return false;
        }
        distances.sort_unstable_by_key(|(joint, _)| *joint);
        let joints = distances.chunk_by_mut(|a, b| a.0 == b.0);
        let far: Vec<bool> = joints.map(is_far).collect();
        let count = far.iter().filter(|is_far| **is_far).count();
        count as f64 > MAX_OFF_JOINTS * far.len() as f64
    }

    /// Returns where a point is in the rest pose.
    fn place(&self, point: &SkinPoint) -> Vector3<f64> {
        let joint = point.joint.index();
        self.rest.positions[joint] + self.rest.rotations[joint] * point.offset
    }
}
