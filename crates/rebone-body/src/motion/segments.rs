//! Segments of continuous motion.

use nalgebra::Vector3;
use std::ops::Range;

/// Displacement between frames above which the hips jump: the larger of both.
const MAX_STEP_METRES: f64 = 0.15;
const MAX_SPEED_METRES_PER_SECOND: f64 = 20.0;

/// Splits a clip where the hips jump, and after a leading pose. `hips` is the path of the midpoint of the hips, metres
/// of a 1.7 m body.
pub fn segments(
    hips: &[Vector3<f64>],
    frame_time: f64,
    begins_with_reference: bool,
) -> Vec<Range<usize>> {
    let most = MAX_STEP_METRES.max(MAX_SPEED_METRES_PER_SECOND * frame_time);
    let jumps = |&frame: &usize| {
        (hips[frame] - hips[frame - 1]).norm() > most || (begins_with_reference && frame == 1)
    };
    let cuts: Vec<usize> = (1..hips.len()).filter(jumps).collect();
    let begins = [0].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([hips.len()]);
    begins.zip(ends).map(|(begin, end)| begin..end).filter(|segment| !segment.is_empty()).collect()
}
