//! Percentiles.

/// The value below which about a part of all lies, `all[⌊(n − 1) part⌋]` of the sorted `n`; 0 where there is none.
pub fn percentile(mut all: Vec<f64>, part: f64) -> f64 {
    if all.is_empty() {
        return 0.0;
    }
    let place = ((all.len() - 1) as f64 * part) as usize;
    *all.select_nth_unstable_by(place, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::percentile;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(percentile(vec![3.0, 1.0, 2.0], 0.5), 2.0);
        assert_eq!(percentile(vec![3.0, 1.0, 2.0], 1.0), 3.0);
        assert_eq!(percentile(Vec::new(), 0.5), 0.0);
    }
}
