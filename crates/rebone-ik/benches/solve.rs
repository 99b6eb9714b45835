//! One frame: kinematics, a limb, a trunk, met and unmet, without and with the pull.
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

/// Starts 3 degrees off on each variable: a transfer in closed form is about as good.
const OFF: f64 = 0.05;

fn frames(base: &Problem, goals: fn(&Configuration) -> Vec<Goal>, change: f64) -> Vec<Problem> {
    let mut random = Random::new(1);
    let source = body::of_other_lengths(&base.chain, &mut random, change);
    (0..100).map(|_| body::frame(base, goals, &source, &mut random, OFF)).collect()
}

fn solve(bencher: Bencher, frames: &[Problem], null_space: bool) {
    let mut solver = Solver::new(Options { null_space, ..Options::default() });
    let mut next = frames.iter().cycle();
    bencher.bench_local(|| next.next().map(|problem| solver.solve(problem)));
}

#[divan::bench]
fn kinematics_of_the_trunk(bencher: Bencher) {
    let problem = body::trunk();
    let mut at = Configuration::default();
    bencher.bench_local(|| at.update(&problem.chain, &problem.start));
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
fn trunk_without_pull(bencher: Bencher, change: f64) {
    solve(bencher, &frames(&body::trunk(), body::trunk_goals, change), false);
}
