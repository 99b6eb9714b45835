//! Errors of Acclaim files, with their line.

use crate::bvh;
use thiserror::Error;

/// Reason why an ASF or an AMC cannot be read.
#[derive(Debug, Error)]
#[error("line {line}: {kind}")]
pub struct ReadError {
    /// The line it is about, counted from 1; the last line when something is missing.
    pub line: usize,
    /// The fault.
    pub kind: ReadErrorKind,
}

/// Faults of an ASF or an AMC.
#[derive(Debug, Error)]
pub enum ReadErrorKind {
    /// A line, a word or a number that cannot be read, as in a BVH.
    #[error(transparent)]
    Text(bvh::ReadErrorKind),
    /// A part that every skeleton needs is not there.
    #[error("found the end of the file, expected {expected}: the skeleton was cut, or is no ASF")]
    MissingPart {
        /// The part.
        expected: &'static str,
    },
    /// A motion in place of a skeleton.
    #[error("found {found}, expected a keyword of a skeleton: this is a motion, not a skeleton")]
    Motion {
        /// The keyword or the number of a frame, quoted.
        found: String,
    },
    /// A bone without one of its lines.
    #[error("bone {bone} has no {line}: found the end of the bone, expected {expected}")]
    MissingLine {
        /// The bone's name, quoted.
        bone: String,
        /// The first word of the line.
        line: &'static str,
        /// The line.
        expected: &'static str,
    },
    /// A bone whose direction has no length.
    #[error("bone {bone} has the direction 0 0 0, expected one of length 1")]
    NoDirection {
        /// The bone's name, quoted.
        bone: String,
    },
    /// A bone for the second time, where it may be once.
    #[error("found bone {bone} for the second time, expected it once {place}")]
    RepeatedBone {
        /// The bone's name, quoted.
        bone: String,
        /// The part of the file in which it may be once.
        place: &'static str,
    },
    /// A bone that the skeleton does not have.
    #[error("found bone {bone}, expected one of the skeleton{advice}")]
    UnknownBone {
        /// The bone's name, quoted.
        bone: String,
        /// A remedy.
        advice: &'static str,
    },
    /// A bone with too few or too many values.
    #[error(
        "bone {bone}: found {found} values, expected {expected}, one for each dof of the skeleton: is it the \
         skeleton of this motion?"
    )]
    ValueCount {
        /// The bone's name, quoted.
        bone: String,
        /// The number of values.
        found: usize,
        /// The number of degrees of freedom.
        expected: usize,
    },
    /// A frame without one of the bones that move.
    #[error("frame {frame} has no bone {bone}, expected all bones with a dof in each frame")]
    MissingBone {
        /// The frame's number in the file.
        frame: u64,
        /// The bone's name, quoted.
        bone: String,
    },
    /// The motion holds no complete frame.
    #[error("no frames: found the end of the motion, expected at least one frame")]
    NoFrames,
}

impl From<bvh::ReadErrorKind> for ReadErrorKind {
    fn from(kind: bvh::ReadErrorKind) -> Self {
        Self::Text(kind)
    }
}

impl From<bvh::ReadError> for ReadError {
    fn from(bvh::ReadError { line, kind }: bvh::ReadError) -> Self {
        Self { line, kind: ReadErrorKind::Text(kind) }
    }
}

impl ReadErrorKind {
    /// The error at `line`.
    pub(super) fn at(self, line: usize) -> ReadError {
        ReadError { line, kind: self }
    }
}
