//! Vertices of meshes as points of the joints that move them most.

use super::accessor::{Data, Numbers};
use super::json::{Primitive, Skin};
use super::read::Document;
use crate::scene::Local;
use crate::{JointId, SkinPoint};
use nalgebra::{Matrix4, Point3, Vector3};

/// Limit of vertices: what is beyond is left out.
const MAX_POINTS: usize = 4_000_000;
/// Limit of points within the triangles of a primitive.
const MAX_POINTS_ON_FACES: usize = 200_000;
/// Distance between points on triangles, as a share of the diagonal of their mesh.
const MAX_HOLE_SHARE: f64 = 0.012;
/// Limit of points along an edge.
const MAX_STEPS_ON_FACE: usize = 64;
/// Mode of primitives that are triangles.
const TRIANGLES: u32 = 4;

impl Document {
    /// Returns the vertices of all meshes that the skeleton moves, each as a point of the joint with the most weight. A
    /// mesh below a joint without a skin moves with that joint. Meshes that cannot be read (compressed ones) are left
    /// out.
    pub fn skin_points(&self) -> Vec<SkinPoint> {
        let mut points = Vec::new();
        let data = Data { root: &self.root, chunks: &self.chunks, buffers: &self.buffers };
        for (node, own) in self.root.nodes.iter().enumerate() {
            let Some(mesh) = own.mesh.and_then(|mesh| self.root.meshes.get(mesh)) else { continue };
            let carrier = match own.skin.and_then(|skin| self.root.skins.get(skin)) {
                Some(skin) => Carrier::skin(self, &data, skin),
                None => self.carrier_of(node),
            };
            let Some(carrier) = carrier else { continue };
            for primitive in &mesh.primitives {
                if points.len() < MAX_POINTS {
                    points.extend(carrier.points(&data, primitive).unwrap_or_default());
                }
            }
        }
        points
    }

    /// Returns the nearest joint above a node, with the transform from the node to it.
    fn carrier_of(&self, node: usize) -> Option<Carrier> {
        let (mut at, mut transform) = (node, Matrix4::identity());
        // Nodes are a tree: the reader has checked it.
        loop {
            if let Some(joint) = self.armature.joint(at) {
                return Some(Carrier::Rigid(joint, self.scaled(joint, &transform)));
            }
            transform = matrix(&self.tree[at].local) * transform;
            at = self.tree[at].parent?;
        }
    }

    /// Scales what a transform gives in the frame of a joint's node to the lengths of the skeleton.
    fn scaled(&self, joint: JointId, transform: &Matrix4<f64>) -> Matrix4<f64> {
        let local = &self.tree[self.armature.node(joint)].local;
        let scale = self.armature.unit(joint) * local.uniform_scale().unwrap_or(1.0);
        Matrix4::new_scaling(scale) * transform
    }
}

/// The joint that moves a vertex, with the transform from the mesh to its axes; `None` without one.
type Carried<'a> = Option<&'a (JointId, Matrix4<f64>)>;

/// Joints that move the vertices of a mesh.
enum Carrier {
    /// Joints of a skin, each with the transform from the mesh to its axes; `None` for joints of other skeletons.
    Skin(Vec<Option<(JointId, Matrix4<f64>)>>),
    /// One joint.
    Rigid(JointId, Matrix4<f64>),
}

impl Carrier {
    fn skin(document: &Document, data: &Data, skin: &Skin) -> Option<Self> {
        let matrices = match skin.inverse_bind_matrices {
            Some(accessor) => Some(data.read(accessor, "skins").ok()?),
            None => None,
        };
        let inverse = |index: usize| match &matrices {
            None => Some(Matrix4::identity()),
            Some(own) => {
                own.rows().nth(index).filter(|row| row.len() == 16).map(Matrix4::from_column_slice)
            }
        };
        let joints = skin.joints.iter().enumerate().map(|(index, &node)| {
            let joint = document.armature.joint(node)?;
            Some((joint, document.scaled(joint, &inverse(index)?)))
        });
        Some(Self::Skin(joints.collect()))
    }

    /// Returns the points of a part of a mesh; `None` where it cannot be read.
    fn points(&self, data: &Data, primitive: &Primitive) -> Option<Vec<SkinPoint>> {
        let read = |accessor: Option<usize>, width: usize| {
            let numbers = data.read(accessor?, "meshes").ok()?;
            (numbers.width == width).then_some(numbers)
        };
        let attributes = &primitive.attributes;
        let places = read(attributes.position, 3)?;
        let of = |(joint, transform): &(JointId, Matrix4<f64>), place: &[f64], is_vertex| {
            let offset = transform.transform_point(&Point3::from_slice(place)).coords;
            SkinPoint { joint: *joint, offset, is_vertex }
        };
        let rigid;
        let carriers: Vec<Carried> = match self {
            Self::Rigid(joint, transform) => {
                rigid = (*joint, *transform);
                vec![Some(&rigid); places.rows().len()]
            }
            Self::Skin(joints) => {
                let [indices, weights] =
                    [read(attributes.joints, 4)?, read(attributes.weights, 4)?];
                heaviest(&indices, &weights).map(|joint| joints.get(joint?)?.as_ref()).collect()
            }
        };
        let own = places.rows().zip(&carriers);
        let vertex = |(place, own): (&[f64], &Carried)| Some(of((*own)?, place, true));
        let mut points: Vec<_> = own.filter_map(vertex).collect();
        let on_faces = points_on_faces(&places, &triangles(data, primitive, places.rows().len()));
        let inner = |(corner, place): &(usize, [f64; 3])| {
            Some(of((*carriers.get(*corner)?)?, place, false))
        };
        points.extend(on_faces.iter().filter_map(inner));
        Some(points)
    }
}

/// Returns the corners of the triangles of a primitive; none where it is of lines, points, strips or fans, or cannot be read.
fn triangles(data: &Data, primitive: &Primitive, vertices: usize) -> Vec<[usize; 3]> {
    if primitive.mode.is_some_and(|mode| mode != TRIANGLES) {
        return Vec::new();
    }
    let corners: Vec<usize> = match primitive.indices.map(|index| data.read(index, "meshes")) {
        None => (0..vertices).collect(),
        Some(Ok(numbers)) => numbers.values.iter().map(|value| *value as usize).collect(),
        Some(Err(_)) => Vec::new(),
    };
    let triangles = corners.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]]);
    triangles.filter(|corners| corners.iter().all(|corner| *corner < vertices)).collect()
}

/// Returns points within large triangles, so that no hole between points is wider than a share of the mesh, each with the
/// vertex nearest to it.
fn points_on_faces(places: &Numbers, triangles: &[[usize; 3]]) -> Vec<(usize, [f64; 3])> {
    let at = |corner: usize| Vector3::from_column_slice(&places.values[corner * 3..][..3]);
    let mut bounds = [Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY)];
    for place in places.rows().map(Vector3::from_column_slice) {
        bounds = [bounds[0].inf(&place), bounds[1].sup(&place)];
    }
    let spacing = (bounds[1] - bounds[0]).norm() * MAX_HOLE_SHARE;
    let mut points = Vec::new();
    for corners in triangles {
        let places = corners.map(at);
        let [a, b, c] = places;
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let steps = (longest / spacing).ceil().min(MAX_STEPS_ON_FACE as f64) as usize;
        if spacing > 0.0 && steps > 1 && points.len() < MAX_POINTS_ON_FACES {
            push_face(&mut points, corners, &places, steps);
        }
    }
    points
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

/// Returns for each vertex the index of its joint with the most weight; `None` without any.
fn heaviest<'a>(
    indices: &'a Numbers,
    weights: &'a Numbers,
) -> impl Iterator<Item = Option<usize>> + 'a {
    indices.rows().zip(weights.rows()).map(|(joints, weights)| {
        let most = joints.iter().zip(weights).max_by(|a, b| a.1.total_cmp(b.1))?;
        (*most.1 > 0.0).then_some(*most.0 as usize)
    })
}

fn matrix(local: &Local) -> Matrix4<f64> {
    let scaled = local.rotation.to_homogeneous() * Matrix4::new_nonuniform_scaling(&local.scale);
    Matrix4::new_translation(&Vector3::from(local.translation)) * scaled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_fill_large_faces_and_go_with_the_nearest_corner() {
        let values = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.001, 0.0];
        let places = Numbers { width: 3, values };
        let points = points_on_faces(&places, &[[0, 1, 2]]);
        assert!(points.len() > 1000, "{}", points.len());
        for (corner, [x, y, z]) in &points {
            assert!(*x >= 0.0 && *y >= 0.0 && x + y <= 1.0 + 1e-9 && *z == 0.0);
            let shares = [1.0 - x - y, *x, *y];
            assert!(shares.iter().all(|share| *share <= shares[*corner] + 1e-9));
        }
        let flat = Numbers { width: 3, values: vec![f64::NAN; 9] };
        assert!(points_on_faces(&flat, &[[0, 1, 2]]).is_empty());
    }
}
