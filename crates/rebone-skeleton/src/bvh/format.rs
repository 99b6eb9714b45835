//! Formatting of hierarchies and numbers.

use super::channel::Channel;
use super::lines::split_name;
use crate::Skeleton;
use bstr::{BString, ByteSlice};
use nalgebra::Vector3;
use std::borrow::Cow;
use std::io::Write;

/// A hierarchy section as the format note has it, one tab a level. `channels` are in the order of
/// [`Skeleton::depth_first`], those of one joint together. In names, line ends and what would be taken for an
/// opening brace become `_`.
pub(super) fn canonical_text(skeleton: &Skeleton, channels: &[Channel]) -> Vec<u8> {
    let mut text = b"HIERARCHY\n".to_vec();
    let mut open = 0;
    let mut channels = channels.iter().peekable();
    let mut end_sites: Vec<Vec<Vector3<f64>>> = vec![Vec::new(); skeleton.len()];
    for site in skeleton.end_sites() {
        end_sites[site.parent.index()].push(site.offset);
    }
    for (id, depth) in skeleton.depth_first() {
        close(&mut text, &mut open, depth);
        let joint = &skeleton[id];
        let keyword: &[u8] = if joint.parent.is_some() { b"JOINT " } else { b"ROOT " };
        push_line(&mut text, depth, &[keyword, &writable(&joint.name)]);
        push_line(&mut text, depth, &[b"{"]);
        open = depth + 1;
        push_offset(&mut text, open, &joint.rest_translation);
        let mut names = Vec::new();
        while let Some(channel) = channels.next_if(|channel| channel.joint == id) {
            names.push(channel.name());
        }
        let line = format!("CHANNELS {} {}", names.len(), names.join(" "));
        push_line(&mut text, open, &[line.trim_end().as_bytes()]);
        for offset in &end_sites[id.index()] {
            push_line(&mut text, open, &[b"End Site"]);
            push_line(&mut text, open, &[b"{"]);
            push_offset(&mut text, open + 1, offset);
            push_line(&mut text, open, &[b"}"]);
        }
    }
    close(&mut text, &mut open, 0);
    text
}

/// A name that reads back unchanged; only names from other formats need a change.
fn writable(name: &BString) -> Cow<'_, [u8]> {
    if split_name(name) == (name.as_slice(), b"") && name.find_byteset(b"\r\n").is_none() {
        return Cow::Borrowed(name);
    }
    let plain = |byte: &u8| if b"\r\n{".contains(byte) { b'_' } else { *byte };
    Cow::Owned(name.trim_ascii().iter().map(plain).collect())
}

fn close(text: &mut Vec<u8>, open: &mut usize, depth: usize) {
    while *open > depth {
        *open -= 1;
        push_line(text, *open, &[b"}"]);
    }
}

fn push_offset(text: &mut Vec<u8>, depth: usize, offset: &Vector3<f64>) {
    let mut line = b"OFFSET".to_vec();
    for &coordinate in offset.iter() {
        line.push(b' ');
        push_number(&mut line, coordinate, None);
    }
    push_line(text, depth, &[&line]);
}

/// Limit of tabs: thousands of joints a thousand deep would be a gigabyte of them.
const MAX_INDENT: usize = 100;

fn push_line(text: &mut Vec<u8>, depth: usize, parts: &[&[u8]]) {
    text.resize(text.len() + depth.min(MAX_INDENT), b'\t');
    parts.iter().for_each(|part| text.extend_from_slice(part));
    text.push(b'\n');
}

const INFALLIBLE: &str = "writing to a vector cannot fail";

/// Appends a finite number: the shortest text that reads back to the same `f64`, or a fixed number
/// of decimals. Never an exponent, which several programs refuse, and never a negative zero.
pub(super) fn push_number(text: &mut Vec<u8>, number: f64, decimals: Option<u8>) {
    if let Some(decimals) = decimals {
        return push_fixed(text, number, decimals);
    }
    if number == 0.0 {
        return text.push(b'0');
    }
    let mut buffer = zmij::Buffer::new();
    let shortest = buffer.format_finite(number);
    // Others have no exponent.
    let is_extreme = !(1e-4..1e15).contains(&number.abs());
    let parts = if is_extreme { shortest.rsplit_once('e') } else { None };
    match parts {
        Some((digits, exponent)) => push_shifted(text, digits, exponent),
        None => push_short(text, shortest.strip_suffix(".0").unwrap_or(shortest).as_bytes()),
    }
}

/// Appends some bytes, 8 to 24 of them with three copies that overlap: copies of a known length are no calls.
#[inline]
fn push_short(text: &mut Vec<u8>, bytes: &[u8]) {
    let (start, length) = (text.len(), bytes.len());
    if !(8..=24).contains(&length) {
        return text.extend_from_slice(bytes);
    }
    text.extend_from_slice(&[0; 24]);
    let Some(room) = text.last_chunk_mut::<24>() else { return };
    for place in [0, 8.min(length - 8), length - 8] {
        room[place..][..8].copy_from_slice(&bytes[place..][..8]);
    }
    text.truncate(start + length);
}

/// Appends `digits`, which have one place before the point, times ten to the power of `exponent`.
fn push_shifted(text: &mut Vec<u8>, digits: &str, exponent: &str) {
    if let Some(digits) = digits.strip_prefix('-') {
        text.push(b'-');
        return push_shifted(text, digits, exponent);
    }
    let exponent: i32 = exponent.parse().expect("a whole number behind the e");
    let (first, others) = digits.split_at(1);
    let others = others.trim_start_matches('.').as_bytes();
    if exponent < 0 {
        text.extend_from_slice(b"0.");
        text.resize(text.len() + (-exponent - 1) as usize, b'0');
        text.extend_from_slice(first.as_bytes());
        push_short(text, others);
    } else {
        let end = text.len() + exponent as usize + 1;
        text.extend_from_slice(first.as_bytes());
        push_short(text, others);
        text.resize(end, b'0');
    }
}

/// Appends a number with a fixed number of decimals: the nearest one, of two the one with the even last digit.
#[inline]
fn push_fixed(text: &mut Vec<u8>, number: f64, decimals: u8) {
    let decimals = usize::from(decimals);
    let Some((whole, behind)) = split(number.abs(), decimals) else {
        return push_any_fixed(text, number, decimals);
    };
    let start = text.len();
    text.extend_from_slice(&[b'-'; 18]);
    let Some(bytes) = text.last_chunk_mut::<18>() else { return };
    let sign = usize::from((number < 0.0) & (whole | behind != 0));
    let digits = eight_digits(whole);
    let left_out = (digits.trailing_zeros() / 8).min(7);
    let point = sign + 8 - left_out as usize;
    bytes[sign..][..8].copy_from_slice(&((digits | ASCII_ZEROS) >> (8 * left_out)).to_le_bytes());
    bytes[point] = b'.';
    bytes[point + 1..][..8].copy_from_slice(&(eight_digits(behind) | ASCII_ZEROS).to_le_bytes());
    text.truncate(start + point + usize::from(decimals > 0) + decimals);
}

#[cold]
fn push_any_fixed(text: &mut Vec<u8>, number: f64, decimals: usize) {
    let start = text.len();
    write!(text, "{number:.decimals$}").expect(INFALLIBLE);
    let zero = text[start..].iter().all(|byte| b"-0.".contains(byte));
    if zero && text[start] == b'-' {
        text.remove(start);
    }
}

/// The digits before the point and the eight after it, of a number rounded to `decimals`, as two whole numbers. `None`
/// where there are more digits, or the rounding of the product is ambiguous.
#[inline]
fn split(number: f64, decimals: usize) -> Option<(u64, u64)> {
    /// Added to a smaller number it leaves its nearest whole number, which are then the lowest bits.
    const TO_WHOLE: f64 = (1_u64 << 52) as f64;
    let (ten, others) = *POWERS_OF_TEN.get(decimals)?;
    let product = number * ten;
    let shifted = product + TO_WHOLE;
    let off = (product - (shifted - TO_WHOLE)).abs();
    if !((number < 1e7) & (off < 0.5 - product * f64::EPSILON)) {
        return None;
    }
    let whole = u64::from(number as u32);
    let behind = (shifted.to_bits() - TO_WHOLE.to_bits()) * others - whole * TEN_TO_8;
    Some(if behind < TEN_TO_8 { (whole, behind) } else { (whole + 1, 0) })
}

/// Ten to the power of eight decimals.
const TEN_TO_8: u64 = 100_000_000;

/// Ten to the power of the decimals, and of the decimals that are missing to eight.
const POWERS_OF_TEN: [(f64, u64); 9] = [
    (1e0, 100_000_000),
    (1e1, 10_000_000),
    (1e2, 1_000_000),
    (1e3, 100_000),
    (1e4, 10_000),
    (1e5, 1_000),
    (1e6, 100),
    (1e7, 10),
    (1e8, 1),
];

/// The character 0 in eight bytes.
const ASCII_ZEROS: u64 = u64::MAX / 255 * b'0' as u64;

/// The digits of a number below 10^8, one a byte, the first in the lowest.
///
/// It is cut in halves, these in pairs, these in digits, all of them at once: `high` is what goes to the
/// lower half of each, and `(all - high * 100) << 16` what goes to the upper.
#[inline]
fn eight_digits(number: u64) -> u64 {
    let high = number / 10_000;
    let fours = (number << 32) - high * ((10_000 << 32) - 1);
    let high = ((fours * 10_486) >> 20) & 0x7f_0000_007f;
    let pairs = (fours << 16) - high * ((100 << 16) - 1);
    let high = ((pairs * 103) >> 10) & 0x000f_000f_000f_000f;
    (pairs << 8) - high * ((10 << 8) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(number: f64, decimals: Option<u8>) -> String {
        let mut text = Vec::new();
        push_number(&mut text, number, decimals);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_have_no_exponent_and_no_negative_zero() {
        for (value, decimals, text) in [
            (0.0, None, "0"),
            (-0.0, None, "0"),
            (-90.0, None, "-90"),
            (0.1, None, "0.1"),
            (1.5e-9, None, "0.0000000015"),
            (-1e21, None, "-1000000000000000000000"),
            (-0.0004, Some(3), "0.000"),
            (-0.0006, Some(3), "-0.001"),
            (1e-9, Some(6), "0.000000"),
            (-0.4, Some(0), "0"),
            (12.3456, Some(2), "12.35"),
            (0.5, Some(0), "0"),
            (-1.5, Some(0), "-2"),
            (2.5, Some(0), "2"),
            (0.046875, Some(5), "0.04688"),
            (0.015625, Some(5), "0.01562"),
            (1e19, Some(6), "10000000000000000000.000000"),
        ] {
            assert_eq!(number(value, decimals), text);
        }
    }

    proptest! {
        #[test]
        fn decimals_are_those_of_the_library(
            value in prop_oneof![
                -1e3..1e3_f64,
                (-4_000_000..4_000_000_i32).prop_map(|k| f64::from(k) / 2048.0),
                (-999_999..999_999_i32).prop_map(|k| f64::from(k) / 1e5 + 5e-6),
                proptest::num::f64::NORMAL,
                proptest::num::f64::SUBNORMAL,
            ],
            decimals in 0..12_u8,
        ) {
            let expected = format!("{value:.*}", usize::from(decimals));
            let zero = expected.bytes().all(|byte| b"-0.".contains(&byte));
            let expected = if zero { expected.trim_start_matches('-') } else { &expected };
            prop_assert_eq!(number(value, Some(decimals)), expected);
        }

        #[test]
        fn shortest_numbers_read_back_the_same(value in proptest::num::f64::NORMAL) {
            let text = number(value, None);
            // Of two that are as near and as short the library may take the other.
            prop_assert_eq!(text.len(), value.to_string().len(), "{}", text);
            prop_assert!(!text.contains('e'), "{}", text);
            prop_assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
    }
}
