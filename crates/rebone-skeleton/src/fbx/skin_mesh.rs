//! Triangles of FBX meshes, with all joints and weights of their vertices, and colours of materials without textures.

use super::skin::{Shape, Skin, name};
use super::{Document, clusters, nodes};
use crate::scene::{Carrier, LinearColour, RestBox, SkinMesh, SkinPart, SkinPoints};

/// Limit of the weights of a mesh that are read; those beyond it are ignored.
const MAX_WEIGHTS: usize = 8_000_000;

impl Document {
    /// Returns the triangles of all visible meshes that the skeleton moves, with all joints and weights of their vertices.
    ///
    /// The colour of a mesh is the diffuse colour of its material, where it has one and no texture. Left out, and named, are
    /// meshes that do not fit the joints, as in [`skin_points`](Self::skin_points), and those beyond the limits.
    pub fn skin_mesh(&self) -> SkinMesh {
        let tree = nodes(&self.scene, &clusters(&self.scene));
        let rest = self.skeleton().rest_world();
        let skeleton = RestBox::new(&rest);
        let mut all = SkinMesh::default();
        for mesh in &self.scene.meshes {
            let visible = mesh.element.instances.iter().filter(|node| node.visible);
            let nodes: Vec<usize> = visible.map(|node| node.element.typed_id as usize).collect();
            let name = name(mesh);
            if nodes.is_empty() || all.is_full(&name, mesh.vertices.len(), mesh.num_triangles) {
                continue;
            }
            let shape = Shape::of(mesh);
            let part = SkinPart {
                name: &name,
                places: &shape.places,
                triangles: &shape.triangles,
                colours: &[],
                colour: colour(mesh),
            };
            if mesh.skin_deformers.is_empty() {
                for carrier in nodes.into_iter().filter_map(|node| self.rigid_carrier(&tree, node))
                {
                    all.push(&part, &skeleton, |_, to| to.push((&carrier, 1.0)));
                }
                continue;
            }
            let skin = Skin::of(self, mesh, &mut SkinPoints::default());
            if let Some(reason) = skin.misfit(self, &shape, &rest) {
                all.leave_out(&name, reason);
                continue;
            }
            let weights = weights(&skin, shape.places.len());
            all.push(&part, &skeleton, |vertex, to| {
                to.extend(weights.get(vertex).into_iter().flatten().copied());
            });
        }
        all
    }
}

/// Returns the joints that move each of `vertices` vertices, with their weights.
fn weights<'c>(skin: &'c Skin, vertices: usize) -> Vec<Vec<(&'c Carrier, f64)>> {
    let (mut weights, mut count) = (vec![Vec::new(); vertices], 0);
    for (cluster, carrier) in skin.clusters.iter().flatten() {
        for (vertex, weight) in cluster.vertices.iter().zip(&*cluster.weights) {
            count += 1;
            if let Some(of_vertex) =
                weights.get_mut(*vertex as usize).filter(|_| count <= MAX_WEIGHTS)
            {
                of_vertex.push((carrier, *weight));
            }
        }
    }
    weights
}

/// Returns the diffuse colour of the first material of a mesh; `None` where it has a texture, or is white, the default.
fn colour(mesh: &ufbx::Mesh) -> Option<LinearColour> {
    let map = &mesh.materials.iter().next()?.fbx.diffuse_color;
    let rgb = [map.value_vec4.x, map.value_vec4.y, map.value_vec4.z];
    let is_plain = map.has_value && map.texture.is_none() && rgb.iter().all(|x| x.is_finite());
    let colour = rgb.map(|part| part.clamp(0.0, 1.0) as f32);
    (is_plain && colour != [1.0; 3]).then_some(colour)
}
