//! A map: a file with pairs of joints that play the same role.

use super::{Loaded, file_name};
use crate::paths::read_text;
use anyhow::anyhow;
use rebone::card::resolve;
use rebone::skeleton::JointId;
use rebone::understand::Pair;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// What a line without a tab should have been.
const LINE: &str = "a joint of the source, a tab, and a joint of the target";

/// A line of a map, counted from 1, and the joints that it names.
type Line = (usize, [String; 2]);

/// What is wrong with a line.
type Fault = (usize, String);

/// Reads a map and finds its joints in source and target.
pub(super) fn read(path: &Path, files: [&Loaded; 2]) -> anyhow::Result<Vec<Pair>> {
    let text = read_text(path, "map")?;
    let text = text.trim_start_matches('\u{feff}');
    let is_json = text.trim_start().starts_with('{');
    let lines = if is_json { json(text) } else { tabs(text) };
    let pairs = lines.and_then(|lines| find(&lines, files));
    pairs.map_err(|(line, fault)| anyhow!("{}:{line}: {fault}", path.display()))
}

/// Lines of two joints with a tab between. A line that begins with `#` is a remark, but for `#12`.
fn tabs(text: &str) -> Result<Vec<Line>, Fault> {
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
            _ => return Err((number, format!("found {line:?}, expected {LINE}"))),
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
fn json(text: &str) -> Result<Vec<Line>, Fault> {
    let entries: Entries = serde_json::from_str(text)
        .map_err(|error| (error.line(), format!("{error}, expected {{\"source\": \"target\"}}")))?;
    let line = |(source, target): (String, &RawValue)| {
        // The value is a part of the text: its address says where.
        let place = target.get().as_ptr() as usize - text.as_ptr() as usize;
        let line = 1 + text[..place].matches('\n').count();
        match serde_json::from_str(target.get()) {
            Ok(target) => Ok((line, [source, target])),
            Err(_) => Err((line, format!("found {}, expected a joint in quotes", target.get()))),
        }
    };
    entries.0.into_iter().map(line).collect()
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
fn find(lines: &[Line], files: [&Loaded; 2]) -> Result<Vec<Pair>, Fault> {
    let mut known: [BTreeMap<JointId, usize>; 2] = Default::default();
    let mut pairs = Vec::new();
    for (line, names) in lines {
        let mut joint = |side: usize| {
            let file = file_name(&files[side].path);
            let joint = resolve(files[side].skeleton(), &names[side])
                .map_err(|error| (*line, format!("{file}: {error}")))?;
            match known[side].insert(joint, *line) {
                None => Ok(joint),
                Some(first) => {
                    let name = &names[side];
                    let fault =
                        format!("joint {name:?} of {file} is paired already, in line {first}");
                    Err((*line, fault + ": expected each joint once"))
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
            let (number, fault) = tabs(&format!("# remark\n{text}\n")).unwrap_err();
            assert!(number == 2 && fault.contains("expected"), "{text:?}: {fault}");
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
            let (number, fault) = json(text).unwrap_err();
            assert!(number == at && fault.contains("expected"), "{text:?}: {number} {fault}");
        }
    }
}
