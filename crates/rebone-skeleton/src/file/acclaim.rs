//! Acclaim files: a motion and, beside it, its skeleton.

use super::document::Document;
#[cfg(feature = "disk")]
use super::error::cannot_open;
use super::error::{FileError, Warning, WarningPlace};
use crate::acclaim::{self, Asf};
use crate::{Clip, Motion, bvh, gltf};
use bstr::ByteSlice;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// Largest number of bytes that are read of a skeleton: as of the hierarchy of a BVH.
const MAX_ASF_BYTES: usize = 64 << 20;
/// Bytes to ask for of a skeleton: one more, which shows that it is too long.
pub(super) const READ_ASF_BYTES: usize = MAX_ASF_BYTES + 1;

/// The skeleton that was found for a motion.
pub(super) struct SkeletonFile {
    pub(super) path: PathBuf,
    bytes: Vec<u8>,
    /// True where its name does not say that it is the motion's.
    is_guess: bool,
}

impl SkeletonFile {
    fn warnings(&self, asf: &Asf) -> Vec<Warning> {
        let file = self.path.file_name().unwrap_or_default().to_string_lossy();
        let warning = |line, message| Warning {
            place: WarningPlace::FileBeside { file: file.to_string(), line },
            message,
        };
        let guess =
            || format!("{file} is taken as the skeleton: it is the only .asf in the folder");
        let guess = self.is_guess.then(|| warning(1, guess()));
        let of_asf = asf.warnings().iter().map(|own| warning(own.line, own.message.clone()));
        guess.into_iter().chain(of_asf).collect()
    }
}

impl Document {
    /// A skeleton without a clip.
    pub(super) fn of_asf(path: &Path, bytes: &[u8]) -> Result<Self, FileError> {
        let asf = parse_asf(path, bytes)?;
        let clip = Clip::new(asf.skeleton(), acclaim::FRAME_TIME);
        let warnings = asf.warnings().iter().map(Warning::from).collect();
        Ok(Self::of_acclaim(path, &asf, clip, warnings, false))
    }

    /// A motion of the skeleton `file`; of `frames` the first alone, where that is wanted.
    pub(super) fn of_amc(
        path: &Path,
        reader: impl BufRead,
        file: &SkeletonFile,
        frames: acclaim::Frames,
    ) -> Result<Self, FileError> {
        let asf = parse_asf(&file.path, &file.bytes)?;
        let read = acclaim::Reader::new(reader, &asf).and_then(|reader| reader.into_amc(frames));
        let acclaim::Amc { clip, warnings } =
            read.map_err(|error| FileError::Acclaim { path: path.into(), error })?;
        let of_asf = file.warnings(&asf).into_iter();
        let warnings = of_asf.chain(warnings.iter().map(Warning::from)).collect();
        Ok(Self::of_acclaim(path, &asf, clip, warnings, true))
    }

    fn of_acclaim(
        path: &Path,
        asf: &Asf,
        clip: Clip,
        warnings: Vec<Warning>,
        has_clip: bool,
    ) -> Self {
        let skeleton = asf.skeleton();
        let hierarchy = bvh::Hierarchy::from_skeleton(skeleton);
        let motion = Motion { skeleton: skeleton.clone(), clip };
        Self::of_joints(path, hierarchy, motion, warnings, has_clip)
    }
}

fn parse_asf(path: &Path, bytes: &[u8]) -> Result<Asf, FileError> {
    if bytes.len() > MAX_ASF_BYTES {
        return Err(FileError::LongSkeleton { path: path.into() });
    }
    acclaim::parse_asf(bytes).map_err(|error| FileError::Acclaim { path: path.into(), error })
}

/// Reads the skeleton of a motion in memory: the first that `files` has of the names that begin the motion's name, the
/// longest first.
pub(super) fn skeleton_in_memory(
    amc: &Path,
    files: Option<gltf::SideFiles<'_>>,
) -> Result<SkeletonFile, FileError> {
    let stem = stem(amc);
    let ends = stem.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let ends = ends.rev().filter(|&end| is_boundary(stem.as_bytes(), end));
    let mut names = ends.map(|end| format!("{}.asf", &stem[..end]));
    let found = names.find_map(|name| {
        let bytes = files?(&name, READ_ASF_BYTES).ok()?;
        Some(SkeletonFile { path: amc.with_file_name(name), bytes, is_guess: false })
    });
    found.ok_or_else(|| no_skeleton(amc, &[]))
}

/// Reads the skeleton of a motion from its folder: of the files that end in `.asf` the one whose name is the longest
/// beginning of the motion's, else the only one. The name of standard input says nothing.
#[cfg(feature = "disk")]
pub(super) fn skeleton_beside(amc: &Path) -> Result<SkeletonFile, FileError> {
    let found = skeletons_in_folder(amc)?;
    let bytes = |path: &Path| path.file_stem().unwrap_or_default().as_encoded_bytes().to_owned();
    let own = bytes(amc);
    let is_named = |path: &&PathBuf| {
        let begin = bytes(path);
        own.starts_with(&begin) && is_boundary(&own, begin.len()) && amc != Path::new("-")
    };
    let named = found.iter().filter(is_named).max_by_key(|path| bytes(path).len());
    let (path, is_guess) = match (named, found.as_slice()) {
        (Some(path), _) => (path.clone(), false),
        (None, [path]) => (path.clone(), true),
        _ => return Err(no_skeleton(amc, &found)),
    };
    let bytes = gltf::read_side_file(&path, READ_ASF_BYTES).map_err(cannot_open(&path))?;
    Ok(SkeletonFile { path, bytes, is_guess })
}

/// The files that end in `.asf` in the folder of a motion, by name.
#[cfg(feature = "disk")]
fn skeletons_in_folder(amc: &Path) -> Result<Vec<PathBuf>, FileError> {
    let folder = amc.parent().unwrap_or(Path::new(""));
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(listed).map_err(cannot_open(listed))? {
        let name = entry.map_err(cannot_open(listed))?.file_name();
        let end = Path::new(&name).extension();
        let path = folder.join(&name);
        if end.is_some_and(|end| end.eq_ignore_ascii_case("asf")) && !path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Returns whether a name may be parted at `at`: neither within a number nor within a word.
fn is_boundary(name: &[u8], at: usize) -> bool {
    let (before, behind) = name.split_at(at);
    let both = |kind: fn(char) -> bool| {
        before.chars().next_back().is_some_and(kind) && behind.chars().next().is_some_and(kind)
    };
    !both(char::is_numeric) && !both(char::is_alphabetic)
}

fn no_skeleton(amc: &Path, found: &[PathBuf]) -> FileError {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into();
    FileError::NoSkeleton {
        path: amc.into(),
        stem: stem(amc),
        found: found.iter().map(name).collect(),
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into()
}
