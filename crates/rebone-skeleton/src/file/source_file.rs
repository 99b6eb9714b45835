//! Opens motion files, pipes and standard input; recognises their format.

use super::Document;
use super::acclaim::{READ_ASF_BYTES, skeleton_beside};
use super::characters::CharacterSelector;
use super::clip_selector::ListedClip;
use super::error::{FileError, cannot_open};
use super::format::{InputFormat, sniff};
use super::kind::KIND_BYTES;
use super::parse::check_skin;
use crate::acclaim::Frames;
use crate::gltf;
use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// Largest number of bytes that are read of a glTF or an FBX: no pipe fills the memory.
const MAX_BYTES: u64 = 1 << 32;
/// Bytes that are read at once.
const BUFFER_BYTES: usize = 1 << 16;

impl Document {
    /// Reads the file at `path`, and the files that it needs; needs feature `disk`. `-` is standard input. `character`
    /// chooses the skeleton; default: that of the skin with the most joints, the `ROOT` with the most joints, else all joints. The
    /// skeleton of an AMC is the `.asf` in its folder whose name is the longest beginning of its own, `02.asf` for
    /// `02_01.amc`, else the only one: that of standard input is always the only one.
    ///
    /// # Errors
    /// When the file cannot be opened or read; the message holds path, position, found and expected.
    pub fn open(
        path: impl AsRef<Path>,
        character: Option<CharacterSelector<'_>>,
    ) -> Result<Self, FileError> {
        let path = path.as_ref();
        let (mut bytes, mut file) = begin(path).map_err(cannot_open(path))?;
        let format = sniff(&bytes);
        if matches!(format, InputFormat::Bvh | InputFormat::Amc) {
            check_skin(path, character)?;
            let all = BufReader::with_capacity(BUFFER_BYTES, Cursor::new(bytes).chain(file));
            return match format {
                InputFormat::Amc => Self::open_amc(path, all, Frames::All)?.chosen(character),
                _ => Self::of_bvh(path, all, character),
            };
        }
        let limit = if format == InputFormat::Asf { READ_ASF_BYTES as u64 } else { MAX_BYTES };
        file.by_ref().take(limit).read_to_end(&mut bytes).map_err(cannot_open(path))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let side_files = RefCell::new(Vec::new());
        let files = |name: &str, limit: usize| {
            let path = folder.join(name);
            side_files.borrow_mut().push(path.clone());
            gltf::read_side_file(&path, limit)
        };
        let read = Self::of_bytes(path, format, bytes, (character, Some(&files)))?;
        Ok(read.with_side_files(side_files.into_inner()))
    }

    fn open_amc(path: &Path, reader: impl BufRead, frames: Frames) -> Result<Self, FileError> {
        let asf = skeleton_beside(path)?;
        let read = Self::of_amc(path, reader, &asf, frames)?;
        Ok(read.with_side_files(vec![asf.path]))
    }

    /// The clips of the file at `path`, as [`clips`](Self::clips). A BVH or an AMC is only recognised, not read.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn clips_at(
        path: &Path,
        character: Option<CharacterSelector<'_>>,
    ) -> Result<Vec<ListedClip>, FileError> {
        match input_format(path)? {
            InputFormat::Bvh | InputFormat::Amc => Ok(vec![ListedClip::only()]),
            _ => Ok(Self::open(path, character)?.clips()),
        }
    }

    /// Reads the skeleton of the file at `path` and, of a BVH or an AMC, no more than the first frame.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_first_frame(
        path: &Path,
        character: Option<CharacterSelector<'_>>,
    ) -> Result<Self, FileError> {
        let format = input_format(path)?;
        if !matches!(format, InputFormat::Bvh | InputFormat::Amc) {
            return Self::open(path, character);
        }
        let file = BufReader::new(std::fs::File::open(path).map_err(cannot_open(path))?);
        if format == InputFormat::Amc {
            return Self::open_amc(path, file, Frames::First)?.chosen(character);
        }
        Self::first_frame_of_bvh(path, file, character)
    }
}

/// Opens a file, or standard input for `-`; returns its first bytes, which say the format, and the rest to read: a pipe
/// is read only once.
fn begin(path: &Path) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut file: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(io::stdin()),
        false => Box::new(std::fs::File::open(path)?),
    };
    let mut first = Vec::new();
    file.by_ref().take(KIND_BYTES as u64).read_to_end(&mut first)?;
    Ok((first, file))
}

/// Recognises the format of a file by its first bytes. What is no regular file, a pipe for one, is not looked at.
fn input_format(path: &Path) -> Result<InputFormat, FileError> {
    if std::fs::metadata(path).is_ok_and(|file| !file.is_file()) || path == Path::new("-") {
        return Ok(InputFormat::Bvh);
    }
    Ok(sniff(&begin(path).map_err(cannot_open(path))?.0))
}
