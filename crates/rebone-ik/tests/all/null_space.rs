//! Posture regularisation keeps the null space near the start.

#![allow(clippy::unwrap_used)]

use crate::support::{Random, body, gradient};
use nalgebra::Vector3;
use rebone_ik::{
    Chain, Configuration, Goal, Link, LinkId, LinkMotion, Options, Point, Problem, Solver,
};

/// Builds six ball joints in a row with a position goal for the tip: 18 variables, 3 rows.
fn tentacle(random: &mut Random) -> Problem {
    let links = (0..6).map(|index: usize| {
        let parent = index.checked_sub(1).map(LinkId);
        Link::new(parent, Vector3::new(0.0, 0.2, 0.0), LinkMotion::SwingTwist)
    });
    let chain = Chain::new(links.collect()).unwrap();
    let tip = Point { link: LinkId(5), offset: Vector3::new(0.0, 0.2, 0.0) };
    let met = random.variables(&chain, 0.5);
    let at = Configuration::new(&chain, &met).unwrap();
    let target = at.position(&tip.into()).unwrap();
    let mut problem = Problem::new(chain, vec![Goal::position(1.0, tip, target)]).unwrap();
    problem.start = met.iter().map(|met| met + random.about(0.3)).collect();
    problem
}

/// Projects `start − x`, over the variables inside their box, to the null space of the Jacobian by
/// nalgebra's singular values; returns the greatest component.
fn null_space_distance(problem: &Problem, x: &[f64]) -> f64 {
    let (m, n) = (problem.rows(), problem.columns());
    let at = Configuration::new(&problem.chain, x).unwrap();
    let j = problem.jacobian(&at).unwrap();
    let inside: Vec<usize> =
        (0..n).filter(|&k| problem.lower[k] < x[k] && x[k] < problem.upper[k]).collect();
    let j = nalgebra::DMatrix::from_fn(m, inside.len(), |row, k| j[row * n + inside[k]]);
    let pull = nalgebra::DVector::from_iterator(
        inside.len(),
        inside.iter().map(|&k| problem.start[k] - x[k]),
    );
    let cut = 1e-6 * j.singular_values().max();
    let inverse = j.clone().pseudo_inverse(cut).unwrap();
    (&pull - inverse * (j * &pull)).amax()
}

#[test]
fn a_redundant_chain_reaches_its_goal_and_stays_near_its_start() {
    let mut solver = Solver::new(Options::default());
    let mut plain = Solver::new(Options { posture_regularisation: false, ..Options::default() });
    for seed in 0..50 {
        let problem = tentacle(&mut Random::new(seed));
        let solution = solver.solve(&problem).unwrap();
        assert!(solution.cost < 1e-24, "seed {seed}: {solution:?}");
        let away = null_space_distance(&problem, solver.x());
        assert!(away < 1e-8, "seed {seed}: {away:.1e}");
        let before = plain.solve(&problem).unwrap();
        assert!(before.cost < 1e-20);
        let far = |x: &[f64]| x.iter().zip(&problem.start).map(|(x, s)| (x - s) * (x - s)).sum();
        let (pulled, not): (f64, f64) = (far(solver.x()), far(plain.x()));
        assert!(pulled <= not + 1e-12, "seed {seed}: {pulled} {not}");
    }
}

#[test]
fn regularisation_keeps_limits() {
    let mut solver = Solver::new(Options::default());
    let mut at_limits = 0;
    for seed in 0..50 {
        let mut problem = tentacle(&mut Random::new(seed));
        for k in 0..problem.columns() {
            (problem.lower[k], problem.upper[k]) = (-0.45, 0.45);
            problem.start[k] = problem.start[k].clamp(-0.45, 0.45);
        }
        let solution = solver.solve(&problem).unwrap();
        if solution.cost > 1e-20 {
            continue; // Out of reach in this box.
        }
        let x = solver.x();
        assert!(x.iter().all(|x| x.abs() <= 0.45));
        at_limits += x.iter().filter(|x| x.abs() == 0.45).count();
        let away = null_space_distance(&problem, x);
        assert!(away < 1e-8, "seed {seed}: {away:.1e}");
    }
    assert!(at_limits > 50, "{at_limits}");
}

#[test]
fn regularisation_does_not_raise_the_cost_of_unreachable_goals() {
    let mut random = Random::new(7);
    let trunk = body::trunk();
    let mut pulled = Solver::new(Options { max_iterations: 200, ..Options::default() });
    let mut plain = Solver::new(Options { posture_regularisation: false, ..pulled.options });
    let other = body::of_other_lengths(&trunk.chain, &mut random, 0.05);
    for frame in 0..30 {
        let problem = body::frame(&trunk, body::trunk_goals, &other, &mut random, 0.05);
        let (with, without) = (pulled.solve(&problem).unwrap(), plain.solve(&problem).unwrap());
        assert!(with.cost > 1e-9, "these goals should not be met");
        assert!(with.cost <= without.cost * (1.0 + 1e-9), "frame {frame}: {with:?} {without:?}");
        let slope = gradient(&problem, pulled.x());
        let held = |k: usize, x: f64| x.max(problem.lower[k]).min(problem.upper[k]);
        let inside = |k: &usize| held(*k, pulled.x()[*k] - slope[*k]) != pulled.x()[*k];
        let worst = (0..slope.len()).filter(inside).map(|k| slope[k].abs()).fold(0.0, f64::max);
        assert!(worst < 1e-9, "frame {frame}: {worst:.1e}");
    }
}
