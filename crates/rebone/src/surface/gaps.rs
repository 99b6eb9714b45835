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
    /// Of all of the arm.
    pub(crate) arm: f32,
}

impl SurfacePair {
    /// Returns how far both arms are from the rest of the body.
    pub(crate) fn arm_gaps(&self, body: usize, at: &BodyTransforms) -> [ArmGap; 2] {
        Side::BOTH.map(|side| {
            let gap = |part| self.gap(body, at, part) as f32;
            let [upper, forearm, hand] = BodySegment::of_arm(side).map(gap);
            ArmGap { hand, arm: upper.min(forearm).min(hand) }
        })
    }

    /// Returns the least distance of a part of an arm from the rest of the body.
    fn gap(&self, body: usize, at: &BodyTransforms, part: BodySegment) -> f64 {
        let near = self.near(body, at, part, MAX_GAP_METRES);
        self.least_distance(body, at, (part, near), MAX_GAP_METRES)
    }

    /// Returns the least distance of a part of an arm from some segments, negative inside, at most `most`.
    pub(crate) fn least_distance(
        &self,
        body: usize,
        at: &BodyTransforms,
        (part, segments): (BodySegment, SegmentSet),
        most: f64,
    ) -> f64 {
        let mut least = most;
        if segments.is_empty() {
            return least;
        }
        for probe in self.probes_of(part) {
            let Some(place) = self.probe_place(body, at, probe) else { continue };
            for segment in segments.and(probe.tested).iter() {
                let seen = self.project_near(body, at, (segment, least.max(0.0)), &place);
                least = seen.map_or(least, |seen| least.min(seen.distance));
            }
        }
        least
    }
}
