//! Errors of characters: their files, cards and poses.

use super::{AnalysisError, LineError};
use rebone_skeleton::file::FORMATS_READ;
#[cfg(feature = "disk")]
use rebone_skeleton::file::FileKind;
use rebone_skeleton::{ClipError, FileError, bvh};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Reason why a character cannot be used.
#[derive(Debug, Error)]
pub enum CharacterError {
    /// A motion file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A card, a map or another text cannot be read.
    #[error("{name}: cannot read the {what}")]
    Text {
        /// The file.
        name: String,
        /// Its purpose: card, map, ...
        what: String,
        /// The cause.
        #[source]
        error: std::io::Error,
    },
    /// A text is larger than such texts are.
    #[error(
        "{name}: cannot read the {what}: it is larger than {megabytes} MB: is it the right one?"
    )]
    LargeText {
        /// The file.
        name: String,
        /// Its purpose.
        what: String,
        /// Largest size.
        megabytes: usize,
    },
    /// A motion, a picture or a page stands in place of a card.
    #[cfg(feature = "disk")]
    #[error("{}: found {found}, expected a rig card", path.display())]
    NoCard {
        /// The file.
        path: PathBuf,
        /// Its kind.
        found: FileKind,
    },
    /// A text is no UTF-8.
    #[error(
        "{name}:{line}: found the byte 0x{byte:02X}, expected text in UTF-8: save the {what} as UTF-8"
    )]
    Encoding {
        /// The file.
        name: String,
        /// Its purpose.
        what: String,
        /// Line of the first invalid byte, counted from 1.
        line: usize,
        /// The byte.
        byte: u8,
    },
    /// A card is invalid.
    #[error("{}:{}: {}", path.display(), error.line, error.message)]
    Card {
        /// The card.
        path: PathBuf,
        /// The line.
        error: LineError,
    },
    /// A map of joints is invalid.
    #[error("{}:{}: {}", path.display(), error.line, error.message)]
    Map {
        /// The map.
        path: PathBuf,
        /// The line.
        error: LineError,
    },
    /// The calibration pose that is named cannot be used.
    #[error("{}{error}", card_line.as_ref().map_or(String::new(), |line| format!("{line}: ")))]
    Pose {
        /// Card and line that name the pose, where a card does.
        card_line: Option<String>,
        /// The cause.
        error: Box<CharacterError>,
    },
    /// This build reads no files: feature `disk`.
    #[cfg(not(feature = "disk"))]
    #[error("{}: this build reads no files", path.display())]
    NoDisk {
        /// The file.
        path: PathBuf,
    },
    /// The file of a calibration pose has another skeleton.
    #[error(
        "{}: no pose for it here, for the joints are others: give a file of the same skeleton", path.display()
    )]
    OtherSkeleton {
        /// The file.
        path: PathBuf,
    },
    /// The file of a calibration pose has fewer frames.
    #[error("{}: no frame {frame}, it has {count}", path.display())]
    NoFrame {
        /// The file.
        path: PathBuf,
        /// The frame, counted from 0.
        frame: usize,
        /// Frames of the file.
        count: usize,
    },
    /// The skeleton is not recognised as a body.
    #[error("{context}")]
    Analysis {
        /// The file, and the card or map that was used.
        context: String,
        /// The cause.
        #[source]
        error: Box<AnalysisError>,
    },
    /// Roles or a calibration are too uncertain to use without asking.
    #[error("{}: not sure {}", path.display(), doubts.join("; "))]
    LowConfidence {
        /// The file.
        path: PathBuf,
        /// Uncertain guesses, each with its probability.
        doubts: Vec<String>,
        /// Lines for a rig card that settle it, with the best guess filled in.
        card_lines: String,
    },
    /// The file has a skeleton and no clip.
    #[error("{}: there is no clip in it, only a skeleton", path.display())]
    NoClip {
        /// The file.
        path: PathBuf,
    },
    /// No joint moves in any clip of the file, and none was selected.
    #[error(
        "{}: no joint moves in it: {} {} empty",
        path.display(),
        clips.join(", "),
        if clips.len() == 1 { "is" } else { "are" }
    )]
    EmptyClips {
        /// The file.
        path: PathBuf,
        /// Names of its clips.
        clips: Vec<String>,
    },
    /// A range of frames begins after the last frame.
    #[error("the frames that are wanted begin at {start}, but {} has {count} frames", path.display())]
    AfterEnd {
        /// The file.
        path: PathBuf,
        /// First frame of the range.
        start: usize,
        /// Frames of the clip.
        count: usize,
    },
    /// The clip would have too many frames at another rate.
    #[error(
        "{}: {count} frames, one each {frame_time} s, are too long a time for {rate} a second: take a part with \
         --frames",
        path.display()
    )]
    TooLong {
        /// The file.
        path: PathBuf,
        /// Frames of the clip.
        count: usize,
        /// Seconds between frames.
        frame_time: f64,
        /// Frames per second of the result.
        rate: f64,
    },
    /// A clip is no motion of its skeleton, or cannot be resampled.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// Statements do not fit each other.
    #[error("{0}")]
    Conflict(String),
}

impl CharacterError {
    /// Names the card of an error: `hero.toml:3: there is no joint "Hip"; nearest: Hips`; or says what stands in its place.
    pub fn card(path: &Path, error: LineError) -> Self {
        #[cfg(feature = "disk")]
        if let Some(found) = FileKind::of_file(path).filter(|kind| is_no_card(*kind)) {
            return Self::NoCard { path: path.to_owned(), found };
        }
        Self::Card { path: path.to_owned(), error }
    }

    /// Returns advice for users of the program.
    pub fn help(&self) -> Option<&'static str> {
        let is_of_no_format = match self {
            Self::File(FileError::Bvh { error, .. }) => {
                matches!(error.kind, bvh::ReadErrorKind::NotBvh { .. })
            }
            Self::File(FileError::WithoutFbx { .. }) => true,
            _ => false,
        };
        if is_of_no_format {
            return Some(FORMATS_READ);
        }
        let Self::Analysis { error, .. } = self else { return None };
        matches!(**error, AnalysisError::NoLimbs { .. }).then_some(
            "`rebone inspect FILE` lists the joints and the roles that were found; `rebone card FILE -o CARD` writes a card \
             in which to name the missing ones",
        )
    }

    /// Returns whether roles or body are not recognised.
    pub fn is_unrecognised(&self) -> bool {
        matches!(self, Self::Analysis { error, .. } if error.is_no_humanoid())
    }

    /// Returns whether a clip has the skeleton of another rig.
    pub fn is_of_other_rig(&self) -> bool {
        matches!(self, Self::Analysis { error, .. } if matches!(**error, AnalysisError::OtherSkeleton(_)))
    }

    /// Returns whether a calibration cannot be learned, since the hints give the calibration pose.
    pub fn is_pose_given(&self) -> bool {
        matches!(self, Self::Analysis { error, .. } if matches!(**error, AnalysisError::PoseGiven))
    }

    /// Returns whether options or statements are at fault, and not a file.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::AfterEnd { .. } | Self::Conflict(_))
    }
}

/// Returns whether a file of that kind is never a card that a person wrote with a mistake.
#[cfg(feature = "disk")]
fn is_no_card(kind: FileKind) -> bool {
    use FileKind::{Amc, Asf, Bvh, Fbx, Glb, Gltf, Html, Png};
    matches!(kind, Amc | Asf | Bvh | Fbx | Glb | Gltf | Html | Png)
}
