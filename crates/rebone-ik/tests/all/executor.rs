//! The solver inside argmin's `Executor` gives equal bits; all solvers keep the limits.

use crate::support::{Random, body};
use argmin::core::{Executor, State};
use rebone_ik::{BoundedProblem, Options, Solver, SolverKind, solve_with};

#[test]
fn the_executor_gives_equal_bits() {
    for seed in 0..20 {
        let (problem, _) = Random::new(seed).problem(5, 0.1, 0.5);
        let mut solver = Solver::new(Options::default());
        let solution = solver.solve(&problem).unwrap();
        let result =
            Executor::new(BoundedProblem(&problem), Solver::new(Options::default())).run().unwrap();
        assert_eq!(result.state.get_param().unwrap(), solver.x(), "seed {seed}");
        assert_eq!(result.state.get_cost(), solution.cost);
    }
}

#[test]
fn each_solver_keeps_the_limits_and_does_not_get_worse() {
    let mut random = Random::new(3);
    let limb = body::limb();
    for _ in 0..10 {
        let problem = body::frame(&limb, body::limb_goals, &limb.chain, &mut random, 0.35);
        for kind in SolverKind::ALL {
            let options = Options { max_iterations: 2000, ..Options::default() };
            let (x, solution) = solve_with(kind, &problem, options).unwrap();
            let inside = |(k, x): (usize, &f64)| problem.lower[k] <= *x && *x <= problem.upper[k];
            assert!(x.iter().enumerate().all(inside), "{kind}");
            assert!(solution.cost <= solution.start_cost, "{kind}");
            assert!(solution.cost < 1e-8, "{kind} {solution:?}");
        }
    }
}
