//! Soft minimum.

/// Returns the soft minimum `−τ ln Σ exp(−x/τ)` of values: at most the least value, and smooth in all of them.
/// Returns 0 without finite values.
pub(crate) fn soft_minimum(values: impl Iterator<Item = f64> + Clone, tau: f64) -> f64 {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    if !least.is_finite() {
        return 0.0;
    }
    let sum: f64 = values.map(|value| libm::exp((least - value) / tau)).sum();
    least - tau * libm::log(sum)
}
