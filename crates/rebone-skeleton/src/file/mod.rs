//! Motion files of any format: [`Document`] reads them, [`Format`] names what can be written.

mod acclaim;
mod characters;
mod clip_selector;
mod clips;
mod document;
mod error;
mod format;
mod kind;
mod parse;
mod skin;
#[cfg(feature = "disk")]
mod source_file;

pub use crate::scene::ListedCharacter;
pub use characters::CharacterSelector;
pub use clip_selector::{ClipSelector, ListedClip, SelectedClip};
pub use document::Document;
pub use error::{FileError, Warning, WarningPlace};
pub use format::{FORMATS_READ, Format, FormatError};
pub use kind::FileKind;
