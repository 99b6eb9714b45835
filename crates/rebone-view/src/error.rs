//! Errors of pictures.

use rebone::RetargetError;
use rebone::skeleton::ClipError;
use thiserror::Error;

/// A picture that cannot be made.
#[derive(Debug, Error)]
pub enum ViewError {
    /// The pose to draw cannot be solved.
    #[error("cannot draw the target in poses of the source")]
    Pose(#[from] RetargetError),
    /// A clip or a pose is not of its skeleton.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// A picture of more columns than a picture has.
    #[error("found {found} columns, expected {most} at most")]
    Columns {
        /// Columns.
        found: usize,
        /// Largest number.
        most: usize,
    },
    /// An animation of more frames than one has.
    #[error("found {found} frames, expected {most} at most")]
    Frames {
        /// Frames.
        found: usize,
        /// Largest number.
        most: usize,
    },
    /// An evaluation of longer clips.
    #[error("the evaluation is of other clips: found {found} frames, expected {most} at most")]
    Evaluation {
        /// Evaluated frames.
        found: usize,
        /// Frames of the shorter clip.
        most: usize,
    },
    /// The data of a page are no JSON.
    #[error("cannot write the data of the page as JSON")]
    Json(#[from] serde_json::Error),
}
