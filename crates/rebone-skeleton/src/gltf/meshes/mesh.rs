//! Vertices of meshes as points of the joints that move them most.

use crate::gltf::accessor::{Data, Numbers};
use crate::gltf::error::{ReadError, unexpected};
use crate::gltf::json::{Attributes, Primitive, Skin};
use crate::gltf::read::Document;
use crate::scene::{Carrier, Mesh, RestBox, SkinPoints};
use nalgebra::Matrix4;

/// Modes of primitives that are triangles, strips of them, and fans.
const TRIANGLES: u32 = 4;
const TRIANGLE_STRIP: u32 = 5;
const TRIANGLE_FAN: u32 = 6;

impl Document {
    /// Returns the vertices of all meshes that the skeleton moves, each as a point of the joint with the most weight. A
    /// mesh below a joint without a skin moves with that joint. Vertices that are no places, and meshes that cannot be read
    /// (as those that Draco compresses) or are not on the skeleton, are left out, and named.
    pub fn skin_points(&self) -> SkinPoints {
        let rest = self.skeleton().rest_world();
        let skeleton = RestBox::new(&rest);
        let mut all = SkinPoints::default();
        let data = Data { root: &self.root, chunks: &self.chunks, buffers: &self.buffers };
        for (node, own) in self.root.nodes.iter().enumerate() {
            let Some(index) = own.mesh else { continue };
            let Some(mesh) = self.root.meshes.get(index) else { continue };
            let carriers = match Carriers::of_node(self, &data, (node, own.skin)) {
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
                if let Err(error) =
                    carriers.push_points(&data, primitive, (&name, &skeleton), &mut all)
                {
                    all.leave_out(&name, error);
                }
            }
        }
        all.check_whole(&skeleton);
        all
    }
}

/// Joints that move the vertices of a mesh.
pub(crate) enum Carriers {
    /// Joints of a skin; `None` for joints of other skeletons.
    Skin(Vec<Option<Carrier>>),
    /// One joint.
    Rigid(Carrier),
}

impl Carriers {
    /// Returns the joints that move the mesh of a node with a skin or without one; `None` where no joint does.
    pub(crate) fn of_node(
        document: &Document,
        data: &Data,
        (node, skin): (usize, Option<usize>),
    ) -> Result<Option<Self>, ReadError> {
        match skin.and_then(|skin| document.root.skins.get(skin)) {
            Some(skin) => Self::skin(document, data, skin).map(Some),
            None => {
                let tree = &document.tree;
                let own = document.armature.carrier_above(tree, node, Matrix4::identity());
                Ok(own.map(Self::Rigid))
            }
        }
    }

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
    pub(crate) fn moves_anything(&self) -> bool {
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
        (name, skeleton): (&str, &RestBox),
        to: &mut SkinPoints,
    ) -> Result<(), ReadError> {
        let part = Part { data, name, attributes: &primitive.attributes };
        let numbers = part.read(part.attributes.position, "POSITION", 3)?;
        let (places, _) = numbers.values.as_chunks::<3>();
        to.skip_broken(name, places);
        let (carriers, is_skinned) = match self {
            Self::Rigid(carrier) => (vec![Some(carrier); places.len()], false),
            Self::Skin(joints) => (part.carriers(joints, places.len(), to)?, true),
        };
        let triangles = triangles(data, primitive, places.len());
        to.count(places.len() + 3 * triangles.len());
        let mesh = Mesh { places, triangles: &triangles };
        to.push(name, mesh.points(&carriers, is_skinned, skeleton), skeleton);
        Ok(())
    }
}

/// A part of a mesh.
pub(crate) struct Part<'a> {
    pub(crate) data: &'a Data<'a>,
    pub(crate) name: &'a str,
    pub(crate) attributes: &'a Attributes,
}

impl Part<'_> {
    /// Reads an attribute with `width` numbers a vertex.
    pub(crate) fn read(
        &self,
        accessor: Option<usize>,
        attribute: &str,
        width: usize,
    ) -> Result<Numbers, ReadError> {
        let at = || format!("{}.attributes.{attribute}", self.name);
        let accessor = accessor.ok_or_else(|| unexpected(at(), "none", "an accessor"))?;
        if self.data.is_empty(accessor) {
            let expected = "vertices that are not compressed with Draco";
            return Err(unexpected(at(), "an accessor without a bufferView", expected));
        }
        let numbers = self.data.read_any(accessor, &at())?;
        let found = numbers.width;
        let wrong = || unexpected(at(), format!("{found} numbers a row"), width.to_string());
        if found == width { Ok(numbers) } else { Err(wrong()) }
    }

    /// Returns the carrier of each of some vertices among those of the joints of the skin, and names vertices without one.
    fn carriers<'c>(
        &self,
        joints: &'c [Option<Carrier>],
        vertices: usize,
        to: &mut SkinPoints,
    ) -> Result<Vec<Option<&'c Carrier>>, ReadError> {
        let own = self.attributes;
        let mut heaviest = self.heaviest([own.joints, own.weights], 0, vertices)?;
        to.count(8 * vertices);
        if own.more_joints.is_some() && own.more_weights.is_some() {
            to.count(8 * vertices);
            match self.heaviest([own.more_joints, own.more_weights], 1, vertices) {
                Ok(more) => heaviest.iter_mut().zip(more).for_each(|(own, more)| {
                    *own = if more.weight > own.weight { more } else { *own };
                }),
                Err(error) => {
                    to.leave_out(&format!("the second set of joints of {}", self.name), error)
                }
            }
        }
        let without = heaviest.iter().filter(|own| own.weight <= 0.0).count();
        to.skip_vertices(self.name, [without, vertices], "they have no weight above 0");
        let is_strange = |own: &&Heaviest| own.weight > 0.0 && own.joint >= joints.len();
        let strange = heaviest.iter().filter(is_strange).count();
        to.skip_vertices(self.name, [strange, vertices], "their joint is none of the skin's");
        let carrier = |own: Heaviest| joints.get(own.joint).filter(|_| own.weight > 0.0)?.as_ref();
        Ok(heaviest.into_iter().map(carrier).collect())
    }

    /// Returns the joint with the most weight of each of some vertices in a set of joints and weights.
    fn heaviest(
        &self,
        [joints, weights]: [Option<usize>; 2],
        set: usize,
        vertices: usize,
    ) -> Result<Vec<Heaviest>, ReadError> {
        let joints = self.read(joints, &format!("JOINTS_{set}"), 4)?;
        let weights = self.read(weights, &format!("WEIGHTS_{set}"), 4)?;
        let of_row = |(joints, weights): (&[f64], &[f64])| {
            let finite = joints.iter().zip(weights).filter(|(_, weight)| weight.is_finite());
            let most = finite.max_by(|a, b| a.1.total_cmp(b.1));
            most.map_or(Heaviest::NONE, |(joint, weight)| Heaviest {
                weight: *weight,
                joint: *joint as usize,
            })
        };
        let mut all: Vec<_> = joints.rows().zip(weights.rows()).map(of_row).collect();
        all.resize(vertices, Heaviest::NONE);
        Ok(all)
    }
}

/// The joint of a vertex with the most weight, by its place among those of the skin.
#[derive(Clone, Copy)]
struct Heaviest {
    weight: f64,
    joint: usize,
}

impl Heaviest {
    const NONE: Self = Self { weight: 0.0, joint: 0 };
}

/// Returns the corners of the triangles of a primitive; none where it is of lines or points, or cannot be read.
pub(crate) fn triangles(data: &Data, primitive: &Primitive, vertices: usize) -> Vec<[usize; 3]> {
    let mode = primitive.mode.unwrap_or(TRIANGLES);
    if ![TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN].contains(&mode) {
        return Vec::new();
    }
    let corners: Vec<usize> = match primitive.indices.map(|index| data.read(index, "meshes")) {
        None => (0..vertices).collect(),
        Some(Ok(numbers)) => numbers.values.iter().map(|value| *value as usize).collect(),
        Some(Err(_)) => Vec::new(),
    };
    triangles_of(mode, &corners)
}

/// Returns the triangles of a list, a strip or a fan of corners.
fn triangles_of(mode: u32, corners: &[usize]) -> Vec<[usize; 3]> {
    match (mode, corners) {
        (TRIANGLE_STRIP, _) => corners.windows(3).map(|own| [own[0], own[1], own[2]]).collect(),
        (TRIANGLE_FAN, [first, others @ ..]) => {
            others.windows(2).map(|two| [*first, two[0], two[1]]).collect()
        }
        _ => corners.as_chunks::<3>().0.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_fans_have_a_triangle_for_each_corner_but_two() {
        let corners = [4, 5, 6, 7, 8, 9];
        assert_eq!(triangles_of(TRIANGLES, &corners), [[4, 5, 6], [7, 8, 9]]);
        assert_eq!(triangles_of(TRIANGLE_STRIP, &corners[..4]), [[4, 5, 6], [5, 6, 7]]);
        assert_eq!(triangles_of(TRIANGLE_FAN, &corners[..4]), [[4, 5, 6], [4, 6, 7]]);
        for mode in [TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN] {
            assert!(
                triangles_of(mode, &corners[..2]).is_empty() && triangles_of(mode, &[]).is_empty()
            );
        }
    }
}
