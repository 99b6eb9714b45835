//! Distances of both arms from the rest of the body.

use super::in_frame::MAX_GAP_METRES;
use super::pair::SurfacePair;
use super::transforms::BodyTransforms;
use rebone_body::body::{BodySegment, SegmentSet, Side};

/// Distance of a hand from the body beyond which it does not matter where the source's surface is the usual one, metres.
pub(crate) const HAND_GAP_METRES: f64 = 0.02;

/// Least distances of an arm from the rest of the body, negative inside, metres of a 1.7 m body; at most 9 cm, where the surface
/// of the source is the usual one 2 cm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ArmGap {
    /// Of the hand alone.
    pub(crate) hand: f32,
    /// The segment that the hand is nearest to; `None` where none is near.
    pub(crate) hand_on: Option<BodySegment>,
    /// Of all of the arm; of the hand where the surface of the source is the usual one.
    pub(crate) arm: f32,
    /// The part of the arm that is nearest, or deepest, and the segment that it is nearest to; `None` where none is near.
    pub(crate) arm_on: Option<[BodySegment; 2]>,
}

impl SurfacePair {
    /// Returns how far both arms are from the rest of the body.
    pub(crate) fn arm_gaps(&self, body: usize, at: &BodyTransforms) -> [ArmGap; 2] {
        Side::BOTH.map(|side| {
            let [upper, forearm, hand] = BodySegment::of_arm(side);
            let (parts, most) = match self.is_guessed() {
                true => (&[hand][..], HAND_GAP_METRES),
                false => (&[hand, upper, forearm][..], MAX_GAP_METRES),
            };
            let mut own =
                ArmGap { hand: most as f32, hand_on: None, arm: most as f32, arm_on: None };
            for part in parts {
                let near = self.near(body, at, *part, most);
                let (distance, on) = self.nearest(body, at, (*part, near), most);
                let distance = distance as f32;
                if *part == hand {
                    (own.hand, own.hand_on) = (distance, on);
                }
                if distance < own.arm {
                    (own.arm, own.arm_on) = (distance, on.map(|on| [*part, on]));
                }
            }
            own
        })
    }

    /// Returns the least distance of a part of an arm from some segments, negative inside, at most `most`, and the segment that is
    /// so near.
    pub(crate) fn nearest(
        &self,
        body: usize,
        at: &BodyTransforms,
        (part, segments): (BodySegment, SegmentSet),
        most: f64,
    ) -> (f64, Option<BodySegment>) {
        let mut least = (most, None);
        if segments.is_empty() {
            return least;
        }
        for probe in self.probes_of(part) {
            let Some(place) = self.probe_place(body, at, probe) else { continue };
            for segment in segments.and(probe.tested).iter() {
                match self.project_near(body, at, (segment, least.0.max(0.0)), &place) {
                    Some(seen) if seen.distance < least.0 => {
                        least = (seen.distance, Some(segment));
                    }
                    _ => (),
                }
            }
        }
        least
    }
}
