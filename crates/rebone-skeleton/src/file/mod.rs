//! Motion files of any format: [`Document`] reads them, [`Format`] names what can be written.

mod document;
mod error;
mod format;
mod kind;

pub use document::{Document, SelectedClip};
pub use error::{FileError, Warning, WarningPlace};
pub use format::{Format, FormatError};
pub use kind::FileKind;
