//! A least-squares problem over the variables of both arms.

use crate::self_contact::arm::{ARM_VARIABLES, ArmTwists, ArmVector};
use crate::self_contact::goals::twist::TwistQuadratic;
use nalgebra::{SMatrix, SVector, Vector6};
use rebone_body::body::Side;
use std::ops::Range;

/// Variables of both arms.
pub(crate) const VARIABLES: usize = 2 * ARM_VARIABLES;
/// Values of the variables of both arms, the left arm's first.
pub(crate) type Variables = SVector<f64, VARIABLES>;

/// Returns the places of the variables of one arm.
pub(crate) fn variables_of(side: Side) -> Range<usize> {
    let first = side.index() * ARM_VARIABLES;
    first..first + ARM_VARIABLES
}

/// Returns the variables of one arm.
pub(crate) fn of_arm(x: &Variables, side: Side) -> ArmVector {
    x.fixed_rows::<ARM_VARIABLES>(side.index() * ARM_VARIABLES).into_owned()
}

/// A sum of squares as a function of the variables: `xᵀ H x − 2 gᵀ x` plus a constant.
#[derive(Clone, Debug)]
pub(crate) struct Quadratic {
    /// H.
    pub(crate) matrix: SMatrix<f64, VARIABLES, VARIABLES>,
    /// g.
    pub(crate) vector: Variables,
}

impl Quadratic {
    pub(crate) fn zero() -> Self {
        Self { matrix: SMatrix::zeros(), vector: Variables::zeros() }
    }

    /// Adds goals of a part that were linearised at the values `x`, given the twists that the variables of each arm make
    /// between it and what it is near.
    pub(crate) fn push(
        &mut self,
        goals: &TwistQuadratic,
        twists: [Option<ArmTwists>; 2],
        x: &Variables,
    ) {
        let arms =
            || Side::BOTH.into_iter().zip(twists).filter_map(|(side, own)| Some((side, own?)));
        let moved = arms().map(|(side, own)| own * of_arm(x, side)).sum::<Vector6<f64>>();
        let wanted = goals.vector + goals.matrix * moved;
        for (side, own) in arms() {
            let first = side.index() * ARM_VARIABLES;
            let weighted = own.data.0.map(|column| product(&goals.matrix.data.0, &column));
            let more = product(&own.transpose().data.0, &wanted.data.0[0]);
            add(&mut self.vector.data.0[0][first..], &more);
            for (other, theirs) in arms() {
                let (second, rows) = (other.index() * ARM_VARIABLES, theirs.transpose().data.0);
                for (j, column) in weighted.iter().enumerate() {
                    let more = product(&rows, column);
                    add(&mut self.matrix.data.0[first + j][second..], &more);
                }
            }
        }
    }

    /// Adds the square of one variable's distance from a value.
    pub(crate) fn pull(&mut self, index: usize, wanted: f64, weight: f64) {
        self.matrix[(index, index)] += weight;
        self.vector[index] += weight * wanted;
    }
}

/// Returns the product of a matrix, by its columns, and a vector. Lengths that are known let all of it unroll.
fn product<const ROWS: usize>(columns: &[[f64; ROWS]; 6], vector: &[f64; 6]) -> [f64; ROWS] {
    let mut sum = [0.0; ROWS];
    for (k, column) in columns.iter().enumerate() {
        for (i, sum) in sum.iter_mut().enumerate() {
            *sum += column[i] * vector[k];
        }
    }
    sum
}

/// Adds to the first entries of a slice.
fn add(entries: &mut [f64], more: &[f64; ARM_VARIABLES]) {
    for (entry, more) in entries.iter_mut().zip(more) {
        *entry += more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    #[test]
    fn the_least_square_has_no_slope() {
        let mut all = Quadratic::zero();
        let start = Variables::from_fn(|k, _| 0.1 * k as f64);
        for k in 0..6 {
            let twists = |side: usize| {
                ArmTwists::from_fn(|i, j| libm::sin((7 * i + 3 * j + 5 * k + 11 * side) as f64))
            };
            let twists = [Some(twists(0)), (k % 2 == 0).then(|| twists(1))];
            let mut goals = TwistQuadratic::zero();
            let r = Vector3::new(0.2 * k as f64, 0.1, -0.3);
            goals.push_point(&r, &Vector3::new(0.1, -0.2, 0.05 * k as f64), 0.7);
            all.push(&goals, twists, &start);
        }
        (0..VARIABLES).for_each(|index| all.pull(index, 0.0, 1e-3));
        assert!((all.matrix - all.matrix.transpose()).norm() < 1e-12);
        let least = all.matrix.cholesky().unwrap().solve(&all.vector);
        let cost = |x: &Variables| x.dot(&(all.matrix * x)) - 2.0 * all.vector.dot(x);
        for k in 0..VARIABLES {
            for step in [-0.01, 0.01] {
                assert!(cost(&(least + Variables::ith(k, step))) > cost(&least));
            }
        }
    }
}
