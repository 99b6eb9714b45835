//! A least-squares problem over the variables of both arms.

use super::arm::{ARM_VARIABLES, ArmTwists, ArmVector};
use super::twist::TwistQuadratic;
use crate::body::Side;
use nalgebra::{SMatrix, SVector, Vector6};

/// Variables of both arms.
pub(super) const VARIABLES: usize = 2 * ARM_VARIABLES;
/// Values of the variables of both arms, the left arm's first.
pub(super) type Variables = SVector<f64, VARIABLES>;

/// Returns the variables of one arm.
pub(super) fn of_arm(x: &Variables, side: Side) -> ArmVector {
    x.fixed_rows::<ARM_VARIABLES>(side.index() * ARM_VARIABLES).into_owned()
}

/// A sum of squares as a function of the variables: `xᵀ H x − 2 gᵀ x` plus a constant.
#[derive(Clone, Debug)]
pub(super) struct Quadratic {
    /// H.
    pub(super) matrix: SMatrix<f64, VARIABLES, VARIABLES>,
    /// g.
    pub(super) vector: Variables,
}

impl Quadratic {
    pub(super) fn zero() -> Self {
        Self { matrix: SMatrix::zeros(), vector: Variables::zeros() }
    }

    /// Adds goals of a part that were linearised at the values `x`, given the twists that the variables of each arm make
    /// between it and what it is near.
    pub(super) fn push(
        &mut self,
        goals: &TwistQuadratic,
        twists: [Option<ArmTwists>; 2],
        x: &Variables,
    ) {
        let arms = Side::BOTH.map(|side| twists[side.index()].map(|own| (side, own)));
        let moved = |(side, own): &(Side, ArmTwists)| own * of_arm(x, *side);
        let moved = arms.iter().flatten().map(moved).sum::<Vector6<f64>>();
        let wanted = goals.vector + goals.matrix * moved;
        for (side, own) in arms.iter().flatten() {
            let first = side.index() * ARM_VARIABLES;
            let mut part = self.vector.fixed_rows_mut::<ARM_VARIABLES>(first);
            part += own.tr_mul(&wanted);
            let weighted = goals.matrix * own;
            for (other, theirs) in arms.iter().flatten() {
                let second = other.index() * ARM_VARIABLES;
                let mut block =
                    self.matrix.fixed_view_mut::<ARM_VARIABLES, ARM_VARIABLES>(second, first);
                block += theirs.tr_mul(&weighted);
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
