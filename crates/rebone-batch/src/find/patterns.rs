//! Patterns for paths of clips.

use glob::MatchOptions;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// The folders that a pattern names literally; all of a path that is none.
pub(crate) fn pattern_base(path: &Path) -> PathBuf {
    let is_plain = |part: &Component| path.exists() || !is_pattern(part.as_os_str());
    path.components().take_while(is_plain).collect()
}

/// Returns whether a part of a path is a pattern for names.
pub(crate) fn is_pattern(name: &OsStr) -> bool {
    name.as_encoded_bytes().iter().any(|byte| b"*?[".contains(byte))
}

/// A `*` stays within a folder, a `**` does not.
pub(crate) const BY_FOLDERS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};
