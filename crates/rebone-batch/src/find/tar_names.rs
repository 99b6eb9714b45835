//! Names of tars, and samples of what is in them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Ends of the names of tars. Those that are compressed are taken, to say that they cannot be read.
const ENDS: [&str; 8] =
    [".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst", ".tar.xz", ".txz", ".tar.bz2"];

/// Members of a tar that are surveyed for cards: those of `first`, then `count` others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemberSample<'a> {
    pub(crate) count: usize,
    pub(crate) first: &'a BTreeSet<PathBuf>,
}

impl MemberSample<'_> {
    /// Returns whether a clip of `first` is in a tar.
    pub(crate) fn has_first(self, tar: &Path) -> bool {
        is_first_below(self.first, tar)
    }
}

/// Returns whether a path is in a set, or one below it.
pub(crate) fn is_first_below(set: &BTreeSet<PathBuf>, path: &Path) -> bool {
    set.range(path.to_owned()..).next().is_some_and(|first| first.starts_with(path))
}

/// Returns whether a file is named as a tar.
pub fn is_tar_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    ENDS.iter().any(|end| name.ends_with(end))
}
