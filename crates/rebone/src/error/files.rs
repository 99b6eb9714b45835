//! Errors of retargets from files to files.

use super::RetargetError;
use crate::watch::Stopped;
use rebone_body::{CharacterError, LineError, ValueError};
#[cfg(feature = "disk")]
use rebone_skeleton::file::FileKind;
use rebone_skeleton::file::FormatError;
use rebone_skeleton::{ClipError, FileError, bvh, gltf};
use std::path::PathBuf;
use thiserror::Error;

/// Reason why a motion cannot be retargeted from file to file.
#[derive(Debug, Error)]
pub enum Error {
    /// Source, target or a file about them cannot be used.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// A file of contacts is invalid.
    #[error("{}:{}: {}", path.display(), error.line, error.message)]
    Contacts {
        /// The file.
        path: PathBuf,
        /// The line.
        error: LineError,
    },
    /// The work was stopped by its watch.
    #[error("stopped")]
    Stopped,
    /// A clip is no motion of its skeleton, or cannot be resampled.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// An option is out of its bounds.
    #[error(transparent)]
    Option(#[from] ValueError),
    /// Options or statements do not fit each other or the characters.
    #[error("{0}")]
    Conflict(String),
    /// The target's joints do not form the chains that the stages need, or a body lacks what the method needs.
    #[error(transparent)]
    Stages(Box<RetargetError>),
    /// The name of the result stands for a format that is not written.
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
        error: Box<Error>,
    },
    /// A BVH cannot hold it, or the output fails.
    #[error(transparent)]
    Bvh(#[from] bvh::WriteError),
    /// A glTF cannot hold it.
    #[error(transparent)]
    Gltf(#[from] gltf::WriteError),
    /// The target's glTF cannot be read again.
    #[error(transparent)]
    Document(#[from] gltf::ReadError),
    /// The output fails.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// Only a VRM can be written as a VRM, and as a whole.
    #[error("cannot write {name}: {why} no VRM; name it {}, or .vrma", other.display())]
    NoVrm {
        /// The name of the result.
        name: String,
        /// The subject that is no VRM, with its verb.
        why: &'static str,
        /// A name that would do.
        other: PathBuf,
    },
    /// An output is there already, and of another kind than what would replace it.
    #[cfg(feature = "disk")]
    #[error("{} is {found}, and {kind} would replace it", path.display())]
    OtherKind {
        /// The output.
        path: PathBuf,
        /// The kind of the file that is there.
        found: FileKind,
        /// The kind that would be written.
        kind: FileKind,
    },
    /// The target's glTF names files beside it, which the result would not find.
    #[error(
        "{} names {file:?}, which is beside it: write the result into the same folder, pack its files into a .glb, or \
         take --animation-only",
        target.display()
    )]
    FilesBeside {
        /// The target.
        target: PathBuf,
        /// The first file that it names.
        file: String,
    },
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        Self::Character(error.into())
    }
}

impl From<Stopped> for Error {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl Error {
    /// Returns advice for users of the program.
    pub fn help(&self) -> Option<&'static str> {
        let Self::Character(error) = self else { return None };
        error.help()
    }

    /// Returns whether options or statements are at fault, and not a file.
    pub fn is_usage(&self) -> bool {
        #[cfg(feature = "disk")]
        if matches!(self, Self::OtherKind { .. }) {
            return true;
        }
        match self {
            Self::Character(error) => error.is_usage(),
            Self::Input { .. } | Self::NoVrm { .. } => true,
            Self::Option(_) | Self::Conflict(_) | Self::Format(_) => true,
            _ => false,
        }
    }
}
