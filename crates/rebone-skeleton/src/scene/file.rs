//! Scene files on the disk.

use std::error::Error;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a file cannot be read.
#[derive(Debug, Error)]
pub enum FileError<E: Error> {
    /// It cannot be opened or read.
    #[error("{path}: cannot open the file: {error}")]
    Open {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// It is no file of its kind that can be used.
    #[error("{path}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: E,
    },
}

/// Reads a whole file, which `parse` makes something of.
pub(crate) fn read_file<T, E: Error>(
    path: &Path,
    parse: impl FnOnce(Vec<u8>) -> Result<T, E>,
) -> Result<T, FileError<E>> {
    let bytes =
        std::fs::read(path).map_err(|error| FileError::Open { path: path.into(), error })?;
    parse(bytes).map_err(|error| FileError::Read { path: path.into(), error })
}
