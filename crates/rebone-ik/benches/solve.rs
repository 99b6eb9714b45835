//! One frame: kinematics, a limb, a trunk; goals met and unmet; with and without regularisation.
//!
//! `cargo bench -p rebone-ik`

#[path = "../tests/support/mod.rs"]
mod support;

use divan::Bencher;
use rebone_ik::{Configuration, Goal, Options, Problem, Solver};
use support::{Random, body};

fn main() {
    divan::main();
}

/// Error of the start on each variable, radians (3 degrees): about that of a transfer in closed form.
const START_ERROR_RADIANS: f64 = 0.05;

fn frames(base: &Problem, goals: fn(&Configuration) -> Vec<Goal>, change: f64) -> Vec<Problem> {
    let mut random = Random::new(1);
    let source = body::of_other_lengths(&base.chain, &mut random, change);
    (0..100).map(|_| body::frame(base, goals, &source, &mut random, START_ERROR_RADIANS)).collect()
}

fn solve(bencher: Bencher, frames: &[Problem], posture_regularisation: bool) {
    let mut solver = Solver::new(Options { posture_regularisation, ..Options::default() });
    let mut next = frames.iter().cycle();
    bencher.bench_local(|| {
        next.next().map(|problem| solver.solve(problem).expect("values of the test fit"))
    });
}

#[divan::bench]
fn kinematics_of_the_trunk(bencher: Bencher) {
    let problem = body::trunk();
    let mut at = Configuration::default();
    bencher
        .bench_local(|| at.update(&problem.chain, &problem.start).expect("values of the test fit"));
}

#[divan::bench(args = [0.0, 0.1])]
fn limb(bencher: Bencher, change: f64) {
    solve(bencher, &frames(&body::limb(), body::limb_goals, change), true);
}

#[divan::bench(args = [0.0, 0.05])]
fn trunk(bencher: Bencher, change: f64) {
    solve(bencher, &frames(&body::trunk(), body::trunk_goals, change), true);
}

#[divan::bench(args = [0.0, 0.05])]
fn trunk_without_regularisation(bencher: Bencher, change: f64) {
    solve(bencher, &frames(&body::trunk(), body::trunk_goals, change), false);
}
