//! Points of a character's surface: vertices of meshes and points within their large faces, in the axes of joints.

use super::{Armature, Local, Node};
use crate::pose::bounds;
use crate::{JointId, SkinPoint};
use nalgebra::{Matrix4, Point3, Vector3};
use std::fmt::Display;

/// Limit of points: meshes beyond it are left out.
const MAX_POINTS: usize = 4_000_000;
/// Limit of vertices, corners of faces and weights that are looked at, over all meshes.
const MAX_VISITS: usize = 32_000_000;
/// Limit of points within the faces of a mesh.
const MAX_POINTS_ON_FACES: usize = 200_000;
/// Distance between points on triangles, as a share of the diagonal of their mesh.
const MAX_HOLE_SHARE: f64 = 0.012;
/// Limit of points along an edge.
const MAX_STEPS_ON_FACE: usize = 64;
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

    /// Names a mesh that is left out, and the reason.
    pub(crate) fn leave_out(&mut self, mesh: &str, reason: impl Display) {
        self.left_out.push(format!("{mesh} is left out: {reason}"));
    }

    /// Names a mesh some vertices of which are no places.
    pub(crate) fn skip_vertices(&mut self, mesh: &str, places: &[[f64; 3]]) {
        let broken = places.iter().filter(|place| !is_place(place)).count();
        if broken > 0 {
            let all = places.len();
            self.left_out.push(format!(
                "{broken} of {all} vertices of {mesh} are left out: found numbers that are not finite, expected places"
            ));
        }
    }

    /// Counts vertices, corners and weights that were looked at.
    pub(crate) fn count(&mut self, visits: usize) {
        self.visits = self.visits.saturating_add(visits);
    }
}

/// Returns whether a vertex has finite coordinates.
fn is_place(place: &[f64; 3]) -> bool {
    place.iter().all(|x| x.is_finite())
}

/// A mesh: the places of its vertices and the corners of its triangles.
pub(crate) struct Mesh<'a> {
    pub(crate) places: &'a [[f64; 3]],
    /// Indices of vertices; those out of range are left out.
    pub(crate) triangles: &'a [[usize; 3]],
}

impl Mesh<'_> {
    /// Returns the vertices, then the points within large faces, each with the carrier of its vertex or of the nearest
    /// corner. Without a carrier a point is left out.
    pub(crate) fn points(&self, carriers: &[Option<&Carrier>]) -> Vec<SkinPoint> {
        let of = |vertex: usize, place: &[f64; 3], is_vertex| {
            if !is_place(place) {
                return None;
            }
            let (joint, transform) = (*carriers.get(vertex)?)?;
            let offset = transform.transform_point(&Point3::from(*place)).coords;
            Some(SkinPoint { joint: *joint, offset, is_vertex })
        };
        let vertices = self.places.iter().enumerate();
        let mut points: Vec<_> =
            vertices.filter_map(|(vertex, place)| of(vertex, place, true)).collect();
        let on_faces = self.points_on_faces();
        points.extend(on_faces.iter().filter_map(|(corner, place)| of(*corner, place, false)));
        points
    }

    /// Returns points within large triangles, so that no hole between points is wider than a share of the mesh, each with
    /// the vertex nearest to it.
    fn points_on_faces(&self) -> Vec<(usize, [f64; 3])> {
        let at = |corner: usize| {
            self.places.get(corner).filter(|place| is_place(place)).copied().map(Vector3::from)
        };
        let places = self.places.iter().filter(|place| is_place(place));
        let [low, high] = bounds(places.copied().map(Vector3::from));
        let spacing = (high - low).norm() * MAX_HOLE_SHARE;
        let mut points = Vec::new();
        for corners in self.triangles {
            let [Some(a), Some(b), Some(c)] = corners.map(at) else { continue };
            let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
            let steps = (longest / spacing).ceil().min(MAX_STEPS_ON_FACE as f64) as usize;
            if spacing > 0.0 && steps > 1 && points.len() < MAX_POINTS_ON_FACES {
                push_face(&mut points, corners, &[a, b, c], steps);
            }
        }
        points
    }
}

/// Adds points of a triangle, all edges of which are divided into `steps`.
fn push_face(
    points: &mut Vec<(usize, [f64; 3])>,
    corners: &[usize; 3],
    [a, b, c]: &[Vector3<f64>; 3],
    steps: usize,
) {
    for i in 0..=steps {
        for j in 0..=steps - i {
            let [u, v] = [i, j].map(|k| k as f64 / steps as f64);
            let shares = [1.0 - u - v, u, v];
            let nearest = (0..3).max_by(|a, b| shares[*a].total_cmp(&shares[*b])).unwrap_or(0);
            let place = a * shares[0] + b * u + c * v;
            points.push((corners[nearest], place.into()));
        }
    }
}

impl Armature {
    /// Returns the carrier of a mesh whose transform to the node of a joint, `own`, is known.
    pub(crate) fn carrier(&self, joint: JointId, own: &Local, transform: &Matrix4<f64>) -> Carrier {
        let scale = self.unit(joint) * own.uniform_scale().unwrap_or(1.0);
        (joint, Matrix4::new_scaling(scale) * transform)
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

    #[test]
    fn points_fill_large_faces_and_go_with_the_nearest_corner() {
        let places = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.001, 0.0]];
        let mesh = Mesh { places: &places, triangles: &[[0, 1, 2], [0, 1, 9]] };
        let points = mesh.points_on_faces();
        assert!(points.len() > 1000, "{}", points.len());
        for (corner, [x, y, z]) in &points {
            assert!(*x >= 0.0 && *y >= 0.0 && x + y <= 1.0 + 1e-9 && *z == 0.0);
            let shares = [1.0 - x - y, *x, *y];
            assert!(shares.iter().all(|share| *share <= shares[*corner] + 1e-9));
        }
        let flat = Mesh { places: &[[f64::NAN; 3]; 3], triangles: &[[0, 1, 2]] };
        assert!(flat.points_on_faces().is_empty());
        // A broken vertex takes its triangles with it, and no others.
        let mut places = places.to_vec();
        places[3] = [f64::INFINITY, f64::NAN, 0.0];
        let mesh = Mesh { places: &places, triangles: &[[0, 1, 2], [0, 1, 3]] };
        assert_eq!(mesh.points_on_faces().len(), points.len());
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
