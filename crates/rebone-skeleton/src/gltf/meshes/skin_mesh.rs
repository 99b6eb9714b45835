//! Triangles of glTF meshes, with all joints and weights of their vertices, and colours of materials without textures.

use crate::gltf::accessor::Data;
use crate::gltf::error::ReadError;
use crate::gltf::json::Primitive;
use crate::gltf::meshes::mesh::{Carriers, Part, triangles};
use crate::gltf::read::Document;
use crate::scene::{Carrier, LinearColour, RestBox, SkinMesh, SkinPart};
use serde_json::Value;

/// Opacity, 0 to 1, below which a blended material is not drawn.
const MIN_ALPHA: f64 = 0.1;

impl Document {
    /// Returns the triangles of all meshes that the skeleton moves, with all joints and weights of their vertices.
    ///
    /// Colours are those of vertices (`COLOR_0`) times that of the material (`baseColorFactor`); a material with a texture
    /// has none. Left out, and named, are meshes that cannot be read, and those beyond the limits.
    pub fn skin_mesh(&self) -> SkinMesh {
        let rest = self.skeleton().rest_world();
        let skeleton = RestBox::new(&rest);
        let data = Data { root: &self.root, chunks: &self.chunks, buffers: &self.buffers };
        let mut all = SkinMesh::default();
        for (number, node) in self.root.nodes.iter().enumerate() {
            let Some(index) = node.mesh else { continue };
            let Some(mesh) = self.root.meshes.get(index) else { continue };
            let skin = node.skin.and_then(|skin| self.root.skins.get(skin));
            all.count(1 + skin.map_or(0, |skin| skin.joints.len()));
            if all.is_full(&format!("mesh {index}"), 0, 0) {
                return all;
            }
            let carriers = match Carriers::of_node(self, &data, (number, node.skin)) {
                Ok(Some(carriers)) if carriers.moves_anything() => carriers,
                Ok(_) => continue,
                Err(error) => {
                    all.leave_out(&format!("mesh {index}"), error);
                    continue;
                }
            };
            for (k, primitive) in mesh.primitives.iter().enumerate() {
                let name = format!("meshes[{index}].primitives[{k}]");
                if all.is_full(&name, 1, 1) {
                    return all;
                }
                let added =
                    push_primitive(&data, primitive, (&name, &carriers), &skeleton, &mut all);
                if let Err(error) = added {
                    all.leave_out(&name, error);
                }
            }
        }
        all
    }
}

/// Adds a primitive of a mesh, unless its material is transparent or a limit is reached.
fn push_primitive(
    data: &Data,
    primitive: &Primitive,
    (name, carriers): (&str, &Carriers),
    skeleton: &RestBox,
    all: &mut SkinMesh,
) -> Result<(), ReadError> {
    let material =
        primitive.material.as_u64().and_then(|index| data.root.materials.get(index as usize));
    let material = Material::of(material);
    let [vertices, corners, visits] = counts(data, primitive);
    all.count(visits);
    if !material.is_seen || all.is_full(name, vertices, corners / 3) {
        return Ok(());
    }
    let part = Part { data, name, attributes: &primitive.attributes };
    let numbers = part.read(part.attributes.position, "POSITION", 3)?;
    let (places, _) = numbers.values.as_chunks::<3>();
    let triangles = triangles(data, primitive, places.len());
    let colours = colours(&part, &material);
    let skin_part = SkinPart {
        name,
        places,
        triangles: &triangles,
        colours: &colours,
        colour: material.colour,
    };
    match carriers {
        Carriers::Rigid(carrier) => all.push(&skin_part, skeleton, |_, to| to.push((carrier, 1.0))),
        Carriers::Skin(joints) => {
            let weights = Weights::of(&part)?;
            all.push(&skin_part, skeleton, |vertex, to| weights.add(vertex, joints, to));
        }
    }
    Ok(())
}

/// Returns the numbers of vertices and corners of a primitive, and of all values that reading it visits.
fn counts(data: &Data, primitive: &Primitive) -> [usize; 3] {
    let count = |accessor: Option<usize>| {
        accessor.and_then(|index| data.root.accessors.get(index)).map_or(0, |found| found.count)
    };
    let attributes = &primitive.attributes;
    let [vertices, corners] = [attributes.position, primitive.indices].map(count);
    let others = [
        attributes.joints,
        attributes.weights,
        attributes.more_joints,
        attributes.more_weights,
        attributes.colour,
    ];
    let visits = others.into_iter().map(count).chain([vertices, corners]);
    [vertices, corners, visits.fold(0, usize::saturating_add)]
}

/// Joints and weights of vertices, in one set or two: four of each for a vertex in each set.
struct Weights {
    sets: Vec<[Vec<f64>; 2]>,
}

impl Weights {
    fn of(part: &Part) -> Result<Self, ReadError> {
        let attributes = part.attributes;
        let read = |joints, weights, set: usize| -> Result<[Vec<f64>; 2], ReadError> {
            let joints = part.read(joints, &format!("JOINTS_{set}"), 4)?;
            let weights = part.read(weights, &format!("WEIGHTS_{set}"), 4)?;
            Ok([joints.values, weights.values])
        };
        let mut sets = vec![read(attributes.joints, attributes.weights, 0)?];
        if attributes.more_joints.is_some() && attributes.more_weights.is_some() {
            sets.extend(read(attributes.more_joints, attributes.more_weights, 1).ok());
        }
        Ok(Self { sets })
    }

    /// Adds the joints that move a vertex, with their weights; none of other skeletons.
    fn add<'c>(
        &self,
        vertex: usize,
        joints: &'c [Option<Carrier>],
        to: &mut Vec<(&'c Carrier, f64)>,
    ) {
        let rows = vertex.saturating_mul(4)..vertex.saturating_mul(4).saturating_add(4);
        for set in &self.sets {
            let [indices, weights] = set.each_ref().map(|values| values.get(rows.clone()));
            let pairs = indices.unwrap_or_default().iter().zip(weights.unwrap_or_default());
            let carried = pairs.filter_map(|(joint, weight)| {
                Some((joints.get(*joint as usize)?.as_ref()?, *weight))
            });
            to.extend(carried);
        }
    }
}

/// Colour and visibility of a material.
struct Material {
    /// False where it is blended with an opacity below [`MIN_ALPHA`].
    is_seen: bool,
    has_texture: bool,
    /// `None` where the material has a texture, or is white, the default.
    colour: Option<LinearColour>,
}

impl Material {
    fn of(material: Option<&Value>) -> Self {
        let pbr = material.map(|material| &material["pbrMetallicRoughness"]);
        let factor = pbr.and_then(|pbr| pbr["baseColorFactor"].as_array());
        let part = |k: usize| {
            let value = factor.and_then(|factor| factor.get(k)?.as_f64());
            value.map(|value| value.clamp(0.0, 1.0))
        };
        let has_texture = pbr.is_some_and(|pbr| pbr["baseColorTexture"].is_object());
        let colour = match [part(0), part(1), part(2)] {
            [Some(r), Some(g), Some(b)] => Some([r, g, b].map(|part| part as f32)),
            _ => None,
        };
        let is_blended = material.is_some_and(|material| material["alphaMode"] == "BLEND");
        let is_seen = !is_blended || part(3).is_none_or(|alpha| alpha >= MIN_ALPHA);
        // White is the default of glTF.
        let colour = colour.filter(|rgb| !has_texture && *rgb != [1.0; 3]);
        Self { is_seen, has_texture, colour }
    }
}

/// Returns the colours of vertices times that of the material; none where the file has none, all are white, or the material has
/// a texture.
fn colours(part: &Part, material: &Material) -> Vec<LinearColour> {
    let Some(accessor) = part.attributes.colour.filter(|_| !material.has_texture) else {
        return Vec::new();
    };
    let read =
        [4, 3].into_iter().find_map(|width| part.read(Some(accessor), "COLOR_0", width).ok());
    let Some(numbers) = read else { return Vec::new() };
    let tint = material.colour.unwrap_or([1.0; 3]);
    let of_row = |row: &[f64]| -> LinearColour {
        std::array::from_fn(|k| {
            let value = if row[k].is_nan() { 1.0 } else { row[k].clamp(0.0, 1.0) };
            value as f32 * tint[k]
        })
    };
    let is_white = numbers.rows().all(|row| row[..3].iter().all(|part| *part >= 1.0));
    if is_white { Vec::new() } else { numbers.rows().map(of_row).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_plain_colours_of_materials_count() {
        let material = |factor: Value, texture: Value| {
            let pbr = json!({ "baseColorFactor": factor, "baseColorTexture": texture });
            Material::of(Some(&json!({ "pbrMetallicRoughness": pbr, "alphaMode": "BLEND" })))
        };
        let red = material(json!([1, 0, 0, 1]), Value::Null);
        assert!(red.colour == Some([1.0, 0.0, 0.0]) && red.is_seen);
        assert!(material(json!([1, 1, 1, 1]), Value::Null).colour.is_none());
        assert!(material(json!([1, 0, 0, 1]), json!({ "index": 0 })).colour.is_none());
        assert!(!material(json!([1, 0, 0, 0]), Value::Null).is_seen);
        assert!(material(json!("red"), Value::Null).colour.is_none());
        assert!(Material::of(None).is_seen && Material::of(Some(&json!(7))).is_seen);
    }
}
