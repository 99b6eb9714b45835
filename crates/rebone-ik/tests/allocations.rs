//! Solving does not allocate after the first problem.
//!
//! Runs without the test harness, whose thread allocates meanwhile.

mod support;

use rebone_ik::{Configuration, Options, Problem, Solver};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use support::{Random, body};

#[global_allocator]
static GLOBAL: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    let mut random = Random::new(1);
    let trunk = body::trunk();
    let other = body::of_other_lengths(&trunk.chain, &mut random, 0.2);
    let frames: Vec<Problem> =
        (0..20).map(|_| body::frame(&trunk, body::trunk_goals, &other, &mut random, 0.2)).collect();
    let mut solver = Solver::new(Options::default());
    let mut problem = frames[0].clone();
    // The first problem starts at its solution, which does not run all parts of the solver.
    problem.goals = body::trunk_goals(
        &Configuration::new(&problem.chain, &problem.start).expect("values of the test fit"),
    );
    assert_eq!(solver.solve(&problem).expect("values of the test fit").iterations, 0);
    let region = Region::new(GLOBAL);
    let mut iterations = 0;
    for frame in &frames[1..] {
        problem.goals.clone_from_slice(&frame.goals);
        problem.start.copy_from_slice(&frame.start);
        iterations += solver.solve(&problem).expect("values of the test fit").iterations;
    }
    let change = region.change();
    assert!(iterations > 100, "{iterations}");
    assert_eq!((change.allocations, change.reallocations), (0, 0));
}
