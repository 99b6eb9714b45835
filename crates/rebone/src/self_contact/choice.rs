//! Choice of the touches of hands that count in each frame.

use super::parts::segment_of;
use crate::contacts::{BodyPart, Contact};
use crate::math::ease;
use rebone_body::body::BodySegment;
use std::ops::Range;

/// Time over which a choice fades in and out around a contact.
const CHOICE_FADE_SECONDS: f64 = 0.3;

/// Shares of the touches of each hand with each segment, in the order of [`BodySegment::ALL`].
pub(crate) type TouchShares = [[f64; BodySegment::ALL.len()]; 2];

/// Choice of the touches that count: on a known surface all but some, on a guessed one some only.
#[derive(Clone, Debug)]
pub(crate) struct TouchChoice {
    /// True if touches count outside the intervals, and not in them.
    counts_outside: bool,
    /// In the order of their frames.
    intervals: Vec<Interval>,
    /// Frames of the longest interval.
    longest: usize,
    /// Frames over which shares fade.
    fade: f64,
}

/// A contact, by the places of its touches in [`TouchShares`].
#[derive(Clone, Debug)]
struct Interval {
    touches: Vec<[usize; 2]>,
    frames: Range<usize>,
    /// The segment of the clip that it is in.
    piece: Range<usize>,
}

impl Interval {
    fn new(contact: &Contact, pieces: &[Range<usize>]) -> Option<Self> {
        let BodyPart::Hand(side) = contact.part else { return None };
        let segment = segment_of(contact.on?)?;
        let piece = pieces.iter().find(|piece| piece.contains(&contact.frames.start))?.clone();
        let mut touches = vec![[side.index(), segment.index()]];
        if let BodySegment::Hand(other) = segment {
            touches.push([other.index(), BodySegment::Hand(side).index()]);
        }
        Some(Self { touches, frames: contact.frames.clone(), piece })
    }

    /// Returns how near a frame is to the contact: 1 in it, 0 from `fade` frames on.
    fn nearness(&self, frame: usize, fade: f64) -> f64 {
        if !self.piece.contains(&frame) {
            return 0.0;
        }
        let Range { start, end } = self.frames;
        let off = start.saturating_sub(frame).max((frame + 1).saturating_sub(end));
        ease(1.0 - off as f64 / fade)
    }
}

impl TouchChoice {
    /// Chooses among detected contacts by the given ones, if any is given.
    pub(crate) fn new(
        is_guessed: bool,
        (detected, given): (&[Contact], Option<&[Contact]>),
        pieces: &[Range<usize>],
        frame_time: f64,
    ) -> Self {
        let is_dropped = |own: &&Contact| {
            let is_same = |other: &Contact| own.has_parts_of(other) && own.overlaps(other);
            // A detected contact that the file repeats unchanged is treated as without a file.
            let keeps = |other: &Contact| *other == **own || other.is_likely() && is_same(other);
            given.is_some_and(|given| !given.iter().any(keeps))
        };
        let chosen: Vec<&Contact> = match is_guessed {
            true => given.unwrap_or(detected).iter().filter(|own| own.is_likely()).collect(),
            false => detected.iter().filter(is_dropped).collect(),
        };
        let mut intervals: Vec<Interval> =
            chosen.into_iter().filter_map(|own| Interval::new(own, pieces)).collect();
        intervals.sort_by_key(|own| own.frames.start);
        let longest = intervals.iter().map(|own| own.frames.len()).max().unwrap_or(0);
        let fade = CHOICE_FADE_SECONDS / frame_time;
        Self { counts_outside: !is_guessed, intervals, longest, fade }
    }

    /// Returns the shares in a frame; `None` where all count in whole.
    pub(crate) fn shares(&self, frame: usize) -> Option<TouchShares> {
        if self.counts_outside && self.intervals.is_empty() {
            return None;
        }
        let outside = f64::from(u8::from(self.counts_outside));
        let mut shares = [[outside; BodySegment::ALL.len()]; 2];
        let fade = self.fade.ceil() as usize;
        let starts = |frame: usize| self.intervals.partition_point(|own| own.frames.start < frame);
        let near = starts(frame.saturating_sub(self.longest + fade))..starts(frame + fade + 1);
        for interval in &self.intervals[near] {
            let near = interval.nearness(frame, self.fade);
            for [side, segment] in &interval.touches {
                let own = &mut shares[*side][*segment];
                *own = if self.counts_outside { own.min(1.0 - near) } else { own.max(near) };
            }
        }
        Some(shares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::ContactKind;
    use rebone_body::body::Side;

    fn contact(on: BodyPart, frames: Range<usize>, confidence: f64) -> Contact {
        let (part, kind) = (BodyPart::Hand(Side::Left), ContactKind::Plant);
        Contact { part, on: Some(on), kind, frames, confidence }
    }

    fn share(choice: &TouchChoice, frame: usize, side: Side, segment: BodySegment) -> f64 {
        choice.shares(frame).map_or(1.0, |all| all[side.index()][segment.index()])
    }

    #[test]
    fn a_guessed_surface_is_touched_in_contacts_that_are_likely_or_given() {
        let right = BodyPart::Hand(Side::Right);
        let found = [contact(right, 20..30, 0.9), contact(BodyPart::Chest, 60..80, 0.4)];
        let choose = |given: Option<&[Contact]>| {
            TouchChoice::new(true, (&found, given), &[0..50, 50..100], 0.1)
        };
        let own = choose(None);
        let hands = [(Side::Left, Side::Right), (Side::Right, Side::Left)];
        for (side, other) in hands {
            let share = |frame| share(&own, frame, side, BodySegment::Hand(other));
            assert_eq!([10, 20, 29, 40].map(share), [0.0, 1.0, 1.0, 0.0]);
            assert!(share(19) > share(18) && share(18) > 0.0);
        }
        assert_eq!(share(&own, 70, Side::Left, BodySegment::Chest), 0.0);
        let given = choose(Some(&[contact(BodyPart::Chest, 50..80, 1.0)]));
        assert_eq!(share(&given, 70, Side::Left, BodySegment::Chest), 1.0);
        assert_eq!(share(&given, 49, Side::Left, BodySegment::Chest), 0.0, "the clip is cut there");
        assert_eq!(share(&given, 25, Side::Left, BodySegment::Hand(Side::Right)), 0.0);
    }

    #[test]
    fn a_known_surface_is_touched_but_in_contacts_that_are_taken_out() {
        let found = [contact(BodyPart::Chest, 20..30, 0.9), contact(BodyPart::Head, 60..80, 0.9)];
        let choose = |given: Option<&[Contact]>| {
            TouchChoice::new(false, (&found, given), &[0..90, 90..100], 0.1)
        };
        for given in [None, Some(&found[..])] {
            assert_eq!(choose(given).shares(25), None);
        }
        let own = choose(Some(&found[1..]));
        let share = |frame, segment| share(&own, frame, Side::Left, segment);
        assert_eq!([10, 25, 50].map(|frame| share(frame, BodySegment::Chest)), [1.0, 0.0, 1.0]);
        assert_eq!(share(70, BodySegment::Head), 1.0);
        let none = choose(Some(&[]));
        assert!(none.shares(70).is_some(), "all of them are taken out");
    }
}
