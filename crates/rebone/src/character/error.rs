//! Why a character cannot be used.

use super::confidence::LowConfidence;
#[cfg(feature = "disk")]
use super::text::TextError;
use crate::body::SignedAxis;
use crate::card::CardError;
use crate::card::map::MapFault;
use crate::error::AnalysisError;
use crate::roles::RolesError;
use rebone_skeleton::FileError;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a character cannot be used.
#[derive(Debug, Error)]
pub enum CharacterError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A card or a map cannot be read.
    #[cfg(feature = "disk")]
    #[error(transparent)]
    Text(#[from] TextError),
    /// A card is wrong.
    #[error("{}:{}: {}", path.display(), error.line, error.fault)]
    Card {
        /// The card.
        path: PathBuf,
        /// Line, and what is wrong.
        error: Box<CardError>,
    },
    /// A map of joints is wrong.
    #[error("{}:{line}: {fault}", path.display())]
    Map {
        /// The map.
        path: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// What is wrong.
        fault: Box<MapFault>,
    },
    /// Up and facing lie on one axis.
    #[error("up {up} and facing {facing} cannot both be: they lie on one axis")]
    Axes {
        /// The stated up axis.
        up: SignedAxis,
        /// The stated facing axis.
        facing: SignedAxis,
    },
    /// The calibration pose that is named cannot be used.
    #[error("{}{error}", card_line.as_ref().map_or(String::new(), |line| format!("{line}: ")))]
    Pose {
        /// Card and line that name the pose, where a card does.
        card_line: Option<String>,
        /// What is wrong.
        error: Box<PoseError>,
    },
    /// The skeleton is not recognised as a body.
    #[error("{context}")]
    Analysis {
        /// The file, and the card or map that was used.
        context: String,
        /// What was not found.
        #[source]
        error: Box<AnalysisError>,
    },
    /// A guess is below confidence.
    #[error(transparent)]
    LowConfidence(#[from] LowConfidence),
}

/// Why a calibration pose cannot be used.
#[derive(Debug, Error)]
pub enum PoseError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// This build reads no files: feature `disk`.
    #[cfg(not(feature = "disk"))]
    #[error("{}: this build reads no files", path.display())]
    NoDisk {
        /// The file.
        path: PathBuf,
    },
    /// The file is of another skeleton.
    #[error(
        "{}: no pose for it here, for the joints are others: give a file of the same skeleton", path.display()
    )]
    OtherSkeleton {
        /// The file.
        path: PathBuf,
    },
    /// The file has fewer frames.
    #[error("{}: no frame {frame}, it has {count}", path.display())]
    NoFrame {
        /// The file.
        path: PathBuf,
        /// The frame, counted from 0.
        frame: usize,
        /// Frames of the file.
        count: usize,
    },
}

impl CharacterError {
    /// Names the card of an error: `hero.toml:3: there is no joint "Hip"; nearest: Hips`.
    pub fn card(path: &Path, error: CardError) -> Self {
        Self::Card { path: path.to_owned(), error: Box::new(error) }
    }

    /// Advice for users of the program.
    pub fn help(&self) -> Option<&'static str> {
        let Self::Analysis { error, .. } = self else { return None };
        matches!(**error, AnalysisError::Roles(RolesError::Missing { .. })).then_some(
            "`rebone inspect FILE` lists the joints and the roles that were found; `rebone card FILE -o CARD` writes a card \
             in which to name the missing ones",
        )
    }

    /// Whether roles or body are not recognised.
    pub fn is_unrecognised(&self) -> bool {
        let Self::Analysis { error, .. } = self else { return false };
        matches!(**error, AnalysisError::Roles(_) | AnalysisError::Body(_))
    }

    /// Whether what the user states is at fault, and not a file.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Axes { .. })
    }
}
