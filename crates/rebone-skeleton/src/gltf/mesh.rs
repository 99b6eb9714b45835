//! Vertices of meshes as points of the joints that move them most.

use super::accessor::{Data, Numbers};
use super::error::{ReadError, unexpected};
use super::json::{Primitive, Skin};
use super::read::Document;
use crate::WorldPose;
use crate::scene::{Carrier, Mesh, SkinPoints};
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
                if let Err(error) = carriers.push_points(&data, primitive, (&name, &rest), &mut all)
                {
                    all.leave_out(&name, error);
                }
            }
        }
        all.check_whole(&rest);
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

    /// Adds the points of a part of a mesh, which `name` names, of a skeleton with the rest pose `rest`.
    ///
    /// # Errors
    /// When it cannot be read.
    fn push_points(
        &self,
        data: &Data,
        primitive: &Primitive,
        (name, rest): (&str, &WorldPose),
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
        to.skip_broken(name, places);
        let carriers: Vec<Option<&Carrier>> = match self {
            Self::Rigid(carrier) => vec![Some(carrier); places.len()],
            Self::Skin(joints) => {
                let set = |joints, weights, index: usize| {
                    let indices = read(joints, &format!("JOINTS_{index}"), 4)?;
                    let weights = read(weights, &format!("WEIGHTS_{index}"), 4)?;
                    Ok::<_, ReadError>(heaviest(&indices, &weights, places.len()))
                };
                let mut heaviest = set(attributes.joints, attributes.weights, 0)?;
                if attributes.more_joints.is_some() {
                    let more = set(attributes.more_joints, attributes.more_weights, 1)?;
                    heaviest.iter_mut().zip(more).for_each(|(own, more)| {
                        *own = if more.0 > own.0 { more } else { *own };
                    });
                }
                let count = |is: fn(f64, usize, usize) -> bool| {
                    let is = |own: &&(f64, usize)| is(own.0, own.1, joints.len());
                    [heaviest.iter().filter(is).count(), places.len()]
                };
                to.skip_vertices(
                    name,
                    count(|weight, _, _| weight <= 0.0),
                    "they have no weight above 0",
                );
                let strange = count(|weight, joint, joints| weight > 0.0 && joint >= joints);
                to.skip_vertices(name, strange, "their joint is none of the skin's");
                let joint = |(weight, joint)| joints.get(joint).filter(|_| weight > 0.0);
                heaviest.into_iter().map(|own| joint(own)?.as_ref()).collect()
            }
        };
        let triangles = triangles(data, primitive, places.len());
        to.count(places.len() + 3 * triangles.len());
        let points = Mesh { places, triangles: &triangles }.points(&carriers);
        to.push(name, points, rest, matches!(self, Self::Skin(_)));
        Ok(())
    }
}

/// Returns the corners of the triangles of a primitive; none where it is of lines or points, or cannot be read.
fn triangles(data: &Data, primitive: &Primitive, vertices: usize) -> Vec<[usize; 3]> {
    let corners: Vec<usize> = match primitive.indices.map(|index| data.read(index, "meshes")) {
        None => (0..vertices).collect(),
        Some(Ok(numbers)) => numbers.values.iter().map(|value| *value as usize).collect(),
        Some(Err(_)) => Vec::new(),
    };
    match primitive.mode.unwrap_or(TRIANGLES) {
        TRIANGLES => corners.as_chunks::<3>().0.to_vec(),
        TRIANGLE_STRIP => corners.windows(3).map(|own| [own[0], own[1], own[2]]).collect(),
        TRIANGLE_FAN => match corners.split_first() {
            Some((first, others)) => {
                others.windows(2).map(|two| [*first, two[0], two[1]]).collect()
            }
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Returns for each of some vertices its greatest weight and the index of the joint that has it; a weight of 0 without any.
fn heaviest(indices: &Numbers, weights: &Numbers, vertices: usize) -> Vec<(f64, usize)> {
    let of_row = |(joints, weights): (&[f64], &[f64])| {
        let finite = joints.iter().zip(weights).filter(|(_, weight)| weight.is_finite());
        let most = finite.max_by(|a, b| a.1.total_cmp(b.1));
        most.map_or((0.0, 0), |(joint, weight)| (*weight, *joint as usize))
    };
    let mut all: Vec<_> = indices.rows().zip(weights.rows()).map(of_row).collect();
    all.resize(vertices, (0.0, 0));
    all
}
