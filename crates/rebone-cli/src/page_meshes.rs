//! Meshes of characters for a page, each read once for many results.

use rebone::Character;
use rebone_batch::ManifestFiles;
use rebone_batch::manifest::ManifestLine;
use rebone_view::PageMesh;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Largest number of files whose meshes stay in memory.
const MAX_FILES: usize = 64;

/// Meshes by the files that they are in.
#[derive(Default)]
pub(crate) struct PageMeshes(Mutex<BTreeMap<PathBuf, Arc<OnceLock<PageMesh>>>>);

impl PageMeshes {
    /// Returns the meshes of the source and the rig of a line.
    pub(crate) fn of(
        &self,
        line: &ManifestLine,
        files: &ManifestFiles,
        source: &Character,
    ) -> [PageMesh; 2] {
        let of_source = self.get(&line.input, || mesh(source));
        let Some(rig) = &line.target else {
            return [of_source, PageMesh::none("the manifest does not name the rig")];
        };
        // The rig's file has the mesh of results in any format.
        let of_rig = self.get(rig, || match files.open_rig(line) {
            Ok(rig) => mesh(&rig),
            Err(error) => PageMesh::none(error.to_string()),
        });
        [of_source, of_rig]
    }

    fn get(&self, path: &Path, read: impl FnOnce() -> PageMesh) -> PageMesh {
        let cell = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if known.len() >= MAX_FILES && !known.contains_key(path) {
                known.clear();
            }
            Arc::clone(known.entry(path.to_owned()).or_default())
        };
        cell.get_or_init(read).clone()
    }
}

fn mesh(character: &Character) -> PageMesh {
    let bind = character.document().bind_pose();
    PageMesh::new(character.skeleton(), &character.skin_mesh(), bind)
}
