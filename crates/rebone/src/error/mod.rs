//! Errors of retargets: of two bodies, and of files.

#[cfg(feature = "files")]
mod files;

#[cfg(feature = "files")]
pub use files::Error;

use crate::watch::Stopped;
use rebone_body::{AnalysisError, ValueError};
use rebone_ik::IkError;
use rebone_skeleton::ClipError;
use thiserror::Error;

/// Reason why a motion cannot be retargeted.
#[derive(Debug, Error)]
pub enum RetargetError {
    /// Source or target cannot be analysed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// The clip is no motion of the skeleton.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// A joint or a number that is not one of the skeleton.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// A body has no surface to measure egocentric coordinates from.
    #[error(
        "the {body} has no surface: no part of its trunk has a length; use --method ik, or name hips, chest and neck in a \
         rig card"
    )]
    NoSurface {
        /// `source` or `target`.
        body: &'static str,
    },
    /// There is no motion to grade.
    #[error("there is no verdict: {0}")]
    NoVerdict(String),
    /// The work was stopped by its watch.
    #[error("stopped")]
    Stopped,
    /// The target's joints do not form the chains that the stages need.
    #[error("the stages cannot be set up")]
    Stages(#[from] IkError),
}

impl From<Stopped> for RetargetError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}
