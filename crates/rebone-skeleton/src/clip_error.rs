//! Why clips and poses are refused.

use crate::JointId;
use std::ops::Range;
use thiserror::Error;

/// Why a clip or a pose is not one of a skeleton, or has no such frames.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ClipError {
    /// It has another number of joints.
    #[error("the clip is of another skeleton: found {found} joints, expected {expected}")]
    Joints {
        /// Joints of the clip.
        found: usize,
        /// Joints of the skeleton.
        expected: usize,
    },
    /// A pose has another number of rotations or translations.
    #[error("the pose is of another skeleton: found {found} joints, expected {expected}")]
    Pose {
        /// Joints of the pose.
        found: usize,
        /// Joints of the skeleton or clip.
        expected: usize,
    },
    /// Flat lists that are not so many whole frames.
    #[error(
        "found lists of {} rotations and {} translations, expected the same number of frames of {} and {}",
        found[0], found[1], width[0], width[1]
    )]
    Parts {
        /// Lengths of the lists.
        found: [usize; 2],
        /// Rotations and translations of a frame.
        width: [usize; 2],
    },
    /// Other joints can move.
    #[error("the clip is of another skeleton: found other joints that can move, expected {0:?}")]
    MovingJoints(Vec<JointId>),
    /// Frames beyond the end.
    #[error("found the frames {found:?}, expected frames of a clip of {frames}")]
    Frames {
        /// The range.
        found: Range<usize>,
        /// The number of frames.
        frames: usize,
    },
    /// First frames of segments that are not in rising order, or beyond the end.
    #[error("found cuts at the frames {found:?}, expected rising numbers up to {last}")]
    Cuts {
        /// The cuts.
        found: Vec<usize>,
        /// The last frame.
        last: usize,
    },
    /// A resampled clip would have more frames than memory has bytes.
    #[error("found a frame time of {0} s, expected one that gives fewer frames")]
    TooManyFrames(f64),
    /// The frame time is no positive number.
    #[error("found a frame time of {0} s, expected a positive number")]
    FrameTime(f64),
    /// A rotation or translation is not finite.
    #[error("frame {frame}, joint {joint}: found a transform that is not finite, expected numbers")]
    NotFinite {
        /// The frame, counted from 0.
        frame: usize,
        /// The joint.
        joint: String,
    },
}
