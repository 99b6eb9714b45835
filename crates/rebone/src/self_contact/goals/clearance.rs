//! Clearance: parts of an arm go no deeper into body and floor than the source's, and hands that are off the body on the
//! source stay off it.

use crate::self_contact::arm::ArmPart;
use crate::self_contact::goals::FrameGoals;
use crate::self_contact::goals::arm_goals::{ArmGoals, TurnedBody};
use crate::surface::{BodyTransforms, Probe, SurfacePair};
use nalgebra::Vector3;
use rebone_body::body::{BodySegment, SegmentSet, Side};

/// Depth beyond the source's that is left, metres.
const SLACK_METRES: f64 = 0.003;
/// Weight of the depths of an arm relative to a touch.
const DEPTH_WEIGHT: f64 = 2.1;
/// Share of the source's distance that a hand keeps at least: from a segment that it does not touch, and from one that it touches,
/// where other proportions bring its other points nearer.
const KEPT_SHARES: [f64; 2] = [0.8, 0.3];
/// Largest distance that a hand keeps so, metres: from a segment that it does not touch, and from one that it touches.
const MAX_KEPT_METRES: [f64; 2] = [0.03, 0.015];

impl FrameGoals<'_> {
    /// Returns the goals of the parts of an arm that are too deep: all together weigh as one, the deepest most.
    pub(crate) fn clearance(&self, side: Side, turned: &TurnedBody) -> ArmGoals {
        let mut goals = ArmGoals::none();
        let mut total = 0.0;
        let cleared = self.pair.cleared();
        for segment in BodySegment::of_arm(side) {
            let Some(part) = ArmPart::of(segment) else { continue };
            // Of a guessed source only hands count on the floor, and all parts where a card states the girth: all else is as
            // deep in it as the guess is wrong.
            let near = match cleared.is_empty() {
                true => SegmentSet::default(),
                false => self.pair.near(1, &turned.at, segment, most_clearance(part)).and(cleared),
            };
            let sinks = part == ArmPart::Hand || !self.pair.is_guessed();
            let may_sink = sinks && self.pair.may_sink(segment, &turned.at, self.floors);
            if near.is_empty() && !may_sink {
                continue;
            }
            for probe in self.pair.probes_of(segment) {
                let Some(now) = self.pair.probe_place(1, &turned.at, probe) else { continue };
                let mut push = |depth: f64, normal: &Vector3<f64>, against| {
                    total += depth;
                    let goals = goals.of(part, against, side);
                    goals.push_along(&(now - turned.origin), normal, depth, depth);
                };
                if may_sink && let Some(depth) = self.depth_in_floor(probe, &now) {
                    push(depth, &Vector3::y(), None);
                }
                for other in near.and(probe.tested).iter() {
                    if let Some((depth, normal)) =
                        self.depth((probe, part, side), other, &now, turned)
                    {
                        push(depth, &normal, Some(other));
                    }
                }
            }
        }
        if total > 0.0 {
            goals.scale(DEPTH_WEIGHT / total);
        }
        goals
    }

    /// Returns how far a point is below its clearance over a segment, and the way out; `None` of a point that is clear.
    fn depth(
        &self,
        (probe, part, side): (&Probe, ArmPart, Side),
        segment: BodySegment,
        now: &Vector3<f64>,
        turned: &TurnedBody,
    ) -> Option<(f64, Vector3<f64>)> {
        let touching = self.touching[side.index()][segment.index()];
        let reach = most_clearance(part);
        let is = self.pair.project_near(1, &turned.at, (segment, reach), now)?;
        if is.distance >= reach - SLACK_METRES {
            return None;
        }
        let seen = self.pair.probe_place(0, self.source, probe)?;
        let was = self.pair.project(0, self.source, segment, &seen)?;
        let was = if self.pair.is_known(0, segment) { was.distance } else { was.distance.max(0.0) };
        let depth = clearance(part, was, touching) - is.distance;
        let at = turned.at.fields[segment.index()].as_ref()?;
        (depth > 0.0).then(|| (depth, at.turned(&is.normal)))
    }

    /// Returns how far a point is below its clearance over the floor; `None` of a point that is clear.
    fn depth_in_floor(&self, probe: &Probe, now: &Vector3<f64>) -> Option<f64> {
        let [below, floor] = self.floors?;
        let seen = self.pair.probe_place(0, self.source, probe)?;
        let depth = floor + (seen.y - below).min(0.0) - SLACK_METRES - now.y;
        (depth > 0.0).then_some(depth)
    }
}

impl SurfacePair {
    /// Returns whether a part of the target may be in the floor, by the ball around it.
    pub(crate) fn may_sink(
        &self,
        part: BodySegment,
        target: &BodyTransforms,
        floors: Option<[f64; 2]>,
    ) -> bool {
        let over = floors.zip(self.lowest(1, target, part));
        over.is_some_and(|([_, floor], lowest)| lowest < floor)
    }
}

/// Returns the largest clearance of a part of an arm, whatever the source's distance: that of one that does not touch, metres.
fn most_clearance(part: ArmPart) -> f64 {
    let [free, _] = MAX_KEPT_METRES;
    if part == ArmPart::Hand { free } else { 0.0 }
}

/// Returns the least signed distance that a part of an arm keeps from a segment, metres, given the source's, and how much its hand
/// touches that segment, 0 to 1.
fn clearance(part: ArmPart, source: f64, touching: f64) -> f64 {
    let between = |[free, held]: [f64; 2]| free + (held - free) * touching;
    let kept = match part {
        ArmPart::Hand => (source.max(0.0) * between(KEPT_SHARES)).min(between(MAX_KEPT_METRES)),
        _ => 0.0,
    };
    source.min(0.0) + kept - SLACK_METRES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_keep_off_and_no_part_goes_deeper_than_the_source() {
        let [hand, forearm] = [ArmPart::Hand, ArmPart::Forearm];
        for (part, source, expected) in [
            (hand, [0.5, 0.0], 0.027),
            (hand, [0.02, 0.0], 0.013),
            (hand, [0.5, 1.0], 0.012),
            (hand, [0.02, 1.0], 0.003),
            (hand, [-0.02, 0.0], -0.023),
            (forearm, [0.5, 0.0], -0.003),
            (forearm, [-0.02, 1.0], -0.023),
        ] {
            let [distance, touching] = source;
            let found = clearance(part, distance, touching);
            assert!((found - expected).abs() < 1e-12, "{part:?} {source:?}");
        }
    }
}
