//! Points of a character's surface, in the axes of the joints that carry them.

use super::mesh::{MeshPoints, is_place};
use super::mesh_misfit::RestBox;
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

/// The joint that moves a vertex, with the transform from the mesh to its axes, in the lengths of the skeleton.
pub(crate) type Carrier = (JointId, Matrix4<f64>);

/// Points of the surfaces of all meshes of a file that its skeleton moves, limited in number and work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinPoints {
    /// The points.
    pub points: Vec<SkinPoint>,
    /// Parts of meshes that were left out, a sentence for each with the reason.
    pub left_out: Vec<String>,
    visits: usize,
    /// Distances of vertices from their joints, infinite of meshes that are left out: of those without a skin, and with one.
    distances: [Vec<f32>; 2],
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
    pub(crate) fn push(&mut self, mesh: &str, own: MeshPoints, skeleton: &RestBox) {
        let distances = &mut self.distances[usize::from(own.is_skinned)];
        if let Some(reason) = skeleton.misfit(&own) {
            distances.extend(std::iter::repeat_n(f32::INFINITY, own.carried));
            return self.leave_out(mesh, reason);
        }
        let vertices = own.points.iter().filter(|point| point.is_vertex);
        distances.extend(vertices.map(|point| point.offset.norm() as f32));
        let strays = "they are far from all others of their joint";
        self.skip_vertices(mesh, [own.strays, own.count], strays);
        let far = "they are far from the skeleton or from their joint";
        self.skip_vertices(mesh, [own.far + own.out_of_reach, own.count], far);
        self.points.extend(own.points);
    }

    /// Leaves out all that was added if it does not fit the skeleton. Tools are meshes without a skin, so these count only where
    /// there is nothing else.
    pub(crate) fn check_whole(&mut self, skeleton: &RestBox) {
        let [rigid, skinned] = std::mem::take(&mut self.distances);
        let mut distances = if skinned.is_empty() { rigid } else { skinned };
        if skeleton.are_elsewhere(&mut distances) {
            let reason = "half of their vertices are farther from their joints than a third of the skeleton's length: they have another scale, or stand elsewhere";
            self.left_out = vec![format!("all meshes are left out: {reason}")];
            self.points.clear();
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
    use super::*;
    use nalgebra::Vector3;

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
