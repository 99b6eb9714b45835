//! Maps: texts with pairs of joints that play the same role in a source and a target.
//!
//! A line is a joint of the source, a tab, and a joint of the target; or the whole is one JSON object.
//! Joints are named as in [cards](rebone_skeleton::selector::resolve).

use crate::error::LineError;
use rebone_skeleton::selector::{resolve, shown};
use rebone_skeleton::{JointId, Skeleton};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt;

/// A line of a map, counted from 1, and the joints that it names.
type Line = (usize, [String; 2]);

/// Reads the text of a map and finds its joints in source and target, which errors call by the names given here.
///
/// ```
/// use rebone_body::card::map;
///
/// let walk = rebone_samples::walk().motion.skeleton;
/// let files = [("walk.bvh", &walk), ("hero.bvh", &walk)];
/// let [source, target] = map::parse("# source\ttarget\nHead\t#4\n", files)?[0];
/// assert_eq!(walk[source].name, "Head");
/// assert_eq!(target.index(), 4);
/// assert_eq!(map::parse("{ \"Head\": \"#4\" }", files)?, [[source, target]]);
/// assert!(map::parse("Head #4", files).is_err(), "there is no tab");
/// # Ok::<(), rebone_body::LineError>(())
/// ```
///
/// # Errors
/// The first fault, with its line: no pair, a joint that is not there, or one for the second time.
pub fn parse(text: &str, files: [(&str, &Skeleton); 2]) -> Result<Vec<[JointId; 2]>, LineError> {
    let text = text.trim_start_matches('\u{feff}');
    let is_json = text.trim_start().starts_with('{');
    let lines = if is_json { json(text) } else { tabs(text) }?;
    if lines.is_empty() {
        let message = "found no pair, expected a joint of the source, a tab, and a joint of the target, or a JSON object";
        return Err(LineError { line: 1, message: message.to_owned() });
    }
    find(&lines, files)
}

/// Lines of two joints with a tab between. A line that begins with `#` is a remark, but for `#12`.
fn tabs(text: &str) -> Result<Vec<Line>, LineError> {
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
            _ => {
                let message = format!(
                    "found {:?}, expected a joint of the source, a tab, and a joint of the target",
                    shown(line)
                );
                return Err(LineError { line: number, message });
            }
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
fn json(text: &str) -> Result<Vec<Line>, LineError> {
    let entries: Entries = serde_json::from_str(text).map_err(|error| LineError {
        line: error.line(),
        message: format!("{error}, expected {{\"source\": \"target\"}}"),
    })?;
    let (mut line, mut before) = (1, 0);
    let entry = |(source, target): (String, &RawValue)| {
        // The value is a part of the text: its address says where.
        let place = target.get().as_ptr() as usize - text.as_ptr() as usize;
        line += text[before..place].matches('\n').count();
        before = place;
        match serde_json::from_str(target.get()) {
            Ok(target) => Ok((line, [source, target])),
            Err(_) => {
                let message = format!("found {}, expected a joint in quotes", shown(target.get()));
                Err(LineError { line, message })
            }
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
fn find(lines: &[Line], files: [(&str, &Skeleton); 2]) -> Result<Vec<[JointId; 2]>, LineError> {
    let mut known: [BTreeMap<JointId, usize>; 2] = Default::default();
    let mut pairs = Vec::new();
    for (line, names) in lines {
        let mut joint = |side: usize| {
            let ((file, skeleton), name) = (files[side], &names[side]);
            let joint = resolve(skeleton, name);
            let at = |message: String| LineError { line: *line, message };
            let joint = joint.map_err(|error| at(format!("{file}: {error}")))?;
            match known[side].insert(joint, *line) {
                None => Ok(joint),
                Some(first) => Err(at(format!(
                    "joint {:?} of {file} is paired already, in line {first}: expected each joint once",
                    shown(name)
                ))),
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
            let LineError { line, message } = tabs(&format!("# remark\n{text}\n")).unwrap_err();
            assert!(line == 2 && message.contains("expected"), "{text:?}: {message}");
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
            let LineError { line, message } = json(text).unwrap_err();
            assert!(line == at && message.contains("expected"), "{text:?}: {line} {message}");
        }
    }

    #[test]
    fn a_fault_shows_the_beginning_of_a_long_line() {
        let error = tabs(&"ä".repeat(1000)).unwrap_err().to_string();
        assert!(error.contains("äää…") && error.len() < 300, "{error}");
    }
}
