//! Maps: texts with pairs of joints that play the same role in a source and a target.
//!
//! A line is a joint of the source, a tab, and a joint of the target; or the whole is one JSON object.
//! Joints are named as in [cards](rebone_skeleton::selector::resolve).

use crate::body::Pair;
use rebone_skeleton::selector::{SelectorError, resolve, shown};
use rebone_skeleton::{JointId, Skeleton};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// Why a map cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("map line {line}: {fault}")]
pub struct MapError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: MapFault,
}

/// What is wrong with a line of a map.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MapFault {
    /// A line that is no pair.
    #[error("found {found:?}, expected a joint of the source, a tab, and a joint of the target")]
    Line {
        /// The line.
        found: String,
    },
    /// Something that begins like JSON and is no object.
    #[error("{0}, expected {{\"source\": \"target\"}}")]
    Syntax(String),
    /// A value of a JSON object that is no text.
    #[error("found {found}, expected a joint in quotes")]
    Value {
        /// The value.
        found: String,
    },
    /// A selector that names no joint.
    #[error("{file}: {error}")]
    Selector {
        /// What the file is called.
        file: String,
        /// Why it names none.
        error: SelectorError,
    },
    /// A joint that is there twice.
    #[error(
        "joint {joint:?} of {file} is paired already, in line {first}: expected each joint once"
    )]
    Twice {
        /// The joint.
        joint: String,
        /// What the file is called.
        file: String,
        /// Where the joint was before.
        first: usize,
    },
}

impl MapFault {
    fn at(self, line: usize) -> MapError {
        MapError { line, fault: self }
    }
}

/// A line of a map, counted from 1, and the joints that it names.
type Line = (usize, [String; 2]);

/// Reads the text of a map and finds its joints in source and target, which errors call by the names given here.
///
/// ```
/// use rebone::card::map;
///
/// let walk = rebone_samples::walk().motion.skeleton;
/// let files = [("walk.bvh", &walk), ("hero.bvh", &walk)];
/// let [source, target] = map::parse("# source\ttarget\nHead\t#4\n", files)?[0];
/// assert_eq!(walk.joint(source).name, "Head");
/// assert_eq!(target.index(), 4);
/// assert_eq!(map::parse("{ \"Head\": \"#4\" }", files)?, [[source, target]]);
/// assert!(map::parse("Head #4", files).is_err(), "there is no tab");
/// # Ok::<(), rebone::card::map::MapError>(())
/// ```
///
/// # Errors
/// The first fault, with its line: no pair, a joint that is not there, or one for the second time.
pub fn parse(text: &str, files: [(&str, &Skeleton); 2]) -> Result<Vec<Pair>, MapError> {
    let text = text.trim_start_matches('\u{feff}');
    let is_json = text.trim_start().starts_with('{');
    find(&if is_json { json(text) } else { tabs(text) }?, files)
}

/// Lines of two joints with a tab between. A line that begins with `#` is a remark, but for `#12`.
fn tabs(text: &str) -> Result<Vec<Line>, MapError> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || (line.starts_with('#') && !begins_with_number(line)) {
            continue;
        }
        let names: Vec<&str> = line.split('\t').map(str::trim).collect();
        match names[..] {
            [source, target] if !source.is_empty() && !target.is_empty() => {
                lines.push((number, [source.to_owned(), target.to_owned()]));
            }
            _ => return Err(MapFault::Line { found: shown(line) }.at(number)),
        }
    }
    Ok(lines)
}

/// True for `#12`, a tab, and whatever follows: the joint at place 12.
fn begins_with_number(line: &str) -> bool {
    let name = line.split_once('\t').and_then(|(name, _)| name.strip_prefix('#'));
    name.is_some_and(|number| number.trim_end().parse::<usize>().is_ok())
}

/// One JSON object: joints of the source, and for each a joint of the target.
fn json(text: &str) -> Result<Vec<Line>, MapError> {
    let entries: Entries = serde_json::from_str(text)
        .map_err(|error| MapFault::Syntax(error.to_string()).at(error.line()))?;
    let (mut line, mut before) = (1, 0);
    let entry = |(source, target): (String, &RawValue)| {
        // The value is a part of the text: its address says where.
        let place = target.get().as_ptr() as usize - text.as_ptr() as usize;
        line += text[before..place].matches('\n').count();
        before = place;
        match serde_json::from_str(target.get()) {
            Ok(target) => Ok((line, [source, target])),
            Err(_) => Err(MapFault::Value { found: shown(target.get()) }.at(line)),
        }
    };
    entries.0.into_iter().map(entry).collect()
}

/// The entries of a JSON object as they stand, keys that are there twice as well.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de> serde::Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
}

/// The joints of the lines; none may be there twice.
fn find(lines: &[Line], files: [(&str, &Skeleton); 2]) -> Result<Vec<Pair>, MapError> {
    let mut known: [BTreeMap<JointId, usize>; 2] = Default::default();
    let mut pairs = Vec::new();
    for (line, names) in lines {
        let mut joint = |side: usize| {
            let ((file, skeleton), name) = (files[side], &names[side]);
            let joint = resolve(skeleton, name);
            let joint = joint
                .map_err(|error| MapFault::Selector { file: file.to_owned(), error }.at(*line))?;
            match known[side].insert(joint, *line) {
                None => Ok(joint),
                Some(first) => {
                    let (joint, file) = (shown(name), file.to_owned());
                    Err(MapFault::Twice { joint, file, first }.at(*line))
                }
            }
        };
        pairs.push([joint(0)?, joint(1)?]);
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: usize, source: &str, target: &str) -> Line {
        (number, [source.to_owned(), target.to_owned()])
    }

    #[test]
    fn lines_are_pairs_and_remarks_are_not() {
        let text = "# source\ttarget\n\nHips\tj11\r\n#3\t#4\n  \nLeft Arm \t a/b\n";
        let expected =
            vec![line(3, "Hips", "j11"), line(4, "#3", "#4"), line(6, "Left Arm", "a/b")];
        assert_eq!(tabs(text), Ok(expected));
        for text in ["Hips j11", "Hips\t", "\tj11", "a\tb\tc"] {
            let MapError { line, fault } = tabs(&format!("# remark\n{text}\n")).unwrap_err();
            let fault = fault.to_string();
            assert!(line == 2 && fault.contains("expected"), "{text:?}: {fault}");
        }
    }

    #[test]
    fn objects_are_pairs_in_their_order_with_their_lines() {
        let text = "{\"b\": \"x\",\n\n \"a\\u0041\":\n \"y\\n\", \"b\": \"z\"}";
        let expected = vec![line(1, "b", "x"), line(4, "aA", "y\n"), line(4, "b", "z")];
        assert_eq!(json(text), Ok(expected));
        for (text, at) in [
            ("{\"a\": \"b\",\n\"c\": 3}", 2),
            ("{\"a\":\n[\"b\"]}", 2),
            ("{\"a\": \"b\"\n\"c\": \"d\"}", 2),
            ("{\"a\": \"b\"} x", 1),
            ("{\"a\": \"b\"", 1),
        ] {
            let MapError { line, fault } = json(text).unwrap_err();
            let fault = fault.to_string();
            assert!(line == at && fault.contains("expected"), "{text:?}: {line} {fault}");
        }
    }

    #[test]
    fn a_fault_shows_the_beginning_of_a_long_line() {
        let error = tabs(&"ä".repeat(1000)).unwrap_err().to_string();
        assert!(error.contains("äää…") && error.len() < 300, "{error}");
    }
}
