//! Contacts of a comparison as bars over time.

use rebone::report::KeptContact;
use rebone::{BodyPart, Contact, ContactKind};
use serde::Serialize;
use std::collections::BTreeSet;

/// Contacts of a body part with the ground, or of a hand with another part.
#[derive(Debug, Serialize)]
pub(super) struct ContactBars {
    part: String,
    source: Vec<Bar>,
    result: Vec<Bar>,
}

/// A contact: first frame, frame after the last, kind, and of a self-contact of the source what the result keeps.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Bar(
    usize,
    usize,
    ContactKind,
    #[serde(skip_serializing_if = "Option::is_none")] Option<BarNote>,
);

/// The slack of a self-contact in a result, or the doubt that it is one.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct BarNote {
    state: BarState,
    text: String,
}

/// Style of the bar of a self-contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum BarState {
    Kept,
    /// Not kept: the page warns of it.
    Lost,
    Uncertain,
}

/// Lists the contacts of each body part that has any with the ground; gaps of less than `min_gap` frames are closed.
pub(super) fn ground_bars(contacts: &[Vec<Contact>; 2], min_gap: usize) -> Vec<ContactBars> {
    let of = |contacts: &[Contact], part: BodyPart| {
        let own = contacts.iter().filter(|contact| contact.part == part);
        bars(own.map(|contact| bar(contact, None)), min_gap)
    };
    let parts = BodyPart::ALL.into_iter().map(|part| ContactBars {
        part: part.to_string(),
        source: of(&contacts[0], part),
        result: of(&contacts[1], part),
    });
    parts.filter(|bars| !bars.source.is_empty() || !bars.result.is_empty()).collect()
}

/// Lists the self-contacts of each pair of parts: those of the source with what is kept, and those of the result. Uncertain ones of
/// the result alone are left out.
pub(super) fn self_contact_bars(
    kept: &[KeptContact],
    found: &[Contact],
    min_gap: usize,
) -> Vec<ContactBars> {
    let parts = |contact: &Contact| contact.on.map(|on| (contact.part, on));
    let sure = found.iter().filter(|contact| doubt(contact).is_none());
    let all = kept.iter().map(|own| &own.contact).chain(sure);
    let pairs: BTreeSet<(BodyPart, BodyPart)> = all.filter_map(parts).collect();
    let row = |(part, on): (BodyPart, BodyPart)| {
        let is_own = |contact: &Contact| parts(contact) == Some((part, on));
        let of_source = kept.iter().filter(|own| is_own(&own.contact));
        let of_result = found.iter().filter(|contact| is_own(contact));
        ContactBars {
            part: format!("{part} on {on}"),
            source: bars(of_source.map(|own| bar(&own.contact, Some(note(own)))), min_gap),
            result: bars(of_result.map(|contact| bar(contact, doubt(contact))), min_gap),
        }
    };
    pairs.into_iter().map(row).collect()
}

/// Tells what a result keeps of a self-contact. It is lost from the slack on of which a cause is told.
fn note(KeptContact { contact, slack, reason }: &KeptContact) -> BarNote {
    if let Some(doubt) = doubt(contact) {
        return doubt;
    }
    let Some(slack) = slack else {
        let text = "not kept: more than 50 cm off, or another part is nearer".to_owned();
        return BarNote { state: BarState::Lost, text };
    };
    let cause = match reason {
        None => {
            let text = format!("kept, {:.0} mm off", 1e3 * slack);
            return BarNote { state: BarState::Kept, text };
        }
        Some("reach") => "the arm is straight",
        Some("another contact") => "the hand has another contact",
        Some("no mesh") => "the target has no mesh to turn the arm by",
        Some(_) => "the arm would have to turn far",
    };
    let text = format!("not kept: {:.1} cm off, {cause}", 1e2 * slack);
    BarNote { state: BarState::Lost, text }
}

/// Tells of a self-contact that it may be none.
fn doubt(contact: &Contact) -> Option<BarNote> {
    (!contact.is_likely()).then(|| BarNote {
        state: BarState::Uncertain,
        text: format!("{:.0} % sure", 1e2 * contact.confidence),
    })
}

fn bar(contact: &Contact, note: Option<BarNote>) -> Bar {
    Bar(contact.frames.start, contact.frames.end, contact.kind, note)
}

/// Joins bars that are alike and less than `min_gap` frames apart.
fn bars(all: impl Iterator<Item = Bar>, min_gap: usize) -> Vec<Bar> {
    let mut joined: Vec<Bar> = Vec::new();
    for own in all {
        match joined.last_mut() {
            Some(last) if (last.2, &last.3) == (own.2, &own.3) && own.0 < last.1 + min_gap => {
                last.1 = own.1.max(last.1);
            }
            _ => joined.push(own),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{UnitQuaternion, Vector3};
    use rebone::body::Side;
    use rebone::skeleton::Clip;
    use rebone::{ClipInput, Hints, Options, align, analyse, compare_self_contacts, retarget_clip};

    #[test]
    fn hands_that_touch_have_a_row_of_their_own_and_one_that_is_pulled_off_is_lost() {
        let reach = rebone_samples::reach().motion;
        let rig = rebone_samples::rigs().swap_remove(0).motion;
        let [source, target] =
            [&reach, &rig].map(|motion| analyse(motion, &Hints::default()).unwrap());
        let plan = align(&source, &target, &Options::default());
        let (result, _) = retarget_clip(&plan, &ClipInput::new(&source, &reach.clip)).unwrap();
        let rows = |result: &Clip| {
            let (kept, found) = compare_self_contacts(&plan, &reach.clip, result).unwrap();
            self_contact_bars(&kept, &found, 0)
        };
        let own = rows(&result);
        assert_eq!(
            own.iter().map(|row| &row.part).collect::<Vec<_>>(),
            ["left hand on right hand"]
        );
        let Bar(start, end, kind, note) = &own[0].source[0];
        assert!((85..95).contains(start) && (100..115).contains(end), "{own:?}");
        assert_eq!(*kind, ContactKind::Plant);
        let note = note.clone().unwrap();
        assert_eq!(note.state, BarState::Kept);
        assert!(note.text.starts_with("kept, ") && note.text.ends_with(" mm off"));
        assert_eq!((own[0].result.len(), &own[0].result[0].3), (1, &None));
        let mut apart = result.clone();
        let shoulder = target.body.arms[Side::Left.index()].upper;
        let aside = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 0.2);
        apart
            .edit(|_, pose| {
                pose.rotations[shoulder.index()] = aside * pose.rotations[shoulder.index()]
            })
            .unwrap();
        let lost = rows(&apart);
        let note = lost[0].source[0].3.clone().unwrap();
        assert!(note.state == BarState::Lost && note.text.starts_with("not kept: "), "{note:?}");
        assert!(lost[0].result.is_empty(), "{lost:?}");
        let doubtful = Contact {
            part: BodyPart::Hand(Side::Left),
            on: Some(BodyPart::Belly),
            kind: *kind,
            frames: 2..9,
            confidence: 0.4,
        };
        assert!(self_contact_bars(&[], &[doubtful], 0).is_empty());
    }

    #[test]
    fn a_note_tells_the_cause_and_doubtful_contacts_are_not_lost() {
        let (part, on) = (BodyPart::Hand(Side::Left), Some(BodyPart::Belly));
        let contact =
            |confidence| Contact { part, on, kind: ContactKind::Plant, frames: 2..9, confidence };
        let own = |confidence, slack, reason| {
            note(&KeptContact { contact: contact(confidence), slack, reason })
        };
        let all = [
            (
                own(0.9, Some(0.032), Some("reach")),
                BarState::Lost,
                "3.2 cm off, the arm is straight",
            ),
            (own(0.9, Some(0.032), Some("another contact")), BarState::Lost, "another contact"),
            (own(0.9, Some(0.032), Some("pose")), BarState::Lost, "turn far"),
            (own(0.9, Some(0.032), Some("no mesh")), BarState::Lost, "no mesh to turn"),
            (own(0.9, None, None), BarState::Lost, "50 cm"),
            (own(0.9, Some(0.004), None), BarState::Kept, "kept, 4 mm off"),
            (own(0.4, Some(0.2), Some("pose")), BarState::Uncertain, "40 % sure"),
        ];
        for (own, state, said) in all {
            assert!(own.state == state && own.text.contains(said), "{own:?}");
        }
    }

    #[test]
    fn bars_of_one_kind_and_note_are_joined() {
        let note = |text: &str| Some(BarNote { state: BarState::Kept, text: text.to_owned() });
        let own =
            |frames: [usize; 2], text| Bar(frames[0], frames[1], ContactKind::Plant, note(text));
        let all = [own([0, 5], "a"), own([6, 9], "a"), own([10, 12], "b"), own([30, 32], "b")];
        let joined = bars(all.into_iter(), 4);
        assert_eq!(joined, [own([0, 9], "a"), own([10, 12], "b"), own([30, 32], "b")]);
    }
}
