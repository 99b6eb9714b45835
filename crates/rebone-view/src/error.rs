//! Errors of pictures.

use rebone::RetargetError;
use thiserror::Error;

/// A picture that cannot be made.
#[derive(Debug, Error)]
pub enum ViewError {
    /// The pose to draw cannot be solved.
    #[error("cannot draw the target in poses of the source")]
    Pose(#[from] RetargetError),
}
