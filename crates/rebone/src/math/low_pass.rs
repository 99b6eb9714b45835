//! Low-pass filter over frames, and easing.

use nalgebra::Vector3;

/// Largest reach of the kernel to either side.
const MAX_REACH_FRAMES: f64 = 1e3;

/// Smooths paths of `points` points, at least one, stored frame by frame, with a Gaussian whose standard deviation is
/// `width` frames. The kernel is truncated symmetrically at the ends, so that uniform motion, the first and the last
/// frame are preserved.
pub(crate) fn low_passed(places: &[Vector3<f64>], points: usize, width: f64) -> Vec<Vector3<f64>> {
    let frames = places.len() / points;
    let reach = (3.0 * width).floor().min(MAX_REACH_FRAMES) as usize;
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

/// Eases from 0 to 1 with zero slope at both ends, constant outside: `x²(3 − 2x)`.
pub(crate) fn ease(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_movements_and_ends_stay_what_they_are_point_by_point() {
        let even = |t: usize| Vector3::new(1.0, 2.0, -3.0) * t as f64;
        let spike = |t: usize| Vector3::y() * f64::from(u8::from(t == 8));
        let places: Vec<Vector3<f64>> = (0..20).flat_map(|t| [even(t), spike(t)]).collect();
        let smooth = low_passed(&places, 2, 1.5);
        for t in 0..20 {
            assert!((smooth[2 * t] - even(t)).norm() < 1e-12);
        }
        let spread: Vec<f64> = smooth.iter().skip(1).step_by(2).map(|place| place.y).collect();
        assert!((spread.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(spread[8] < 0.3 && spread[7] > 0.2 && spread[7] == spread[9]);
        assert_eq!((spread[0], spread[19], spread[3], spread[13]), (0.0, 0.0, 0.0, 0.0));
        let ends = low_passed(&[even(1), even(7), even(3)], 1, 2.0);
        assert_eq!((ends[0], ends[2]), (even(1), even(3)));
    }
}
