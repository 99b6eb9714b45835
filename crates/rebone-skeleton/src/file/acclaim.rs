//! Acclaim files: a motion and, beside it, its skeleton.

use super::Document;
use super::error::{FileError, Warning, WarningPlace};
#[cfg(feature = "disk")]
use super::source_file::cannot_open;
use crate::acclaim::{self, Asf};
use crate::{Clip, Motion, bvh, gltf};
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// Largest number of bytes that are read of a skeleton: as of the hierarchy of a BVH.
const MAX_ASF_BYTES: usize = 64 << 20;

impl Document {
    /// A skeleton without a clip.
    pub(super) fn of_asf(path: &Path, bytes: &[u8]) -> Result<Self, FileError> {
        let asf = parse_asf(path, bytes)?;
        let clip = Clip::new(asf.skeleton(), acclaim::FRAME_TIME);
        let warnings = asf.warnings().iter().map(Warning::from).collect();
        Ok(Self::of_acclaim(path, &asf, clip, warnings, false))
    }

    /// A motion of the skeleton whose path and bytes are `asf`; of `frames` the first alone, where that is wanted.
    pub(super) fn of_amc(
        path: &Path,
        reader: impl BufRead,
        (asf_path, bytes): (&Path, &[u8]),
        frames: acclaim::Frames,
    ) -> Result<Self, FileError> {
        let asf = parse_asf(asf_path, bytes)?;
        let read = acclaim::Reader::new(reader, &asf).and_then(|reader| reader.into_amc(frames));
        let acclaim::Amc { clip, warnings } =
            read.map_err(|error| FileError::Acclaim { path: path.into(), error })?;
        let file = asf_path.file_name().unwrap_or_default().to_string_lossy();
        let of_asf = asf.warnings().iter().map(|bvh::Warning { line, message }| Warning {
            place: WarningPlace::FileBeside { file: file.to_string(), line: *line },
            message: message.clone(),
        });
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
    acclaim::parse_asf(bytes).map_err(|error| FileError::Acclaim { path: path.into(), error })
}

/// Reads the skeleton of a motion in memory: the first that `files` has of the names that begin the motion's name, the
/// longest first. Returns its name and its bytes.
pub(super) fn skeleton_in_memory(
    amc: &Path,
    files: Option<gltf::SideFiles<'_>>,
) -> Result<(String, Vec<u8>), FileError> {
    let stem = stem(amc);
    let ends = stem.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let names = ends.rev().map(|end| format!("{}.asf", &stem[..end]));
    let read = |name: String| Some((files?(&name, MAX_ASF_BYTES).ok()?, name));
    let found = names.into_iter().find_map(read).map(|(bytes, name)| (name, bytes));
    found.ok_or_else(|| no_skeleton(amc, &[]))
}

/// Reads the skeleton of a motion from its folder: of the files that end in `.asf` the one whose name is the longest
/// beginning of the motion's, else the only one.
#[cfg(feature = "disk")]
pub(super) fn skeleton_beside(amc: &Path) -> Result<(PathBuf, Vec<u8>), FileError> {
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
    let bytes = |path: &Path| path.file_stem().unwrap_or_default().as_encoded_bytes().to_owned();
    let own = bytes(amc);
    let begins = found.iter().filter(|path| own.starts_with(&bytes(path)));
    let path = match (begins.max_by_key(|path| bytes(path).len()), found.as_slice()) {
        (Some(path), _) | (None, [path]) => path.clone(),
        _ => return Err(no_skeleton(amc, &found)),
    };
    let read = gltf::read_side_file(&path, MAX_ASF_BYTES).map_err(cannot_open(&path))?;
    Ok((path, read))
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
