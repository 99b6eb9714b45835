//! Extensions of glTF: which of those that a file requires change the data that is read.

use super::error::Warning;

/// Beginnings of the names of extensions that change nothing that is read: textures, materials, lights, meshes, metadata;
/// and of those that are read.
const KNOWN: [&str; 24] = [
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "MSFT_packing_",
    "MSFT_lod",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_draco_mesh_compression",
    "KHR_mesh_",
    "EXT_mesh_",
    "EXT_instance_features",
    "EXT_structural_metadata",
    "KHR_gaussian_splatting",
    "KHR_audio",
    "KHR_interactivity",
    "KHR_node_",
    "KHR_xmp",
    "KHR_techniques_webgl",
    "VRM",
    "KHR_animation_pointer",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_character",
];

/// Warns of required extensions that are not known: what they change is not seen.
pub(super) fn unknown(required: &[String]) -> Vec<Warning> {
    let is_unknown = |(_, name): &(usize, &String)| !KNOWN.iter().any(|own| name.starts_with(own));
    let warning = |(index, name): (usize, &String)| Warning {
        place: format!("extensionsRequired[{index}]"),
        message: format!("the extension {name:?} is not known: the file was read without it"),
    };
    required.iter().enumerate().filter(is_unknown).map(warning).collect()
}
