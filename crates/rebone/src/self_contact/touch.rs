//! Touch: hands near the body keep the place over its surface that they have on the source.

use super::goals::{FrameGoals, TurnedBody, row_of};
use super::row::Row;
use crate::body::Side;
use crate::math::ease;
use crate::surface::{BodySegment, Probe, Projection};
use nalgebra::{Matrix3, Vector3};

/// Distance from a surface up to which a hand keeps it, metres.
const NEAR_METRES: f64 = 0.09;
/// Distance from a surface up to which a hand keeps its place along it, metres.
const PLACE_METRES: f64 = 0.04;
/// Distance beyond the nearest segment at which another one does not count, metres.
const SECOND_METRES: f64 = 0.02;

/// A row with the weight of its touch, before the rows of a hand are scaled to one.
type WeightedRow = (f64, Row);

impl FrameGoals<'_> {
    /// Returns the rows of a hand near body or floor: all together weigh at most as one.
    pub(super) fn touch_rows(&self, side: Side, turned: &TurnedBody) -> Vec<Row> {
        let mut rows: Vec<WeightedRow> = Vec::new();
        let hand = BodySegment::Hand(side);
        let near = self.pair.near(0, self.source, hand, NEAR_METRES);
        let over = self.height_over_floor(hand);
        if near.is_empty() && over.is_none_or(|height| height > NEAR_METRES) {
            return Vec::new();
        }
        for probe in self.pair.probes_of(hand) {
            let place = |body, at| self.pair.probe_place(body, at, probe);
            let places = [place(0, self.source), place(1, self.target), place(1, &turned.at)];
            let [Some(seen), Some(before), Some(now)] = places else { continue };
            rows.extend(self.floor_row(side, [&seen, &before, &now], turned));
            let project = |&segment: &BodySegment| {
                let reach = (segment, NEAR_METRES);
                let seen = self.pair.project_near(0, self.source, reach, &seen)?;
                (seen.distance < NEAR_METRES).then_some((segment, seen))
            };
            let tested = near.iter().filter(|segment| probe.is_tested(**segment));
            let all: Vec<(BodySegment, Projection)> = tested.filter_map(project).collect();
            let distances = all.iter().map(|(_, seen)| seen.distance);
            let nearest = distances.fold(f64::INFINITY, f64::min);
            for (segment, seen) in &all {
                let share = ease(1.0 - (seen.distance - nearest) / SECOND_METRES);
                let row = self.touch_row((probe, side), (*segment, seen), [&before, &now], turned);
                rows.extend(row.map(|(weight, row)| {
                    (weight * share, Row { weight: row.weight * share, ..row })
                }));
            }
        }
        rows.retain(|(weight, _)| *weight > 0.0);
        let total = rows.iter().map(|(weight, _)| weight).sum::<f64>().max(1.0);
        rows.into_iter().map(|(_, row)| Row { weight: row.weight / total, ..row }).collect()
    }

    /// Returns the row that keeps a probe over the same place of a segment. The nearer it is on the source, the more of the
    /// way there counts.
    fn touch_row(
        &self,
        (probe, side): (&Probe, Side),
        (segment, seen): (BodySegment, &Projection),
        [before, now]: [&Vector3<f64>; 2],
        turned: &TurnedBody,
    ) -> Option<WeightedRow> {
        let field = self.pair.field(1, segment)?;
        let [first, at] = [self.target, &turned.at].map(|at| at.fields[segment.index()]);
        let (first, at) = (first?, at?);
        let wanted = field.place(seen.point, seen.height);
        let normal = at.rotation * field.project(&wanted).normal;
        let across = normal * normal.transpose();
        let gap = seen.distance.max(0.0);
        let near = ease(1.0 - gap / NEAR_METRES);
        let weight = near * near;
        let along = (Matrix3::identity() - across) * ease(1.0 - gap / PLACE_METRES);
        let way = first.outward(&wanted) - before;
        // A hand that would come nearer than the source's is kept off whole; one that is farther off may stay.
        let outward = across * way;
        let left_outward = if way.dot(&normal) > 0.0 { 0.0 } else { 1.0 - near };
        let left = (way - outward) * (1.0 - near) + outward * left_outward;
        let off = at.outward(&wanted) - now - left;
        let goal = (off, (across + along) * weight);
        Some((weight, row_of(&turned.arms, (side, probe.segment), Some(segment), now, goal)))
    }

    /// Returns the row that keeps the height of a probe over the floor.
    fn floor_row(
        &self,
        side: Side,
        [seen, before, now]: [&Vector3<f64>; 3],
        turned: &TurnedBody,
    ) -> Option<WeightedRow> {
        let [below, floor] = self.floors?;
        let height = seen.y - below;
        let near = ease(1.0 - height.max(0.0) / NEAR_METRES);
        let weight = near * near;
        let left = (floor + height - before.y) * (1.0 - near);
        let up = Vector3::y();
        let goal = (up * (floor + height - now.y - left), up * up.transpose() * weight);
        let part = (side, BodySegment::Hand(side));
        (weight > 0.0).then(|| (weight, row_of(&turned.arms, part, None, now, goal)))
    }

    /// Returns the least height of a part of the source over the floor, by the ball around it.
    fn height_over_floor(&self, part: BodySegment) -> Option<f64> {
        let [below, _] = self.floors?;
        let (centre, radius) = self.pair.ball(0, self.source, part)?;
        Some(centre.y - radius - below)
    }
}
