//! What can be wrong with a BVH file, and where.

use super::lines::MAX_LINE;
use thiserror::Error;

/// Something in a file that was mended or passed over while reading it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct Warning {
    /// The line it is about, counted from 1.
    pub line: usize,
    /// What was found and what was made of it.
    pub message: String,
}

/// Why a BVH text cannot be read.
#[derive(Debug, Error)]
#[error("line {line}: {kind}")]
pub struct ReadError {
    /// The line it is about, counted from 1; the last line when something is missing.
    pub line: usize,
    /// What is wrong.
    pub kind: ReadErrorKind,
}

/// What is wrong with a BVH text.
#[derive(Debug, Error)]
pub enum ReadErrorKind {
    /// The bytes could not be had.
    #[error("cannot read: {0}")]
    Io(std::io::Error),
    /// The first word is none that a BVH file begins with.
    #[error("this is not a BVH file: found {found}, expected HIERARCHY")]
    NotBvh {
        /// The beginning of the file.
        found: String,
    },
    /// Something that cannot stand here.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// What stands here.
        found: String,
        /// What may stand here, and where it helps, what to do.
        expected: &'static str,
    },
    /// A second root, or a joint after the root was closed.
    #[error(
        "found a second root, {found}, expected MOTION: only files with one figure can be read, \
         so save the figures as one file each"
    )]
    SecondRoot {
        /// The second root.
        found: String,
    },
    /// A joint without `OFFSET`.
    #[error("joint {joint} has no OFFSET: found the end of the joint, expected OFFSET x y z")]
    MissingOffset {
        /// The name of the joint, quoted.
        joint: String,
    },
    /// A channel that is none of the six.
    #[error(
        "found channel {found}, expected Xposition, Yposition, Zposition, Xrotation, Yrotation or \
         Zrotation"
    )]
    UnknownChannel {
        /// The word that should be a channel.
        found: String,
    },
    /// The same channel twice in a joint.
    #[error("found channel {found} for the second time, expected each channel once")]
    RepeatedChannel {
        /// The repeated channel.
        found: String,
    },
    /// A number of channels that is not the number of names behind it.
    #[error("found {found} channel names, expected {declared} as the number before them says")]
    ChannelCount {
        /// The number before the names.
        declared: usize,
        /// How many names there are.
        found: usize,
    },
    /// Something else where a number should be.
    #[error("found {found}, expected a number")]
    NotANumber {
        /// What stands there.
        found: String,
    },
    /// A number that is no length and no angle.
    #[error(
        "found {found}, expected a number of at most 1e12: the motion was broken by what wrote it"
    )]
    TooLarge {
        /// What stands there.
        found: String,
    },
    /// Not-a-number, infinity or a number too large for `f64`.
    #[error("found {found}, expected a finite number: the motion was broken by what wrote it")]
    NotFinite {
        /// What stands there.
        found: String,
    },
    /// A frame time that is not a positive number.
    #[error("found {found}, expected \"Frame Time:\" and the seconds from one frame to the next")]
    FrameTime {
        /// What stands there.
        found: String,
    },
    /// A frame with too few or too many values.
    #[error("found a frame of {found} values, expected {expected}, one for each channel")]
    FrameLength {
        /// How many values there are.
        found: usize,
        /// How many channels there are.
        expected: usize,
    },
    /// The file ends before the word `MOTION`.
    #[error("found the end of the file, expected MOTION: the file was cut, or has no motion")]
    NoMotion,
    /// No joint has a channel.
    #[error("found no channel in the whole hierarchy, expected at least one: nothing can move")]
    NoChannels,
    /// The motion section holds no complete frame.
    #[error("no frames: found the end of the motion, expected at least one frame")]
    NoFrames,
    /// More than this reader takes, so that no file can exhaust the memory.
    #[error("found {what}, expected at most {limit}")]
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// How much is accepted.
        limit: usize,
    },
}

impl ReadErrorKind {
    /// The error for a line above [`MAX_LINE`].
    pub(super) fn line_too_long() -> Self {
        Self::Limit { what: "a longer line", limit: MAX_LINE }
    }

    /// The error at `line`.
    pub(super) fn at(self, line: usize) -> ReadError {
        ReadError { line, kind: self }
    }
}

/// Why a pose or a clip cannot be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The bytes could not be put down.
    #[error("cannot write: {0}")]
    Io(#[from] std::io::Error),
    /// A pose of another skeleton.
    #[error("found a pose of {found} joints, expected {expected}")]
    PoseLength {
        /// Joints of the pose.
        found: usize,
        /// Joints of the hierarchy.
        expected: usize,
    },
    /// A pose with a number that is not finite.
    #[error("frame {frame}, joint {joint}: found a number that is not finite")]
    NotFinite {
        /// The frame, counted from 0.
        frame: usize,
        /// The name of the joint, quoted.
        joint: String,
    },
    /// A frame time that is not a positive number.
    #[error("found a frame time of {0} s, expected a positive number")]
    FrameTime(f64),
    /// More or fewer poses than announced.
    #[error("found {found} frames, expected {declared} as announced")]
    FrameCount {
        /// Frames announced.
        declared: usize,
        /// Frames written.
        found: usize,
    },
}

/// Some bytes of a file for a message: quoted, escaped, not too many.
pub(super) fn quoted(bytes: &[u8]) -> String {
    const SHOWN: usize = 40;
    let shown = &bytes[..bytes.len().min(SHOWN)];
    let dots = if bytes.len() > SHOWN { "..." } else { "" };
    format!("{:?}{dots}", bstr::BStr::new(shown))
}

/// The error for `found` where `expected` should be.
pub(super) fn unexpected(found: &[u8], expected: &'static str) -> ReadErrorKind {
    let found = match found.trim_ascii() {
        b"" => "the end of the line".into(),
        found => quoted(found),
    };
    ReadErrorKind::Unexpected { found, expected }
}
