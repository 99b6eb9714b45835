//! Contacts as JSON.

use super::body_part::{BodyPart, names};
use super::contact::{Contact, ContactKind};
use rebone_body::LineError;
use rebone_body::body::Side;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with a list called contacts")]
struct Given {
    contacts: Vec<Contact>,
}

#[derive(Serialize)]
struct Written<'a> {
    contacts: &'a [Contact],
}

/// Reads contacts: `{"contacts": [{"part": "left foot", "kind": "plant", "frames": [12, 40]}]}`.
///
/// A contact of a hand with another part of the body names it: `"part": "left hand", "on": "chest"`. Two hands on each other are
/// the left one on the right one.
///
/// ```
/// use rebone::contacts::{parse, write};
/// use rebone::{BodyPart, ContactKind};
///
/// let contacts = parse(r#"{"contacts": [{"part": "seat", "kind": "plant", "frames": [12, 40]}]}"#)?;
/// assert_eq!((contacts[0].part, contacts[0].kind), (BodyPart::Seat, ContactKind::Plant));
/// assert_eq!(parse(&write(&contacts))?, contacts);
/// # Ok::<(), rebone::LineError>(())
/// ```
///
/// # Errors
/// When the text is no such JSON, a contact has no frames, no probability, or parts that cannot be in
/// contact, or two of one pair of parts have frames in common.
pub fn parse(text: &str) -> Result<Vec<Contact>, LineError> {
    let given: Result<Given, _> = serde_json::from_str(text.trim_start_matches('\u{feff}'));
    let given = given.map_err(|error| LineError {
        line: error.line(),
        message: without_place(&error.to_string()).to_owned(),
    })?;
    let mut contacts = given.contacts;
    if let Some(message) = contacts.iter().find_map(fault) {
        return Err(LineError { line: 1, message });
    }
    for own in &mut contacts {
        if let Some(on @ BodyPart::Hand(Side::Left)) = own.on {
            (own.part, own.on) = (on, Some(own.part));
        }
    }
    contacts.sort_by_key(|own| (own.part, own.on, own.frames.start));
    let overlap = contacts
        .windows(2)
        .find(|pair| pair[0].has_parts_of(&pair[1]) && pair[0].overlaps(&pair[1]));
    match overlap {
        Some([one, other]) => Err(LineError {
            line: 1,
            message: format!(
                "two contacts of the {}{} have frames in common, {:?} and {:?}: expected one at a time",
                one.part,
                one.on.map_or_else(String::new, |on| format!(" with the {on}")),
                one.frames,
                other.frames
            ),
        }),
        _ => Ok(contacts),
    }
}

/// Writes contacts as JSON, one contact per line.
pub fn write(contacts: &[Contact]) -> String {
    let text = serde_json::to_string(&Written { contacts }).unwrap_or_default();
    text.replace("[{", "[\n  {").replace("},{", "},\n  {").replace("}]}", "}\n]}\n")
}

/// Returns what is wrong with the parts of a contact.
fn fault(contact: &Contact) -> Option<String> {
    let part = contact.part;
    match contact.on {
        None if !BodyPart::ALL.contains(&part) => Some(format!(
            "found the {part} on the ground, expected one of {}",
            names(&BodyPart::ALL)
        )),
        Some(on) if !matches!(part, BodyPart::Hand(_)) => {
            Some(format!("found the {part} on the {on}: only a hand can touch another part"))
        }
        Some(on) if is_of_own_arm(part, on) => {
            Some(format!("found the {part} on the {on}: a hand does not reach its own arm"))
        }
        Some(on) if !BodyPart::TOUCHABLE.contains(&on) => Some(format!(
            "found the {part} on the {on}, expected one of {}",
            names(&BodyPart::TOUCHABLE)
        )),
        Some(on) if !matches!(contact.kind, ContactKind::Plant | ContactKind::Slide) => Some(
            format!("found the {part} on the {on} as {:?}, expected plant or slide", contact.kind)
                .to_lowercase(),
        ),
        _ => None,
    }
}

fn is_of_own_arm(hand: BodyPart, on: BodyPart) -> bool {
    match (hand, on) {
        (
            BodyPart::Hand(side),
            BodyPart::Hand(other) | BodyPart::Forearm(other) | BodyPart::UpperArm(other),
        ) => side == other,
        _ => false,
    }
}

/// Removes the line and column from a message of the parser.
fn without_place(message: &str) -> &str {
    message.split(" at line ").next().unwrap_or(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::{BodyPart, ContactKind};
    use rebone_body::body::Side;

    #[test]
    fn what_is_written_reads_back() {
        let contact =
            |part, kind, frames| Contact { part, on: None, kind, frames, confidence: 0.5 };
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
    fn two_hands_on_each_other_are_the_left_one_on_the_right_one() {
        let text = r#"{"contacts": [
            {"part": "right hand", "on": "left hand", "kind": "plant", "frames": [4, 9]},
            {"part": "right hand", "on": "belly", "kind": "slide", "frames": [4, 9]}
        ]}"#;
        let found = parse(text).unwrap().into_iter().map(|own| (own.part, own.on));
        let [left, right] = [Side::Left, Side::Right].map(BodyPart::Hand);
        let expected = [(left, Some(right)), (right, Some(BodyPart::Belly))];
        assert_eq!(found.collect::<Vec<_>>(), expected);
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
                "line 1: found frames [4,4], expected [FIRST, BEHIND THE LAST]",
            ),
            (
                "{\"contacts\": [{\"part\": \"left thigh\", \"kind\": \"plant\", \"frames\": [4, 5]}]}",
                "line 1: found the left thigh on the ground, expected one of left foot,",
            ),
            (
                "{\"contacts\": [{\"part\": \"seat\", \"on\": \"chest\", \"kind\": \"plant\", \"frames\": [4, 5]}]}",
                "line 1: found the seat on the chest: only a hand can touch another part",
            ),
            (
                "{\"contacts\": [{\"part\": \"left hand\", \"on\": \"left forearm\", \"kind\": \"plant\", \"frames\": [4, 5]}]}",
                "line 1: found the left hand on the left forearm: a hand does not reach its own arm",
            ),
            (
                "{\"contacts\": [{\"part\": \"left hand\", \"on\": \"head\", \"kind\": \"roll\", \"frames\": [4, 5]}]}",
                "line 1: found the left hand on the head as roll, expected plant or slide",
            ),
            (
                "{\"contacts\": [{\"part\": \"left hand\", \"on\": \"seat\", \"kind\": \"plant\", \"frames\": [4, 5]}]}",
                "line 1: found the left hand on the seat, expected one of pelvis,",
            ),
            (
                "{\"contacts\": [{\"part\": \"seat\", \"kind\": \"sits\", \"frames\": [4, 5]}]}",
                "line 1: unknown variant `sits`",
            ),
            ("", "line 1: EOF"),
            ("[]", "line 1: invalid length 0, expected an object with a list called contacts"),
            (
                "{\"contacts\": [{\"part\": \"seat\", \"kind\": \"plant\", \"frames\": [-4, 5]}]}",
                "line 1: found frames [-4,5]",
            ),
            (
                "{\"contacts\": [{\"part\": \"seat\", \"kind\": \"plant\", \"frames\": [4, 5], \"confidence\": 1e9}]}",
                "line 1: found confidence 1000000000, expected 0 to 1",
            ),
            (
                "{\"contacts\": [{\"part\": \"seat\", \"kind\": \"plant\", \"frames\": [4, 9]}, {\"part\": \"seat\", \"kind\": \"slide\", \"frames\": [8, 12]}]}",
                "line 1: two contacts of the seat have frames in common",
            ),
        ];
        for (text, wanted) in cases {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.starts_with(wanted), "{error}");
        }
    }
}
