//! Self-contacts of a body: intervals of a clip in which a hand stays on a segment of it.

use super::parts::part_of;
use crate::contacts::{BodyPart, Contact, ContactKind};
use crate::math::ease;
use crate::surface::{BodyTransforms, SurfacePair};
use nalgebra::Vector3;
use rebone_body::body::{BodySegment, SegmentSet, Side};
use std::ops::Range;

/// Gaps between hand and segment up to which they touch, and from which on they do not, metres.
const GAPS_METRES: [f64; 2] = [0.01, 0.025];
/// Distance within which the place of a hand over a segment is known, so that its speed is.
const TRACKED_METRES: f64 = 0.08;
/// Time over which the speed of a hand over a segment is measured. A hand that claps comes and goes within it.
const SPEED_WINDOW_SECONDS: f64 = 0.1;
/// Speeds of a hand over a segment up to which it rests there, and from which on it passes by, metres a second.
const RESTING_METRES_PER_SECOND: [f64; 2] = [0.12, 0.4];
/// Speed from which on a hand slides.
const SLIDING_METRES_PER_SECOND: f64 = 0.05;
/// Least time of a contact; hands may clap in less.
const MIN_CONTACT_SECONDS: f64 = 0.2;
/// Factor of the confidence of a contact with a segment whose surface is a guess by 3 cm or more, if nothing else speaks for it.
const GUESSED_CONFIDENCE_FACTOR: f64 = 0.4;
/// Bends of an elbow up to which a hand may just hang there, and from which on it was put there, radians: 40 and 70 degrees.
const BENT_RADIANS: [f64; 2] = [0.698, 1.222];
/// Least time of a contact with a guessed surface that is believed.
const MIN_BELIEVED_SECONDS: f64 = 0.3;
/// Share of a contact's frames in which hands may be at each other if it is believed: folded hands are held, not put on the body.
const MAX_HANDS_SHARE: f64 = 0.3;

/// A hand near a segment in a frame of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NearHand {
    side: Side,
    segment: BodySegment,
    /// Least distance of the hand from the segment, negative inside, metres; at most that from which on they do not touch.
    gap: f64,
    /// The middle of the hand in the axes of the segment.
    place: Vector3<f64>,
    /// Bend of the elbow, radians.
    bend: f64,
}

impl SurfacePair {
    /// Returns what the hands of a body are near to; two hands near each other are the left one near the right one.
    pub(crate) fn near_hands(&self, body: usize, at: &BodyTransforms) -> Vec<NearHand> {
        let mut all = Vec::new();
        for side in Side::BOTH {
            let hand = BodySegment::Hand(side);
            let own = self.field(body, hand).zip(at.fields[hand.index()]);
            let Some(middle) = own.map(|(field, own)| own.outward(&field.middle())) else {
                continue;
            };
            let [shoulder, elbow, wrist] = at.arms[side.index()].joints;
            let bend = (elbow - shoulder).angle(&(wrist - elbow));
            let near = self.near(body, at, hand, TRACKED_METRES);
            let is_listed = |other: &BodySegment| {
                !other.is_of_arm(side) && *other != BodySegment::Hand(Side::Left)
            };
            for segment in near.iter().filter(is_listed) {
                let Some(own) = at.fields[segment.index()] else { continue };
                let gap_of = |part: BodySegment, on: BodySegment| {
                    let on = SegmentSet::from_iter([on]);
                    self.nearest(body, at, (part, on), GAPS_METRES[1]).0
                };
                let mut gap = gap_of(hand, segment);
                if segment == BodySegment::Hand(Side::Right) {
                    gap = gap.min(gap_of(segment, hand));
                }
                all.push(NearHand { side, segment, gap, place: own.inward(&middle), bend });
            }
        }
        all
    }

    /// Returns the self-contacts of a body over the pieces of a clip, given what its hands are near to in each frame. Where
    /// one of `bodies` has no skin they are less likely, unless a hand rests there at the end of a bent arm.
    pub(crate) fn find_contacts(
        &self,
        bodies: &[usize],
        frames: &[Vec<NearHand>],
        pieces: &[Range<usize>],
        frame_time: f64,
    ) -> Vec<Contact> {
        let mut contacts = Vec::new();
        for piece in pieces {
            for side in Side::BOTH {
                for segment in BodySegment::ALL {
                    let own = HandPath { frames, piece, side, segment, frame_time };
                    let is_known = bodies.iter().all(|body| self.is_known(*body, segment));
                    contacts.extend(own.contacts(is_known || segment.is_of_arm(side.other())));
                }
            }
        }
        contacts
    }
}

/// A hand over a segment in the frames of a piece.
struct HandPath<'a> {
    frames: &'a [Vec<NearHand>],
    piece: &'a Range<usize>,
    side: Side,
    segment: BodySegment,
    frame_time: f64,
}

impl HandPath<'_> {
    fn at(&self, frame: usize) -> Option<&NearHand> {
        let mut all = self.frames[frame].iter();
        all.find(|own| own.side == self.side && own.segment == self.segment)
    }

    /// Returns the speed of the hand over the segment around a frame; `None` where it is not known.
    fn speed(&self, frame: usize) -> Option<f64> {
        let half = ((SPEED_WINDOW_SECONDS / 2.0 / self.frame_time).round() as usize).max(1);
        let begin = frame.saturating_sub(half).max(self.piece.start);
        let end = (frame + half).min(self.piece.end - 1);
        let way = self.at(end)?.place - self.at(begin)?.place;
        Some(way.norm() / ((end - begin).max(1) as f64 * self.frame_time))
    }

    /// Returns the probability of a touch in a frame.
    fn probability(&self, frame: usize) -> f64 {
        let Some((own, speed)) = self.at(frame).zip(self.speed(frame)) else { return 0.0 };
        let share = |[low, high]: [f64; 2], value: f64| ease((high - value) / (high - low));
        share(GAPS_METRES, own.gap) * share(RESTING_METRES_PER_SECOND, speed)
    }

    /// Returns the contacts with a segment whose surface is known, or is a guess.
    fn contacts(&self, is_known: bool) -> Vec<Contact> {
        if self.piece.clone().all(|frame| self.at(frame).is_none()) {
            return Vec::new();
        }
        let is_hand = matches!(self.segment, BodySegment::Hand(_));
        let held = if is_hand { 1.0 } else { MIN_CONTACT_SECONDS / self.frame_time };
        let probabilities: Vec<f64> =
            self.piece.clone().map(|frame| self.probability(frame)).collect();
        let touching = probabilities.chunk_by(|a, b| (*a >= 0.5) == (*b >= 0.5));
        let mut start = self.piece.start;
        let mut contacts = Vec::new();
        for chunk in touching {
            let frames = start..start + chunk.len();
            start = frames.end;
            if chunk[0] < 0.5 || (chunk.len() as f64) < held {
                continue;
            }
            let mean = |sum: f64| (sum / chunk.len() as f64).clamp(0.0, 1.0);
            let slides = mean(frames.clone().filter_map(|own| self.speed(own)).sum());
            let kind = match slides > SLIDING_METRES_PER_SECOND {
                true => ContactKind::Slide,
                false => ContactKind::Plant,
            };
            let factor = if is_known { 1.0 } else { self.guessed_factor(&frames, kind) };
            let confidence = factor * mean(chunk.iter().sum());
            let part = BodyPart::Hand(self.side);
            let on = Some(part_of(self.segment));
            contacts.push(Contact { part, on, kind, frames, confidence });
        }
        contacts
    }

    /// Returns the factor of the confidence of a contact with a guessed surface. A hand that rests at the end of a bent arm was put
    /// there, wherever the surface is; one that hangs, slides, is held by the other or reaches across to a leg may only be near.
    fn guessed_factor(&self, frames: &Range<usize>, kind: ContactKind) -> f64 {
        let is_within_reach = match self.segment {
            BodySegment::Thigh(side) => side == self.side,
            BodySegment::Shin(_) | BodySegment::Foot(_) => false,
            _ => true,
        };
        let is_held = frames.len() as f64 * self.frame_time >= MIN_BELIEVED_SECONDS;
        let are_hands_near = |frame: &usize| {
            let on_hand = |own: &NearHand| matches!(own.segment, BodySegment::Hand(_));
            self.frames[*frame].iter().any(|own| on_hand(own) && own.gap < GAPS_METRES[1])
        };
        let together = frames.clone().filter(are_hands_near).count() as f64;
        let are_apart = together <= MAX_HANDS_SHARE * frames.len() as f64;
        if kind == ContactKind::Slide || !is_within_reach || !is_held || !are_apart {
            return GUESSED_CONFIDENCE_FACTOR;
        }
        let bends = frames.clone().filter_map(|frame| Some(self.at(frame)?.bend));
        let bend = bends.sum::<f64>() / frames.len().max(1) as f64;
        let [hanging, bent] = BENT_RADIANS;
        let sure = ease((bend - hanging) / (bent - hanging));
        GUESSED_CONFIDENCE_FACTOR + (1.0 - GUESSED_CONFIDENCE_FACTOR) * sure
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contacts of the left hand that is `gap` off a segment, and `place` along it, in each frame.
    fn contacts(
        segment: BodySegment,
        gap: impl Fn(usize) -> f64,
        place: impl Fn(usize) -> f64,
    ) -> Vec<Contact> {
        let near = |frame: usize| vec![near(segment, gap(frame), place(frame), 0.0)];
        contacts_in((0..60).map(near).collect(), segment, true)
    }

    fn near(segment: BodySegment, gap: f64, along: f64, degrees: f64) -> NearHand {
        let (place, bend) = (Vector3::y() * along, degrees.to_radians());
        NearHand { side: Side::Left, segment, gap, place, bend }
    }

    fn contacts_in(
        frames: Vec<Vec<NearHand>>,
        segment: BodySegment,
        is_known: bool,
    ) -> Vec<Contact> {
        let (side, piece, frame_time) = (Side::Left, &(0..frames.len()), 1.0 / 30.0);
        HandPath { frames: &frames, piece, side, segment, frame_time }.contacts(is_known)
    }

    #[test]
    fn a_guessed_surface_is_believed_where_a_bent_arm_rests_on_it() {
        let thigh = BodySegment::Thigh;
        let (belly, [left, right]) = (BodySegment::Belly, Side::BOTH);
        for (segment, held, along, degrees, expected) in [
            (belly, 20, 0.0, 90.0, 1.0),
            (belly, 20, 0.0, 55.0, 0.7),
            (belly, 20, 0.0, 20.0, 0.4),
            (belly, 7, 0.0, 90.0, 0.4),
            (belly, 20, 0.003, 90.0, 0.4),
            (thigh(left), 20, 0.0, 90.0, 1.0),
            (thigh(right), 20, 0.0, 90.0, 0.4),
            (BodySegment::Shin(left), 20, 0.0, 90.0, 0.4),
        ] {
            let at = |frame: usize| {
                let gap = if (20..20 + held).contains(&frame) { 0.0 } else { 0.025 };
                near(segment, gap, frame as f64 * along, degrees)
            };
            let found = |frames: Vec<Vec<NearHand>>| contacts_in(frames, segment, false);
            let alone = found((0..60).map(|frame| vec![at(frame)]).collect());
            assert_eq!(alone.len(), 1, "{segment:?} {held}");
            let confidence = alone[0].confidence;
            assert!((confidence - expected).abs() < 0.02, "{segment:?} {held}: {confidence}");
            let other = near(BodySegment::Hand(right), 0.0, 0.0, degrees);
            for (every, most) in [(2, 0.4), (4, confidence)] {
                let with = |frame: usize| match frame % every {
                    0 => vec![at(frame), other],
                    _ => vec![at(frame)],
                };
                let together = found((0..60).map(with).collect())[0].confidence;
                let expected = confidence.min(most);
                assert!((together - expected).abs() < 1e-9, "{segment:?} {held}: {together}");
            }
        }
    }

    #[test]
    fn a_hand_that_rests_on_a_segment_is_in_contact_and_one_that_passes_is_not() {
        let chest = BodySegment::Chest;
        let near = |frame: usize| if (20..40).contains(&frame) { 0.005 } else { 0.025 };
        let found = contacts(chest, near, |_| 0.1);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].frames.clone(), found[0].kind), (20..40, ContactKind::Plant));
        assert_eq!((found[0].on, found[0].confidence), (Some(BodyPart::Chest), 1.0));
        let slides = contacts(chest, near, |frame| frame as f64 * 0.003);
        assert_eq!(slides[0].kind, ContactKind::Slide);
        assert!(contacts(chest, near, |frame| frame as f64 * 0.03).is_empty(), "90 cm a second");
        assert!(contacts(chest, |frame| if frame == 20 { 0.0 } else { 0.025 }, |_| 0.1).is_empty());
    }

    #[test]
    fn a_clap_is_a_contact_of_one_frame() {
        let hand = BodySegment::Hand(Side::Right);
        let off = |frame: usize| (frame as f64 - 30.0).abs() * 0.02;
        let found = contacts(hand, |frame| off(frame).min(0.025), off);
        assert_eq!((found.len(), found[0].frames.clone()), (1, 30..31));
    }
}
