//! Fields fitted to the skin of a character.

use super::layout::{SegmentAxis, TRUNK_BORDERS, owners, trunk_top};
use super::plausible::{is_near, misfits};
use super::radii::{Sample, fit_radii, outermost};
use super::segment_skin::SegmentSkin;
use crate::body::surface::{Fit, Misfit, RadialField, interpolate};
use crate::body::{Anatomy, BodySegment, Landmark};
use crate::math::percentile;
use nalgebra::Vector3;

/// Number of skin points below which a segment has no skin.
const MIN_POINTS: usize = 40;
/// Largest number of points that a field is fitted to: ten for each of its radii.
const MAX_SAMPLES: usize = 1500;
/// Overlap of the parts of the trunk, as a share of its length.
const TRUNK_OVERLAP: f64 = 0.06;

/// Share of a normal distribution within one standard deviation.
const SPREAD_SHARE: f64 = 0.68;

/// A field fitted to the skin of its segment, or the reason for which the skin is not that of the segment.
type Fitted = Result<(RadialField, Fit), Misfit>;

/// Fits a field to the skin of each segment that has one.
pub(super) fn fit_fields(anatomy: &Anatomy, axes: &[SegmentAxis]) -> Vec<(BodySegment, Fitted)> {
    let places = places_by_segment(anatomy);
    let skin = |axis: &SegmentAxis| {
        let inward = axis.rotation.inverse();
        let own = places[axis.segment.index()].iter();
        let local = own.map(|place| inward * (place - axis.origin));
        SegmentSkin { axis: *axis, places: local.filter(|place| is_near(axis, place)).collect() }
    };
    let all: Vec<SegmentSkin> =
        axes.iter().map(skin).filter(|skin| skin.places.len() >= MIN_POINTS).collect();
    let misfits = misfits(&all);
    let fit = |(skin, misfit): (&SegmentSkin, Option<Misfit>)| {
        let fitted = misfit.map_or_else(|| Ok(fit_field(anatomy, skin)), Err);
        (skin.axis.segment, fitted)
    };
    all.iter().zip(misfits).map(fit).collect()
}

/// Returns the places of the skin in the T pose, by segments.
fn places_by_segment(anatomy: &Anatomy) -> Vec<Vec<Vector3<f64>>> {
    let unit = anatomy.metres_per_unit();
    let owners = owners(anatomy);
    let mut places = vec![Vec::new(); BodySegment::ALL.len()];
    let low = anatomy.middle(anatomy.hips()).y;
    let top = trunk_top(anatomy);
    for point in anatomy.skin.iter() {
        let Some(Some(owner)) = owners.get(point.joint.index()) else { continue };
        // Joints of a mesh need not be those of the pose.
        let landmark = Landmark { joint: point.joint, offset: point.offset };
        let place = landmark.place(&anatomy.t_pose, unit);
        let Some(place) = place.filter(|place| place.iter().all(|x| x.is_finite())) else {
            continue;
        };
        if !matches!(owner, BodySegment::Pelvis | BodySegment::Chest) {
            places[owner.index()].push(place);
            continue;
        }
        let share = (place.y - low) / (top - low);
        let parts = [BodySegment::Pelvis, BodySegment::Belly, BodySegment::Chest];
        for (k, segment) in parts.into_iter().enumerate() {
            let is_above = k == 0 || share > TRUNK_BORDERS[k] - TRUNK_OVERLAP;
            let is_below = k == 2 || share < TRUNK_BORDERS[k + 1] + TRUNK_OVERLAP;
            if is_above && is_below {
                places[segment.index()].push(place);
            }
        }
    }
    places
}

/// Fits the field of one segment.
fn fit_field(anatomy: &Anatomy, skin: &SegmentSkin) -> (RadialField, Fit) {
    let (foot, length) = shaft(skin);
    let mut field = skin.axis.field(anatomy, foot, length);
    // Radii of zero give distances from the axis.
    let samples = skin.places.iter().map(|place| Sample::of(&field, place - foot)).collect();
    let samples = outermost(samples);
    let inner = 1.0 - samples.len() as f64 / skin.places.len() as f64;
    let step = samples.len().div_ceil(MAX_SAMPLES).max(1);
    let samples: Vec<Sample> = samples.into_iter().step_by(step).collect();
    field.radii = fit_radii(&samples);
    field.set_bound();
    let off = |sample: &Sample| (sample.radius - interpolate(&field.radii, sample.point).0).abs();
    let spread = percentile(samples.iter().map(off).collect(), SPREAD_SHARE);
    (field, Fit { spread, inner })
}

/// Returns the low end and the length of the axis through the middle of a segment, its caps left to its ends.
fn shaft(skin: &SegmentSkin) -> (Vector3<f64>, f64) {
    let along = |k: usize, share: f64| skin.percentile(k, share);
    let middle = |k: usize| (along(k, 0.03) + along(k, 0.97)) / 2.0;
    let half = |k: usize| (along(k, 0.97) - along(k, 0.03)) / 2.0;
    let (low, high) = match skin.axis.segment {
        BodySegment::Head => {
            let top = along(1, 0.995);
            (0.3 * top, 0.6 * top)
        }
        BodySegment::Hand(_) => {
            let tip = along(1, 0.99);
            (0.0, (tip - half(2).min(half(0))).max(0.5 * tip))
        }
        BodySegment::Foot(_) => {
            let (heel, toe) = (along(1, 0.005), along(1, 0.995));
            let round = half(0).min(0.3 * (toe - heel));
            (heel + round, toe - round)
        }
        _ => (0.0, skin.axis.length),
    };
    let foot = match skin.axis.segment {
        BodySegment::UpperArm(_)
        | BodySegment::Forearm(_)
        | BodySegment::Thigh(_)
        | BodySegment::Shin(_) => Vector3::y() * low,
        _ => Vector3::new(middle(0), low, middle(2)),
    };
    (foot, (high - low).max(0.02))
}
