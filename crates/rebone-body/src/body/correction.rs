//! Corrections of a calibration that a person asks for.

use super::role::Side;
use std::fmt;

/// Beginnings of the remarks on corrected entries of a card.
const LEVEL: &str = "level in frame ";
const MIRRORED: &str = "mirrored from the ";

/// A correction of one joint's anatomical frame that a person asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Correction {
    /// The sole is level in this frame of the clip.
    Level(usize),
    /// Copied from this side.
    MirroredFrom(Side),
}

impl Correction {
    /// Returns whether the comment of a generated entry names a correction: updates keep such entries.
    pub(crate) fn is_remark(comment: &str) -> bool {
        comment.starts_with(LEVEL) || comment.starts_with(MIRRORED)
    }
}

impl fmt::Display for Correction {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Level(frame) => write!(to, "{LEVEL}{frame}"),
            Self::MirroredFrom(side) => write!(to, "{MIRRORED}{side}"),
        }
    }
}
