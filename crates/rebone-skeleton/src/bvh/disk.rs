//! BVH files by path.

use super::error::{ReadError, WriteError};
use super::hierarchy::Hierarchy;
use super::read::{Document, Reader};
use super::write::{WriteOptions, write_clip};
use crate::Clip;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Bytes of the buffers between files and text.
const BUFFER_BYTES: usize = 1 << 16;

/// Why a BVH file cannot be read or written. The message holds path, line and cause.
#[derive(Debug, Error)]
pub enum FileError {
    /// The file cannot be opened.
    #[error("{}: cannot open: {error}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The file is not a BVH that can be read.
    #[error("{}:{}: {}", path.display(), error.line, error.kind)]
    Read {
        /// The file.
        path: PathBuf,
        /// The line and what is wrong there.
        error: ReadError,
    },
    /// The file cannot be written; a file that was there before is unchanged.
    #[error("{}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: WriteError,
    },
    /// The folder to write into does not exist.
    #[error("{}: found no folder {}, expected it to exist: make it first", path.display(), folder.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The path is a folder, a device or a pipe, which must not be replaced.
    #[error("{}: found something that is not a regular file, expected a file or nothing", .0.display())]
    NotAFile(PathBuf),
}

/// Reads the BVH file at `path`.
///
/// # Errors
/// When the file cannot be opened, or as [`parse`](super::parse); the message holds the path as well.
pub fn read(path: &Path) -> Result<Document, FileError> {
    let file = File::open(path).map_err(|error| FileError::Open { path: path.into(), error })?;
    let reader = Reader::new(BufReader::with_capacity(BUFFER_BYTES, file));
    reader
        .and_then(Reader::into_document)
        .map_err(|error| FileError::Read { path: path.into(), error })
}

/// Writes `clip` to the file at `path`, which appears only when it is complete.
///
/// The text goes to a temporary file in the same folder, which is renamed at the end and removed on failure: a
/// file that was at `path` before is then unchanged.
///
/// # Errors
/// When a pose cannot be written, the folder cannot be written to, or `path` is something other
/// than a regular file.
pub fn write(
    path: &Path,
    hierarchy: &Hierarchy,
    clip: &Clip,
    options: WriteOptions<'_>,
) -> Result<(), FileError> {
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(FileError::NotAFile(path.into()));
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(FileError::NoFolder { path: path.into(), folder: folder.into() });
    }
    replace(path, folder, |file| {
        write_clip(BufWriter::with_capacity(BUFFER_BYTES, file), hierarchy, clip, options)?;
        Ok(())
    })
    .map_err(|error| FileError::Write { path: path.into(), error })
}

/// Replaces the file at `path` by what `fill` writes, at once.
fn replace(
    path: &Path,
    folder: &Path,
    fill: impl FnOnce(&mut File) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rebone-").suffix(".tmp");
    #[cfg(unix)]
    {
        // The umask limits these permissions, as for any new file.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    fill(file.as_file_mut())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
