//! How far a body on supports at both its ends has to pitch and roll: who crawls on shorter arms leans forward.

use super::contact_target::{Foothold, Pair};
use crate::contacts::BodyPart;
use crate::math::Rows;
use crate::math::{Knots, SPACING};
use nalgebra::{Matrix2, UnitQuaternion, Vector2, Vector3};
use rebone_skeleton::rotation::shortest_arc;
use std::ops::Range;

/// What a radian costs, metres² of supports that are off in height.
const COST: f64 = 0.005;
/// How much feet and hands count against what is fixed to the body: limbs give way.
const LIMB: f64 = 0.1;
/// Supports are at different ends that are so far apart along the floor, metres.
const APART: f64 = 0.25;
/// The largest tilt, radians: 20 degrees.
const MOST: f64 = 0.35;
/// Weights a second of the tilt that is wanted, and of none where nothing is wanted.
const WANTED: f64 = 10.0;
const NONE: f64 = 1.0;
/// In so many seconds it settles.
const SETTLES: f64 = 0.3;

/// A support that bears: its place from the middle of the hips in the axes of the floor, how far it has to rise, and
/// how much it counts.
struct Bearing {
    is_upper: bool,
    place: Vector3<f64>,
    rise: f64,
    weight: f64,
    share: f64,
}

/// The tilt in each frame of a piece, a rotation vector in the inner world about the middle of the hips; `None` where
/// the body never bears on both its ends.
pub(crate) fn tilts(
    pair: &Pair,
    frames: &Range<usize>,
    footholds: &[Foothold],
) -> Option<Vec<Vector3<f64>>> {
    let floor_from_inner = shortest_arc(&pair.below.normal, &Vector3::y_axis());
    let mut bearings: Vec<Vec<Bearing>> = frames.clone().map(|_| Vec::new()).collect();
    for foothold in footholds.iter().filter(|own| !own.holds()) {
        for (place, frame) in foothold.felt.clone().enumerate() {
            let bearing = bearing(pair, foothold, place, &floor_from_inner);
            bearings[frame - frames.start].extend(bearing);
        }
    }
    let wanted: Vec<_> = bearings.iter().map(|own| wanted(own)).collect();
    if wanted.iter().all(Option::is_none) {
        return None;
    }
    let time = pair.source.frame_time;
    let knots = Knots::new(frames.len(), time);
    let mut rows = Rows::new(&knots, 1);
    for (frame, wanted) in wanted.iter().enumerate() {
        let (tilt, weight) = wanted.unwrap_or((Vector2::zeros(), NONE / WANTED));
        for (axis, value) in [(0, tilt.x), (2, tilt.y)] {
            rows.push(axis, frame, &[(0, 1.0)], value, WANTED * weight * time);
        }
    }
    for knot in 1..knots.count() - 1 {
        rows.smooth(0, knot, SETTLES.powi(4) / SPACING.powi(3));
    }
    let answer = rows.solve();
    let tilt =
        |frame: usize| floor_from_inner.inverse() * answer.value(frame, 0).cap_magnitude(MOST);
    Some((0..frames.len()).map(tilt).collect())
}

/// What a foothold says in one of its frames.
fn bearing(
    pair: &Pair,
    foothold: &Foothold,
    place: usize,
    floor_from_inner: &UnitQuaternion<f64>,
) -> Option<Bearing> {
    let (part, target) = (foothold.part, pair.target);
    let frame = foothold.felt.start + place;
    let own = match part.limb() {
        Some(limb) => target.limb(frame, limb)[1],
        None => target.place(frame, *part.points(&target.points).first()?),
    };
    Some(Bearing {
        is_upper: matches!(
            part,
            BodyPart::Hand(_) | BodyPart::Elbow(_) | BodyPart::Back | BodyPart::Head
        ),
        place: floor_from_inner * (own - target.hips(frame)),
        rise: (floor_from_inner * foothold.wanted[place]).y,
        share: foothold.share[place] * foothold.confidence,
        weight: foothold.share[place] * foothold.confidence * part.limb().map_or(1.0, |_| LIMB),
    })
}

/// The tilt about the floor's X and Z that brings supports to their heights, and how much it counts; `None` where they
/// are at one end of the body alone.
fn wanted(bearings: &[Bearing]) -> Option<(Vector2<f64>, f64)> {
    let end = |is_upper: bool| {
        let own = || bearings.iter().filter(move |own| own.is_upper == is_upper);
        let most = own().map(|own| own.share).fold(0.0, f64::max);
        let sum: f64 = own().map(|own| own.weight).sum();
        let middle = own().map(|own| own.place * own.weight).sum::<Vector3<f64>>();
        (sum > 0.0).then(|| (most, middle / sum))
    };
    let (upper, lower) = (end(true)?, end(false)?);
    if (upper.1 - lower.1).xz().norm() < APART {
        return None;
    }
    let sum: f64 = bearings.iter().map(|own| own.weight).sum();
    let mean = |of: &dyn Fn(&Bearing) -> f64| {
        bearings.iter().map(|own| of(own) * own.weight).sum::<f64>() / sum
    };
    let (rise, x, z) = (mean(&|own| own.rise), mean(&|own| own.place.x), mean(&|own| own.place.z));
    // A small turn t moves a place p up by (t × p)·Y = t·(p × Y).
    let (mut normal, mut right) = (Matrix2::identity() * COST, Vector2::zeros());
    for own in bearings {
        let factors = Vector2::new(z - own.place.z, own.place.x - x);
        normal += factors * factors.transpose() * own.weight;
        right += factors * ((own.rise - rise) * own.weight);
    }
    Some((normal.cholesky()?.solve(&right), upper.0.min(lower.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bearing(is_upper: bool, x: f64, z: f64, rise: f64) -> Bearing {
        Bearing { is_upper, place: Vector3::new(x, -0.3, z), rise, weight: LIMB, share: 1.0 }
    }

    #[test]
    fn hands_that_hover_lean_the_body_forward() {
        let hover = [
            bearing(true, 0.2, 0.4, -0.1),
            bearing(true, -0.2, 0.4, -0.1),
            bearing(false, 0.1, -0.3, 0.0),
            bearing(false, -0.1, -0.3, 0.0),
        ];
        let (tilt, weight) = wanted(&hover).expect("at both ends");
        assert!(weight == 1.0 && tilt.x > 0.1 && tilt.y.abs() < 1e-12, "{tilt}");
        // Positive about X: +Z goes down.
        let turned = UnitQuaternion::from_scaled_axis(Vector3::x() * tilt.x) * Vector3::z();
        assert!(turned.y < 0.0);
        assert!(wanted(&hover[..2]).is_none() && wanted(&hover[2..]).is_none());
    }

    #[test]
    fn one_hand_that_hovers_rolls_it() {
        let hover = [bearing(true, 0.7, 0.0, -0.1), bearing(false, -0.3, 0.0, 0.0)];
        let (tilt, _) = wanted(&hover).expect("at both ends");
        let turned =
            UnitQuaternion::from_scaled_axis(Vector3::new(tilt.x, 0.0, tilt.y)) * Vector3::x();
        assert!(turned.y < -0.05 && tilt.x.abs() < 1e-12, "{tilt}");
    }
}
