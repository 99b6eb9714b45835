//! Meshes of characters for a page, each read once for many results.

use rebone::Character;
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
    /// Returns the meshes of the source of a line, and of its result on its rig.
    pub(crate) fn of(&self, source: &Character, result: &Character) -> [PageMesh; 2] {
        [source, result].map(|character| self.get(character.path(), || mesh(character)))
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
