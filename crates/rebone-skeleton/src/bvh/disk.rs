//! BVH files by path.

use super::error::{ReadError, WriteError};
use super::hierarchy::Hierarchy;
use super::read::{Document, Reader};
use super::write::{WriteOptions, write_clip};
use crate::{AtomicFile, Clip};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Bytes of the buffer between file and text.
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
/// An [`AtomicFile`]: after a failure the file that was at `path` before is unchanged.
///
/// # Errors
/// When a pose cannot be written, or as [`AtomicFile::create`].
pub fn write(
    path: &Path,
    hierarchy: &Hierarchy,
    clip: &Clip,
    options: WriteOptions<'_>,
) -> Result<(), FileError> {
    let attempt = || -> Result<(), WriteError> {
        let file = AtomicFile::create(path)?;
        write_clip(file, hierarchy, clip, options)?.commit()?;
        Ok(())
    };
    attempt().map_err(|error| FileError::Write { path: path.into(), error })
}
