//! Distances of both arms from the rest of the body.

use super::pair::SurfacePair;
use super::transforms::BodyTransforms;
use crate::body::{BodySegment, SegmentSet, Side};

/// Distance of an arm from the body beyond which it does not matter, metres.
pub(super) const MAX_GAP_METRES: f64 = 0.09;

/// Least distances of an arm from the rest of the body, negative inside, metres of a 1.7 m body; at most 9 cm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ArmGap {
    /// Of the hand alone.
    pub(crate) hand: f32,
    /// The segment that the hand is nearest to; `None` where none is near.
    pub(crate) hand_on: Option<BodySegment>,
    /// Of all of the arm.
    pub(crate) arm: f32,
    /// The part of the arm that is nearest, or deepest, and the segment that it is nearest to; `None` where none is near.
    pub(crate) arm_on: Option<[BodySegment; 2]>,
}

impl SurfacePair {
    /// Returns how far both arms are from the rest of the body.
    pub(crate) fn arm_gaps(&self, body: usize, at: &BodyTransforms) -> [ArmGap; 2] {
        Side::BOTH.map(|side| {
            let parts = BodySegment::of_arm(side);
            let gaps = parts.map(|part| self.gap(body, at, part));
            let (hand, hand_on) = gaps[2];
            let arm = MAX_GAP_METRES as f32;
            let mut own = ArmGap { hand: hand as f32, hand_on, arm, arm_on: None };
            for (part, (gap, segment)) in parts.into_iter().zip(gaps) {
                if (gap as f32) < own.arm {
                    (own.arm, own.arm_on) = (gap as f32, segment.map(|segment| [part, segment]));
                }
            }
            own
        })
    }

    /// Returns the least distance of a part of an arm from the rest of the body, and the segment that is so near.
    fn gap(
        &self,
        body: usize,
        at: &BodyTransforms,
        part: BodySegment,
    ) -> (f64, Option<BodySegment>) {
        let near = self.near(body, at, part, MAX_GAP_METRES);
        self.nearest(body, at, (part, near), MAX_GAP_METRES)
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
