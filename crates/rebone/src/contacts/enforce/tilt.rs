//! Pitch and roll of a body supported at both ends, e.g. a crawling target with shorter arms has to pitch forward.

use super::targets::contact_target::ContactTarget;
use super::targets::segment_bodies::SegmentBodies;
use crate::contacts::BodyPart;
use crate::math::{KNOT_SPACING_SECONDS, Knots, SplineLeastSquares};
use nalgebra::{Matrix2, UnitQuaternion, Vector2, Vector3};
use rebone_skeleton::rotation::shortest_arc;
use std::ops::Range;

/// Cost of a squared radian, in squared metres of height error of supports.
const TILT_COST: f64 = 0.005;
/// Weight of feet and hands relative to supports fixed to the trunk: limbs can adapt.
const LIMB_WEIGHT: f64 = 0.1;
/// Smallest horizontal distance between the two ends of the body, metres.
const MIN_END_DISTANCE_METRES: f64 = 0.25;
/// Largest tilt: 20 degrees.
const MAX_TILT_RADIANS: f64 = 0.35;
/// Weights per second of the tilt target, and of zero tilt without one.
const TARGET_WEIGHT: f64 = 10.0;
const REST_WEIGHT: f64 = 1.0;
/// Time in which the tilt settles.
const SETTLE_SECONDS: f64 = 0.3;

/// A loaded support: its position relative to the midpoint of the hips in the axes of the floor, its height error, and
/// its weight.
struct LoadedSupport {
    is_upper: bool,
    place: Vector3<f64>,
    rise: f64,
    weight: f64,
    share: f64,
}

/// Returns the tilt in each frame of a segment, a rotation vector in the inner world about the midpoint of the hips;
/// `None` if the body is never supported at both ends.
pub(crate) fn root_tilt(
    pair: &SegmentBodies,
    frames: &Range<usize>,
    contact_targets: &[ContactTarget],
) -> Option<Vec<Vector3<f64>>> {
    let floor_from_inner = shortest_arc(&pair.below.normal, &Vector3::y_axis());
    let mut loaded_supports: Vec<Vec<LoadedSupport>> = frames.clone().map(|_| Vec::new()).collect();
    for contact_target in contact_targets.iter().filter(|own| !own.holds()) {
        for (place, frame) in contact_target.blend_frames.clone().enumerate() {
            let loaded_support = loaded_support(pair, contact_target, place, &floor_from_inner);
            loaded_supports[frame - frames.start].extend(loaded_support);
        }
    }
    let wanted: Vec<_> = loaded_supports.iter().map(|own| wanted(own)).collect();
    if wanted.iter().all(Option::is_none) {
        return None;
    }
    let time = pair.source.frame_time;
    let knots = Knots::new(frames.len(), time);
    let mut rows = SplineLeastSquares::new(&knots, 1);
    for (frame, wanted) in wanted.iter().enumerate() {
        let (tilt, weight) = wanted.unwrap_or((Vector2::zeros(), REST_WEIGHT / TARGET_WEIGHT));
        for (axis, value) in [(0, tilt.x), (2, tilt.y)] {
            rows.push(axis, frame, &[(0, 1.0)], value, TARGET_WEIGHT * weight * time);
        }
    }
    for knot in 1..knots.count() - 1 {
        rows.smooth(0, knot, SETTLE_SECONDS.powi(4) / KNOT_SPACING_SECONDS.powi(3));
    }
    let answer = rows.solve();
    let tilt = |frame: usize| {
        floor_from_inner.inverse() * answer.value(frame, 0).cap_magnitude(MAX_TILT_RADIANS)
    };
    Some((0..frames.len()).map(tilt).collect())
}

/// Returns the loaded support of a target in one of its frames.
fn loaded_support(
    pair: &SegmentBodies,
    contact_target: &ContactTarget,
    place: usize,
    floor_from_inner: &UnitQuaternion<f64>,
) -> Option<LoadedSupport> {
    let (part, target) = (contact_target.part, pair.target);
    let frame = contact_target.blend_frames.start + place;
    let own = match part.limb() {
        Some(limb) => target.limb(frame, limb)[1],
        None => target.position(frame, *part.points(&target.points).first()?),
    };
    Some(LoadedSupport {
        is_upper: matches!(
            part,
            BodyPart::Hand(_) | BodyPart::Elbow(_) | BodyPart::Back | BodyPart::Head
        ),
        place: floor_from_inner * (own - target.hip_centre(frame)),
        rise: (floor_from_inner * contact_target.offset[place]).y,
        share: contact_target.weight[place] * contact_target.confidence,
        weight: contact_target.weight[place]
            * contact_target.confidence
            * part.limb().map_or(1.0, |_| LIMB_WEIGHT),
    })
}

/// Returns the tilt about the floor's X and Z that brings supports to their heights, and its weight; `None` if they
/// are all at one end of the body.
fn wanted(loaded_supports: &[LoadedSupport]) -> Option<(Vector2<f64>, f64)> {
    let end = |is_upper: bool| {
        let own = || loaded_supports.iter().filter(move |own| own.is_upper == is_upper);
        let most = own().map(|own| own.share).fold(0.0, f64::max);
        let sum: f64 = own().map(|own| own.weight).sum();
        let middle = own().map(|own| own.place * own.weight).sum::<Vector3<f64>>();
        (sum > 0.0).then(|| (most, middle / sum))
    };
    let (upper, lower) = (end(true)?, end(false)?);
    if (upper.1 - lower.1).xz().norm() < MIN_END_DISTANCE_METRES {
        return None;
    }
    let sum: f64 = loaded_supports.iter().map(|own| own.weight).sum();
    let mean = |of: &dyn Fn(&LoadedSupport) -> f64| {
        loaded_supports.iter().map(|own| of(own) * own.weight).sum::<f64>() / sum
    };
    let (rise, x, z) = (mean(&|own| own.rise), mean(&|own| own.place.x), mean(&|own| own.place.z));
    // A small rotation t raises a point p by (t × p)·Y = t·(p × Y).
    let (mut normal, mut right) = (Matrix2::identity() * TILT_COST, Vector2::zeros());
    for own in loaded_supports {
        let factors = Vector2::new(z - own.place.z, own.place.x - x);
        normal += factors * factors.transpose() * own.weight;
        right += factors * ((own.rise - rise) * own.weight);
    }
    Some((normal.cholesky()?.solve(&right), upper.0.min(lower.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loaded_support(is_upper: bool, x: f64, z: f64, rise: f64) -> LoadedSupport {
        LoadedSupport {
            is_upper,
            place: Vector3::new(x, -0.3, z),
            rise,
            weight: LIMB_WEIGHT,
            share: 1.0,
        }
    }

    #[test]
    fn hands_that_hover_lean_the_body_forward() {
        let hover = [
            loaded_support(true, 0.2, 0.4, -0.1),
            loaded_support(true, -0.2, 0.4, -0.1),
            loaded_support(false, 0.1, -0.3, 0.0),
            loaded_support(false, -0.1, -0.3, 0.0),
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
        let hover = [loaded_support(true, 0.7, 0.0, -0.1), loaded_support(false, -0.3, 0.0, 0.0)];
        let (tilt, _) = wanted(&hover).expect("at both ends");
        let turned =
            UnitQuaternion::from_scaled_axis(Vector3::new(tilt.x, 0.0, tilt.y)) * Vector3::x();
        assert!(turned.y < -0.05 && tilt.x.abs() < 1e-12, "{tilt}");
    }
}
