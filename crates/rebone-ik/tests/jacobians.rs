//! Analytic Jacobians against central differences, over random chains and configurations.

mod support;

use rebone_ik::check::assert_jacobian;
use rebone_ik::{Configuration, Problem};
use support::{KINDS, Random};

#[test]
fn each_kind_of_goal_over_each_kind_of_motion() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let chain = random.chain();
        let met = random.variables(&chain, 1.0);
        let at = Configuration::new(&chain, &met);
        for kind in 0..KINDS {
            let goal = random.goal(kind, &chain, &at, 0.5);
            let problem = Problem::new(chain.clone(), vec![goal]).unwrap();
            assert_jacobian(&problem, &met, 1e-9);
            assert_jacobian(&problem, &vec![0.0; chain.len()], 1e-7);
        }
    }
}
