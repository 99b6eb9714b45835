//! Comparison of the contacts of two bodies.

use super::body_part::BodyPart;
use super::contact::Contact;
use std::ops::Range;

/// Match of two lists of contacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ContactMatch {
    /// Number of contacts in both lists.
    pub(crate) matched: usize,
    /// Number of contacts in one list only.
    pub(crate) unmatched: usize,
    /// Median difference of onset times, seconds; 0 with fewer than four to compare.
    pub(crate) onset_error: f64,
    /// Body part and frames of the first contact in one list only.
    pub(crate) first_unmatched: Option<(BodyPart, Range<usize>)>,
}

/// Smallest overlap of two matching contacts, as part of their union.
const MIN_OVERLAP: f64 = 0.5;
/// Shortest unmatched contact that counts, seconds: shorter ones depend on noise.
const MIN_UNMATCHED_SECONDS: f64 = 0.1;
/// Smallest number of onsets with a meaningful median.
const MIN_ONSETS: usize = 4;

impl ContactMatch {
    /// Compares the contacts of some parts; frames of both lists count from one begin. A contact that is in one list only
    /// does not count where `rests` says that the part of the other body, 0 of the first list, is all but in contact too.
    pub(crate) fn new(
        one: &[Contact],
        other: &[Contact],
        frame_time: f64,
        parts: &[BodyPart],
        rests: impl Fn(usize, BodyPart, &Range<usize>) -> bool,
    ) -> Self {
        let mut own = Self::default();
        let mut late = Vec::new();
        for &part in parts {
            let [a, b] = [one, other].map(|list| contact_spans(list, part));
            let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
            for (i, a) in a.iter().enumerate() {
                pairs.extend(b.iter().enumerate().map(|(j, b)| (overlap(a, b), i, j)));
            }
            pairs.retain(|pair| pair.0 >= MIN_OVERLAP);
            pairs.sort_by(|x, y| y.0.total_cmp(&x.0));
            let (mut free, mut free_too) = (vec![true; a.len()], vec![true; b.len()]);
            for (_, i, j) in pairs {
                if free[i] && free_too[j] {
                    (free[i], free_too[j]) = (false, false);
                    own.matched += 1;
                    // Contacts at the first frame began before the clip.
                    if a[i].start > 0 && b[j].start > 0 {
                        late.push(a[i].start.abs_diff(b[j].start) as f64 * frame_time);
                    }
                }
            }
            let of = |list: usize| move |(span, free)| (list, span, free);
            let spans = a.iter().zip(free).map(of(0)).chain(b.iter().zip(free_too).map(of(1)));
            let counts = |(list, span, free): &(usize, &Range<usize>, bool)| {
                let is_long = span.len() as f64 * frame_time >= MIN_UNMATCHED_SECONDS;
                *free && is_long && !rests(1 - list, part, span)
            };
            for (_, span, _) in spans.filter(counts) {
                own.unmatched += 1;
                let is_first = |first: &(BodyPart, Range<usize>)| span.start < first.1.start;
                if own.first_unmatched.as_ref().is_none_or(is_first) {
                    own.first_unmatched = Some((part, span.clone()));
                }
            }
        }
        late.sort_unstable_by(f64::total_cmp);
        if late.len() >= MIN_ONSETS {
            own.onset_error = late[late.len() / 2];
        }
        own
    }

    /// Returns the harmonic mean of precision and recall; 1 without contacts.
    pub(crate) fn f1(&self) -> f64 {
        let (matched, unmatched) = (2.0 * self.matched as f64, self.unmatched as f64);
        if matched + unmatched == 0.0 { 1.0 } else { matched / (matched + unmatched) }
    }
}

/// Counts the contacts of some parts that are in both lists, and those in one of them only. Frames of both lists count from
/// one begin; contacts match where they share half of their union; unmatched ones shorter than 0.1 s do not count.
///
/// ```
/// use rebone::contacts::{count_matches, parse};
/// use rebone::BodyPart;
/// let truth = parse(r#"{"contacts": [{"part": "left foot", "kind": "plant", "frames": [12, 40]}]}"#)?;
/// let found = parse(r#"{"contacts": [{"part": "left foot", "kind": "plant", "frames": [14, 41]}]}"#)?;
/// assert_eq!(count_matches(&truth, &found, 1.0 / 60.0, &BodyPart::ALL), [1, 0]);
/// # Ok::<(), rebone::LineError>(())
/// ```
pub fn count_matches(
    one: &[Contact],
    other: &[Contact],
    frame_time: f64,
    parts: &[BodyPart],
) -> [usize; 2] {
    let ContactMatch { matched, unmatched, .. } =
        ContactMatch::new(one, other, frame_time, parts, |_, _, _| false);
    [matched, unmatched]
}

/// Returns the spans of a part's contacts, adjacent ones merged.
fn contact_spans(contacts: &[Contact], part: BodyPart) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    for contact in contacts.iter().filter(|own| own.part == part) {
        match spans.last_mut() {
            Some(last) if last.end >= contact.frames.start => {
                last.end = last.end.max(contact.frames.end);
            }
            _ => spans.push(contact.frames.clone()),
        }
    }
    spans
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> f64 {
    let matched = a.end.min(b.end).saturating_sub(a.start.max(b.start)) as f64;
    matched / a.end.max(b.end).saturating_sub(a.start.min(b.start)) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::ContactKind;
    use rebone_body::body::Side;

    #[test]
    fn a_contact_of_one_body_counts_where_the_other_does_not_rest() {
        let part = BodyPart::Foot(Side::Left);
        let contact =
            |frames| Contact { part, on: None, kind: ContactKind::Plant, frames, confidence: 1.0 };
        let (one, other) = ([contact(0..20)], [contact(0..20), contact(40..60)]);
        let unmatched = |rests: bool| {
            let asked = |body: usize, _: BodyPart, frames: &Range<usize>| {
                assert_eq!((body, frames.clone()), (0, 40..60));
                rests
            };
            ContactMatch::new(&one, &other, 0.03, &[part], asked).unmatched
        };
        assert_eq!([unmatched(true), unmatched(false)], [0, 1]);
    }
}
