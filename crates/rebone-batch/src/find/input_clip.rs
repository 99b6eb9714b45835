//! Clips that the inputs hold, and their names.

use crate::find::clip_file::{ClipFile, TarPlace};
use crate::record::manifest::FilePart;
use rebone::CharacterChoice;
use rebone::skeleton::ClipSelector;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A clip to retarget.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct InputClip {
    /// Path of its file.
    pub(crate) path: PathBuf,
    /// Folder of its results, below the output folder: its folder below the input that it was found in.
    pub(crate) folder: PathBuf,
    /// Selected clip of a file with several.
    pub(crate) part: Option<FilePart>,
    /// Place in a tar, of a member of one.
    pub(crate) place: Option<TarPlace>,
    /// Character that is chosen.
    pub(crate) character: CharacterChoice,
}

impl InputClip {
    /// Name for its results: its file's, and its own where the file has several clips.
    pub(crate) fn stem(&self) -> OsString {
        let mut name = stem(&self.path).to_owned();
        self.part.iter().for_each(|part| name.push(format!("-{}", file_part(&part.name))));
        name
    }

    /// Its file.
    pub(crate) fn file(&self) -> ClipFile<'_> {
        let character = self.character.selector();
        ClipFile { path: &self.path, place: self.place.as_ref(), character }
    }

    /// Selection of the clip in its file.
    pub(crate) fn selector(&self) -> Option<ClipSelector<'_>> {
        self.part.as_ref().map(FilePart::selector)
    }
}

/// Name of a clip as a part of a file name.
pub(crate) fn file_part(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '_' };
    name.chars().map(plain).collect()
}

/// File name without extension.
pub(crate) fn stem(path: &Path) -> &OsStr {
    path.file_stem().unwrap_or(OsStr::new("clip"))
}
