//! Compares all solvers on 50 frames, each started 20 degrees off on every variable.
//!
//! `cargo run --release -p rebone-ik --example solvers` prints the table of `docs/benchmarks.md`.
#![allow(clippy::print_stdout)]

#[path = "../tests/support/mod.rs"]
mod support;

use rebone_ik::{Configuration, Goal, Options, Problem, SolverKind, solve_with};
use std::time::Instant;
use support::{Random, body};

const FRAMES: usize = 50;
/// Error of the start on each rotation, radians (20 degrees); translations: a tenth of it in metres.
const START_ERROR_RADIANS: f64 = 20.0 * std::f64::consts::PI / 180.0;
/// Greatest row of the residual of a converged frame, metres.
const MAX_RESIDUAL_METRES: f64 = 1e-6;

fn main() {
    println!(
        "| problem | solver | converged | median residual | iterations | frames/s | limits violated |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    table("limb, 4 variables", &body::limb(), body::limb_goals);
    table("trunk, 24 variables", &body::trunk(), body::trunk_goals);
}

fn table(name: &str, base: &Problem, goals: fn(&Configuration) -> Vec<Goal>) {
    let mut random = Random::new(20);
    let frames: Vec<Problem> = (0..FRAMES)
        .map(|_| body::frame(base, goals, &base.chain, &mut random, START_ERROR_RADIANS))
        .collect();
    for kind in SolverKind::ALL {
        println!("| {name} {}", row(kind, &frames));
    }
}

fn row(kind: SolverKind, frames: &[Problem]) -> String {
    // The simplex takes many small steps.
    let max_iterations = if kind == SolverKind::NelderMead { 20_000 } else { 500 };
    let options = Options { max_iterations, gradient_tolerance: 1e-10, ..Options::default() };
    let (mut violated, mut iterations, mut residuals) = (0, 0, Vec::new());
    let begin = Instant::now();
    for problem in frames {
        let (x, solution) =
            solve_with(kind, problem, options).expect("poses and clips of the example fit");
        iterations += solution.iterations;
        let outside = |k: usize| x[k] < problem.lower[k] || x[k] > problem.upper[k];
        violated += usize::from((0..x.len()).any(outside));
        let at =
            Configuration::new(&problem.chain, &x).expect("poses and clips of the example fit");
        let residual = problem.residual(&at).expect("poses and clips of the example fit");
        residuals.push(residual.iter().fold(0.0, |worst: f64, r| worst.max(r.abs())));
    }
    let rate = frames.len() as f64 / begin.elapsed().as_secs_f64();
    residuals.sort_by(f64::total_cmp);
    let met = residuals.iter().filter(|residual| **residual <= MAX_RESIDUAL_METRES).count();
    let median = residuals[residuals.len() / 2];
    let each = iterations / frames.len();
    format!(
        "| `{kind}` | {met}/{} | {median:.0e} | {each} | {rate:.0} | {violated} |",
        frames.len()
    )
}
