//! Files that a rotation table is for.

#[cfg(feature = "files")]
use rebone_body::{Anatomy, Character};
use serde::Serialize;

/// A file of a rotation table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct TableFile {
    name: String,
    /// Metres per unit of its lengths.
    metres: f64,
    /// Axis that points up, where it is one.
    up: Option<String>,
    /// Nodes of the joints in a glTF.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<usize>,
}

#[cfg(feature = "files")]
impl TableFile {
    pub(super) fn new(character: &Character, anatomy: &Anatomy) -> Self {
        let path = character.path();
        let joints = anatomy.skeleton.ids();
        let document = character.document().gltf();
        Self {
            name: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            metres: anatomy.file_unit_metres(),
            up: anatomy.signed_axes()[0].map(|axis| axis.to_string()),
            nodes: document.map_or_else(Vec::new, |document| {
                joints.filter_map(|joint| document.node(joint)).collect()
            }),
        }
    }
}
