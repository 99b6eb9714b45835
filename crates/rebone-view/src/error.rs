//! Errors of pictures and pages.

use rebone::RetargetError;
use thiserror::Error;

/// A picture or page that cannot be made.
#[derive(Debug, Error)]
pub enum ViewError {
    /// The pose to draw cannot be solved.
    #[error("cannot draw the target in poses of the source")]
    Pose(#[from] RetargetError),
    /// The data of a page are no JSON.
    #[error("cannot write the data of the page as JSON")]
    Json(#[from] serde_json::Error),
}
