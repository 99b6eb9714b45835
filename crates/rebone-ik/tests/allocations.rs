//! Solving allocates nothing once the solver has met the problem.

mod support;

use rebone_ik::{Options, Problem, Solver};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use support::{Random, body};

#[global_allocator]
static GLOBAL: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[test]
fn the_steady_state_does_not_allocate() {
    let mut random = Random::new(1);
    let trunk = body::trunk();
    let other = body::of_other_lengths(&trunk.chain, &mut random, 0.2);
    let frames: Vec<Problem> =
        (0..20).map(|_| body::frame(&trunk, body::trunk_goals, &other, &mut random, 0.2)).collect();
    let mut solver = Solver::new(Options::default());
    solver.solve(&frames[0]);
    // A solve that never left the start has not met all parts of the solver: say that these did.
    let mut problem = frames[0].clone();
    let region = Region::new(GLOBAL);
    let mut iterations = 0;
    for frame in &frames[1..] {
        problem.goals.clone_from_slice(&frame.goals);
        problem.start.copy_from_slice(&frame.start);
        iterations += solver.solve(&problem).iterations;
    }
    let change = region.change();
    assert!(iterations > 100, "{iterations}");
    assert_eq!((change.allocations, change.reallocations), (0, 0));
}
