//! Triangles of a character's meshes, each vertex with all joints that move it.

use super::mesh::{Carrier, is_place};
use super::mesh_misfit::RestBox;
use crate::{JointId, SkinPoint, WorldPose};
use nalgebra::{Matrix3, Point3, Vector3};
use std::fmt::Display;

/// Limit of vertices over all meshes of a file.
const MAX_VERTICES: usize = 1_000_000;
/// Limit of triangles over all meshes of a file.
const MAX_TRIANGLES: usize = 1_500_000;
/// Limit of vertices, corners of triangles and joints of skins that are read, over all meshes of a file.
const MAX_VISITS: usize = 16_000_000;
/// Limit of joints that move a vertex: two sets of four in a glTF.
const MAX_INFLUENCES: usize = 8;
/// Least share of the sum of a vertex's weights, 0 to 1, that counts.
const MIN_SHARE: f64 = 1e-3;
/// Colour in linear light, 0 to 1: red, green, blue.
pub(crate) type LinearColour = [f32; 3];

/// The triangles of all meshes of a character that its skeleton moves, limited in number.
///
/// A vertex stands at the weighted mean of its positions in the axes of its joints (linear blend skinning).
///
/// ```
/// use rebone_skeleton::Document;
/// let text = "HIERARCHY ROOT Hips { OFFSET 0 0 0 CHANNELS 3 Xrotation Yrotation Zrotation
///     End Site { OFFSET 0 1 0 } }\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 90\n";
/// let document = Document::parse("bend.bvh", text.into(), None)?;
/// let mesh = document.skin_mesh();
/// assert!(mesh.is_empty(), "a BVH has no mesh");
/// let mut places = Vec::new();
/// mesh.pose(&document.skeleton().rest_world(), &mut places);
/// assert!(places.is_empty());
/// # Ok::<(), rebone_skeleton::FileError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinMesh {
    /// For each vertex the index in `influences` after its last one.
    ends: Vec<u32>,
    influences: Vec<Influence>,
    /// Corners of triangles, as indices of vertices.
    pub triangles: Vec<[u32; 3]>,
    /// Colour of each vertex, red, green and blue in linear light, 0 to 1; `None` where the file has none, a texture, or
    /// white alone.
    pub colours: Vec<Option<[f32; 3]>>,
    /// Meshes that were left out, a sentence for each with the reason.
    pub left_out: Vec<String>,
    /// Number of vertices, corners and joints that were read so far.
    visits: usize,
}

/// A joint that moves a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Influence {
    joint: u32,
    /// Share of the vertex's weights, 0 to 1.
    share: f32,
    /// Position of the vertex in the axes of the joint, in file units.
    offset: [f32; 3],
}

/// A part of a mesh to add.
pub(crate) struct SkinPart<'a> {
    pub(crate) name: &'a str,
    /// Positions of vertices in the axes of the mesh, in file units.
    pub(crate) places: &'a [[f64; 3]],
    /// Corners of triangles, as indices into `places`.
    pub(crate) triangles: &'a [[usize; 3]],
    /// Colour of each vertex, or empty.
    pub(crate) colours: &'a [LinearColour],
    /// Colour of vertices without one.
    pub(crate) colour: Option<LinearColour>,
}

impl SkinMesh {
    /// Returns whether it has no triangles.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Computes the positions of all vertices in a pose, in the world of the file, in its units.
    ///
    /// Joints that the pose does not have move nothing.
    pub fn pose(&self, world: &WorldPose, places: &mut Vec<Vector3<f64>>) {
        places.clear();
        let pairs = world.rotations.iter().zip(&world.positions);
        let joints = pairs.map(|(turn, place)| (turn.to_rotation_matrix().into_inner(), *place));
        let joints: Vec<_> = joints.collect();
        let mut begin = 0;
        for end in &self.ends {
            let influences = self.influences.get(begin..*end as usize).unwrap_or_default();
            places.push(influences.iter().map(|influence| influence.place(&joints)).sum());
            begin = *end as usize;
        }
    }

    /// Computes for each vertex the weighted mean of a value of the joints that move it; `of_joints` is indexed as the skeleton.
    ///
    /// Joints without a value count as zero.
    pub fn mean_of_joints(&self, of_joints: &[[f32; 3]]) -> Vec<[f32; 3]> {
        let mut begin = 0;
        let mean = |end: &u32| {
            let influences = self.influences.get(begin..*end as usize).unwrap_or_default();
            begin = *end as usize;
            influences.iter().fold([0.0; 3], |sum, influence| {
                let value = of_joints.get(influence.joint as usize).copied().unwrap_or_default();
                std::array::from_fn(|k| sum[k] + influence.share * value[k])
            })
        };
        self.ends.iter().map(mean).collect()
    }

    /// Returns the joints that move a vertex with their shares, 0 to 1, the largest first; none where there is no such vertex.
    pub fn influences(&self, vertex: usize) -> impl Iterator<Item = (JointId, f32)> + '_ {
        let end = |vertex: usize| self.ends.get(vertex).map_or(0, |end| *end as usize);
        let range = vertex.checked_sub(1).map_or(0, end)..end(vertex);
        let influences = self.influences.get(range).unwrap_or_default();
        influences.iter().map(|influence| (JointId(influence.joint as usize), influence.share))
    }

    /// Returns whether more vertices and triangles exceed a limit; then names the mesh as left out.
    pub(crate) fn is_full(&mut self, mesh: &str, vertices: usize, triangles: usize) -> bool {
        let is_full = self.ends.len().saturating_add(vertices) > MAX_VERTICES
            || self.triangles.len().saturating_add(triangles) > MAX_TRIANGLES
            || self.visits > MAX_VISITS;
        if is_full {
            self.leave_out(
                mesh,
                "the file has more than 1,000,000 vertices or 1,500,000 triangles",
            );
        }
        is_full
    }

    /// Counts vertices, corners and joints that are read.
    pub(crate) fn count(&mut self, visits: usize) {
        self.visits = self.visits.saturating_add(visits);
    }

    /// Names a mesh that is left out, and the reason.
    pub(crate) fn leave_out(&mut self, mesh: &str, reason: impl Display) {
        self.left_out.push(format!("{mesh} is not drawn: {reason}"));
    }

    /// Adds a part of a mesh; `carriers` adds the joints that move a vertex, with weights. Triangles are left out whose vertices
    /// are not finite, have no joint, or are far from the skeleton.
    pub(crate) fn push<'c>(
        &mut self,
        part: &SkinPart,
        skeleton: &RestBox,
        mut carriers: impl FnMut(usize, &mut Vec<(&'c Carrier, f64)>),
    ) {
        if self.is_full(part.name, part.places.len(), part.triangles.len()) {
            return;
        }
        let first = self.ends.len();
        let (mut weights, mut is_drawn) = (Vec::new(), Vec::with_capacity(part.places.len()));
        for (vertex, place) in part.places.iter().enumerate() {
            weights.clear();
            if is_place(place) {
                carriers(vertex, &mut weights);
            }
            is_drawn.push(self.push_vertex(place, &mut weights, skeleton));
            let colour = part.colours.get(vertex).copied().or(part.colour);
            self.colours.push(colour);
        }
        let whole = |corners: &&[usize; 3]| corners.iter().all(|k| is_drawn.get(*k) == Some(&true));
        let corners = part.triangles.iter().filter(whole);
        let before = self.triangles.len();
        self.triangles.extend(corners.map(|corners| corners.map(|k| (first + k) as u32)));
        if self.triangles.len() == before && !part.triangles.is_empty() {
            let reason = "its vertices are far from the skeleton, or no joint of it moves them";
            self.leave_out(part.name, reason);
        }
    }

    /// Adds a vertex with its joints, and returns whether it has any and is near the skeleton.
    fn push_vertex(
        &mut self,
        place: &[f64; 3],
        weights: &mut Vec<(&Carrier, f64)>,
        skeleton: &RestBox,
    ) -> bool {
        weights.retain(|(_, weight)| weight.is_finite() && *weight > 0.0);
        weights.sort_by(|a, b| b.1.total_cmp(&a.1));
        weights.truncate(MAX_INFLUENCES);
        let all: f64 = weights.iter().map(|(_, weight)| weight).sum();
        weights.retain(|(_, weight)| *weight >= MIN_SHARE * all);
        let all: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let mut is_near = !weights.is_empty();
        for (at, ((joint, joint_from_mesh), weight)) in weights.iter().enumerate() {
            let offset = joint_from_mesh.transform_point(&Point3::from(*place)).coords;
            let point = SkinPoint { joint: *joint, offset, is_vertex: true };
            is_near &= offset.iter().all(|x| (*x as f32).is_finite());
            is_near &= at > 0 || !skeleton.is_far(&point);
            let (joint, share) = (joint.index() as u32, (weight / all) as f32);
            self.influences.push(Influence {
                joint,
                share,
                offset: offset.map(|x| x as f32).into(),
            });
        }
        self.ends.push(self.influences.len() as u32);
        is_near
    }
}

impl Influence {
    /// Returns the position of the vertex as the joint moves it, times the share.
    fn place(&self, joints: &[(Matrix3<f64>, Vector3<f64>)]) -> Vector3<f64> {
        let Some((turn, place)) = joints.get(self.joint as usize) else { return Vector3::zeros() };
        (place + turn * Vector3::from(self.offset.map(f64::from))) * f64::from(self.share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Matrix4, UnitQuaternion};

    #[test]
    fn a_vertex_of_two_joints_stands_between_their_places() {
        let rest = WorldPose {
            positions: vec![Vector3::zeros(), Vector3::y()],
            rotations: vec![UnitQuaternion::identity(); 2],
        };
        let carriers: [Carrier; 2] = [
            (JointId(0), Matrix4::identity()),
            (JointId(1), Matrix4::new_translation(&-Vector3::y())),
        ];
        let places = [[0.5, 1.0, 0.0], [0.0, 1.0, 0.0], [f64::NAN, 0.0, 0.0], [0.0, 90.0, 0.0]];
        let mut mesh = SkinMesh::default();
        let triangles = &[[0, 1, 0], [0, 1, 2], [0, 1, 3], [0, 1, 9]];
        let part = SkinPart { name: "m", places: &places, triangles, colours: &[], colour: None };
        mesh.push(&part, &RestBox::new(&rest), |_, weights| {
            weights.extend([(&carriers[0], 1.0), (&carriers[1], 3.0), (&carriers[1], f64::NAN)]);
        });
        assert_eq!(
            mesh.triangles,
            [[0, 1, 0]],
            "broken and far vertices take their triangles along"
        );
        let mut found = Vec::new();
        mesh.pose(&rest, &mut found);
        assert!((found[0] - Vector3::new(0.5, 1.0, 0.0)).norm() < 1e-6);
        let mut bent = rest.clone();
        bent.positions[1].y = 2.0;
        mesh.pose(&bent, &mut found);
        assert!((found[0] - Vector3::new(0.5, 1.75, 0.0)).norm() < 1e-6, "{}", found[0]);
        let shares: Vec<_> = mesh.influences(0).collect();
        assert_eq!(shares, [(JointId(1), 0.75), (JointId(0), 0.25)]);
        assert_eq!((mesh.influences(2).count(), mesh.influences(usize::MAX).count()), (0, 0));
        let means = mesh.mean_of_joints(&[[0.0; 3], [8.0, 4.0, 0.0]]);
        assert_eq!((means[0], means[2]), ([6.0, 3.0, 0.0], [0.0; 3]));
        bent.positions.truncate(1);
        mesh.pose(&bent, &mut found);
    }

    #[test]
    fn too_large_meshes_are_left_out() {
        let mut mesh = SkinMesh::default();
        assert!(!mesh.is_full("m", 1000, 1000) && mesh.is_full("m", MAX_VERTICES + 1, 0));
        assert!(mesh.is_full("m", 0, usize::MAX) && mesh.left_out.len() == 2);
        mesh.count(MAX_VISITS + 1);
        assert!(mesh.is_full("m", 0, 0));
    }
}
