//! A kit that makes rigs with a known answer: one body and clip, edited into two files that differ in
//! topology, rest pose, axes, units and names. Whatever was edited, the motion in the world is known.

mod carded;
mod compare;
mod cuts;
mod edit;
mod generated_case;
mod joints;
mod known;
mod names;
mod seen;
mod test_rig;
mod world;

mod calibration_coverage;
mod identity;
mod renaming;
mod rigs;
mod stateless;
mod windows;
mod world_invariance;
