//! Height of a skeleton's feet over its own floor, where that is at zero.

use crate::body::{
    Anatomy, BODY_HEIGHT, METRES_PER_CENTIMETRE, Side, placed_feet, placed_foot, turn_and_scale,
};
use crate::math::dominant_level;
use crate::poses;
use rebone_skeleton::{Pose, WorldPose};
use std::ops::RangeInclusive;

/// Heights that count as one level, as part of the stature.
const THICKNESS_OF_STATURE: f64 = 0.015;
/// Heights of a body's lowest joint that a sole explains, metres: −2 to 6 cm of a body of 1.8 m.
const SOLE_HEIGHTS_METRES: RangeInclusive<f64> =
    -0.02 / 1.8 * BODY_HEIGHT..=0.06 / 1.8 * BODY_HEIGHT;
/// Least part of the level feet that stand.
const MIN_FRACTION: f64 = 0.1;
/// Share of the frames whose lower foot is on the floor at least, in walks, dances and fights.
const STANDING_FRAMES: f64 = 0.25;
/// Level feet that are higher than that by more swing, as in a dance on the balls of the feet: 2 cm of a body of 1.8 m.
const MAX_OVER_LOWER_FOOT_METRES: f64 = 2.0 * METRES_PER_CENTIMETRE;

/// Returns the height of the lowest joint of a standing foot over height zero, metres of a 1.7 m body: of most level feet in
/// `poses`, upright in metres of that body. `None` where feet stand elsewhere, so that zero is not the floor.
pub(crate) fn sole_height(anatomy: &Anatomy, poses: &[WorldPose]) -> Option<f64> {
    let soles = anatomy.soles_with(anatomy.has_toe_tips());
    let (mut level_feet, mut lower_feet) = (Vec::new(), Vec::new());
    for world in poses {
        let feet = || placed_feet(anatomy, &soles, world).filter(|foot| foot.lowest.is_finite());
        lower_feet.extend(feet().map(|foot| foot.lowest).reduce(f64::min));
        level_feet.extend(feet().filter(|foot| foot.is_level).map(|foot| foot.lowest));
    }
    standing_level(level_feet, lower_feet).filter(|level| SOLE_HEIGHTS_METRES.contains(level))
}

/// Returns the level of feet that are level, with the lower foot of each frame; `None` where they swing.
fn standing_level(mut level_feet: Vec<f64>, mut lower_feet: Vec<f64>) -> Option<f64> {
    level_feet.sort_unstable_by(f64::total_cmp);
    lower_feet.sort_unstable_by(f64::total_cmp);
    let (level, fraction) = dominant_level(&level_feet, THICKNESS_OF_STATURE * BODY_HEIGHT)?;
    let lower = lower_feet.get((STANDING_FRAMES * lower_feet.len() as f64) as usize)?;
    let stands = level <= lower + MAX_OVER_LOWER_FOOT_METRES;
    (fraction >= MIN_FRACTION && stands).then_some(level)
}

/// Returns the height over zero of the lowest joint of a foot that stands in a pose, metres of a 1.7 m body. `None` where that
/// is no height of a joint over its sole, so that zero is not the floor.
pub(crate) fn sole_height_in(anatomy: &Anatomy, pose: &Pose, side: Side) -> Option<f64> {
    let mut world = poses::world_of(&anatomy.skeleton, pose);
    turn_and_scale(&mut world, &anatomy.upright_from_file, anatomy.metres_per_unit());
    let soles = anatomy.soles_with(anatomy.has_toe_tips());
    let foot = placed_foot(anatomy, &soles, &world, side).filter(|foot| foot.is_level);
    foot.map(|foot| foot.lowest).filter(|height| SOLE_HEIGHTS_METRES.contains(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_feet_that_swing_do_not_stand() {
        let low: Vec<f64> = (0..100).map(|k| 0.01 + 0.0001 * f64::from(k % 7)).collect();
        let level = standing_level(low[..30].to_vec(), low.clone()).unwrap();
        assert!((level - 0.01).abs() < 0.001, "{level}");
        let swing = vec![0.05; 30];
        assert_eq!(standing_level(swing, low), None, "a dance on the balls of the feet");
        assert_eq!(standing_level(Vec::new(), Vec::new()), None);
    }
}
