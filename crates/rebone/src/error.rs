//! Why a motion cannot be retargeted.

use crate::body::BodyError;
use crate::card::CardError;
use crate::roles::RolesError;
use rebone_ik::IkError;
use thiserror::Error;

/// Why a skeleton cannot be understood.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// Joints of a body were not found.
    #[error(transparent)]
    Roles(#[from] RolesError),
    /// The card cannot be used.
    #[error(transparent)]
    Card(#[from] CardError),
    /// The card names a file for the calibration pose, but the pose was not given.
    #[error("the card takes the calibration pose from {0}: read it and give it in the hints")]
    PoseNotRead(String),
    /// The joints with roles are no body.
    #[error(transparent)]
    Body(#[from] BodyError),
}

/// Why a motion cannot be retargeted.
#[derive(Debug, Error)]
pub enum RetargetError {
    /// The source is not understood.
    #[error("the source is not understood")]
    Source(#[source] AnalysisError),
    /// The target is not understood.
    #[error("the target is not understood")]
    Target(#[source] AnalysisError),
    /// The target's joints do not form the chains that the stages need.
    #[error("the stages cannot be set up")]
    Stages(#[from] IkError),
}

/// An error and its causes as one line: `cannot read a.bvh: line 3: found x, expected y`. A cause that its context quotes
/// already does not stand twice.
///
/// ```
/// let error = rebone::open("no-such.bvh").unwrap_err();
/// assert!(rebone::error_line(&error).starts_with("no-such.bvh: cannot open: "));
/// ```
pub fn error_line(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.fold(String::new(), |mut line, cause| {
        let cause = cause.to_string();
        if !line.ends_with(&cause) {
            line.push_str(if line.is_empty() { "" } else { ": " });
            line.push_str(&cause);
        }
        line
    })
}
