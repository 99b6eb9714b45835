//! The dominant level of heights.

/// Percentile that excludes outliers below: noise, and repaired data.
const OUTLIER_FRACTION: f64 = 0.05;

/// Returns the dominant level of sorted heights and the fraction of heights on it: the median of heights within a
/// thickness of the 5th percentile; `None` without heights.
pub fn dominant_level(heights: &[f64], thickness: f64) -> Option<(f64, f64)> {
    let percentile = *heights.get((heights.len() as f64 * OUTLIER_FRACTION) as usize)?;
    let near = |level: f64| {
        let from = heights.partition_point(|&height| height < level - thickness);
        let to = heights.partition_point(|&height| height <= level + thickness);
        &heights[from..to]
    };
    let around = near(percentile);
    let level = *around.get(around.len() / 2)?;
    Some((level, near(level).len() as f64 / heights.len() as f64))
}
