//! Contacts of two bodies, compared as events.

use super::body_part::BodyPart;
use super::contact::Contact;
use std::ops::Range;

/// How far two lists of contacts tell the same story.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Events {
    /// Contacts that both have.
    pub both: usize,
    /// Contacts that one of the two alone has.
    pub alone: usize,
    /// Median difference of their begins, seconds; 0 where there are few to compare.
    pub onset: f64,
    /// The first of those that one alone has.
    pub first_alone: Option<Range<usize>>,
}

/// Contacts of two lists match where they share this part of what they cover.
const SHARED: f64 = 0.5;
/// One that is shorter, seconds, only counts where it matches: it may come and go by a hair.
const SHORT: f64 = 0.1;
/// Begins of fewer contacts say nothing together.
const FEW: usize = 4;

impl Events {
    /// Compares the contacts of some parts, whose frames count from the same begin.
    pub fn new(one: &[Contact], other: &[Contact], frame_time: f64, parts: &[BodyPart]) -> Self {
        let mut own = Self::default();
        let mut late = Vec::new();
        for &part in parts {
            let [a, b] = [one, other].map(|list| runs(list, part));
            let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
            for (i, a) in a.iter().enumerate() {
                pairs.extend(b.iter().enumerate().map(|(j, b)| (shared(a, b), i, j)));
            }
            pairs.retain(|pair| pair.0 >= SHARED);
            pairs.sort_by(|x, y| y.0.total_cmp(&x.0));
            let (mut free, mut free_too) = (vec![true; a.len()], vec![true; b.len()]);
            for (_, i, j) in pairs {
                if free[i] && free_too[j] {
                    (free[i], free_too[j]) = (false, false);
                    own.both += 1;
                    // What a clip begins with did not begin then.
                    if a[i].start > 0 && b[j].start > 0 {
                        late.push(a[i].start.abs_diff(b[j].start) as f64 * frame_time);
                    }
                }
            }
            let left = a.iter().zip(free).chain(b.iter().zip(free_too)).filter(|(_, free)| *free);
            let long = |run: &&Range<usize>| run.len() as f64 * frame_time >= SHORT;
            for run in left.map(|(run, _)| run).filter(long) {
                own.alone += 1;
                if own.first_alone.as_ref().is_none_or(|first| run.start < first.start) {
                    own.first_alone = Some(run.clone());
                }
            }
        }
        late.sort_by(f64::total_cmp);
        if late.len() >= FEW {
            own.onset = late[late.len() / 2];
        }
        own
    }

    /// The harmonic mean of precision and recall; 1 where there is nothing to find.
    pub fn f1(&self) -> f64 {
        let (both, alone) = (2.0 * self.both as f64, self.alone as f64);
        if both + alone == 0.0 { 1.0 } else { both / (both + alone) }
    }
}

/// The contacts of a part, those without a gap between them as one.
fn runs(contacts: &[Contact], part: BodyPart) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for contact in contacts.iter().filter(|own| own.part == part) {
        match runs.last_mut() {
            Some(last) if last.end >= contact.frames.start => {
                last.end = last.end.max(contact.frames.end);
            }
            _ => runs.push(contact.frames.clone()),
        }
    }
    runs
}

fn shared(a: &Range<usize>, b: &Range<usize>) -> f64 {
    let both = a.end.min(b.end).saturating_sub(a.start.max(b.start)) as f64;
    both / (a.end.max(b.end) - a.start.min(b.start)) as f64
}
