//! Clearance: parts of an arm go no deeper into body and floor than the source's, and hands that are off the body on the
//! source stay off it.

use super::goals::{FrameGoals, TurnedBody, row_of};
use super::row::Row;
use crate::body::Side;
use crate::surface::BodySegment;
use nalgebra::Vector3;

/// Depth beyond the source's that is left, metres.
const SLACK_METRES: f64 = 0.003;
/// Weight of the depths of an arm relative to a touch.
const DEPTH_WEIGHT: f64 = 2.0;
/// Share of the source's distance that a hand keeps at least, and the largest distance that is kept so, metres.
const KEPT_SHARE: f64 = 0.6;
const MAX_KEPT_METRES: f64 = 0.03;

impl FrameGoals<'_> {
    /// Returns the rows of the parts of an arm that are too deep: all together weigh as one, the deepest most.
    pub(super) fn clearance_rows(&self, side: Side, turned: &TurnedBody) -> Vec<Row> {
        let mut rows: Vec<(f64, Row)> = Vec::new();
        for part in BodySegment::of_arm(side) {
            let near = self.pair.near(1, &turned.at, part, MAX_KEPT_METRES);
            let over = self.floors.zip(self.pair.ball(1, &turned.at, part));
            let may_sink =
                over.is_some_and(|(floors, (centre, radius))| centre.y - radius < floors[1]);
            if near.is_empty() && !may_sink {
                continue;
            }
            for probe in self.pair.probes_of(part) {
                let place = |body, at| self.pair.probe_place(body, at, probe);
                let (Some(seen), Some(now)) = (place(0, self.source), place(1, &turned.at)) else {
                    continue;
                };
                let mut push = |depth: f64, normal: Vector3<f64>, against| {
                    let goal = (normal * depth, normal * normal.transpose());
                    rows.push((depth, row_of(&turned.arms, (side, part), against, &now, goal)));
                };
                if let Some([below, floor]) = self.floors {
                    let depth = floor + (seen.y - below).min(0.0) - SLACK_METRES - now.y;
                    if depth > 0.0 {
                        push(depth, Vector3::y(), None);
                    }
                }
                for &segment in near.iter().filter(|segment| probe.is_tested(**segment)) {
                    let Some((depth, normal)) = self.depth(part, segment, [&seen, &now], turned)
                    else {
                        continue;
                    };
                    push(depth, normal, Some(segment));
                }
            }
        }
        let total: f64 = rows.iter().map(|(depth, _)| depth).sum();
        let scaled = |(depth, row): (f64, Row)| Row {
            weight: row.weight * (DEPTH_WEIGHT * depth / total),
            ..row
        };
        rows.into_iter().map(scaled).collect()
    }

    /// Returns how far a point is below its clearance, and the way out; `None` of a point that is clear.
    fn depth(
        &self,
        part: BodySegment,
        segment: BodySegment,
        [seen, now]: [&Vector3<f64>; 2],
        turned: &TurnedBody,
    ) -> Option<(f64, Vector3<f64>)> {
        let reach = (segment, MAX_KEPT_METRES);
        let is = self.pair.project_near(1, &turned.at, reach, now)?;
        if is.distance > MAX_KEPT_METRES {
            return None;
        }
        let was = self.pair.project(0, self.source, segment, seen)?;
        let depth = clearance(part, was.distance) - is.distance;
        let at = turned.at.fields[segment.index()]?;
        (depth > 0.0).then(|| (depth, at.rotation * is.normal))
    }
}

/// Returns the distance below which a part of an arm does not go, given the source's.
fn clearance(part: BodySegment, source: f64) -> f64 {
    let kept = match part {
        BodySegment::Hand(_) => (source.max(0.0) * KEPT_SHARE).min(MAX_KEPT_METRES),
        _ => 0.0,
    };
    source.min(0.0) + kept - SLACK_METRES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_keep_off_and_no_part_goes_deeper_than_the_source() {
        let [hand, forearm] = [BodySegment::Hand(Side::Left), BodySegment::Forearm(Side::Left)];
        for (part, source, expected) in [
            (hand, 0.5, 0.027),
            (hand, 0.02, 0.009),
            (hand, -0.02, -0.023),
            (forearm, 0.5, -0.003),
            (forearm, -0.02, -0.023),
        ] {
            assert!((clearance(part, source) - expected).abs() < 1e-12, "{part:?} {source}");
        }
    }
}
