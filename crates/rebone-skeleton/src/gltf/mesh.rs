//! Vertices of meshes as points of the joints that move them most.

use super::accessor::{Data, Numbers};
use super::error::{ReadError, unexpected};
use super::json::{Primitive, Skin};
use super::read::Document;
use crate::scene::{Carrier, Mesh, SkinPoints};
use nalgebra::Matrix4;

/// Mode of primitives that are triangles.
const TRIANGLES: u32 = 4;

impl Document {
    /// Returns the vertices of all meshes that the skeleton moves, each as a point of the joint with the most weight. A
    /// mesh below a joint without a skin moves with that joint. Vertices that are no places, and meshes that cannot be read
    /// (as those that Draco compresses), are left out, and named.
    pub fn skin_points(&self) -> SkinPoints {
        let mut all = SkinPoints::default();
        let data = Data { root: &self.root, chunks: &self.chunks, buffers: &self.buffers };
        for (node, own) in self.root.nodes.iter().enumerate() {
            let Some(index) = own.mesh else { continue };
            let Some(mesh) = self.root.meshes.get(index) else { continue };
            let carriers = match own.skin.and_then(|skin| self.root.skins.get(skin)) {
                Some(skin) => Carriers::skin(self, &data, skin).map(Some),
                None => {
                    let own = self.armature.carrier_above(&self.tree, node, Matrix4::identity());
                    Ok(own.map(Carriers::Rigid))
                }
            };
            let carriers = match carriers {
                Ok(Some(carriers)) => carriers,
                Ok(None) => continue,
                Err(error) => {
                    all.leave_out(&format!("mesh {index}"), error);
                    continue;
                }
            };
            for (k, primitive) in mesh.primitives.iter().enumerate() {
                let name = format!("meshes[{index}].primitives[{k}]");
                if !carriers.moves_anything() || all.is_full(&name) {
                    continue;
                }
                if let Err(error) = carriers.push_points(&data, primitive, &name, &mut all) {
                    all.leave_out(&name, error);
                }
            }
        }
        all
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
    fn skin(document: &Document, data: &Data, skin: &Skin) -> Result<Self, ReadError> {
        let matrices = skin.inverse_bind_matrices.map(|accessor| data.read(accessor, "skins"));
        let matrices = matrices.transpose()?;
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
        Ok(Self::Skin(joints.collect()))
    }

    /// Returns whether any joint is of the skeleton.
    fn moves_anything(&self) -> bool {
        match self {
            Self::Skin(joints) => joints.iter().any(Option::is_some),
            Self::Rigid(_) => true,
        }
    }

    /// Adds the points of a part of a mesh, which `name` names.
    ///
    /// # Errors
    /// When it cannot be read.
    fn push_points(
        &self,
        data: &Data,
        primitive: &Primitive,
        name: &str,
        to: &mut SkinPoints,
    ) -> Result<(), ReadError> {
        let read = |accessor: Option<usize>, attribute: &str, width: usize| {
            let at = || format!("{name}.attributes.{attribute}");
            let accessor = accessor.ok_or_else(|| unexpected(at(), "none", "an accessor"))?;
            if data.is_empty(accessor) {
                let expected = "vertices that are not compressed with Draco";
                return Err(unexpected(at(), "an accessor without a bufferView", expected));
            }
            let numbers = data.read_any(accessor, &at())?;
            let found = numbers.width;
            let wrong = || unexpected(at(), format!("{found} numbers a row"), width.to_string());
            if found == width { Ok(numbers) } else { Err(wrong()) }
        };
        let attributes = &primitive.attributes;
        let numbers = read(attributes.position, "POSITION", 3)?;
        let (places, _) = numbers.values.as_chunks::<3>();
        to.skip_vertices(name, places);
        let carriers: Vec<Option<&Carrier>> = match self {
            Self::Rigid(carrier) => vec![Some(carrier); places.len()],
            Self::Skin(joints) => {
                let indices = read(attributes.joints, "JOINTS_0", 4)?;
                let weights = read(attributes.weights, "WEIGHTS_0", 4)?;
                heaviest(&indices, &weights).map(|joint| joints.get(joint?)?.as_ref()).collect()
            }
        };
        let triangles = triangles(data, primitive, places.len());
        to.count(places.len() + 3 * triangles.len());
        to.points.extend(Mesh { places, triangles: &triangles }.points(&carriers));
        Ok(())
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
        // A weight that is no number is the greatest of all: such a vertex has no joint.
        (*most.1 > 0.0).then_some(*most.0 as usize)
    })
}
