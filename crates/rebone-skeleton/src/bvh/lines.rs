//! Lines of any ending, and the numbers in them.

use super::error::{ReadError, ReadErrorKind, quoted};
use bstr::ByteSlice;
use std::io::{BufRead, ErrorKind};

/// The longest line that is read, in bytes: a frame of 100,000 joints fits.
pub(super) const MAX_LINE: usize = 16 << 20;

/// One line after the other, without its ending (LF, CR LF or CR, also mixed).
pub(super) struct Lines<R> {
    reader: R,
    /// The line, and blanks behind it, so that there are always enough bytes to take at once.
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
        &self.line[..self.line.len().saturating_sub(WINDOW)]
    }

    /// Appends the numbers of the line that was given last. With the error: whether it is about the
    /// last word.
    pub(super) fn push_numbers(&self, values: &mut Vec<f64>) -> Result<(), (ReadErrorKind, bool)> {
        let mut rest = self.line.as_slice();
        while let Some(window) = rest.first_chunk() {
            let length = if window[0].is_ascii_whitespace() {
                1
            } else if let Some((number, length)) = plain_decimal(window) {
                values.push(number);
                // And the blank behind it.
                length + 1
            } else {
                let (word, behind) = split_word(rest);
                let is_last = || behind.trim_ascii().is_empty();
                values.push(finite(word).map_err(|error| (error, is_last()))?);
                word.len()
            };
            rest = &rest[length..];
        }
        Ok(())
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
        self.line.extend_from_slice(&[b' '; WINDOW]);
        self.number += usize::from(any);
        Ok(any)
    }

    /// Goes to the next line that is not blank; false at the end of the file.
    pub(super) fn advance_to_text(&mut self) -> Result<bool, ReadError> {
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

/// Greater numbers are no lengths and no angles, and what is computed from them overflows.
const GREATEST: f64 = 1e12;

/// Reads a finite number, correct to the last bit.
pub(super) fn finite(word: &[u8]) -> Result<f64, ReadErrorKind> {
    match std::str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok()) {
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

/// The number that `window` begins with and its length in bytes, if it has at most 15 digits, a power of
/// ten near zero, and a blank behind it. `None` leaves it to the library.
///
/// The digits and the power of ten are both exact in `f64`, so one product or quotient rounds correctly
/// (Clinger, *How to read floating point numbers accurately*, 1990).
#[inline]
fn plain_decimal(window: &[u8; WINDOW]) -> Option<(f64, usize)> {
    const MOST: usize = 15;
    let negative = window[0] == b'-';
    let (whole, mut digits) = up_to_eight(window, usize::from(negative));
    let (mut end, mut decimals) = (usize::from(negative) + whole, 0);
    if window[end] == b'.' {
        let (first, behind) = up_to_eight(window, end + 1);
        digits = digits * TENS[first] + behind;
        if first == 8 {
            let (more, behind) = up_to_eight(window, end + 9);
            if whole + 8 + more > MOST {
                return None;
            }
            digits = digits * TENS[more] + behind;
            decimals = more;
        }
        decimals += first;
        end += 1 + decimals;
    }
    let exact = digits as i64 as f64;
    let number = if window[end] | 0x20 == b'e' {
        let (exponent, length) = exponent(window, end + 1);
        end += 1 + length;
        times_ten(exact, exponent - decimals as i64)?
    } else {
        exact / POWERS.get(decimals)?
    };
    let is_read = (1..=MOST).contains(&(whole + decimals)) && window[end].is_ascii_whitespace();
    let signed = f64::from_bits(number.to_bits() | u64::from(negative) << 63);
    (is_read && number <= GREATEST).then_some((signed, end))
}

/// `exact * 10^power`, rounded once.
fn times_ten(exact: f64, power: i64) -> Option<f64> {
    let ten = POWERS.get(power.unsigned_abs() as usize)?;
    Some(if power < 0 { exact / ten } else { exact * ten })
}

/// The power of ten behind an `e`, and its length. Where there is none, one that nothing is exact for.
#[inline(never)]
fn exponent(window: &[u8; WINDOW], at: usize) -> (i64, usize) {
    let sign = usize::from(b"+-".contains(&window[at]));
    match up_to_eight(window, at + sign) {
        (0 | 8, _) => (i64::from(i32::MAX), 0),
        (count, power) if window[at] == b'-' => (-(power as i64), sign + count),
        (count, power) => (power as i64, sign + count),
    }
}

/// So many bytes are looked at: two signs, a point, an `e`, four times eight digits, and some more.
const WINDOW: usize = 40;

/// What eight digits and fewer make room for.
const TENS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The powers of ten that `f64` has exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// How many digits stand from `at` on, and the number that they are; eight at most.
///
/// They are taken at once, each in its byte, without a branch on how many there are: the first digit is
/// the lowest byte. Neighbours become pairs, pairs become all (Lemire, *Number parsing at a gigabyte per
/// second*, 2021).
fn up_to_eight(window: &[u8; WINDOW], at: usize) -> (usize, u64) {
    const ONES: u64 = u64::MAX / 255;
    const PAIRS: u64 = 0xff_0000_00ff;
    let bytes = window[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let bytes = bytes ^ (ONES * 0x30);
    // A byte that is no digit is 10 or more: with 118 more its highest bit is set.
    let others = (((bytes & (ONES * 127)) + ONES * 118) | bytes) & (ONES * 128);
    let count = others.trailing_zeros() / 8;
    let half = 32 - 4 * count;
    let digits = bytes << half << half;
    let pairs = digits * 10 + (digits >> 8);
    let odd = (pairs & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let even = ((pairs >> 16) & PAIRS).wrapping_mul(1 + (10_000 << 32));
    (count as usize, odd.wrapping_add(even) >> 32)
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

    fn window(text: &str) -> [u8; WINDOW] {
        std::array::from_fn(|place| text.as_bytes().get(place).copied().unwrap_or(b' '))
    }

    proptest! {
        #[test]
        fn numbers_are_right_to_the_last_bit(
            text in "-?[0-9]{0,12}\\.?[0-9]{0,12}|[-+]?[0-9]{0,3}\\.[0-9]{6}|[-+.eE0-9]{1,18}\
                |-?[0-9]{0,3}\\.?[0-9]{0,8}[eE][-+]?[0-9]{1,9}",
            behind in "|[ \t][-.0-9 ]{0,40}|[-+.x#/:é][0-9]{0,40}",
        ) {
            let expected = text.parse::<f64>().ok().filter(|number| number.abs() <= GREATEST);
            let number = finite(text.as_bytes()).ok();
            prop_assert_eq!(number.map(f64::to_bits), expected.map(f64::to_bits));
            let longer = text + &behind;
            if let Some((number, length)) = plain_decimal(&window(&longer)) {
                prop_assert_eq!(Some(&longer[..length]), longer.split_ascii_whitespace().next());
                prop_assert_eq!(number.to_bits(), longer[..length].parse::<f64>().unwrap().to_bits());
            }
        }

        #[test]
        fn short_numbers_take_the_short_way(text in "-?[0-9]{1,3}(\\.[0-9]{0,9})?(e-0[0-9])?") {
            let number: f64 = text.parse().unwrap();
            prop_assert_eq!(plain_decimal(&window(&text)), Some((number, text.len())));
        }

        #[test]
        fn all_bytes_but_digits_end_a_number(byte in 0..=255_u8, place in 0..16_usize) {
            let mut text = window("1234567890123456");
            text[place] = byte;
            let found = plain_decimal(&text).map(|(number, _)| number.to_bits());
            let word = text.split(u8::is_ascii_whitespace).next().unwrap();
            let expected = std::str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok());
            prop_assert!(found.is_none() || found == expected.map(f64::to_bits));
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
            match expected.iter().position(|number| number.abs() > GREATEST) {
                None => prop_assert_eq!(&values[1..], expected),
                Some(first) => {
                    prop_assert_eq!(result.unwrap_err().1, first + 1 == words.len());
                    prop_assert_eq!(&values[1..], &expected[..first]);
                }
            }
        }
    }
}
