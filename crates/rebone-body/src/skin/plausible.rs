//! Judgement of a skin: whether it can be that of the skeleton.

use super::layout::SegmentAxis;
use super::segment_skin::SegmentSkin;
use crate::body::BodySegment;
use crate::body::surface::Misfit;
use crate::math::percentile;
use nalgebra::Vector3;

/// Largest distance of skin from the joints' axis of its segment, metres of a 1.7 m body. Farther points are stray vertices. The
/// crown of a toy's head is 1.3 m over its joint, a long coat hangs 0.8 m below the pelvis; limbs of toys reach 0.4 m.
const MAX_HEAD_DISTANCE_METRES: f64 = 1.6;
const MAX_TRUNK_DISTANCE_METRES: f64 = 1.0;
const MAX_LIMB_DISTANCE_METRES: f64 = 0.5;
/// Largest median of these distances: those of toys are up to 0.72, 0.43 and 0.17 m.
const MAX_HEAD_RADIUS_METRES: f64 = 1.0;
const MAX_TRUNK_RADIUS_METRES: f64 = 0.6;
const MAX_LIMB_RADIUS_METRES: f64 = 0.3;
/// Shares of the skin that lie below its low and its high side: beyond are rims, hair and cuffs.
const SIDE_SHARES: [f64; 2] = [0.03, 0.97];
/// Least distance of the axis from each side, as a share of the width. Bodies have 0.13 and more. A mesh that is a tenth larger
/// than its skeleton has arms beside their bones.
const MIN_INSIDE_SHARE: f64 = 0.05;
/// Least share of the axis with skin around it: bodies have 0.53 and more, heads (with hair), and necks 0.39.
const MIN_COVERED_SHARE: f64 = 0.3;
/// Longest skin of a limb beyond its joints, in lengths of the limb: shoulders of toys reach 0.65 beyond theirs.
const MAX_BEYOND_LENGTHS: f64 = 1.0;
/// Share of implausible segments from which on a skin is that of another skeleton.
const MAX_IMPLAUSIBLE_SHARE: f64 = 0.3;

/// Returns whether a point, in the axes of a segment, is near enough to be its skin.
pub(super) fn is_near(axis: &SegmentAxis, place: &Vector3<f64>) -> bool {
    let most = by_part(
        axis.segment,
        [MAX_HEAD_DISTANCE_METRES, MAX_TRUNK_DISTANCE_METRES, MAX_LIMB_DISTANCE_METRES],
    );
    distance(axis, place) < most
}

/// Returns for each skin why it cannot be that of its segment: both sides fit or none, and none at all of a mesh that belongs
/// to another skeleton.
pub(super) fn misfits(all: &[SegmentSkin]) -> Vec<Option<Misfit>> {
    let own: Vec<Option<Misfit>> = all.iter().map(misfit).collect();
    let wrong = all.iter().zip(&own).filter(|(_, misfit)| misfit.is_some());
    let wrong: Vec<BodySegment> = wrong.map(|(skin, _)| skin.axis.segment).collect();
    let is_other_mesh = wrong.len() as f64 > MAX_IMPLAUSIBLE_SHARE * all.len() as f64;
    let reason = |(skin, misfit): (&SegmentSkin, Option<Misfit>)| {
        let is_other = wrong.contains(&other_side(skin.axis.segment));
        let others = is_other.then_some(Misfit::OtherSide);
        misfit.or(others).or(is_other_mesh.then_some(Misfit::WholeMesh))
    };
    all.iter().zip(own).map(reason).collect()
}

/// Returns why a skin cannot be that of its segment, by itself.
fn misfit(skin: &SegmentSkin) -> Option<Misfit> {
    let segment = skin.axis.segment;
    let sides = |component: usize| SIDE_SHARES.map(|share| skin.percentile(component, share));
    let is_inside = |component: usize| {
        let [low, high] = sides(component);
        (-low).min(high) > MIN_INSIDE_SHARE * (high - low)
    };
    let [low, high] = sides(1);
    // Joints do not tell the height of a head.
    let length = if segment == BodySegment::Head { high } else { skin.axis.length };
    let covered = high.min(length) - low.max(0.0);
    let beyond = (-low).max(high - skin.axis.length);
    let is_limb = matches!(
        segment,
        BodySegment::UpperArm(_)
            | BodySegment::Forearm(_)
            | BodySegment::Hand(_)
            | BodySegment::Thigh(_)
            | BodySegment::Shin(_)
    );
    let distances = skin.places.iter().map(|place| distance(&skin.axis, place)).collect();
    let most =
        by_part(segment, [MAX_HEAD_RADIUS_METRES, MAX_TRUNK_RADIUS_METRES, MAX_LIMB_RADIUS_METRES]);
    // The axis of a foot runs through the ankle, over the skin.
    let is_foot = matches!(segment, BodySegment::Foot(_));
    let fits = [
        (Misfit::Beside, is_inside(0) && (is_foot || is_inside(2))),
        (Misfit::Uncovered, covered > MIN_COVERED_SHARE * length),
        (Misfit::Beyond, !is_limb || beyond < MAX_BEYOND_LENGTHS * skin.axis.length),
        (Misfit::Far, percentile(distances, 0.5) < most),
    ];
    fits.into_iter().find(|(_, fits)| !fits).map(|(misfit, _)| misfit)
}

/// Returns the value for a segment, given those for heads, trunks and limbs.
fn by_part(segment: BodySegment, [head, trunk, limb]: [f64; 3]) -> f64 {
    match segment {
        BodySegment::Head => head,
        BodySegment::Pelvis | BodySegment::Belly | BodySegment::Chest | BodySegment::Neck => trunk,
        _ => limb,
    }
}

/// Returns the distance of a point, in the axes of a segment, from the line between its joints.
fn distance(axis: &SegmentAxis, place: &Vector3<f64>) -> f64 {
    (place - Vector3::y() * place.y.clamp(0.0, axis.length)).norm()
}

/// Returns a segment's counterpart on the other side; segments of the trunk have none but themselves.
fn other_side(segment: BodySegment) -> BodySegment {
    match segment {
        BodySegment::UpperArm(side) => BodySegment::UpperArm(side.other()),
        BodySegment::Forearm(side) => BodySegment::Forearm(side.other()),
        BodySegment::Hand(side) => BodySegment::Hand(side.other()),
        BodySegment::Thigh(side) => BodySegment::Thigh(side.other()),
        BodySegment::Shin(side) => BodySegment::Shin(side.other()),
        BodySegment::Foot(side) => BodySegment::Foot(side.other()),
        trunk => trunk,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Side;
    use nalgebra::UnitQuaternion;
    use rebone_skeleton::JointId;

    /// A tube of 5 cm around an axis of 30 cm.
    fn tube(segment: BodySegment) -> SegmentSkin {
        let rotation = UnitQuaternion::identity();
        let (joint, origin) = (JointId(0), Vector3::zeros());
        let axis = SegmentAxis { segment, joint, origin, rotation, length: 0.3 };
        let place = |k: usize| {
            let angle = (k % 16) as f64 / 16.0 * std::f64::consts::TAU;
            let along = (k / 16) as f64 / 15.0 * 0.3;
            Vector3::new(0.05 * libm::cos(angle), along, 0.05 * libm::sin(angle))
        };
        SegmentSkin { axis, places: (0..256).map(place).collect() }
    }

    fn moved(segment: BodySegment, by: Vector3<f64>) -> SegmentSkin {
        let mut skin = tube(segment);
        skin.places.iter_mut().for_each(|place| *place += by);
        skin
    }

    #[test]
    fn skin_around_its_bone_is_plausible_and_skin_beside_it_is_not() {
        let segment = BodySegment::Forearm(Side::Left);
        for (by, expected) in [
            (Vector3::zeros(), None),
            (Vector3::new(0.03, 0.05, 0.0), None),
            (Vector3::new(0.06, 0.0, 0.0), Some(Misfit::Beside)),
            (Vector3::new(0.0, 0.0, -0.06), Some(Misfit::Beside)),
            (Vector3::new(0.0, 0.25, 0.0), Some(Misfit::Uncovered)),
            (Vector3::new(0.0, -0.25, 0.0), Some(Misfit::Uncovered)),
        ] {
            assert_eq!(misfit(&moved(segment, by)), expected, "{by}");
        }
        let mut thick = tube(segment);
        thick
            .places
            .iter_mut()
            .for_each(|place| (place.x, place.z) = (place.x * 8.0, place.z * 8.0));
        assert_eq!(misfit(&thick), Some(Misfit::Far));
    }

    #[test]
    fn stray_vertices_are_no_skin() {
        let axis = tube(BodySegment::Hand(Side::Left)).axis;
        for (y, expected) in [(0.1, true), (0.7, true), (-0.6, false), (50.0, false), (1e20, false)]
        {
            assert_eq!(is_near(&axis, &(Vector3::y() * y)), expected, "{y}");
        }
    }

    #[test]
    fn an_implausible_side_takes_the_other_with_it_and_many_take_all() {
        let body = |aside: &[BodySegment]| {
            let by = |segment| if aside.contains(&segment) { 0.1 } else { 0.0 };
            let all = BodySegment::ALL.map(|own| moved(own, Vector3::x() * by(own)));
            let fits = BodySegment::ALL.into_iter().zip(misfits(&all));
            fits.filter(|(_, misfit)| misfit.is_none()).map(|(own, _)| own).collect::<Vec<_>>()
        };
        assert_eq!(body(&[]), BodySegment::ALL);
        let (left, right) = (BodySegment::Hand(Side::Left), BodySegment::Hand(Side::Right));
        let kept = body(&[left]);
        assert!(kept.len() == 15 && !kept.contains(&left) && !kept.contains(&right));
        let arms = Side::BOTH.map(BodySegment::of_arm).concat();
        assert_eq!(body(&arms), []);
    }
}
