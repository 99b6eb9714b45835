//! Least squares with banded normal equations, on three axes at once.

use nalgebra::Vector3;

/// Weighted rows `a·x = b` of which each refers to neighbouring unknowns only; the axes are independent.
///
/// Holds the upper band of `AᵀWA` row by row: entry `(i, j)`, `i ≤ j < i + width`, of each axis.
#[derive(Clone, Debug)]
pub(crate) struct BandedNormalEquations {
    width: usize,
    band: Vec<Vector3<f64>>,
    right: Vec<Vector3<f64>>,
}

impl BandedNormalEquations {
    /// Creates a system of `count` unknowns without rows; unknowns of one row are less than `width` apart.
    pub(crate) fn new(count: usize, width: usize) -> Self {
        let zero = Vector3::zeros();
        Self { width, band: vec![zero; count * width], right: vec![zero; count] }
    }

    /// Adds a row: its unknowns in ascending order with their factors, its right-hand side, and its weight on each
    /// axis.
    pub(crate) fn row(
        &mut self,
        entries: &[(usize, f64)],
        wanted: &Vector3<f64>,
        weight: &Vector3<f64>,
    ) {
        for (place, &(i, a)) in entries.iter().enumerate() {
            let weighted = weight * a;
            self.right[i] += weighted.component_mul(wanted);
            for &(j, b) in &entries[place..] {
                self.band[i * self.width + (j - i)] += weighted * b;
            }
        }
    }

    /// Solves by elimination in the order of the unknowns; unknowns without rows are 0.
    pub(crate) fn solve(mut self) -> Vec<Vector3<f64>> {
        let (width, count) = (self.width, self.right.len());
        for i in 0..count {
            let (own, below) = self.band[i * width..].split_at_mut(width);
            let inverse = own[0].map(|pivot| if pivot > 0.0 { 1.0 / pivot } else { 0.0 });
            for k in 1..width.min(count - i) {
                let factor = own[k].component_mul(&inverse);
                let row = &mut below[(k - 1) * width..][..width - k];
                for (entry, own) in row.iter_mut().zip(&own[k..]) {
                    *entry -= factor.component_mul(own);
                }
                let known = factor.component_mul(&self.right[i]);
                self.right[i + k] -= known;
            }
            own[0] = inverse;
        }
        for i in (0..count).rev() {
            let own = &self.band[i * width..][..width.min(count - i)];
            let known = own[1..].iter().zip(&self.right[i + 1..]).map(|(a, x)| a.component_mul(x));
            let rest = self.right[i] - known.sum::<Vector3<f64>>();
            self.right[i] = rest.component_mul(&own[0]);
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
            let mut equations = BandedNormalEquations::new(count, width);
            let mut dense = DMatrix::<f64>::zeros(count, count);
            let mut right = DVector::<f64>::zeros(count);
            let ridge = (0..count).map(|k| (vec![(k, 1.0)], 0.0, 0.1));
            let all = rows.iter().map(|(first, a, wanted, weight)| {
                ((0..4).map(|k| (first + k, a[k])).collect(), *wanted, *weight)
            });
            for (entries, wanted, weight) in ridge.chain(all) {
                let entries: Vec<(usize, f64)> = entries;
                let axes = Vector3::new(wanted, wanted, -wanted);
                equations.row(&entries, &axes, &Vector3::new(weight, 0.0, 2.0 * weight));
                for (i, a) in &entries {
                    right[*i] += weight * a * wanted;
                    for (j, b) in &entries {
                        dense[(*i, *j)] += weight * a * b;
                    }
                }
            }
            let wanted = dense.cholesky().unwrap().solve(&right);
            for (x, wanted) in equations.solve().iter().zip(wanted.iter()) {
                let off = x - Vector3::new(*wanted, 0.0, -wanted);
                prop_assert!(off.amax() < 1e-9 * (1.0 + wanted.abs()));
            }
        }
    }
}
