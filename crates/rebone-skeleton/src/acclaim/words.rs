//! Words of a line.

use super::error::ReadErrorKind;
use crate::bvh::lines::finite;

/// The words of a line, without its comment; commas and parentheses stand for blanks.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = line.split(|&byte| byte == b'#').next().unwrap_or_default();
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || b",()".contains(byte);
    text.split(is_blank).filter(|word| !word.is_empty())
}

/// Reads the line of a frame number: one whole number alone.
pub(super) fn frame_number(words: &[&[u8]]) -> Option<u64> {
    let [word] = words else { return None };
    word.iter().all(u8::is_ascii_digit).then(|| std::str::from_utf8(word).ok()?.parse().ok())?
}

/// Reads a finite number.
pub(super) fn number(word: &[u8]) -> Result<f64, ReadErrorKind> {
    finite(word).map_err(ReadErrorKind::Text)
}
