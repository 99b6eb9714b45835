//! Paths without what is faster than a time.

use nalgebra::Vector3;
use std::ops::Range;

/// Most frames to either side that count.
const MOST_REACH: f64 = 1e3;

/// A path within some frames, smoothed by a Gaussian whose standard deviation is `width` frames. It reaches as far to
/// both sides, so that an even movement stays what it is, and first and last frame stay where they are.
pub(crate) fn smoothed(
    place: impl Fn(usize) -> Vector3<f64>,
    frames: &Range<usize>,
    width: f64,
) -> Vec<Vector3<f64>> {
    let reach = (3.0 * width).floor().min(MOST_REACH) as usize;
    let share = |d: usize| {
        let x = d as f64 / width;
        libm::exp(-0.5 * x * x)
    };
    let kernel: Vec<f64> = (1..=reach).map(share).collect();
    let mean = |t: usize| {
        let reach = reach.min(t - frames.start).min(frames.end - 1 - t);
        let mut sum = place(t);
        let mut weight = 1.0;
        for (d, share) in (1..=reach).zip(&kernel) {
            sum += (place(t - d) + place(t + d)) * *share;
            weight += 2.0 * share;
        }
        sum / weight
    };
    frames.clone().map(mean).collect()
}
