//! Height of a skeleton's feet over its own floor, where that is at zero.

use super::calibration::spread;
use crate::body::{
    Anatomy, BODY_HEIGHT, Side, height_of_level_foot, heights_of_level_feet, turn_and_scale,
};
use crate::math::{dominant_level, poses};
use rebone_skeleton::{Clip, Pose, WorldPose};
use std::ops::RangeInclusive;

/// Largest number of frames that are read.
const MAX_FRAMES: usize = 400;
/// Heights that count as one level, as part of the stature.
const THICKNESS_OF_STATURE: f64 = 0.015;
/// Heights of a body's lowest joint that a sole explains, metres: −2 to 6 cm of a body of 1.8 m.
const SOLE_HEIGHTS_METRES: RangeInclusive<f64> =
    -0.02 / 1.8 * BODY_HEIGHT..=0.06 / 1.8 * BODY_HEIGHT;
/// Least part of the level feet that stand.
const MIN_FRACTION: f64 = 0.1;

/// Returns the height of the lowest joint of a standing foot over height zero, metres of a 1.7 m body: of most level feet of
/// the clip, or in the rest pose of a skeleton without a clip. `None` where feet stand elsewhere, so that zero is not the floor.
pub(crate) fn sole_height(anatomy: &Anatomy, clip: &Clip) -> Option<f64> {
    let skeleton = &anatomy.skeleton;
    let mut poses: Vec<WorldPose> = match clip.len() {
        0 => vec![skeleton.rest_world()],
        _ => spread(skeleton, clip, MAX_FRAMES),
    };
    let soles = anatomy.soles_with(anatomy.has_toe_tips());
    let metres = anatomy.metres_per_unit();
    let mut heights = Vec::new();
    for world in &mut poses {
        turn_and_scale(world, &anatomy.upright_from_file, metres);
        heights.extend(heights_of_level_feet(anatomy, &soles, world).filter(|y| y.is_finite()));
    }
    heights.sort_unstable_by(f64::total_cmp);
    let (level, fraction) = dominant_level(&heights, THICKNESS_OF_STATURE * BODY_HEIGHT)?;
    (fraction >= MIN_FRACTION && SOLE_HEIGHTS_METRES.contains(&level)).then_some(level)
}

/// Returns the height over zero of the lowest joint of a foot that stands in a pose, metres of a 1.7 m body. `None` where that
/// is no height of a joint over its sole, so that zero is not the floor.
pub(crate) fn sole_height_in(anatomy: &Anatomy, pose: &Pose, side: Side) -> Option<f64> {
    let mut world = poses::world_of(&anatomy.skeleton, pose);
    turn_and_scale(&mut world, &anatomy.upright_from_file, anatomy.metres_per_unit());
    let soles = anatomy.soles_with(anatomy.has_toe_tips());
    height_of_level_foot(anatomy, &soles, &world, side)
        .filter(|height| SOLE_HEIGHTS_METRES.contains(height))
}
