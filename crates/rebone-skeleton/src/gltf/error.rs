//! What can be wrong with a glTF file, and where.

use crate::scene::ArmatureError;
use thiserror::Error;

/// Something in a file that was passed over while reading it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {message}")]
pub struct Warning {
    /// The path in the JSON that it is about: `animations[2].channels[7]`.
    pub place: String,
    /// What was found and what was made of it.
    pub message: String,
}

/// Why a glTF cannot be read.
#[derive(Debug, Error)]
#[error("{place}: {kind}")]
pub struct ReadError {
    /// The path in the JSON, the line of the JSON, or the byte of the file that it is about.
    pub place: String,
    /// What is wrong.
    pub kind: ReadErrorKind,
}

/// What is wrong with a glTF.
#[derive(Debug, Error)]
pub enum ReadErrorKind {
    /// A file beside it could not be read.
    #[error("cannot read {path}: {error}")]
    Io {
        /// The file, relative to the glTF.
        path: String,
        /// Why not.
        error: std::io::Error,
    },
    /// The JSON is none, or lacks something.
    #[error("{0}")]
    Json(String),
    /// Something that cannot stand there.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// What stands there.
        found: String,
        /// What may stand there, and where it helps, what to do.
        expected: String,
    },
    /// There is no skeleton in it.
    #[error(transparent)]
    Armature(#[from] ArmatureError),
}

/// Why an animation cannot be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// A pose holds a number that no file can hold.
    #[error("found a number that is not finite in frame {0}, expected places and rotations")]
    NotFinite(usize),
    /// A clip without frames.
    #[error("found no frames, expected one at least")]
    Empty,
    /// A file that was read cannot be written as it is.
    #[error(transparent)]
    Source(#[from] ReadError),
    /// The data in between, or the file itself, cannot be written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// More than a GLB can hold.
    #[error("the file would be larger than the 4 GB that a GLB can be")]
    TooLarge,
}

/// Something that cannot stand there.
pub(super) fn unexpected(
    place: impl Into<String>,
    found: impl Into<String>,
    expected: impl Into<String>,
) -> ReadError {
    let kind = ReadErrorKind::Unexpected { found: found.into(), expected: expected.into() };
    ReadError { place: place.into(), kind }
}
