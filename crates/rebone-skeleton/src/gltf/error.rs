//! Errors and warnings of glTF files, with their position.

use crate::scene::ArmatureError;
use thiserror::Error;

/// A part of a file that was skipped while reading it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {message}")]
pub struct Warning {
    /// The path in the JSON that it is about: `animations[2].channels[7]`.
    pub place: String,
    /// The finding, and how it was read.
    pub message: String,
}

/// Reason why a glTF cannot be read.
#[derive(Debug, Error)]
#[error("{place}: {kind}")]
pub struct ReadError {
    /// The path in the JSON, the line of the JSON, or the byte of the file that it is about.
    pub place: String,
    /// The fault.
    pub kind: ReadErrorKind,
}

/// Faults of a glTF.
#[derive(Debug, Error)]
pub enum ReadErrorKind {
    /// A file next to it could not be read.
    #[error("cannot read {path}: {error}")]
    Io {
        /// The file, relative to the glTF.
        path: String,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The JSON is malformed or incomplete.
    #[error("{0}")]
    Json(String),
    /// A value that the format does not allow.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// The text found.
        found: String,
        /// The values expected, with a remedy where one helps.
        expected: String,
    },
    /// The file holds no usable skeleton.
    #[error(transparent)]
    Armature(#[from] ArmatureError),
}

/// Reason why an animation cannot be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// A pose holds a number that no file can hold.
    #[error("found a number that is not finite in frame {0}, expected places and rotations")]
    NotFinite(usize),
    /// A translation that 32 bit numbers hold too roughly.
    #[error(
        "frame {frame}, joint {joint}: found a place {metres:.0} m from the origin, which the 32 bit numbers of glTF hold to \
         {rounding:.3} mm, expected {expected} mm: move the motion to the origin, keep it in place, or \
         write a BVH"
    )]
    Precision {
        /// The frame, counted from 0.
        frame: usize,
        /// Name of the joint, quoted.
        joint: String,
        /// Distance from the origin of the joint's parent.
        metres: f64,
        /// Distance of what would be written, millimetres.
        rounding: f64,
        /// Largest one, millimetres.
        expected: f64,
    },
    /// Times that 32 bit numbers do not tell from each other, or that readers refuse.
    #[error(
        "found {frames} frames, one each {frame_time} s, expected at most 1e9 s, and times that 32 bit numbers hold to a tenth \
         of a frame: take a part, or write a BVH"
    )]
    Times {
        /// The number of frames.
        frames: usize,
        /// Seconds from one to the next.
        frame_time: f64,
    },
    /// The clip is no motion of the file's skeleton.
    #[error(transparent)]
    Clip(#[from] crate::ClipError),
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

/// The error for `found` at `place`, where `expected` should be.
pub(super) fn unexpected(
    place: impl Into<String>,
    found: impl Into<String>,
    expected: impl Into<String>,
) -> ReadError {
    let kind = ReadErrorKind::Unexpected { found: found.into(), expected: expected.into() };
    ReadError { place: place.into(), kind }
}
