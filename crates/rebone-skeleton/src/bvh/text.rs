//! Text of our own making: hierarchies without a file, and numbers.

use super::hierarchy::Channel;
use super::parse::split_name;
use crate::{JointId, Skeleton};
use bstr::{BString, ByteSlice};
use nalgebra::Vector3;
use std::borrow::Cow;
use std::io::Write;

/// All joints, each followed by all that is below it, with their depths (the root's is 0).
pub(super) fn preorder(skeleton: &Skeleton) -> Vec<(JointId, usize)> {
    let mut children = vec![Vec::new(); skeleton.len()];
    for id in skeleton.ids() {
        if let Some(parent) = skeleton.joint(id).parent {
            children[parent.index()].push(id);
        }
    }
    let mut order = Vec::with_capacity(skeleton.len());
    let mut waiting = vec![(JointId(0), 0)];
    while let Some((id, depth)) = waiting.pop() {
        order.push((id, depth));
        waiting.extend(children[id.index()].iter().rev().map(|&child| (child, depth + 1)));
    }
    order
}

/// A hierarchy section as the format note has it, one tab a level. `channels` are in
/// [`preorder`], those of one joint together. In names, line ends and what would be taken for an
/// opening brace become `_`.
pub(super) fn canonical_text(skeleton: &Skeleton, channels: &[Channel]) -> Vec<u8> {
    let mut text = b"HIERARCHY\n".to_vec();
    let mut open = 0;
    let mut channels = channels.iter().peekable();
    let mut end_sites: Vec<Vec<Vector3<f64>>> = vec![Vec::new(); skeleton.len()];
    for site in skeleton.end_sites() {
        end_sites[site.parent.index()].push(site.offset);
    }
    for (id, depth) in preorder(skeleton) {
        close(&mut text, &mut open, depth);
        let joint = skeleton.joint(id);
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

/// A name that reads back as it is; only names that never stood in a BVH file need a change.
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

/// Lines are indented no deeper: thousands of joints a thousand deep would be a gigabyte of tabs.
const MAX_INDENT: usize = 100;

fn push_line(text: &mut Vec<u8>, depth: usize, parts: &[&[u8]]) {
    text.resize(text.len() + depth.min(MAX_INDENT), b'\t');
    parts.iter().for_each(|part| text.extend_from_slice(part));
    text.push(b'\n');
}

/// Appends a finite number: the shortest text that reads back to the same `f64`, or a fixed number
/// of decimals. Never an exponent, which several programs refuse, and never a negative zero.
pub(super) fn push_number(text: &mut Vec<u8>, number: f64, decimals: Option<u8>) {
    const INFALLIBLE: &str = "writing to a vector cannot fail";
    let start = text.len();
    if let Some(decimals) = decimals {
        write!(text, "{number:.*}", usize::from(decimals)).expect(INFALLIBLE);
        let zero = text[start..].iter().all(|byte| b"-0.".contains(byte));
        if zero && text[start] == b'-' {
            text.remove(start);
        }
        return;
    }
    let mut buffer = zmij::Buffer::new();
    let shortest = buffer.format_finite(if number == 0.0 { 0.0 } else { number });
    if shortest.contains('e') {
        write!(text, "{number}").expect(INFALLIBLE);
    } else {
        let whole = shortest.strip_suffix(".0").unwrap_or(shortest);
        text.extend_from_slice(whole.as_bytes());
    }
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
        ] {
            assert_eq!(number(value, decimals), text);
        }
    }

    proptest! {
        #[test]
        fn shortest_numbers_read_back_the_same(value in proptest::num::f64::NORMAL) {
            let text = number(value, None);
            prop_assert!(!text.contains(['e', 'E']));
            prop_assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
    }
}
