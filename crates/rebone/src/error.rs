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
