//! Why a character's motion cannot be given to another.

use crate::character::{CharacterError, LowConfidence};
use crate::clip::ClipError;
use crate::export::WriteError;
use crate::options::OptionError;
use rebone_ik::IkError;
use rebone_skeleton::FileError;
use rebone_skeleton::file::FormatError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a character's motion cannot be given to another.
#[derive(Debug, Error)]
pub enum Error {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Source or target, or what is known of them, cannot be used.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// A guess on source or target is below confidence, and [`Options::accept_guesses`](crate::Options::accept_guesses)
    /// is off.
    #[error(transparent)]
    LowConfidence(#[from] LowConfidence),
    /// The clip, or the part of it that is wanted, cannot be used.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// An option is out of its bounds.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Options do not fit each other or the characters.
    #[error("{0}")]
    Conflict(String),
    /// The target's joints do not form the chains that the stages need.
    #[error(transparent)]
    Stages(#[from] IkError),
    /// The name of the result says a format that is not written.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The result would replace an input.
    #[error(
        "the output {} is the same file as the input {}: an input is never changed", output.display(), input.display()
    )]
    Input {
        /// The result.
        output: PathBuf,
        /// The input.
        input: PathBuf,
    },
    /// The result cannot be written.
    #[error("cannot write {}", path.display())]
    Save {
        /// The result.
        path: PathBuf,
        /// The cause.
        #[source]
        error: WriteError,
    },
    /// The result cannot be written to memory.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Error {
    /// Whether the options are at fault, and not a file.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Character(error) => error.is_usage(),
            Self::Clip(error) => matches!(error, ClipError::BehindEnd { .. }),
            Self::Option(_) | Self::Conflict(_) | Self::Format(_) | Self::Input { .. } => true,
            Self::Write(error) => matches!(error, WriteError::NoVrm { .. }),
            _ => false,
        }
    }
}
