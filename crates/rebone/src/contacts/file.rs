//! Contacts as text: JSON that people and programs write.

use super::Contact;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A text of contacts that cannot be used.
#[derive(Debug, Error)]
#[error("line {line}: {what}")]
pub struct ContactsError {
    /// The line, counted from 1.
    pub line: usize,
    /// What was found, and what was expected.
    pub what: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    contacts: Vec<Contact>,
}

#[derive(Serialize)]
struct Written<'a> {
    contacts: &'a [Contact],
}

/// Reads contacts: `{"contacts": [{"part": "left foot", "kind": "plant", "frames": [12, 40]}]}`.
///
/// # Errors
/// Where the text is no such JSON, or a contact has no frames.
pub fn parse(text: &str) -> Result<Vec<Contact>, ContactsError> {
    let given: Result<Given, _> = serde_json::from_str(text);
    let given = given.map_err(|error| ContactsError {
        line: error.line(),
        what: without_place(&error.to_string()).to_owned(),
    })?;
    Ok(given.contacts)
}

/// The same as text, a contact a line.
pub fn write(contacts: &[Contact]) -> String {
    let text = serde_json::to_string(&Written { contacts }).unwrap_or_default();
    text.replace("[{", "[\n  {").replace("},{", "},\n  {").replace("}]}", "}\n]}\n")
}

/// A message of the reader without the place that stands behind it.
fn without_place(message: &str) -> &str {
    message.split(" at line ").next().unwrap_or(message)
}

/// Frames as `[first, behind the last]`.
pub(super) mod frames {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::ops::Range;

    pub(crate) fn serialize<S: Serializer>(
        frames: &Range<usize>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        [frames.start, frames.end].serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Range<usize>, D::Error> {
        let [start, end] = <[usize; 2]>::deserialize(from)?;
        if start >= end {
            let what = format!(
                "found frames [{start}, {end}], expected the first and the one behind the last"
            );
            return Err(D::Error::custom(what));
        }
        Ok(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::{BodyPart, ContactKind};
    use crate::understand::Side;

    #[test]
    fn what_is_written_reads_back() {
        let contact = |part, kind, frames| Contact { part, kind, frames, confidence: 0.5 };
        let contacts = vec![
            contact(BodyPart::Foot(Side::Left), ContactKind::Roll, 3..9),
            contact(BodyPart::Seat, ContactKind::Plant, 0..1),
        ];
        let text = write(&contacts);
        assert_eq!(text.lines().count(), 4);
        assert_eq!(parse(&text).unwrap(), contacts);
        assert_eq!(parse(&write(&[])).unwrap(), []);
    }

    #[test]
    fn errors_name_the_line_and_what_is_wrong() {
        let cases = [
            (
                "{\"contacts\": [\n{\"part\": \"left fot\"}]}",
                "line 2: no part of the body is called \"left fot\"",
            ),
            (
                "{\"contacts\": [{\"part\": \"seat\", \"kind\": \"plant\", \"frames\": [4, 4]}]}",
                "line 1: found frames [4, 4]",
            ),
            (
                "{\"contacts\": [{\"part\": \"seat\", \"kind\": \"sits\", \"frames\": [4, 5]}]}",
                "line 1: unknown variant `sits`",
            ),
            ("", "line 1: EOF"),
        ];
        for (text, wanted) in cases {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.starts_with(wanted), "{error}");
        }
    }
}
