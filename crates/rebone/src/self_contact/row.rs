//! Rows of a least-squares problem over the variables of both arms.

use super::arm::{ARM_VARIABLES, ArmJacobian, ArmVector};
use crate::body::Side;
use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

/// Variables of both arms.
pub(super) const VARIABLES: usize = 2 * ARM_VARIABLES;
/// Values of the variables of both arms, the left arm's first.
pub(super) type Variables = SVector<f64, VARIABLES>;

/// Returns the variables of one arm.
pub(super) fn of_arm(x: &Variables, side: Side) -> ArmVector {
    x.fixed_rows::<ARM_VARIABLES>(side.index() * ARM_VARIABLES).into_owned()
}

/// A vector that should become zero, to first order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Derivatives by the variables of each arm that moves it.
    pub(super) jacobians: [Option<ArmJacobian>; 2],
    /// What is left at the current values: the variables should change it by as much.
    pub(super) off: Vector3<f64>,
    pub(super) weight: Matrix3<f64>,
}

/// A sum of squares as a function of the variables: `xᵀ H x − 2 gᵀ x` plus a constant.
#[derive(Clone, Debug)]
pub(super) struct Quadratic {
    /// H.
    pub(super) matrix: SMatrix<f64, VARIABLES, VARIABLES>,
    /// g.
    pub(super) vector: Variables,
    /// Whether a touch or a clearance is in it.
    pub(super) is_active: bool,
}

impl Quadratic {
    pub(super) fn zero() -> Self {
        Self { matrix: SMatrix::zeros(), vector: Variables::zeros(), is_active: false }
    }

    /// Adds a row that was linearised at the values `x`.
    pub(super) fn push(&mut self, row: &Row, x: &Variables) {
        let arms = Side::BOTH.map(|side| row.jacobians[side.index()].map(|own| (side, own)));
        let moved = |(side, own): &(Side, ArmJacobian)| own * of_arm(x, *side);
        let wanted = row.off + arms.iter().flatten().map(moved).sum::<Vector3<f64>>();
        for (side, own) in arms.iter().flatten() {
            let first = side.index() * ARM_VARIABLES;
            let weighted = own.transpose() * row.weight;
            let mut part = self.vector.fixed_rows_mut::<ARM_VARIABLES>(first);
            part += weighted * wanted;
            for (other, theirs) in arms.iter().flatten() {
                let second = other.index() * ARM_VARIABLES;
                let mut block =
                    self.matrix.fixed_view_mut::<ARM_VARIABLES, ARM_VARIABLES>(first, second);
                block += weighted * theirs;
            }
        }
    }

    /// Adds the square of one variable's distance from a value.
    pub(super) fn pull(&mut self, index: usize, wanted: f64, weight: f64) {
        self.matrix[(index, index)] += weight;
        self.vector[index] += weight * wanted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_square_makes_the_rows_zero() {
        let mut all = Quadratic::zero();
        let start = Variables::from_fn(|k, _| 0.1 * k as f64);
        for k in 0..6 {
            let jacobian = |side: usize| {
                ArmJacobian::from_fn(|i, j| libm::sin((7 * i + 3 * j + 5 * k + 11 * side) as f64))
            };
            let jacobians = [Some(jacobian(0)), (k % 2 == 0).then(|| jacobian(1))];
            let off = Vector3::new(0.1, -0.2, 0.05 * k as f64);
            all.push(&Row { jacobians, off, weight: Matrix3::identity() }, &start);
        }
        (0..VARIABLES).for_each(|index| all.pull(index, 0.0, 1e-3));
        let least = all.matrix.cholesky().unwrap().solve(&all.vector);
        let slope = all.matrix * least - all.vector;
        assert!(slope.norm() < 1e-9);
        let cost = |x: &Variables| x.dot(&(all.matrix * x)) - 2.0 * all.vector.dot(x);
        for k in 0..VARIABLES {
            let aside = least + Variables::ith(k, 0.01);
            assert!(cost(&aside) > cost(&least));
        }
    }
}
