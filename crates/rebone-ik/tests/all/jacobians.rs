//! Analytic Jacobians against central differences, over random chains and configurations.

use crate::support::{KINDS, Random};
use rebone_ik::{Configuration, Problem};

#[test]
fn each_kind_of_goal_over_each_kind_of_motion() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let chain = random.chain();
        let met = random.variables(&chain, 1.0);
        let at = Configuration::new(&chain, &met).unwrap();
        for kind in 0..KINDS {
            let goal = random.goal(kind, &chain, &at, 0.5);
            let problem = Problem::new(chain.clone(), vec![goal]).unwrap();
            assert_jacobian(&problem, &met, 1e-9);
            assert_jacobian(&problem, &vec![0.0; chain.len()], 1e-7);
        }
    }
}

/// Asserts that the Jacobian of `problem` at `x` agrees with central differences of fourth order,
/// step 1e-3, to `tolerance` in each entry.
fn assert_jacobian(problem: &Problem, x: &[f64], tolerance: f64) {
    const DIFFERENCE_STEP: f64 = 1e-3;
    let (m, n) = (problem.rows(), problem.columns());
    let at = |x: &[f64]| Configuration::new(&problem.chain, x).expect("values of the test fit");
    let analytic = problem.jacobian(&at(x)).expect("values of the test fit");
    let residual = |column: usize, step: f64| {
        let mut moved = x.to_vec();
        moved[column] += step;
        problem.residual(&at(&moved)).expect("values of the test fit")
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
