//! Lines of any ending, and the numbers in them.

use super::error::{ReadError, ReadErrorKind, quoted};
use bstr::ByteSlice;
use std::io::{BufRead, ErrorKind};

/// The longest line that is read, in bytes: a frame of 100,000 joints fits.
pub(super) const MAX_LINE: usize = 16 << 20;

/// One line after the other, without its ending (LF, CR LF or CR, also mixed).
pub(super) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    number: usize,
    after_cr: bool,
    ended: bool,
    again: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, line: Vec::new(), number: 0, after_cr: false, ended: true, again: false }
    }

    /// The number of the line that was given last, counted from 1.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// True when the line that was given last has an ending; false when the file ends with it.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// The line that was given last.
    pub(super) fn current(&self) -> &[u8] {
        &self.line
    }

    /// Makes the next [`advance`](Self::advance) stay at the same line.
    pub(super) fn stay(&mut self) {
        self.again = true;
    }

    /// Goes to the next line; false at the end of the file.
    pub(super) fn advance(&mut self) -> Result<bool, ReadError> {
        if std::mem::take(&mut self.again) {
            return Ok(true);
        }
        self.line.clear();
        self.ended = false;
        let mut any = false;
        while !self.ended {
            let bytes = match self.reader.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(ReadErrorKind::Io(error).at(self.number + 1)),
            };
            if bytes.is_empty() {
                break;
            }
            if std::mem::take(&mut self.after_cr) && bytes[0] == b'\n' {
                self.reader.consume(1);
                continue;
            }
            any = true;
            let length = bytes.find_byteset(b"\r\n").unwrap_or(bytes.len());
            if self.line.len() + length > MAX_LINE {
                return Err(ReadErrorKind::line_too_long().at(self.number + 1));
            }
            self.line.extend_from_slice(&bytes[..length]);
            self.ended = length < bytes.len();
            self.after_cr = bytes.get(length) == Some(&b'\r');
            let used = length + usize::from(self.ended);
            self.reader.consume(used);
        }
        self.number += usize::from(any);
        Ok(any)
    }

    /// Goes to the next line that is not blank; false at the end of the file.
    pub(super) fn advance_to_text(&mut self) -> Result<bool, ReadError> {
        while self.advance()? {
            if !self.line.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The first word of `text` and what follows it; both empty at the end.
pub(super) fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii_start();
    text.split_at(text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len()))
}

/// Greater numbers are no lengths and no angles, and what is computed from them overflows.
const GREATEST: f64 = 1e12;

/// Reads a finite number, correct to the last bit.
pub(super) fn finite(word: &[u8]) -> Result<f64, ReadErrorKind> {
    let parsed = || word.to_str().ok().and_then(|word| word.parse::<f64>().ok());
    match plain_decimal(word).or_else(parsed) {
        Some(number) if number.abs() <= GREATEST => Ok(number),
        Some(number) if number.is_finite() => Err(ReadErrorKind::TooLarge { found: quoted(word) }),
        Some(_) => Err(ReadErrorKind::NotFinite { found: quoted(word) }),
        None if looks_like_nan(word) => Err(ReadErrorKind::NotFinite { found: quoted(word) }),
        None => Err(ReadErrorKind::NotANumber { found: quoted(word) }),
    }
}

/// The spellings of old Windows programs and of signed NaN: `-1.#IND00`, `1.#QNAN`, `-nan(ind)`.
fn looks_like_nan(word: &[u8]) -> bool {
    let word = word.to_ascii_lowercase();
    let word = word.trim_start_with(|c| c == '-' || c == '+');
    word.contains_str("#") && word.starts_with(b"1.") || word.starts_with(b"nan")
}

/// Numbers like `-12.345` with at most 15 digits: the digits and the power of ten are both exact
/// in `f64`, so one division rounds correctly (Clinger 1990). `None` leaves it to the library.
fn plain_decimal(word: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (negative, digits) = match word.split_first()? {
        (b'-', rest) => (true, rest),
        _ => (false, word),
    };
    if digits.len() > 16 {
        return None;
    }
    let mut mantissa = 0_u64;
    let mut point = None;
    for (index, byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => mantissa = mantissa * 10 + u64::from(byte - b'0'),
            b'.' if point.is_none() => point = Some(index),
            _ => return None,
        }
    }
    let count = digits.len() - usize::from(point.is_some());
    if count == 0 || count > 15 {
        return None;
    }
    let decimals = point.map_or(0, |point| digits.len() - 1 - point);
    let number = mantissa as f64 / POWERS[decimals];
    Some(if negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(text: &[u8], capacity: usize) -> Vec<(usize, Vec<u8>, bool)> {
        let mut lines = Lines::new(std::io::BufReader::with_capacity(capacity, text));
        let mut out = Vec::new();
        while lines.advance().unwrap() {
            out.push((lines.number(), lines.current().to_vec(), lines.ended()));
        }
        out
    }

    #[test]
    fn lines_of_any_ending_in_buffers_of_any_size() {
        let expected: Vec<(usize, Vec<u8>, bool)> = [
            (1, "ab", true),
            (2, "c", true),
            (3, "", true),
            (4, "d", true),
            (5, "", true),
            (6, "ef", false),
        ]
        .map(|(number, text, ended)| (number, text.into(), ended))
        .into();
        for capacity in 1..12 {
            assert_eq!(all(b"ab\r\nc\n\nd\r\ref", capacity), expected, "capacity {capacity}");
        }
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let endless = std::io::BufReader::new(std::io::repeat(b'x'));
        let error = Lines::new(endless).advance().unwrap_err();
        assert!(matches!(error.kind, ReadErrorKind::Limit { .. }), "{error}");
    }

    #[test]
    fn odd_numbers() {
        for (text, number) in [
            ("0", 0.0),
            ("-0", 0.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("+5", 5.0),
            ("-.0083333", -0.008_333_3),
            ("1e-5", 1e-5),
            ("1.5E+3", 1500.0),
            ("0.0417083750417", 0.041_708_375_041_7),
        ] {
            assert_eq!(finite(text.as_bytes()).unwrap(), number, "{text}");
        }
        for text in ["", "-", ".", "1.2.3", "0,5", "1e", "abc", "--1", "0x10"] {
            let error = finite(text.as_bytes()).unwrap_err();
            assert!(matches!(error, ReadErrorKind::NotANumber { .. }), "{text}: {error}");
        }
        for text in ["123456789012345678901234567890", "1000000000001", "-1e300"] {
            let error = finite(text.as_bytes()).unwrap_err();
            assert!(matches!(error, ReadErrorKind::TooLarge { .. }), "{text}: {error}");
        }
        for text in ["nan", "NaN", "-nan(ind)", "inf", "-Infinity", "1e999", "-1.#IND00"] {
            let error = finite(text.as_bytes()).unwrap_err();
            assert!(matches!(error, ReadErrorKind::NotFinite { .. }), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn numbers_are_right_to_the_last_bit(text in "-?[0-9]{0,12}\\.?[0-9]{0,12}") {
            match text.parse::<f64>() {
                Ok(expected) if expected.abs() <= GREATEST => {
                    let number = finite(text.as_bytes()).unwrap();
                    prop_assert_eq!(number.to_bits(), expected.to_bits());
                }
                _ => prop_assert!(finite(text.as_bytes()).is_err()),
            }
        }
    }
}
