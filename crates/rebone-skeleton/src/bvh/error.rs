//! Errors and warnings of BVH files, with their line.

use thiserror::Error;

/// The longest line that is read, in bytes: a frame of 100,000 joints fits.
pub(super) const MAX_LINE: usize = 16 << 20;

/// A part of a file that was repaired or skipped while reading it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct Warning {
    /// The line it is about, counted from 1.
    pub line: usize,
    /// The finding, and how it was read.
    pub message: String,
}

/// Reason why a BVH text cannot be read.
#[derive(Debug, Error)]
#[error("line {line}: {kind}")]
pub struct ReadError {
    /// The line it is about, counted from 1; the last line when something is missing.
    pub line: usize,
    /// The fault.
    pub kind: ReadErrorKind,
}

/// Faults of a BVH text.
#[derive(Debug, Error)]
pub enum ReadErrorKind {
    /// The bytes could not be read.
    #[error("cannot read: {0}")]
    Io(std::io::Error),
    /// The first word is not HIERARCHY or ROOT.
    #[error("this is not a BVH file: found {found}, expected HIERARCHY")]
    NotBvh {
        /// The beginning of the file.
        found: String,
    },
    /// A word that the grammar does not allow here.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// The text found.
        found: String,
        /// The text expected, with a remedy where one helps.
        expected: &'static str,
    },
    /// A root within a joint, or a joint after the root was closed.
    #[error(
        "found {found} at a place where no joint can be, expected JOINT within the root, or behind it ROOT or MOTION"
    )]
    SecondRoot {
        /// The joint, quoted.
        found: String,
    },
    /// The file has no root of the name that is wanted, or several.
    #[error("--joint: found no ROOT {wanted} of its own, expected {choices}")]
    NoRoot {
        /// The name, quoted.
        wanted: String,
        /// The options that choose a root.
        choices: String,
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
    /// A channel that a joint has already.
    #[error("found channel {found} for the second time, expected each channel once")]
    RepeatedChannel {
        /// The repeated channel.
        found: String,
    },
    /// A number of channels that is not the number of names after it.
    #[error("found {found} channel names, expected {declared} as the number before them says")]
    ChannelCount {
        /// The number before the names.
        declared: usize,
        /// The number of names.
        found: usize,
    },
    /// A word that is no number.
    #[error("found {found}, expected a number")]
    NotANumber {
        /// The text found.
        found: String,
    },
    /// A number that is no length and no angle.
    #[error(
        "found {found}, expected a number of at most 1e12: the motion was broken by what wrote it"
    )]
    TooLarge {
        /// The text found.
        found: String,
    },
    /// Not-a-number, infinity or a number too large for `f64`.
    #[error("found {found}, expected a finite number: the motion was broken by what wrote it")]
    NotFinite {
        /// The text found.
        found: String,
    },
    /// A frame time that is not a positive number.
    #[error(
        "found {found}, expected \"Frame Time:\" and the seconds from one frame to the next, more than 0: 0.0333333 for 30 frames \
         a second"
    )]
    FrameTime {
        /// The text found.
        found: String,
    },
    /// A frame with too few or too many values.
    #[error("found a frame of {found} values, expected {expected}, one for each channel")]
    FrameLength {
        /// The number of values.
        found: usize,
        /// The number of channels.
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
        /// The quantity that exceeds its limit.
        what: &'static str,
        /// The limit.
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

/// Reason why a pose or a clip cannot be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The bytes could not be written.
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
    /// A number that readers of the file refuse.
    #[error("frame {frame}, joint {joint}: found {found:e}, expected a number of at most 1e12")]
    TooLarge {
        /// The frame, counted from 0.
        frame: usize,
        /// The name of the joint, quoted.
        joint: String,
        /// The number.
        found: f64,
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
pub(crate) fn quoted(bytes: &[u8]) -> String {
    const SHOWN: usize = 40;
    let shown = &bytes[..bytes.len().min(SHOWN)];
    let dots = if bytes.len() > SHOWN { "..." } else { "" };
    format!("{:?}{dots}", bstr::BStr::new(shown))
}

/// The error for `found` where `expected` should be.
pub(crate) fn unexpected(found: &[u8], expected: &'static str) -> ReadErrorKind {
    let found = match found.trim_ascii() {
        b"" => "the end of the line".into(),
        found => quoted(found),
    };
    ReadErrorKind::Unexpected { found, expected }
}
