//! Clips of a file: which one, and what was read of it.

use super::error::Warning;
use crate::Motion;
use std::fmt::{self, Display};
use std::sync::Arc;

/// A choice among the clips of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipSelector<'a> {
    /// A name, or a number as text, counted from 0, with or without `#` before it; names come first.
    Text(&'a str),
    /// A number, counted from 0, whatever the clips are called.
    Index(usize),
}

impl<'a> From<&'a str> for ClipSelector<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl Display for ClipSelector<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Text(text) => formatter.write_str(text),
            Self::Index(index) => write!(formatter, "#{index}"),
        }
    }
}

impl ClipSelector<'_> {
    /// Finds the clip among all names of a file.
    pub(super) fn find(self, names: &[String]) -> Option<usize> {
        let inside = |index: &usize| *index < names.len();
        match self {
            Self::Index(index) => Some(index).filter(inside),
            Self::Text(text) => {
                let number = text.strip_prefix('#').unwrap_or(text);
                let by_number = || number.parse().ok().filter(inside);
                names.iter().position(|name| name == text).or_else(by_number)
            }
        }
    }
}

/// A clip of a file, without its frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedClip {
    /// Its name; a clip without a name is called by its number.
    pub name: String,
    /// True if no joint moves in it: it has no keys, or keys of equal values alone.
    pub is_empty: bool,
}

impl ListedClip {
    /// The clips with these names, of which the reader says whether a joint moves, where it knows.
    pub(super) fn all(names: Vec<String>, moving: &[bool]) -> Vec<Self> {
        let moves = |index: usize| moving.get(index).copied().unwrap_or(true);
        let names = names.into_iter().enumerate();
        names.map(|(index, name)| Self { name, is_empty: !moves(index) }).collect()
    }

    /// The clip of a format that has one without a name.
    pub(super) fn only() -> Self {
        Self { name: "0".to_owned(), is_empty: false }
    }
}

/// A clip of a file, with the skeleton that it moves.
#[derive(Clone, Debug)]
pub struct SelectedClip {
    /// Its number, counted from 0; `None` where none is selected and the file has none that moves.
    pub index: Option<usize>,
    /// Its name; `None` where the file gives it none.
    pub name: Option<String>,
    /// The skeleton and the frames: those of the first clip where none moves, no frames where the file has no clip.
    pub motion: Arc<Motion>,
    /// Parts that the reader repaired or skipped.
    pub warnings: Vec<Warning>,
}
