//! Small text files that a person writes: cards, maps, contacts, rules.

use crate::error::CharacterError;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Largest card or map, in bytes.
const MAX_TEXT_BYTES: usize = 4 << 20;

/// Reads a text of at most 4 MB, which serves as `what` (a card, a map).
///
/// # Errors
/// When the file cannot be read, is larger, or is not UTF-8.
pub fn read_text(path: &Path, what: &str) -> Result<String, CharacterError> {
    read_text_up_to(path, what, MAX_TEXT_BYTES)
}

/// Reads a text of at most `max_bytes`.
///
/// # Errors
/// As [`read_text`].
pub fn read_text_up_to(
    path: &Path,
    what: &str,
    max_bytes: usize,
) -> Result<String, CharacterError> {
    let name = path.display().to_string();
    match File::open(path) {
        Ok(file) => text_from(file, &name, what, max_bytes),
        Err(error) => Err(CharacterError::Text { name, what: what.to_owned(), error }),
    }
}

/// Reads a text of at most `max_bytes` from a reader, which messages call `name`.
///
/// # Errors
/// As [`read_text`].
pub fn text_from(
    reader: impl Read,
    name: &str,
    what: &str,
    max_bytes: usize,
) -> Result<String, CharacterError> {
    let (name, what) = (name.to_owned(), what.to_owned());
    let mut bytes = Vec::new();
    if let Err(error) = reader.take(max_bytes as u64 + 1).read_to_end(&mut bytes) {
        return Err(CharacterError::Text { name, what, error });
    }
    if bytes.len() > max_bytes {
        return Err(CharacterError::LargeText { name, what, megabytes: max_bytes >> 20 });
    }
    String::from_utf8(bytes).map_err(|error| {
        let (bytes, at) = (error.as_bytes(), error.utf8_error().valid_up_to());
        let line = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
        CharacterError::Encoding { name, what, line, byte: bytes[at] }
    })
}
