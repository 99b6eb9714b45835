//! Points of a character's surface, in the axes of the joints that carry them.

use super::mesh::{Carrier, is_place};
use super::mesh_misfit::{MeshPoints, RestBox};
use super::{Armature, Local, Node};
use crate::{JointId, SkinPoint};
use nalgebra::Matrix4;
use std::fmt::Display;

/// Limit of points: meshes beyond it are left out.
const MAX_POINTS: usize = 4_000_000;
/// Limit of vertices, corners of faces and weights that are looked at, over all meshes.
const MAX_VISITS: usize = 32_000_000;
/// Limit of nodes between a mesh without a skin and its joint.
const MAX_NODES_BELOW_JOINT: usize = 1000;

/// Points of the surfaces of all meshes of a file that its skeleton moves, limited in number and work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinPoints {
    /// The points.
    pub points: Vec<SkinPoint>,
    /// Parts of meshes that were left out, a sentence for each with the reason.
    pub left_out: Vec<String>,
    /// Those of them that are skin of a body which is not on the skeleton, and all where nothing else is left.
    pub lost: Vec<String>,
    visits: usize,
    /// Joints of vertices and distances from these, infinite of meshes that are left out: of those without a skin, and with one.
    distances: [Vec<(JointId, f32)>; 2],
}

impl SkinPoints {
    /// Returns whether a limit is reached; then names the mesh that is left out.
    pub(crate) fn is_full(&mut self, mesh: &str) -> bool {
        let is_full = self.points.len() >= MAX_POINTS || self.visits >= MAX_VISITS;
        if is_full {
            let limits = "beyond 4,000,000 points, or 32,000,000 corners and weights, of the meshes before it";
            self.leave_out(mesh, limits);
        }
        is_full
    }

    /// Adds the points of a mesh, or names it with the reason for which it is left out: it is not on the skeleton.
    pub(crate) fn push(&mut self, mesh: &str, mut own: MeshPoints, skeleton: &RestBox) {
        if let Some(reason) = skeleton.misfit(&own) {
            let all = own.by_joint.iter().map(|(joint, [_, count])| (*joint, *count));
            let infinite =
                all.flat_map(|(joint, count)| std::iter::repeat_n((joint, f32::INFINITY), count));
            self.distances[usize::from(own.is_skinned)].extend(infinite);
            self.leave_out(mesh, reason);
            return self.count_as_lost(own.is_skinned);
        }
        let off = own.far + own.out_of_reach;
        if RestBox::are_off([off, own.carried]) {
            let joints = own.leave_out_joints(RestBox::are_off);
            let joints = if joints == 1 { "one joint".into() } else { format!("{joints} joints") };
            self.leave_out(
                &format!("the skin of {joints} in {mesh}"),
                "its vertices are far from the skeleton, or from their joints",
            );
            self.count_as_lost(own.is_skinned);
        }
        let vertices = own.points.iter().filter(|point| point.is_vertex);
        let distances = vertices.map(|point| (point.joint, point.offset.norm() as f32));
        self.distances[usize::from(own.is_skinned)].extend(distances);
        let strays = "they are far from all others of their joint";
        self.skip_vertices(mesh, [own.strays, own.count], strays);
        let far = "they are far from the skeleton or from their joint";
        self.skip_vertices(mesh, [off, own.count], far);
        self.points.extend(own.points);
    }

    /// Names a skin that is left out, and the reason: it is not on the skeleton.
    #[cfg(feature = "fbx")]
    pub(crate) fn lose(&mut self, mesh: &str, reason: impl Display) {
        self.leave_out(mesh, reason);
        self.count_as_lost(true);
    }

    /// Takes the last part that was left out for skin, unless it is of a mesh without one: a tool.
    fn count_as_lost(&mut self, is_skinned: bool) {
        self.lost.extend(self.left_out.last().filter(|_| is_skinned).cloned());
    }

    /// Leaves out all that was added if it does not fit the skeleton. Tools are meshes without a skin, so these count only where
    /// there is nothing else.
    pub(crate) fn check_whole(&mut self, skeleton: &RestBox) {
        let [rigid, skinned] = std::mem::take(&mut self.distances);
        let mut distances = if skinned.is_empty() { rigid } else { skinned };
        if skeleton.are_elsewhere(&mut distances) {
            let reason = "half of their vertices, on a third of their joints, are farther from these than a third of the skeleton's length: they have another scale, or stand elsewhere";
            self.left_out = vec![format!("all meshes are left out: {reason}")];
            self.points.clear();
        }
        if self.points.is_empty() {
            self.lost.clone_from(&self.left_out);
        }
    }

    /// Names a mesh that is left out, and the reason.
    pub(crate) fn leave_out(&mut self, mesh: &str, reason: impl Display) {
        self.left_out.push(format!("{mesh} is left out: {reason}"));
    }

    /// Names a mesh of which some vertices are no places.
    pub(crate) fn skip_broken(&mut self, mesh: &str, places: &[[f64; 3]]) {
        let broken = places.iter().filter(|place| !is_place(place)).count();
        let reason = "their coordinates are not finite numbers";
        self.skip_vertices(mesh, [broken, places.len()], reason);
    }

    /// Names a mesh of which some vertices, if any, are left out, with the reason.
    pub(crate) fn skip_vertices(&mut self, mesh: &str, [some, all]: [usize; 2], reason: &str) {
        if some > 0 {
            self.left_out
                .push(format!("{some} of {all} vertices of {mesh} are left out: {reason}"));
        }
    }

    /// Counts vertices, corners and weights that were looked at.
    pub(crate) fn count(&mut self, visits: usize) {
        self.visits = self.visits.saturating_add(visits);
    }
}

impl Armature {
    /// Returns the carrier of a mesh whose transform to the node of a joint, `own`, is known.
    pub(crate) fn carrier(&self, joint: JointId, own: &Local, transform: &Matrix4<f64>) -> Carrier {
        let of_parent = self.space(joint);
        let own = of_parent.below(own).unwrap_or_else(|| of_parent.clone());
        (joint, own.map().to_homogeneous() * transform)
    }

    /// Returns the carrier of a mesh without a skin: the nearest joint at or above its node. `transform` leads from the mesh
    /// to the node.
    pub(crate) fn carrier_above(
        &self,
        tree: &[Node],
        node: usize,
        transform: Matrix4<f64>,
    ) -> Option<Carrier> {
        let (mut at, mut transform) = (node, transform);
        for _ in 0..MAX_NODES_BELOW_JOINT {
            let own = tree.get(at)?;
            if let Some(joint) = self.joint(at) {
                return Some(self.carrier(joint, &own.local, &transform));
            }
            transform = own.local.to_matrix() * transform;
            at = own.parent?;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::mesh::Mesh;
    use super::*;
    use crate::WorldPose;
    use nalgebra::{UnitQuaternion, Vector3};

    /// Places of feet, knees, hips, chest, hands and head of a body of height 1.
    const PLACES: [[f64; 2]; 9] = [
        [0.1, 0.05],
        [-0.1, 0.05],
        [0.1, 0.28],
        [-0.1, 0.28],
        [0.0, 0.52],
        [0.0, 0.75],
        [0.4, 0.8],
        [-0.4, 0.8],
        [0.0, 1.0],
    ];

    /// The skin of a body: balls around its joints, that of the head with this many vertices and this radius, in a mesh that is
    /// as large as its skeleton times a factor.
    fn body(head: (usize, f64), factor: f64) -> SkinPoints {
        let positions: Vec<_> = PLACES.iter().map(|[x, y]| Vector3::new(*x, *y, 0.0)).collect();
        let rotations = vec![UnitQuaternion::identity(); positions.len()];
        let rest = WorldPose { positions, rotations };
        let (mut places, mut carriers) = (Vec::new(), Vec::new());
        for (joint, place) in rest.positions.iter().enumerate() {
            let (count, radius) = if joint == 8 { head } else { (20, 0.05) };
            let carrier = (JointId(joint), Matrix4::new_translation(&-place));
            for k in 0..count {
                let [sin, cos] = [libm::sin(k as f64), libm::cos(k as f64)];
                let vertex = (place + Vector3::new(cos, 0.1, sin) * radius) * factor;
                places.push(<[f64; 3]>::from(vertex));
                carriers.push(carrier);
            }
        }
        let carriers: Vec<_> = carriers.iter().map(Some).collect();
        let skeleton = RestBox::new(&rest);
        let mut all = SkinPoints::default();
        let mesh = Mesh { places: &places, triangles: &[] };
        all.push("body", mesh.points(&carriers, true, &skeleton), &skeleton);
        all.check_whole(&skeleton);
        all
    }

    #[test]
    fn a_large_head_loses_no_skin() {
        let toy = body((900, 0.5), 1.0);
        assert!(toy.points.len() == 1060 && toy.left_out.is_empty(), "{:?}", toy.left_out);
    }

    #[test]
    fn skin_is_judged_by_joint() {
        let wrong = body((900, 0.9), 1.0);
        assert_eq!(wrong.points.len(), 160, "feet keep theirs");
        assert_eq!(wrong.lost.len(), 1);
        let expected = "the skin of one joint in body is left out: its vertices are far";
        assert!(wrong.lost[0].starts_with(expected), "{:?}", wrong.lost);
        assert!(body((20, 0.1), 1.0).lost.is_empty());
    }

    #[test]
    fn a_mesh_of_another_size_is_left_out_as_a_whole() {
        for factor in [0.4, 2.0, 100.0] {
            let other = body((20, 0.1), factor);
            assert!(other.points.is_empty() && !other.lost.is_empty(), "{factor}: {other:?}");
        }
    }

    #[test]
    fn a_mesh_far_below_its_joint_is_left_out() {
        let node = |index: usize| Node {
            name: "n".into(),
            parent: index.checked_sub(1),
            local: Local { translation: Vector3::y(), ..Local::IDENTITY },
            kind: if index < 2 {
                super::super::NodeKind::Joint
            } else {
                super::super::NodeKind::Object
            },
        };
        let tree: Vec<Node> = (0..2000).map(node).collect();
        let armature = Armature::new(&tree, &[0, 1].into()).unwrap();
        let below = |node: usize| armature.carrier_above(&tree, node, Matrix4::identity());
        let (joint, transform) = below(500).unwrap();
        assert_eq!((joint, transform.column(3).y), (JointId(1), 499.0));
        assert_eq!(below(1999), None);
        assert_eq!(below(5000), None);
    }
}
