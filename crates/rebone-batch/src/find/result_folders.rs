//! Folders of results, which a result may not be called as.

use crate::disk::name_key::{NameKey, key};
use std::collections::BTreeSet;
use std::path::Path;

/// Folders of results, below the output folder. Case does not count.
#[derive(Debug, Default)]
pub(crate) struct ResultFolders(BTreeSet<NameKey>);

impl ResultFolders {
    /// Adds a folder, and all that it is in.
    pub(crate) fn add(&mut self, folder: &Path) {
        let folders = folder.ancestors().take_while(|own| !own.as_os_str().is_empty());
        // Parents of a known folder are known.
        for folder in folders {
            if !self.0.insert(key(folder)) {
                return;
            }
        }
    }

    pub(crate) fn has(&self, path: &Path) -> bool {
        self.0.contains(&key(path))
    }
}
