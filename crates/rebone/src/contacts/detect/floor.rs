//! The floor of a clip: the height of the lowest supports in most frames.

use super::spans::WINDOW_SECONDS;
use super::tracks::SupportTrajectories;
use crate::align::Plan;
use crate::contacts::BodyPart;
use rebone_body::body::{BODY_HEIGHT, METRES_PER_CENTIMETRE, Side, turn_and_scale};
use rebone_body::math::dominant_level;
use rebone_body::poses;
use rebone_skeleton::{Clip, WorldPose};
use serde::Serialize;
use std::ops::Range;
use std::slice::from_ref;

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
    heights.sort_unstable_by(f64::total_cmp);
    let (level, fraction) = dominant_height(&heights, plan.path_scale)?;
    Some(Floor { level: level / metres, confidence: confidence(fraction) })
}

/// Displacement in [`WINDOW_SECONDS`] below which the lowest point is stationary.
const STILL_DISPLACEMENT_METRES: f64 = 0.025;
/// Height up to which hands and feet bear on the file's zero: 2 cm on a body of 1.8 m.
const ZERO_METRES: f64 = 2.0 * METRES_PER_CENTIMETRE;
/// Least share of the time that the lowest parts stay on their level in which hands or feet bear on zero, to be believed.
const MIN_BEARING_SHARE: f64 = 0.25;

impl SupportTrajectories {
    /// Finds the floor: the height that most of the lowest points of the frames are on, and its probability; `None`
    /// without frames. Metres of a 1.7 m body.
    pub(crate) fn floor(&self) -> Option<(f64, f64)> {
        let lowest = |frame: usize| {
            let heights = (0..self.points.len()).map(|k| self.position(frame, k).y - self.radii[k]);
            heights.fold(f64::INFINITY, f64::min)
        };
        let mut heights: Vec<f64> = (0..self.len()).map(lowest).filter(|y| y.is_finite()).collect();
        heights.sort_unstable_by(f64::total_cmp);
        let lowest = dominant_height(&heights, 1.0)?;
        let all = 0..self.len();
        let (level, fraction) = floor_at_zero(self, from_ref(&all), lowest).unwrap_or(lowest);
        Some((level, confidence(fraction)))
    }
}

/// Returns the floor and its share of the frames, given those of the lowest parts: the file's zero, where captures and rigs have
/// their floor, if the lowest parts are below it and hands or feet bear on it. The flesh of a seat sinks into the floor where a clip
/// was made for a thinner body.
pub(crate) fn floor_at_zero(
    tracks: &SupportTrajectories,
    segments: &[Range<usize>],
    (level, fraction): (f64, f64),
) -> Option<(f64, f64)> {
    if level > -ZERO_METRES {
        return None;
    }
    let parts = BodyPart::FEET.into_iter().chain(Side::BOTH.map(BodyPart::Hand));
    let parts: Vec<Vec<usize>> = parts.map(|part| part.points(&tracks.points)).collect();
    let bears = |frame: usize, segment: &Range<usize>| {
        let height = |&k: &usize| tracks.position(frame, k).y - tracks.radii[k];
        parts.iter().any(|points| {
            let lowest = points.iter().map(|k| (*k, height(k)));
            let lowest = lowest.min_by(|a, b| a.1.total_cmp(&b.1));
            lowest.is_some_and(|(k, height)| {
                height.abs() < ZERO_METRES && rests(tracks, frame, segment, k)
            })
        })
    };
    let frames: usize = segments.iter().map(Range::len).sum();
    let in_segment = |own: &Range<usize>| own.clone().filter(|&frame| bears(frame, own)).count();
    let share = segments.iter().map(in_segment).sum::<usize>() as f64 / frames.max(1) as f64;
    (share >= MIN_BEARING_SHARE * fraction).then_some((0.0, share))
}

/// Returns whether a support is stationary about a frame.
pub(super) fn rests(
    tracks: &SupportTrajectories,
    frame: usize,
    segment: &Range<usize>,
    k: usize,
) -> bool {
    let half = ((WINDOW_SECONDS / 2.0 / tracks.frame_time).round() as usize).max(1);
    let from = tracks.position(frame.saturating_sub(half).max(segment.start), k);
    let to = tracks.position((frame + half).min(segment.end - 1), k);
    (to - from).norm() < STILL_DISPLACEMENT_METRES
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::SupportPoint;
    use crate::contacts::Terrain;
    use nalgebra::Vector3;
    use std::slice::from_ref;

    #[test]
    fn a_seat_that_sinks_is_below_the_floor_on_which_hands_bear() {
        let points = [SupportPoint::Seat, SupportPoint::Hand(Side::Left)];
        // A hand that bears for a third of the time, for a tenth, and one that moves.
        for (count, step, expected) in [(20, 0.0, 0.0), (6, 0.0, -0.15), (20, 0.02, -0.15)] {
            let hand = |t: usize| if t < count { (0.01, step * t as f64) } else { (0.3, 0.0) };
            let frame = |t| {
                let (height, along) = hand(t);
                vec![Vector3::y() * -0.15, Vector3::new(along, height, 0.0)]
            };
            let tracks = SupportTrajectories::of_supports(&points, 1.0 / 30.0, (0..60).map(frame));
            let terrain = Terrain::with_normal(&tracks, from_ref(&(0..60)), Vector3::y_axis());
            assert_eq!(terrain.levels, [expected], "{count} frames, {step}");
            assert_eq!(tracks.floor().unwrap().0, expected, "{count} frames, {step}");
        }
    }
}
