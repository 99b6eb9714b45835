//! A frame allocates nothing in the steady state.

use rebone::{Hints, LimbBlend, LimitMode, Method, Options, Retargeter, align, analyse};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// One test only in this program: the count is the whole program's.
#[test]
fn a_frame_allocates_nothing() {
    for clip in rebone_samples::clips() {
        let source = analyse(&clip.motion, &Hints::default()).unwrap();
        for rig in rebone_samples::rigs() {
            let target = analyse(&rig.motion, &Hints::default()).unwrap();
            let ways = [
                (LimitMode::Source, Method::Ik),
                (LimitMode::Human, Method::Ik),
                (LimitMode::Source, Method::Copy),
                (LimitMode::Source, Method::Egocentric),
            ];
            for (limits, method) in ways {
                let (arms, legs) = (Some(LimbBlend(0.5)), Some(LimbBlend(1.0)));
                let options = Options { arms, legs, limits, method, ..Options::default() };
                let plan = align(&source, &target, &options);
                let mut retargeter = Retargeter::new(plan).unwrap();
                let mut pose = rig.motion.skeleton.rest_pose();
                let frames: Vec<_> = clip.motion.clip.poses().step_by(7).collect();
                retargeter.frame(&frames[0], &mut pose).unwrap();
                let region = Region::new(ALLOCATOR);
                for frame in &frames {
                    retargeter.frame(frame, &mut pose).unwrap();
                }
                let change = region.change();
                let count = change.allocations + change.reallocations;
                assert_eq!(count, 0, "{} on {}, {limits:?}, {method:?}", clip.name, rig.name);
            }
        }
    }
}
