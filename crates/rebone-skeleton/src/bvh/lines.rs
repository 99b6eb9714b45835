//! Lines with any ending, and the words and numbers in them.

use super::error::{MAX_LINE, ReadError, ReadErrorKind, quoted};
use bstr::ByteSlice;
use std::io::{BufRead, ErrorKind};

/// One line after the other, without its ending (LF, CR LF or CR, also mixed).
pub(crate) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    number: usize,
    after_cr: bool,
    ended: bool,
    again: bool,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, line: Vec::new(), number: 0, after_cr: false, ended: true, again: false }
    }

    /// The number of the line that was given last, counted from 1.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// True when the line that was given last has an ending; false when the file ends with it.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// The line that was given last.
    pub(crate) fn current(&self) -> &[u8] {
        &self.line
    }

    /// Appends the numbers of the line that was given last. An error comes with whether it is about the last word.
    pub(super) fn push_numbers(&self, values: &mut Vec<f64>) -> Result<(), (ReadErrorKind, bool)> {
        let mut rest = self.line.as_slice();
        while let Some(first) = rest.first() {
            if first.is_ascii_whitespace() {
                rest = &rest[1..];
                continue;
            }
            match fast_float2::parse_partial::<f64, _>(rest) {
                Ok((number, length))
                    if number.abs() <= MAX_NUMBER
                        && rest.get(length).is_none_or(u8::is_ascii_whitespace) =>
                {
                    values.push(number);
                    // And the blank after it.
                    rest = rest.get(length + 1..).unwrap_or_default();
                }
                _ => {
                    let (word, behind) = split_word(rest);
                    let is_last = || behind.trim_ascii().is_empty();
                    values.push(finite(word).map_err(|error| (error, is_last()))?);
                    rest = behind;
                }
            }
        }
        Ok(())
    }

    /// Makes the next [`advance`](Self::advance) stay at the same line.
    pub(super) fn stay(&mut self) {
        self.again = true;
    }

    /// Goes to the next line; false at the end of the file.
    pub(crate) fn advance(&mut self) -> Result<bool, ReadError> {
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
    pub(crate) fn advance_to_text(&mut self) -> Result<bool, ReadError> {
        while self.advance()? {
            if !self.current().trim_ascii().is_empty() {
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

/// Splits the rest of a joint's first line into its name, which may hold blanks, and what begins
/// with an opening brace.
///
/// In Shift-JIS a brace can be the second byte of a character (katakana BO is 83 7B), so one after
/// a byte above 7F counts only in text that is UTF-8.
pub(super) fn split_name(rest: &[u8]) -> (&[u8], &[u8]) {
    let is_utf8 = rest.to_str().is_ok();
    let is_brace =
        |&at: &usize| rest[at] == b'{' && (at == 0 || rest[at - 1].is_ascii() || is_utf8);
    let at = (0..rest.len()).find(is_brace).unwrap_or(rest.len());
    (rest[..at].trim_ascii(), &rest[at..])
}

/// Greater numbers are no lengths and no angles, and computations with them overflow.
pub(super) const MAX_NUMBER: f64 = 1e12;

/// Reads a finite number, correctly rounded.
pub(crate) fn finite(word: &[u8]) -> Result<f64, ReadErrorKind> {
    let found = || quoted(word);
    match fast_float2::parse::<f64, _>(word) {
        Ok(number) if number.abs() <= MAX_NUMBER => Ok(number),
        Ok(number) if number.is_finite() => Err(ReadErrorKind::TooLarge { found: found() }),
        Ok(_) => Err(ReadErrorKind::NotFinite { found: found() }),
        Err(_) if looks_like_nan(word) => Err(ReadErrorKind::NotFinite { found: found() }),
        Err(_) => Err(ReadErrorKind::NotANumber { found: found() }),
    }
}

/// The spellings of old Windows programs and of signed NaN: `-1.#IND00`, `1.#QNAN`, `-nan(ind)`.
fn looks_like_nan(word: &[u8]) -> bool {
    let word = word.to_ascii_lowercase();
    let word = word.trim_start_with(|c| c == '-' || c == '+');
    word.contains_str("#") && word.starts_with(b"1.") || word.starts_with(b"nan")
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
        fn numbers_are_right_to_the_last_bit(
            text in "-?[0-9]{0,12}\\.?[0-9]{0,12}|[-+]?[0-9]{0,3}\\.[0-9]{6}|[-+.eE0-9]{1,18}\
                |-?[0-9]{0,3}\\.?[0-9]{0,8}[eE][-+]?[0-9]{1,9}|-?[0-9]{15,40}e-[0-9]{1,3}",
        ) {
            let expected = text.parse::<f64>().ok().filter(|number| number.abs() <= MAX_NUMBER);
            let number = finite(text.as_bytes()).ok();
            prop_assert_eq!(number.map(f64::to_bits), expected.map(f64::to_bits));
        }

        #[test]
        fn lines_of_numbers(
            words in prop::collection::vec("-?[0-9]{1,3}\\.[0-9]{0,9}|[0-9]{1,20}|1e-5|\\+2", 0..20),
            blanks in prop::collection::vec("[ \t]{1,3}", 20),
        ) {
            let text: String = words.iter().zip(&blanks).flat_map(|(word, blank)| [blank, word]).map(String::as_str).collect();
            let mut lines = Lines::new(text.as_bytes());
            lines.advance().unwrap();
            let mut values = vec![7.0];
            let result = lines.push_numbers(&mut values);
            let expected: Vec<f64> = words.iter().map(|word| word.parse().unwrap()).collect();
            match expected.iter().position(|number| number.abs() > MAX_NUMBER) {
                None => prop_assert_eq!(&values[1..], expected),
                Some(first) => {
                    prop_assert_eq!(result.unwrap_err().1, first + 1 == words.len());
                    prop_assert_eq!(&values[1..], &expected[..first]);
                }
            }
        }
    }
}
