//! Why a motion cannot be retargeted.

use crate::understand::{Role, RolesError};
use rebone_ik::IkError;
use thiserror::Error;

/// Why a skeleton cannot be understood.
#[derive(Debug, Error)]
pub enum UnderstandError {
    /// Joints of a body were not found.
    #[error(transparent)]
    Roles(#[from] RolesError),
    /// A role that the body needs is played by no joint.
    #[error("no humanoid: no joint plays the {0:?}; name it in a rig card")]
    Missing(Role),
}

/// Why a motion cannot be retargeted.
#[derive(Debug, Error)]
pub enum RetargetError {
    /// The source is not understood.
    #[error("the source is not understood")]
    Source(#[source] UnderstandError),
    /// The target is not understood.
    #[error("the target is not understood")]
    Target(#[source] UnderstandError),
    /// The target's joints do not form the chains that the stages need.
    #[error("the stages cannot be set up")]
    Stages(#[from] IkError),
}
