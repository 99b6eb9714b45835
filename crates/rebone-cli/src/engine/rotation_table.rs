//! Rotation copy as data for engines.

use super::{compare, file_name};
use crate::exit_code::Failure;
use anyhow::Context;
use rebone::export::RotationTable;
use rebone::{AnalysedPair, Anatomy, Character, Method, Options};
use serde::Serialize;

/// A file for engines: the table, and the files that it is for.
#[derive(Debug, Serialize)]
pub(crate) struct RotationTableFile {
    rebone: &'static str,
    files: [File; 2],
    #[serde(flatten)]
    table: RotationTable,
}

/// A file of the table: the source first.
#[derive(Debug, Serialize)]
struct File {
    name: String,
    /// Metres of one unit of its lengths.
    metres: f64,
    /// The axis that points up, where it is one.
    up: Option<String>,
    /// Of a glTF the nodes that the joints are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<usize>,
}

impl File {
    fn new(loaded: &Character, anatomy: &Anatomy) -> Self {
        let up = anatomy.signed_axes()[0].map(|axis| axis.to_string());
        let nodes = match loaded.document().gltf() {
            Some(document) => {
                let joints = anatomy.skeleton.ids();
                joints.map(|joint| document.armature().node(joint)).collect()
            }
            None => Vec::new(),
        };
        Self { name: file_name(loaded.path()), metres: anatomy.file_unit_metres(), up, nodes }
    }
}

/// The table, and warnings of joints that are not driven.
pub(crate) fn rotation_table(
    loaded: [&Character; 2],
    analysed: &AnalysedPair,
    method: Method,
) -> Result<(RotationTableFile, Vec<String>), Failure> {
    let (plan, warnings) = compare(analysed, &Options { method, ..Options::default() });
    let files = [File::new(loaded[0], &plan.source), File::new(loaded[1], &plan.target)];
    let table = RotationTable::new(&plan).context("no rotation copy")?;
    Ok((RotationTableFile { rebone: env!("CARGO_PKG_VERSION"), files, table }, warnings))
}
