//! Why a batch, or a clip of it, cannot be done.

use rebone::CharacterError;
use rebone::skeleton::{FileError, bvh, gltf};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, io};
use thiserror::Error;

/// Why a batch cannot be done.
#[derive(Debug, Error)]
pub enum BatchError {
    /// The request asks for something that is never done, such as two results under one name.
    #[error("{0}")]
    Request(String),
    /// An input or a rule cannot be used.
    #[error("{0}")]
    Input(String),
    /// A clip, a rig or a card cannot be used.
    #[error(transparent)]
    Retarget(#[from] rebone::Error),
    /// A rig cannot be used, for a reason that its clips share.
    #[error("{}", .0.message)]
    Fault(Fault),
    /// The system cannot read or write a file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another error, with the file that it is of.
    #[error("{context}")]
    Context {
        /// File, and what cannot be done with it.
        context: String,
        /// The cause.
        #[source]
        error: Box<Self>,
    },
    /// The caller stopped the work.
    #[error("interrupted")]
    Interrupted,
}

/// Converts errors of the library by way of [`rebone::Error`].
macro_rules! from_library {
    ($($error:ty),*) => {$(
        impl From<$error> for BatchError {
            fn from(error: $error) -> Self {
                Self::Retarget(error.into())
            }
        }
    )*};
}
from_library!(CharacterError, FileError, gltf::ReadError, gltf::WriteError);

/// Adds a file, and what cannot be done with it, to an error.
pub(crate) fn context<T, E: Into<BatchError>>(
    result: Result<T, E>,
    context: impl FnOnce() -> String,
) -> Result<T, BatchError> {
    result.map_err(|error| match error.into() {
        BatchError::Interrupted => BatchError::Interrupted,
        error => BatchError::Context { context: context(), error: Box::new(error) },
    })
}

/// Removes a file; its name is in the error.
pub(crate) fn remove(path: &Path) -> Result<(), BatchError> {
    context(fs::remove_file(path), || format!("cannot remove {}", path.display()))
}

/// Fails when the caller wants the work to stop.
pub(crate) fn check(stop: &AtomicBool) -> Result<(), BatchError> {
    if stop.load(Ordering::Relaxed) { Err(BatchError::Interrupted) } else { Ok(()) }
}

/// Why a result was not made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Class of the fault, as a summary counts it.
    pub kind: FaultKind,
    /// Found and expected, and advice.
    pub message: String,
}

/// Classes of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum FaultKind {
    /// Options that do not fit each other or the files.
    Options,
    /// Guesses on roles or calibration are below confidence.
    LowConfidence,
    /// A file of no known format, or a broken one.
    Format,
    /// A skeleton without the limbs of a human.
    NoHumanoid,
    /// A card that does not fit.
    Card,
    /// A shard makes no cards, and there is none for a rig class.
    NoCard,
    /// A file cannot be read.
    Unreadable,
    /// A result cannot be written.
    Unwritable,
    /// The disk is full.
    DiskFull,
    /// The library panicked.
    Panic,
    /// Anything else.
    Other,
}

impl FaultKind {
    const ALL: [(Self, &str); 11] = [
        (Self::Options, "options that do not fit"),
        (Self::LowConfidence, "guesses below confidence"),
        (Self::Format, "no motion file that can be read"),
        (Self::NoHumanoid, "not a humanoid"),
        (Self::Card, "a card has to be corrected"),
        (Self::NoCard, "no card for the rig class"),
        (Self::Unreadable, "cannot be read"),
        (Self::Unwritable, "cannot be written"),
        (Self::DiskFull, "the disk is full"),
        (Self::Panic, "a fault of this program"),
        (Self::Other, "other"),
    ];
}

impl Display for FaultKind {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(Self::ALL[*self as usize].1)
    }
}

impl From<FaultKind> for String {
    fn from(kind: FaultKind) -> Self {
        kind.to_string()
    }
}

impl From<String> for FaultKind {
    fn from(text: String) -> Self {
        let found = Self::ALL.iter().find(|(_, name)| *name == text);
        found.map_or(Self::Other, |(kind, _)| *kind)
    }
}

impl Fault {
    /// Describes an error in one line.
    pub(crate) fn of(error: &BatchError) -> Self {
        if let BatchError::Fault(fault) = error {
            return fault.clone();
        }
        let mut message = rebone::error_line(error);
        message.extend(help(error).map(|help| format!("; {help}")));
        let kind = kind(error);
        if kind == FaultKind::DiskFull {
            message = format!("{kind}: {message}");
        }
        Self { kind, message }
    }

    /// Names the disk where it is full; other errors stay.
    pub(crate) fn named_disk(error: BatchError) -> BatchError {
        match Self::of(&error) {
            fault if fault.kind == FaultKind::DiskFull => BatchError::Fault(fault),
            _ => error,
        }
    }
}

/// Advice against an error.
fn help(error: &BatchError) -> Option<String> {
    match error {
        BatchError::Context { error, .. } => help(error),
        BatchError::Retarget(rebone::Error::Character(CharacterError::LowConfidence {
            card_lines,
            ..
        })) => Some(format!(
            "put this into the card of its rig class, corrected where it is wrong, or go on with --accept-guesses:\n\
             {card_lines}"
        )),
        BatchError::Retarget(error) => error.help().map(str::to_owned),
        _ => None,
    }
}

/// Runs work on a clip; a panic fails this clip alone.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let message = "the program crashed on this clip: please report it with the clip";
        Err(Fault { kind: FaultKind::Panic, message: message.to_owned() })
    })
}

/// Returns whether a disk has no place for more.
fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

fn kind(error: &BatchError) -> FaultKind {
    match error {
        BatchError::Request(_) => FaultKind::Options,
        BatchError::Io(error) if is_full(error) => FaultKind::DiskFull,
        BatchError::Io(_) => FaultKind::Unreadable,
        BatchError::Context { error, .. } => kind(error),
        BatchError::Retarget(error) => kind_of(error),
        BatchError::Fault(fault) => fault.kind,
        BatchError::Input(_) | BatchError::Interrupted => FaultKind::Other,
    }
}

fn kind_of(error: &rebone::Error) -> FaultKind {
    use rebone::Error::{Bvh, Character, Gltf, Io, Save};
    match error {
        Character(error) => kind_of_character(error),
        error if error.is_usage() => FaultKind::Options,
        Io(error) | Gltf(gltf::WriteError::Io(error)) | Bvh(bvh::WriteError::Io(error))
            if is_full(error) =>
        {
            FaultKind::DiskFull
        }
        Save { error, .. } => kind_of(error),
        _ => FaultKind::Other,
    }
}

fn kind_of_character(error: &CharacterError) -> FaultKind {
    use CharacterError::{Analysis, Card, File, LowConfidence, Pose, Text};
    match error {
        LowConfidence { .. } => FaultKind::LowConfidence,
        error if error.is_usage() => FaultKind::Options,
        File(FileError::Open { .. }) | Text { .. } => FaultKind::Unreadable,
        File(FileError::NoClip { .. } | FileError::Skin { .. } | FileError::Joint { .. }) => {
            FaultKind::Other
        }
        File(_) => FaultKind::Format,
        Analysis { error, .. } if error.is_no_humanoid() => FaultKind::NoHumanoid,
        Analysis { .. } | Card { .. } => FaultKind::Card,
        Pose { error, .. } => kind_of_character(error),
        _ => FaultKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_faults_read_back() {
        for (index, (kind, name)) in FaultKind::ALL.into_iter().enumerate() {
            assert_eq!((kind as usize, kind.to_string().as_str()), (index, name));
            assert_eq!(FaultKind::from(name.to_owned()), kind);
        }
    }
}
