//! Checks for tests: Jacobians against central differences.

use crate::{Configuration, Problem};

/// Asserts that the Jacobian of `problem` at `x` agrees with central differences of fourth order,
/// step 1e-3, to `tolerance` in each entry.
///
/// # Panics
/// At the first entry that differs by more; the message has row and column.
pub fn assert_jacobian(problem: &Problem, x: &[f64], tolerance: f64) {
    const DIFFERENCE_STEP: f64 = 1e-3;
    let (m, n) = (problem.rows(), problem.columns());
    let mut analytic = vec![0.0; m * n];
    problem.jacobian(&Configuration::new(&problem.chain, x), &mut analytic);
    let residual = |column: usize, step: f64| {
        let mut moved = x.to_vec();
        moved[column] += step;
        let mut out = vec![0.0; m];
        problem.residual(&Configuration::new(&problem.chain, &moved), &mut out);
        out
    };
    for column in 0..n {
        let [near, far] = [DIFFERENCE_STEP, 2.0 * DIFFERENCE_STEP]
            .map(|h| (residual(column, h), residual(column, -h)));
        for row in 0..m {
            let near = (near.0[row] - near.1[row]) / (2.0 * DIFFERENCE_STEP);
            let far = (far.0[row] - far.1[row]) / (4.0 * DIFFERENCE_STEP);
            let (numeric, analytic) = ((4.0 * near - far) / 3.0, analytic[row * n + column]);
            let difference = (numeric - analytic).abs();
            assert!(
                difference <= tolerance,
                "row {row}, column {column}: {analytic} is {difference:.1e} off {numeric}"
            );
        }
    }
}
