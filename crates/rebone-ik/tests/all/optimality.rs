//! Solutions of problems with active limits fulfil the optimality conditions.

use crate::support::{Random, active_problems, optimality};
use rebone_ik::{ActiveBound, Goal, Options, Point, PointRef, Problem, Solver, Termination};

#[test]
fn two_hundred_problems_with_active_limits_are_optimal() {
    let options = Options { max_iterations: 200, ..Options::default() };
    let mut solver = Solver::new(options);
    let problems = active_problems(200);
    assert_eq!(problems.len(), 200);
    for (seed, problem) in problems {
        let solution = solver.solve(&problem).unwrap();
        let x = solver.x();
        let active = (0..x.len()).any(|k| x[k] == problem.lower[k] || x[k] == problem.upper[k]);
        assert!(active, "seed {seed} has no active limit");
        // Checks the box, too.
        let violation = optimality(&problem, x);
        assert!(violation < 1e-8, "seed {seed}: {violation:.1e}, {solution:?}");
        assert!(solution.cost <= solution.start_cost);
    }
}

#[test]
fn reachable_goals_are_met() {
    let mut solver = Solver::new(Options::default());
    let mut met = 0;
    for seed in 0..200 {
        // Start near the solution: other starts may lead to other minima.
        let (mut problem, at) = Random::new(seed).problem(3, 0.0, 1.0);
        for (start, at) in problem.start.iter_mut().zip(&at) {
            *start = at + 0.1 * (*start - at);
        }
        let solution = solver.solve(&problem).unwrap();
        assert_eq!(solution.termination, Termination::Converged, "seed {seed}");
        met += usize::from(solver.residual().iter().all(|r| r.abs() < 1e-10));
    }
    assert!(met >= 195, "{met} of 200");
}

#[test]
fn an_optimal_start_is_returned_bit_for_bit() {
    let mut solver = Solver::new(Options::default());
    for seed in 0..50 {
        let (mut problem, at) = Random::new(seed).problem(6, 0.0, 1.0);
        problem.start.clone_from(&at);
        let solution = solver.solve(&problem).unwrap();
        assert_eq!((solution.iterations, solution.termination), (0, Termination::Converged));
        assert_eq!(solver.x(), at);
    }
}

#[test]
fn new_and_used_solvers_give_equal_bits() {
    let mut used = Solver::new(Options::default());
    for seed in 0..30 {
        let (problem, _) = Random::new(seed).problem(2 + seed as usize % 8, 0.1, 0.5);
        let one = used.solve(&problem);
        let mut fresh = Solver::new(Options::default());
        assert_eq!(one, fresh.solve(&problem));
        assert_eq!(used.x(), fresh.x());
    }
}

#[test]
fn numbers_that_are_not_finite_are_reported() {
    let (mut problem, _) = Random::new(1).problem(3, 0.1, 0.5);
    let mut solver = Solver::new(Options::default());
    let mut started = problem.clone();
    started.start[1] = f64::NAN;
    assert_eq!(solver.solve(&started).unwrap().termination, Termination::NotFinite);
    problem.chain.base.position.x = f64::NAN;
    assert_eq!(solver.solve(&problem).unwrap().termination, Termination::NotFinite);
    assert_eq!(solver.x(), problem.start);
}

#[test]
fn a_problem_without_goals_or_without_variables_is_solved() {
    let (mut problem, _) = Random::new(1).problem(1, 0.1, 0.5);
    problem.goals.clear();
    let mut solver = Solver::new(Options::default());
    assert_eq!(solver.solve(&problem).unwrap().termination, Termination::Converged);
    let link = rebone_ik::Link::new(None, Default::default(), rebone_ik::LinkMotion::Fixed);
    let chain = rebone_ik::Chain::new(vec![link]).unwrap();
    let point = rebone_ik::Point::origin(rebone_ik::LinkId(0));
    let goal = rebone_ik::Goal::position(1.0, point, nalgebra::Vector3::x());
    let problem = rebone_ik::Problem::new(chain, vec![goal]).unwrap();
    let solution = solver.solve(&problem).unwrap();
    assert_eq!((solution.termination, solution.cost), (Termination::Converged, 0.5));
}

#[test]
fn an_active_bound_has_its_overshoot_and_cost() {
    let hinge = rebone_ik::LinkMotion::Axes(vec![nalgebra::Vector3::z_axis()]);
    let chain = rebone_ik::Chain::new(vec![rebone_ik::Link::new(None, Default::default(), hinge)]);
    let origin = Point::origin(rebone_ik::LinkId(0));
    let ends = [origin, Point { offset: nalgebra::Vector3::x(), ..origin }].map(PointRef::At);
    let at = |angle: f64| nalgebra::Unit::new_unchecked([angle.cos(), angle.sin(), 0.0].into());
    let goal = |angle: f64| vec![Goal::direction(2.0, 0.25, ends, at(angle))];
    let chain = chain.unwrap();
    let mut solver = Solver::default();
    for (wanted, overshoot) in [(0.31, 0.01), (-0.22, -0.02), (0.1, 0.0)] {
        let problem = Problem::new(chain.clone(), goal(wanted)).unwrap();
        let problem = Problem { lower: vec![-0.2], upper: vec![0.3], ..problem };
        solver.solve(&problem).unwrap();
        let ActiveBound { overshoot: found, cost } = solver.active_bound(&problem, 0).unwrap();
        assert!((found - overshoot).abs() < 1e-5, "{wanted}: {found}");
        assert!((cost - 0.5 * overshoot.abs()).abs() < 1e-5, "{wanted}: {cost}");
        let missed = solver.residual().iter().map(|r| r * r).sum::<f64>().sqrt();
        assert!((problem.goals[0].error_size(missed) - overshoot.abs()).abs() < 1e-9);
    }
}

#[test]
fn the_bound_of_a_variable_that_moves_no_goal_costs_nothing() {
    let axes = [nalgebra::Vector3::z_axis(), nalgebra::Vector3::x_axis()];
    let joint = rebone_ik::LinkMotion::Axes(axes.to_vec());
    let chain = rebone_ik::Chain::new(vec![rebone_ik::Link::new(None, Default::default(), joint)]);
    let mut solver = Solver::default();
    // The tip is on the axis of the twist, but for rounding.
    for (step, off) in [0.0, 1e-17, 1e-13].into_iter().enumerate() {
        let offset = nalgebra::Vector3::new(0.7, off, -off);
        let tip = Point { link: rebone_ik::LinkId(0), offset };
        let wanted = nalgebra::Vector3::new(0.3, 0.9, 0.8);
        let goals = vec![Goal::position(1.0, tip, wanted)];
        let problem = Problem::new(chain.clone().unwrap(), goals).unwrap();
        for end in [-0.4, 0.4] {
            let start = vec![0.1, end];
            let problem = Problem {
                lower: vec![-0.2, -0.4],
                upper: vec![0.3, 0.4],
                start,
                ..problem.clone()
            };
            solver.solve(&problem).unwrap();
            let bound = solver.active_bound(&problem, 1).unwrap();
            assert_eq!(bound, ActiveBound::default(), "{step}: {end}");
            assert!(solver.active_bound(&problem, 0).unwrap().cost > 0.1);
        }
    }
}
