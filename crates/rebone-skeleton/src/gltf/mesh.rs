//! Vertices of meshes as points of the joints that move them most.

use super::accessor::{Data, Numbers};
use super::json::{Primitive, Skin};
use super::read::Document;
use crate::scene::Local;
use crate::{JointId, SkinPoint};
use nalgebra::{Matrix4, Point3, Vector3};

/// Limit of vertices: what is beyond is left out.
const MAX_POINTS: usize = 4_000_000;

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
        let of = |(joint, transform): &(JointId, Matrix4<f64>), place: &[f64]| {
            let offset = transform.transform_point(&Point3::from_slice(place)).coords;
            SkinPoint { joint: *joint, offset }
        };
        let points = match self {
            Self::Rigid(joint, transform) => {
                places.rows().map(|place| of(&(*joint, *transform), place)).collect()
            }
            Self::Skin(joints) => {
                let [indices, weights] =
                    [read(attributes.joints, 4)?, read(attributes.weights, 4)?];
                let most = heaviest(&indices, &weights);
                let carriers = most.map(|joint| joints.get(joint?)?.as_ref());
                places
                    .rows()
                    .zip(carriers)
                    .filter_map(|(place, own)| Some(of(own?, place)))
                    .collect()
            }
        };
        Some(points)
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
