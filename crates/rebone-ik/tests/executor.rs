//! The solver inside argmin's `Executor` is the same solver; all methods keep the limits.

mod support;

use argmin::core::{Executor, State};
use rebone_ik::{InBox, Method, Options, Solver, solve_with};
use support::{Random, body};

#[test]
fn the_executor_gives_the_same_bits() {
    for seed in 0..20 {
        let (problem, _) = Random::new(seed).problem(5, 0.1, 0.5);
        let mut solver = Solver::new(Options::default());
        let solution = solver.solve(&problem);
        let result = Executor::new(InBox(&problem), Solver::new(Options::default())).run().unwrap();
        assert_eq!(result.state.get_param().unwrap(), solver.x(), "seed {seed}");
        assert_eq!(result.state.get_cost(), solution.cost);
    }
}

#[test]
fn each_method_keeps_the_limits_and_does_not_get_worse() {
    let mut random = Random::new(3);
    let limb = body::limb();
    for _ in 0..10 {
        let problem = body::frame(&limb, body::limb_goals, &limb.chain, &mut random, 0.35);
        for method in Method::ALL {
            let options = Options { max_iterations: 2000, ..Options::default() };
            let (x, solution) = solve_with(method, &problem, options);
            let inside = |(k, x): (usize, &f64)| problem.lower[k] <= *x && *x <= problem.upper[k];
            assert!(x.iter().enumerate().all(inside), "{method}");
            assert!(solution.cost <= solution.start_cost, "{method}");
            assert!(solution.cost < 1e-8, "{method} {solution:?}");
        }
    }
}
