//! Places of an input whose clips are not known at this moment: results of them stay.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Files and folders, without links, each with the reason.
#[derive(Debug, Default)]
pub(crate) struct HeldPlaces(BTreeMap<PathBuf, String>);

impl HeldPlaces {
    /// Keeps the results of a file, or of those in a folder.
    pub(crate) fn add(&mut self, path: &Path, why: &str) {
        self.0.insert(place_of(path), format!("{} {why}", path.display()));
    }

    /// Says why results of a clip stay that is not among the inputs: it is in a folder that is left out or empty, or no
    /// regular file any more.
    pub(crate) fn why(&self, clip: &Path) -> Option<&str> {
        let why = |path: &Path| self.0.get(path).map(String::as_str);
        (!self.0.is_empty()).then(|| place_of(clip).ancestors().find_map(why))?
    }
}

/// Why clips of a folder without an entry stay.
pub(crate) const EMPTY: &str = "is empty, as where its disk is not there";
/// Why a clip stays that became a pipe or a device.
pub(crate) const SPECIAL: &str = "is no regular file";

/// Returns whether a folder has no entry.
pub(crate) fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// A path without links, as far as there is something.
pub(crate) fn place_of(path: &Path) -> PathBuf {
    let above = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.map_or_else(|| fs::canonicalize(".").unwrap_or_default(), place_of);
        path.file_name().map_or_else(|| path.to_owned(), |name| folder.join(name))
    };
    fs::canonicalize(path).unwrap_or_else(|_| above())
}
