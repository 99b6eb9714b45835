//! Which touches of the hands count in each frame.

use super::parts::segment_of;
use crate::contacts::{BodyPart, Contact};
use crate::math::ease;
use crate::surface::BodySegment;
use std::ops::Range;

/// Least confidence of a self-contact that is kept.
const MIN_CONFIDENCE: f64 = 0.5;
/// Time over which a choice fades in and out around a contact.
const FADE_SECONDS: f64 = 0.3;

/// Shares of the touches of each hand with each segment, in the order of [`BodySegment::ALL`].
pub(crate) type TouchShares = [[f64; BodySegment::ALL.len()]; 2];

/// Choice of the touches that count: on a known surface all but some, on a guessed one some only.
#[derive(Clone, Debug)]
pub(crate) struct TouchChoice {
    /// Share of touches outside the intervals.
    share: f64,
    /// Contacts in which the share is the other one.
    intervals: Vec<Interval>,
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
        [detected, given]: [&[Contact]; 2],
        pieces: &[Range<usize>],
        frame_time: f64,
    ) -> Self {
        let is_dropped = |own: &&Contact| {
            let mut kept = given.iter().filter(|other| is_kept(other));
            !given.is_empty() && !kept.any(|other| is_same(own, other))
        };
        let chosen: Vec<&Contact> = match (is_guessed, given) {
            (true, []) => detected.iter().filter(|own| is_kept(own)).collect(),
            (true, given) => given.iter().filter(|own| is_kept(own)).collect(),
            (false, _) => detected.iter().filter(is_dropped).collect(),
        };
        let intervals = chosen.into_iter().filter_map(|own| Interval::new(own, pieces)).collect();
        Self { share: f64::from(u8::from(!is_guessed)), intervals, fade: FADE_SECONDS / frame_time }
    }

    /// Returns the shares in a frame; `None` where all count in whole.
    pub(crate) fn shares(&self, frame: usize) -> Option<TouchShares> {
        if self.share == 1.0 && self.intervals.is_empty() {
            return None;
        }
        let mut shares = [[self.share; BodySegment::ALL.len()]; 2];
        for interval in &self.intervals {
            let near = interval.nearness(frame, self.fade);
            for [side, segment] in &interval.touches {
                let own = &mut shares[*side][*segment];
                *own = if self.share == 0.0 { own.max(near) } else { own.min(1.0 - near) };
            }
        }
        Some(shares)
    }
}

/// Returns whether a self-contact is kept where the surface of the source is guessed or contacts are given.
pub(crate) fn is_kept(contact: &Contact) -> bool {
    contact.confidence >= MIN_CONFIDENCE
}

fn is_same(a: &Contact, b: &Contact) -> bool {
    (a.part, a.on) == (b.part, b.on)
        && a.frames.start < b.frames.end
        && b.frames.start < a.frames.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Side;
    use crate::contacts::ContactKind;

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
        let choose =
            |given: &[Contact]| TouchChoice::new(true, [&found, given], &[0..50, 50..100], 0.1);
        let own = choose(&[]);
        let hands = [(Side::Left, Side::Right), (Side::Right, Side::Left)];
        for (side, other) in hands {
            let share = |frame| share(&own, frame, side, BodySegment::Hand(other));
            assert_eq!([10, 20, 29, 40].map(share), [0.0, 1.0, 1.0, 0.0]);
            assert!(share(19) > share(18) && share(18) > 0.0);
        }
        assert_eq!(share(&own, 70, Side::Left, BodySegment::Chest), 0.0);
        let given = choose(&[contact(BodyPart::Chest, 50..80, 1.0)]);
        assert_eq!(share(&given, 70, Side::Left, BodySegment::Chest), 1.0);
        assert_eq!(share(&given, 49, Side::Left, BodySegment::Chest), 0.0, "the clip is cut there");
        assert_eq!(share(&given, 25, Side::Left, BodySegment::Hand(Side::Right)), 0.0);
    }

    #[test]
    fn a_known_surface_is_touched_but_in_contacts_that_are_taken_out() {
        let found = [contact(BodyPart::Chest, 20..30, 0.9), contact(BodyPart::Head, 60..80, 0.9)];
        let choose =
            |given: &[Contact]| TouchChoice::new(false, [&found, given], &[0..90, 90..100], 0.1);
        for given in [&[][..], &found] {
            assert_eq!(choose(given).shares(25), None);
        }
        let own = choose(&found[1..]);
        let share = |frame, segment| share(&own, frame, Side::Left, segment);
        assert_eq!([10, 25, 50].map(|frame| share(frame, BodySegment::Chest)), [1.0, 0.0, 1.0]);
        assert_eq!(share(70, BodySegment::Head), 1.0);
    }
}
