//! Rotation table with the files that it is for.

use super::rotation_table::RotationTable;
use crate::align::Plan;
use crate::body::Anatomy;
use crate::character::Character;
use serde::Serialize;

/// A file for engines: a rotation table, and the files that it is for.
#[derive(Clone, Debug, Serialize)]
pub struct RotationTableFile {
    rebone: &'static str,
    files: [TableFile; 2],
    #[serde(flatten)]
    table: RotationTable,
}

/// A file of the table: the source first.
#[derive(Clone, Debug, Serialize)]
struct TableFile {
    name: String,
    /// Metres per unit of its lengths.
    metres: f64,
    /// Axis that points up, where it is one.
    up: Option<String>,
    /// Nodes of the joints in a glTF.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<usize>,
}

impl RotationTableFile {
    /// Converts a plan of `[source, target]`; `None` unless its method is rotation copy.
    pub fn new(characters: [&Character; 2], plan: &Plan) -> Option<Self> {
        let table = RotationTable::new(plan)?;
        let [source, target] = characters;
        let files = [TableFile::new(source, &plan.source), TableFile::new(target, &plan.target)];
        Some(Self { rebone: env!("CARGO_PKG_VERSION"), files, table })
    }
}

impl TableFile {
    fn new(character: &Character, anatomy: &Anatomy) -> Self {
        let path = character.path();
        let joints = anatomy.skeleton.ids();
        let document = character.document().gltf();
        Self {
            name: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            metres: anatomy.file_unit_metres(),
            up: anatomy.signed_axes()[0].map(|axis| axis.to_string()),
            nodes: document.map_or_else(Vec::new, |document| {
                joints.map(|joint| document.armature().node(joint)).collect()
            }),
        }
    }
}
