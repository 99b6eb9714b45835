//! Least squares whose normal equations are a band matrix.

/// Weighted rows `a·x = b` over unknowns of which each row names neighbours alone.
///
/// Holds the lower band of `AᵀWA` row by row: entry `(i, j)`, `j ≤ i < j + width`.
#[derive(Clone, Debug)]
pub(super) struct Bands {
    width: usize,
    band: Vec<f64>,
    right: Vec<f64>,
}

impl Bands {
    /// No rows over `count` unknowns; two of one row are less than `width` apart.
    pub(super) fn new(count: usize, width: usize) -> Self {
        Self { width, band: vec![0.0; count * width], right: vec![0.0; count] }
    }

    /// Adds a row: its unknowns in rising order with their factors, what it should come to, and its weight.
    pub(super) fn row(&mut self, entries: &[(usize, f64)], wanted: f64, weight: f64) {
        for (place, &(i, a)) in entries.iter().enumerate() {
            let a = a * weight;
            self.right[i] += a * wanted;
            let diagonal = i * self.width + self.width - 1;
            for &(j, b) in &entries[..=place] {
                self.band[diagonal - (i - j)] += a * b;
            }
        }
    }

    /// The unknowns, by Cholesky's method; those that no row names are 0.
    pub(super) fn solve(mut self) -> Vec<f64> {
        let (width, count) = (self.width, self.right.len());
        for i in 0..count {
            let first = i.saturating_sub(width - 1);
            let (before, own) = self.band.split_at_mut(i * width);
            let own = &mut own[..width];
            for j in first..=i {
                let row = if j == i { &[][..] } else { &before[j * width..][..width] };
                let from = first.max(j.saturating_sub(width - 1));
                let (at, length) = (from + width - 1 - i, j - from);
                let mut sum = own[j + width - 1 - i];
                if j == i {
                    sum -= own[at..at + length].iter().map(|x| x * x).sum::<f64>();
                    own[width - 1] = if sum > 0.0 { sum.sqrt() } else { f64::INFINITY };
                } else {
                    let other = &row[from + width - 1 - j..][..length];
                    let product = own[at..at + length].iter().zip(other).map(|(a, b)| a * b);
                    sum -= product.sum::<f64>();
                    own[j + width - 1 - i] = sum / row[width - 1];
                }
            }
        }
        self.substitute()
    }

    fn substitute(mut self) -> Vec<f64> {
        let (width, count) = (self.width, self.right.len());
        let entry = |i: usize, j: usize| self.band[i * width + j + width - 1 - i];
        for i in 0..count {
            let known = (i.saturating_sub(width - 1)..i).map(|j| entry(i, j) * self.right[j]);
            self.right[i] = (self.right[i] - known.sum::<f64>()) / entry(i, i);
        }
        for i in (0..count).rev() {
            let known = (i + 1..count.min(i + width)).map(|k| entry(k, i) * self.right[k]);
            self.right[i] = (self.right[i] - known.sum::<f64>()) / entry(i, i);
        }
        self.right
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_answer_is_that_of_dense_normal_equations(
            rows in prop::collection::vec((0..8_usize, prop::array::uniform4(-1.0..1.0_f64), -1.0..1.0_f64, 0.1..9.0_f64), 12..40),
        ) {
            let (count, width) = (11, 4);
            let mut bands = Bands::new(count, width);
            let mut dense = DMatrix::<f64>::zeros(count, count);
            let mut right = DVector::<f64>::zeros(count);
            let ridge = (0..count).map(|k| (vec![(k, 1.0)], 0.0, 0.1));
            let all = rows.iter().map(|(first, a, wanted, weight)| {
                ((0..4).map(|k| (first + k, a[k])).collect(), *wanted, *weight)
            });
            for (entries, wanted, weight) in ridge.chain(all) {
                let entries: Vec<(usize, f64)> = entries;
                bands.row(&entries, wanted, weight);
                for (i, a) in &entries {
                    right[*i] += weight * a * wanted;
                    for (j, b) in &entries {
                        dense[(*i, *j)] += weight * a * b;
                    }
                }
            }
            let wanted = dense.cholesky().unwrap().solve(&right);
            for (a, b) in bands.solve().iter().zip(wanted.iter()) {
                prop_assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()));
            }
        }
    }
}
