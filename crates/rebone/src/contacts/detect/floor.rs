//! The floor of a clip: the height of the lowest supports in most frames.

use crate::align::Plan;
use crate::body::{BODY_HEIGHT, turn_and_scale};
use crate::math::{dominant_level, poses};
use rebone_skeleton::{Clip, WorldPose};
use serde::Serialize;

/// The detected floor of a clip of the target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Floor {
    /// Height in the target file's units, along the target's up axis.
    pub(crate) level: f64,
    /// Probability that this is the floor: high if most frames stand on it and few are below.
    pub(crate) confidence: f64,
}

/// Heights that count as one level, as part of the stature.
const THICKNESS_OF_STATURE: f64 = 0.015;

/// Fraction of frames on the floor at which its probability is 0.5.
const EVEN_ODDS_FRACTION: f64 = 0.1;

/// Detects the floor of a clip of the plan's target; `None` for a clip without frames.
///
/// The lowest support of each frame (heel, ball, toe tip, knee, seat, back, hand, elbow, head) has a
/// height. The floor is the median of the heights within a thickness of the 5th percentile.
pub(crate) fn floor(plan: &Plan, clip: &Clip) -> Option<Floor> {
    let mut world = WorldPose::zeros(&plan.target.skeleton);
    let metres = plan.target.metres_per_unit();
    let mut pose = plan.target.skeleton.rest_pose();
    let lowest = (0..clip.len()).map(|frame| {
        clip.read(frame, &mut pose);
        poses::update(&mut world, &plan.target.skeleton, &pose);
        turn_and_scale(&mut world, &plan.inner_from_target, metres);
        plan.supports.lowest(&world)
    });
    let mut heights: Vec<f64> = lowest.filter(|height| height.is_finite()).collect();
    heights.sort_by(f64::total_cmp);
    let (level, fraction) = dominant_height(&heights, plan.path_scale)?;
    Some(Floor { level: level / metres, confidence: confidence(fraction) })
}

/// Returns the dominant level of sorted heights and the fraction of heights on it: the median of heights within a
/// thickness, times `scale`, of the 5th percentile; `None` without heights.
pub(crate) fn dominant_height(heights: &[f64], scale: f64) -> Option<(f64, f64)> {
    dominant_level(heights, THICKNESS_OF_STATURE * BODY_HEIGHT * scale)
}

/// Returns the probability that a level with a fraction of the frames is the floor.
pub(crate) fn confidence(fraction: f64) -> f64 {
    fraction / (fraction + EVEN_ODDS_FRACTION)
}
