//! Smooth functions above what each frame needs.

use std::ops::Range;

/// Time over which a part begins and ends to rise, seconds.
pub(super) const RISE_SECONDS: f64 = 0.2;

/// Returns a smooth function that is nowhere below `values`, all at least 0, and is 0 where all are 0 within twice the
/// `reach`: the largest value within reach, averaged twice within half of it.
pub(super) fn smooth_envelope(values: &[f64], reach: usize) -> Vec<f64> {
    let largest =
        |k: usize| values[window(k, reach, values.len())].iter().fold(0.0, |a: f64, b| a.max(*b));
    let dilated: Vec<f64> = (0..values.len()).map(largest).collect();
    let half = reach / 2;
    mean(&mean(&dilated, half), half)
}

/// Returns the moving average over `half` values before and after each; the first and last values go on beyond the ends.
fn mean(values: &[f64], half: usize) -> Vec<f64> {
    let last = values.len().saturating_sub(1);
    let at = |k: isize| values[k.clamp(0, last as isize) as usize];
    let half = half as isize;
    let average = |k: usize| {
        let near = (k as isize - half..=k as isize + half).map(at);
        near.sum::<f64>() / (2 * half + 1) as f64
    };
    (0..values.len()).map(average).collect()
}

fn window(k: usize, reach: usize, len: usize) -> Range<usize> {
    k.saturating_sub(reach)..(k + reach + 1).min(len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_envelope_is_nowhere_below_and_smooth(
            values in prop::collection::vec(prop_oneof![Just(0.0), 0.0..1.0], 1..60),
            reach in 1_usize..12,
        ) {
            let envelope = smooth_envelope(&values, reach);
            let top = values.iter().fold(0.0, |a: f64, b| a.max(*b));
            let half = reach / 2;
            for (k, (own, value)) in envelope.iter().zip(&values).enumerate() {
                prop_assert!(own + 1e-12 >= *value && *own <= top + 1e-12);
                let near = window(k, 2 * reach, values.len());
                prop_assert!(*own == 0.0 || values[near].iter().any(|value| *value > 0.0));
            }
            for pair in envelope.windows(2) {
                prop_assert!((pair[0] - pair[1]).abs() <= top / (2 * half + 1) as f64 + 1e-12);
            }
        }
    }
}
