//! The floor of a clip: the height that most frames bear on.

use crate::align::Plan;
use crate::body::BODY_HEIGHT;
use crate::body::turn_and_scale;
use rebone_skeleton::{Clip, WorldPose};
use serde::Serialize;

/// The floor that a clip of the target moves on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Floor {
    /// Its height in the target file's units, along the target's up axis.
    pub level: f64,
    /// Probability that this is the floor: high where most frames bear on it and few are below.
    pub confidence: f64,
}

/// Part of the frames that may be lower than the lowest part of the floor: noise, and mended data.
const OUTLIER_FRACTION: f64 = 0.05;

/// Heights that count as one level, part of the stature.
const THICKNESS_OF_STATURE: f64 = 0.015;

/// Part of the frames on the floor at which it is as likely as not to be the floor.
const EVEN_ODDS_FRACTION: f64 = 0.1;

/// Finds the floor of a clip on the plan's target; `None` for a clip without frames.
///
/// The lowest support of each frame (heel, ball, toe tip, knee, seat, back, hand, elbow, head) has a
/// height. The floor is the median of the heights within a thickness of the 5th percentile.
pub fn floor(plan: &Plan, clip: &Clip) -> Option<Floor> {
    let mut world = WorldPose::zeros(plan.target.skeleton.len());
    let metres = plan.target.metres_per_unit();
    let mut pose = plan.target.skeleton.rest_pose();
    let lowest = (0..clip.len()).map(|frame| {
        clip.read(frame, &mut pose);
        world.update(&plan.target.skeleton, &pose);
        turn_and_scale(&mut world, &plan.inner_from_target, metres);
        plan.supports.lowest(&world)
    });
    let mut heights: Vec<f64> = lowest.filter(|height| height.is_finite()).collect();
    heights.sort_by(f64::total_cmp);
    let (level, fraction) = dominant_height(&heights, plan.path_scale)?;
    Some(Floor { level: level / metres, confidence: confidence(fraction) })
}

/// The level that most of the lowest heights are on, in order, and the part of them that are: the median of those
/// within a thickness, times `scale`, of the 5th percentile; `None` of none.
pub(crate) fn dominant_height(heights: &[f64], scale: f64) -> Option<(f64, f64)> {
    let percentile = *heights.get((heights.len() as f64 * OUTLIER_FRACTION) as usize)?;
    let thickness = THICKNESS_OF_STATURE * BODY_HEIGHT * scale;
    let near = |level: f64| {
        let from = heights.partition_point(|&height| height < level - thickness);
        let to = heights.partition_point(|&height| height <= level + thickness);
        &heights[from..to]
    };
    let around = near(percentile);
    let level = around[around.len() / 2];
    Some((level, near(level).len() as f64 / heights.len() as f64))
}

/// Probability that a level is the floor on which so large a part of the frames bear.
pub(crate) fn confidence(fraction: f64) -> f64 {
    fraction / (fraction + EVEN_ODDS_FRACTION)
}
