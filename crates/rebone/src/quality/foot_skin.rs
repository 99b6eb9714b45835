//! Depth of the mesh of feet in the floor.

use super::body_trace::Comparison;
use super::metric::MetricCollector;
use crate::body::CENTIMETRES_PER_METRE;
use crate::contacts::{BodyPart, Terrain};
use crate::math::percentile;

/// Time for which a part has to be in the floor to be seen.
const SEEN_SECONDS: f64 = 0.1;

/// Grades the depth of the mesh of feet in the floor, beyond the source's: toes and edges of a foot that turns over them. Of each
/// frame and its neighbours within [`SEEN_SECONDS`] the median counts: nobody sees a single one.
pub(crate) fn grade(
    pair: &Comparison,
    [from, onto]: [&Terrain; 2],
    under: &[Vec<usize>; 2],
    scale: f64,
    collector: &mut MetricCollector,
) {
    let [source, result] = &pair.tracks;
    let half = (SEEN_SECONDS / 2.0 / collector.frame_time).round() as usize;
    let mut deepest = (0.0, None);
    for (side, under) in [0, 1].into_iter().zip(under) {
        let depth = |frame: usize| {
            let [of_source, own] = [(source, from), (result, onto)].map(|(tracks, terrain)| {
                terrain.height_over_level(under[frame], &tracks.lowest_of_foot(frame, side))
            });
            -own - (-of_source * scale).max(0.0)
        };
        let depths: Vec<f64> = (0..pair.len()).map(depth).collect();
        for frame in 0..depths.len() {
            let near = &depths[frame.saturating_sub(half)..depths.len().min(frame + half + 1)];
            let seen = percentile(near.to_vec(), 0.5);
            if seen > deepest.0 {
                deepest = (seen, Some((BodyPart::FEET[side], frame)));
            }
        }
    }
    let (depth, at) = (deepest.0 * CENTIMETRES_PER_METRE, deepest.1);
    collector.metric("foot_skin_depth", depth, at.map(|(_, frame)| frame..frame + 1), || {
        format!(
            "the mesh of the {} is {depth:.1} cm in the floor",
            at.map_or(String::new(), |own| own.0.to_string())
        )
    });
}
