//! Finds the touches of a hand: it keeps the place over the body's surface that it has on the source.

use crate::math::ease;
use crate::self_contact::goals::FrameGoals;
use crate::self_contact::goals::touch::{Approach, SURFACE_COUNT, Touch};
use crate::surface::Probe;
use nalgebra::Vector3;
use rebone_body::body::surface::Projection;
use rebone_body::body::{BodySegment, SegmentSet, Side};

/// Distance from a surface up to which a hand keeps it, metres.
const NEAR_METRES: f64 = 0.09;
/// Distance from a surface up to which a hand keeps its place along it, metres.
const PLACE_METRES: f64 = 0.04;
/// Distance from a surface from which on no point of a hand takes the others along, metres.
const TOUCHING_METRES: f64 = 0.02;
/// Distance beyond the nearest segment at which another one does not count, metres.
const SECOND_METRES: f64 = 0.02;
/// Way to a touch from which it counts less, and the one from which it does not count, metres. Bodies that differ by more have
/// nothing there that a viewer would take for the same.
const WAYS_METRES: [f64; 2] = [0.3, 0.5];
/// Coordinate `along` of a hand's field, in rows of radii: points up to the first are of the palm, from the second on of the fingers,
/// between them the weight eases.
const PALM_END_ROWS: [f64; 2] = [4.8, 6.3];
/// Weight of a point of the fingers relative to one of the palm: the palm touches, and fingers that lie over another part of the
/// body would keep it off.
const FINGER_WEIGHT: f64 = 0.3;

impl FrameGoals<'_> {
    /// Returns the touches of a hand near body or floor, and how much it touches each surface, 0 to 1. With weights `wᵢ` and weights
    /// `pᵢ` of points, a touch weighs `wᵢ pᵢ · min(Σw, 1) / Σ(w p)`: all together at most 1, fingers alone as much as a palm alone.
    pub(crate) fn find_touches(&self, side: Side) -> (Vec<Touch>, [f64; SURFACE_COUNT]) {
        weighed(self.possible_touches(side).collect())
    }

    /// Returns the touches of a hand near body or floor, each with a weight of its own, and the ways to them.
    pub(crate) fn possible_touches(&self, side: Side) -> impl Iterator<Item = (Touch, Approach)> {
        let hand = BodySegment::Hand(side);
        let near = self.pair.near(0, self.source, hand, NEAR_METRES);
        let shares = self.shares.as_ref().map(|all| &all[side.index()]);
        let counts = |segment: BodySegment| shares.is_none_or(|own| own[segment.index()] > 0.0);
        let near = if near.iter().any(counts) { near } else { SegmentSet::default() };
        let is_over = self.height_over_floor(hand).is_some_and(|height| height < NEAR_METRES);
        let is_near = !near.is_empty() || is_over;
        let probes = if is_near { self.pair.probes_of(hand) } else { &[] };
        let all = probes.iter().flat_map(move |probe| self.touches_of(probe, near, shares));
        all.filter(|(touch, _)| touch.weights[0] > 0.0)
    }

    /// Returns the touches of a probe, given the segments that its hand is near to and their shares.
    fn touches_of(
        &self,
        probe: &Probe,
        near: SegmentSet,
        shares: Option<&[f64; BodySegment::ALL.len()]>,
    ) -> Vec<(Touch, Approach)> {
        let place = |body, at| self.pair.probe_place(body, at, probe);
        let (Some(seen), Some(before)) = (place(0, self.source), place(1, self.target)) else {
            return Vec::new();
        };
        let over_floor = self.over_floor(probe, [&seen, &before]);
        let mut touches = Vec::from_iter(over_floor.filter(|(touch, _)| touch.weights[0] > 0.0));
        let project = |segment: BodySegment| {
            let reach = (segment, NEAR_METRES);
            let seen = self.pair.project_near(0, self.source, reach, &seen)?;
            (seen.distance < NEAR_METRES).then_some((segment, seen))
        };
        let tested = near.and(probe.tested).iter();
        let all: Vec<(BodySegment, Projection)> = tested.filter_map(project).collect();
        let distances = all.iter().map(|(_, seen)| seen.distance);
        let nearest = distances.fold(f64::INFINITY, f64::min);
        for (segment, seen) in &all {
            let chosen = shares.map_or(1.0, |own| own[segment.index()]);
            if chosen == 0.0 {
                continue;
            }
            let share = ease(1.0 - (seen.distance - nearest) / SECOND_METRES);
            let touch = self.over_segment(probe, (*segment, seen), (&before, chosen));
            touches.extend(touch.map(|(touch, way)| (touch.scaled(chosen * share), way)));
        }
        touches
    }

    /// Returns the touch that keeps a probe over the same place of a segment. The nearer it is on the source, the more of
    /// the way there counts.
    fn over_segment(
        &self,
        probe: &Probe,
        (segment, seen): (BodySegment, &Projection),
        (before, chosen): (&Vector3<f64>, f64),
    ) -> Option<(Touch, Approach)> {
        let field = self.pair.field(1, segment)?;
        let at = self.target.fields[segment.index()].as_ref()?;
        let has_skin = self.pair.is_known(0, segment);
        let height = if has_skin { seen.height } else { seen.height.max(0.0) };
        let wanted = field.place(seen.point, height);
        let normal = field.project(&wanted).normal;
        let outward = at.turned(&normal);
        let gap = seen.distance.max(0.0);
        let near = ease(1.0 - gap / NEAR_METRES);
        let way = at.outward(&wanted) - before;
        let weight = near * near * reachable(way.norm());
        let along = ease(1.0 - gap / PLACE_METRES);
        let touching = if has_skin { ease(1.0 - gap / TOUCHING_METRES) } else { 0.0 };
        let touch = Touch {
            place: self.target.place_of(probe, 1),
            against: Some(segment),
            wanted,
            normal,
            left: Vector3::zeros(),
            weights: [weight, weight * along],
        };
        let point_weight = point_weight(probe.point.along);
        Some((touch, Approach { way, outward, near, touching, chosen, point_weight }))
    }

    /// Returns the touch that keeps the height of a probe over the floor.
    fn over_floor(
        &self,
        probe: &Probe,
        [seen, before]: [&Vector3<f64>; 2],
    ) -> Option<(Touch, Approach)> {
        let [below, floor] = self.floors.filter(|_| !self.pair.is_guessed())?;
        let height = seen.y - below;
        let near = ease(1.0 - height.max(0.0) / NEAR_METRES);
        let wanted = Vector3::y() * (floor + height);
        let (up, way) = (Vector3::y(), wanted.y - before.y);
        let touching = ease(1.0 - height.max(0.0) / TOUCHING_METRES);
        let touch = Touch {
            place: self.target.place_of(probe, 1),
            against: None,
            wanted,
            normal: up,
            left: Vector3::zeros(),
            weights: [near * near * reachable(way.abs()), 0.0],
        };
        let (way, point_weight) = (up * way, point_weight(probe.point.along));
        Some((touch, Approach { way, outward: up, near, touching, chosen: 1.0, point_weight }))
    }

    /// Returns the least height of a part of the source over the floor, by the ball around it.
    fn height_over_floor(&self, part: BodySegment) -> Option<f64> {
        let [below, _] = self.floors?;
        Some(self.pair.lowest(0, self.source, part)? - below)
    }
}

/// Returns touches with their weights beside each other: see [`FrameGoals::find_touches`].
fn weighed(all: Vec<(Touch, Approach)>) -> (Vec<Touch>, [f64; SURFACE_COUNT]) {
    let total: f64 = all.iter().map(|(touch, _)| touch.weights[0]).sum();
    // Positive wherever there is a touch: no weight is 0, and no point weighs less than FINGER_WEIGHT.
    let shared: f64 = all.iter().map(|(touch, own)| touch.weights[0] * own.point_weight).sum();
    let scale = total.min(1.0) / shared;
    let touching = touch_by_surface(&all);
    let touches = go_as_one(all, touching);
    (touches.map(|(touch, own)| touch.scaled(own.point_weight * scale)).collect(), touching)
}

/// Returns how much a hand touches each surface, 0 to 1.
fn touch_by_surface(touches: &[(Touch, Approach)]) -> [f64; SURFACE_COUNT] {
    let mut touching = [0.0_f64; SURFACE_COUNT];
    for (touch, approach) in touches {
        let most = &mut touching[touch.surface_index()];
        *most = most.max(approach.touching);
    }
    touching
}

/// Returns touches with the parts of their ways that are not gone. A hand that touches goes all the way, with the points of it that
/// are farther off: a body that is thinner by far would keep them where they are, and the hand in the air.
fn go_as_one(
    touches: Vec<(Touch, Approach)>,
    touching: [f64; SURFACE_COUNT],
) -> impl Iterator<Item = (Touch, Approach)> {
    touches.into_iter().map(move |(touch, approach)| {
        let near = approach.near + (1.0 - approach.near) * touching[touch.surface_index()];
        (Touch { left: approach.left(near), ..touch }, approach)
    })
}

/// Returns the weight of a point of a hand relative to one of the palm, given its row: [`FINGER_WEIGHT`] on the fingers.
fn point_weight(along: f64) -> f64 {
    let [palm, fingers] = PALM_END_ROWS;
    1.0 - (1.0 - FINGER_WEIGHT) * ease((along - palm) / (fingers - palm))
}

/// Returns the share of its weight that a touch has, given the way to it.
fn reachable(way: f64) -> f64 {
    let [near, far] = WAYS_METRES;
    ease((far - way) / (far - near))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_that_touches_goes_all_the_way_with_all_its_points() {
        let touch = |against, near, touching| {
            let [wanted, left, place] = [Vector3::zeros(); 3];
            let outward = Vector3::y();
            let weights = [1.0, 0.0];
            let touch = Touch { place, against, wanted, normal: outward, left, weights };
            let way = outward * -0.15;
            (touch, Approach { way, outward, near, touching, chosen: 1.0, point_weight: 1.0 })
        };
        let (belly, chest) = (Some(BodySegment::Belly), Some(BodySegment::Chest));
        let all = vec![
            touch(belly, 1.0, 1.0),
            touch(belly, 0.2, 0.0),
            touch(chest, 0.2, 0.0),
            touch(chest, 0.6, 0.5),
        ];
        let touching = touch_by_surface(&all);
        let all = go_as_one(all, touching);
        let left: Vec<f64> = all.map(|own| own.0.left.y / -0.15).collect();
        let expected = [0.0, 0.0, 0.4, 0.2];
        assert!(left.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{left:?}");
    }

    #[test]
    fn fingers_weigh_less_than_a_palm_and_as_much_alone() {
        for (along, expected) in [(4.5, 1.0), (5.55, 0.65), (7.0, 0.3)] {
            assert!((point_weight(along) - expected).abs() < 1e-12, "{along}");
        }
        let touch = |along: f64, weight: f64| {
            let [wanted, left, place] = [Vector3::zeros(); 3];
            let (normal, against) = (Vector3::y(), Some(BodySegment::Belly));
            let weights = [weight, 0.0];
            let touch = Touch { place, against, wanted, normal, left, weights };
            let (way, outward, point_weight) = (Vector3::zeros(), normal, point_weight(along));
            (touch, Approach { way, outward, near: 1.0, touching: 0.0, chosen: 1.0, point_weight })
        };
        let weights = |all| weighed(all).0.iter().map(Touch::weight).collect::<Vec<_>>();
        let both = weights(vec![touch(4.5, 1.0), touch(7.0, 1.0)]);
        assert!((both[0] + both[1] - 1.0).abs() < 1e-12 && (both[1] / both[0] - 0.3).abs() < 1e-12);
        assert!((weights(vec![touch(7.0, 0.5)])[0] - 0.5).abs() < 1e-12, "fingers alone");
        assert!(weights(Vec::new()).is_empty());
    }

    #[test]
    fn a_touch_that_is_far_from_the_pose_does_not_count() {
        assert_eq!([0.1, 0.3, 0.5, 0.6].map(reachable), [1.0, 1.0, 0.0, 0.0]);
        assert!((reachable(0.4) - 0.5).abs() < 1e-9);
    }
}
