//! Depths of hands and forearms in the own body in a pose.

use super::parts::part_of;
use crate::contacts::BodyPart;
use crate::surface::{BodyTransforms, Probe, SurfacePair};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::body::surface::Surface;
use rebone_body::body::{Anatomy, BodySegment, SegmentSet, Side, turn_and_scale};
use rebone_skeleton::{ClipError, Pose, forward_kinematics};

/// Distance from the body below which a surface sample is given, metres of a 1.7 m body.
const NEAR_METRES: f64 = 0.03;

/// A surface sample: see [`arm_depths`].
type NearSample = (BodyPart, BodyPart, Vector3<f64>, f64);

/// Returns the surface samples of hands and forearms that are inside the own body or within 3 cm of it in a pose: the
/// sample's part, the part of the body that it is deepest in or nearest to, its place in the file's axes and unit, and its
/// signed distance from the surface of that part, metres of a 1.7 m body, negative inside. Parts of the body whose surface
/// neither a skin nor a card tells are left out; `None` where there is no other.
///
/// ```
/// let walk = rebone_samples::walk().motion;
/// let anatomy = rebone::analyse(&walk, &rebone::Hints::default())?;
/// assert!(rebone::arm_depths(&anatomy, &walk.skeleton.rest_pose())?.is_none(), "a BVH has no skin");
/// # Ok::<(), rebone::RetargetError>(())
/// ```
///
/// # Errors
/// If the pose has another number of joints than the skeleton.
pub fn arm_depths(anatomy: &Anatomy, pose: &Pose) -> Result<Option<Vec<NearSample>>, ClipError> {
    let mut world = forward_kinematics(&anatomy.skeleton, pose)?;
    let unit = anatomy.metres_per_unit();
    turn_and_scale(&mut world, &UnitQuaternion::identity(), unit);
    let surface = Surface::of(anatomy);
    let Some(pair) = SurfacePair::between([anatomy; 2], [&surface; 2]) else { return Ok(None) };
    let known = BodySegment::ALL.into_iter().filter(|segment| pair.is_known(0, *segment));
    let known: SegmentSet = known.collect();
    if known.is_empty() {
        return Ok(None);
    }
    let at = pair.transforms(anatomy, 0, &world);
    let parts = Side::BOTH.map(|side| [BodySegment::Forearm(side), BodySegment::Hand(side)]);
    let samples =
        parts.into_iter().flatten().flat_map(|part| near_samples(&pair, &at, part, known));
    Ok(Some(
        samples.map(|(part, on, place, distance)| (part, on, place / unit, distance)).collect(),
    ))
}

/// Returns the samples of a part of an arm that are near some segments, with places in metres.
fn near_samples(
    pair: &SurfacePair,
    at: &BodyTransforms,
    part: BodySegment,
    segments: SegmentSet,
) -> Vec<NearSample> {
    let near = pair.near(0, at, part, NEAR_METRES).and(segments);
    let sample = |probe: &Probe| {
        let place = pair.probe_place(0, at, probe)?;
        let distance = |segment: BodySegment| {
            let seen = pair.project_near(0, at, (segment, NEAR_METRES), &place)?;
            (seen.distance < NEAR_METRES).then_some((segment, seen.distance))
        };
        let found = near.and(probe.tested).iter().filter_map(distance);
        let (on, distance) = found.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((part_of(part), part_of(on), place, distance))
    };
    pair.probes_of(part).iter().filter_map(sample).collect()
}
