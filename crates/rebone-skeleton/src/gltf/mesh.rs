//! Vertices of meshes as points of the joints that move them most.

use super::accessor::{Data, Numbers};
use super::json::{Primitive, Skin};
use super::read::Document;
use crate::SkinPoint;
use crate::scene::{Carrier, Mesh, SkinPoints};
use nalgebra::Matrix4;

/// Mode of primitives that are triangles.
const TRIANGLES: u32 = 4;

impl Document {
    /// Returns the vertices of all meshes that the skeleton moves, each as a point of the joint with the most weight. A
    /// mesh below a joint without a skin moves with that joint. Meshes that cannot be read (compressed ones) are left
    /// out.
    pub fn skin_points(&self) -> Vec<SkinPoint> {
        let mut all = SkinPoints::default();
        let data = Data { root: &self.root, chunks: &self.chunks, buffers: &self.buffers };
        for (node, own) in self.root.nodes.iter().enumerate() {
            let Some(mesh) = own.mesh.and_then(|mesh| self.root.meshes.get(mesh)) else { continue };
            let carriers = match own.skin.and_then(|skin| self.root.skins.get(skin)) {
                Some(skin) => Carriers::skin(self, &data, skin),
                None => {
                    let own = self.armature.carrier_above(&self.tree, node, Matrix4::identity());
                    own.map(Carriers::Rigid)
                }
            };
            let Some(carriers) = carriers else { continue };
            for primitive in &mesh.primitives {
                if !all.is_full() {
                    carriers.push_points(&data, primitive, &mut all);
                }
            }
        }
        all.points
    }
}

/// Joints that move the vertices of a mesh.
enum Carriers {
    /// Joints of a skin; `None` for joints of other skeletons.
    Skin(Vec<Option<Carrier>>),
    /// One joint.
    Rigid(Carrier),
}

impl Carriers {
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
            let local = &document.tree[node].local;
            Some(document.armature.carrier(joint, local, &inverse(index)?))
        });
        Some(Self::Skin(joints.collect()))
    }

    /// Adds the points of a part of a mesh; none where it cannot be read.
    fn push_points(&self, data: &Data, primitive: &Primitive, to: &mut SkinPoints) -> Option<()> {
        let read = |accessor: Option<usize>, width: usize| {
            let numbers = data.read(accessor?, "meshes").ok()?;
            (numbers.width == width).then_some(numbers)
        };
        let attributes = &primitive.attributes;
        let numbers = read(attributes.position, 3)?;
        let (places, _) = numbers.values.as_chunks::<3>();
        let carriers: Vec<Option<&Carrier>> = match self {
            Self::Rigid(carrier) => vec![Some(carrier); places.len()],
            Self::Skin(joints) => {
                let [indices, weights] =
                    [read(attributes.joints, 4)?, read(attributes.weights, 4)?];
                heaviest(&indices, &weights).map(|joint| joints.get(joint?)?.as_ref()).collect()
            }
        };
        let triangles = triangles(data, primitive, places.len());
        to.count(places.len() + 3 * triangles.len());
        to.points.extend(Mesh { places, triangles: &triangles }.points(&carriers));
        Some(())
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
    corners.as_chunks::<3>().0.to_vec()
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
