//! Distances of seat, back and head from the skin, as far as a clip shows them.

use crate::body::{Anatomy, TRUNK_RADII_METRES};
use nalgebra::Vector3;
use rebone_skeleton::{JointId, WorldPose};

/// Share of the frames that may be lower: noise, and repaired data.
const OUTLIERS: f64 = 0.02;
/// Least distance from the skin, as part of the usual one.
const MIN_FRACTION: f64 = 0.3;

/// Returns the distances of seat, back and head from the skin, metres of a 1.7 m body: the usual ones, less where `poses`,
/// upright in metres of that body, bring a joint nearer to the floor than that. The floor is at height zero.
pub(crate) fn trunk_radii(anatomy: &Anatomy, poses: &[WorldPose]) -> [f64; 3] {
    let mut heights: [Vec<f64>; 3] = Default::default();
    for world in poses {
        let at = |joint: JointId| world.positions[joint.index()];
        let [left, right] = anatomy.hips().map(at);
        let places: [Option<Vector3<f64>>; 3] = [
            Some((left + right) / 2.0),
            Some(at(anatomy.body.chest())),
            anatomy.body.head().map(at),
        ];
        for (heights, place) in heights.iter_mut().zip(places) {
            heights.extend(place.map(|place| place.y).filter(|y| y.is_finite()));
        }
    }
    let mut radii = TRUNK_RADII_METRES;
    radii.iter_mut().zip(heights).for_each(|(radius, heights)| *radius = lowered(*radius, heights));
    radii
}

/// Returns a radius, less where the heights of its centre go below it.
fn lowered(radius: f64, mut heights: Vec<f64>) -> f64 {
    heights.sort_unstable_by(f64::total_cmp);
    let lowest = heights.get((OUTLIERS * heights.len() as f64) as usize);
    lowest.map_or(radius, |lowest| lowest.clamp(MIN_FRACTION * radius, radius))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_radius_is_that_of_the_lowest_frames_but_for_noise() {
        let clip = |low: f64, frames: usize| {
            let heights = (0..100).map(|k| if k < frames { low } else { 0.9 });
            lowered(0.1, heights.collect())
        };
        assert_eq!(clip(0.06, 10), 0.06);
        assert_eq!(clip(0.06, 2), 0.1, "two frames of a hundred are noise");
        assert_eq!(clip(-0.5, 10), 0.3 * 0.1, "nothing is that thin");
        assert_eq!(clip(0.5, 10), 0.1);
        assert_eq!(lowered(0.1, Vec::new()), 0.1);
    }
}
