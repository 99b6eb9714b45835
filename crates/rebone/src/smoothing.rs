//! Paths without what is faster than a time.

use nalgebra::Vector3;

/// Most frames to either side that count.
const MOST_REACH: f64 = 1e3;

/// Paths of so many points, frame by frame, smoothed by a Gaussian whose standard deviation is `width` frames. It
/// reaches as far to both sides, so that an even movement stays what it is, and first and last frame stay where they
/// are.
pub(crate) fn smoothed(places: &[Vector3<f64>], points: usize, width: f64) -> Vec<Vector3<f64>> {
    let frames = places.len() / points;
    let reach = (3.0 * width).floor().min(MOST_REACH) as usize;
    let share = |d: usize| {
        let x = d as f64 / width;
        libm::exp(-0.5 * x * x)
    };
    let kernel: Vec<f64> = (1..=reach).map(share).collect();
    let mut all = places.to_vec();
    for (t, own) in all.chunks_exact_mut(points).enumerate() {
        let reach = reach.min(t).min(frames - 1 - t);
        let mut weight = 1.0;
        for (d, share) in (1..=reach).zip(&kernel) {
            let [before, behind] = [t - d, t + d].map(|t| &places[t * points..][..points]);
            for ((sum, before), behind) in own.iter_mut().zip(before).zip(behind) {
                *sum += (before + behind) * *share;
            }
            weight += 2.0 * share;
        }
        own.iter_mut().for_each(|sum| *sum *= 1.0 / weight);
    }
    all
}
