//! Least squares with banded normal equations, on three axes at once.

use super::banded_equations::BandedEquations;
use nalgebra::Vector3;

/// Weighted rows `a·x = b` of which each refers to neighbouring unknowns only; the axes are independent: `AᵀWA x = AᵀWb` on
/// each.
#[derive(Clone, Debug)]
pub struct BandedNormalEquations {
    axes: [BandedEquations; 3],
}

impl BandedNormalEquations {
    /// Creates a system of `count` unknowns without rows; unknowns of one row are less than `width` apart.
    pub fn new(count: usize, width: usize) -> Self {
        Self { axes: [0, 1, 2].map(|_| BandedEquations::new(count, width)) }
    }

    /// Adds a row: its unknowns in ascending order with their factors, its right-hand side, and its weight on each
    /// axis.
    pub fn row(&mut self, entries: &[(usize, f64)], wanted: &Vector3<f64>, weight: &Vector3<f64>) {
        for (axis, equations) in self.axes.iter_mut().enumerate() {
            for (place, &(i, a)) in entries.iter().enumerate() {
                let weighted = weight[axis] * a;
                equations.add_right(i, weighted * wanted[axis]);
                for &(j, b) in &entries[place..] {
                    equations.add(i, j, weighted * b);
                }
            }
        }
    }

    /// Solves for all unknowns; those without rows are 0.
    pub fn solve(self) -> Vec<Vector3<f64>> {
        let [x, y, z] = self.axes.map(BandedEquations::solve);
        x.into_iter().zip(y).zip(z).map(|((x, y), z)| Vector3::new(x, y, z)).collect()
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
