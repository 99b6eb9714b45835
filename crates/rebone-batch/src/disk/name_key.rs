//! Paths as file systems compare them that ignore case.

use crate::disk::path_text::path_text;
use std::path::Path;

/// A path as file systems compare it that ignore case; paths that are UTF-8 and others are never one.
pub(crate) type NameKey = (bool, String);

/// Key of a path.
pub(crate) fn key(path: &Path) -> NameKey {
    (path.to_str().is_some(), path_text(path).to_lowercase())
}
