//! Errors: of an analysis, of texts that users write, and of characters in files.

#[cfg(feature = "files")]
mod files;

#[cfg(feature = "files")]
pub use files::CharacterError;

use rebone_skeleton::{ClipError, JointId, Skeleton};
use thiserror::Error;

/// Reason why a skeleton cannot be analysed: mostly that it is not recognised as a humanoid.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// Limbs are missing.
    #[error("no humanoid: {}", missing.join("; "))]
    NoLimbs {
        /// Limbs that were searched for and not found, one text each.
        missing: Vec<String>,
    },
    /// A role that follows from the tree between other roles is stated for other joints.
    #[error(
        "{role} is what lies between arms, legs and head: {expected}; take its line away, or change \
         theirs"
    )]
    Follows {
        /// Name of the role.
        role: String,
        /// Joints between the other roles.
        expected: String,
    },
    /// The skeleton has the limbs, but those of an animal.
    #[error("no humanoid but an animal: {}", evidence.join("; "))]
    Animal {
        /// Evidence for it, one text each.
        evidence: Vec<String>,
    },
    /// No joint plays a required role, or the joints do not form a body: too many, or without length.
    #[error("no humanoid: {0}")]
    NoBody(String),
    /// The card does not fit the skeleton.
    #[error("card {0}")]
    Card(#[from] LineError),
    /// The card names a file for the calibration pose, but the hints do not hold the pose.
    #[error("the card takes the calibration pose from {0}: read it and give it in the hints")]
    PoseNotRead(String),
    /// The hints of a [`Learner`](crate::Learner) hold the calibration pose: nothing is left to learn.
    #[error(
        "the calibration pose is given already (pose_from or [pose]), nothing is left to learn"
    )]
    PoseGiven,
    /// A clip for a [`Learner`](crate::Learner) has another skeleton; holds the first difference.
    #[error("it is not of the same rig: {0}")]
    OtherSkeleton(String),
    /// The source is not recognised.
    #[error("the source is not recognised")]
    Source(#[source] Box<AnalysisError>),
    /// The target is not recognised.
    #[error("the target is not recognised")]
    Target(#[source] Box<AnalysisError>),
    /// The clip is no motion of the skeleton.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// A joint or a number that is not one of the skeleton.
    #[error(transparent)]
    Value(#[from] ValueError),
}

impl AnalysisError {
    /// Returns whether the skeleton is not recognised as a humanoid.
    pub fn is_no_humanoid(&self) -> bool {
        matches!(
            self,
            Self::NoLimbs { .. } | Self::Follows { .. } | Self::Animal { .. } | Self::NoBody(_)
        )
    }
}

/// An invalid line of a card, a map or a file of contacts.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct LineError {
    /// The line, counted from 1; 0 for a card that was not read.
    pub line: usize,
    /// The value found, and what was expected.
    pub message: String,
}

/// An invalid value of an option or of a statement on a skeleton; the message holds what is expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ValueError(pub String);

impl ValueError {
    /// Checks that joints are of a skeleton.
    pub(crate) fn check_joints(
        skeleton: &Skeleton,
        joints: impl IntoIterator<Item = JointId>,
    ) -> Result<(), Self> {
        let count = skeleton.len();
        match joints.into_iter().find(|joint| joint.index() >= count) {
            Some(JointId(joint)) => {
                Err(Self(format!("found joint {joint}, expected one of the skeleton's {count}")))
            }
            None => Ok(()),
        }
    }
}

/// An error and its causes as one line: `cannot read a.bvh: line 3: found x, expected y`. A cause that its context quotes
/// already does not stand twice.
///
/// ```
/// let error = rebone_body::Character::open("no-such.bvh", Default::default()).unwrap_err();
/// assert!(rebone_body::error_line(&error).starts_with("no-such.bvh: cannot open: "));
/// ```
pub fn error_line(error: &dyn std::error::Error) -> String {
    error_causes(error).join(": ")
}

/// Returns an error and its causes, as texts. One that quotes its cause stands for both.
pub fn error_causes(error: &dyn std::error::Error) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for cause in std::iter::successors(Some(error), |error| error.source()) {
        let text = cause.to_string();
        if texts.last().is_none_or(|before| !before.ends_with(&text)) {
            texts.push(text);
        }
    }
    texts
}
