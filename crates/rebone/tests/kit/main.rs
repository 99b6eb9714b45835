//! A kit that makes rigs with a known answer: one body and clip, edited into two files that differ in
//! topology, rest pose, axes, units and names. Whatever was edited, the motion in the world is known.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may panic, and say that it was skipped"
)]

mod carded;
mod case;
mod compare;
mod cuts;
mod edit;
mod joints;
mod known;
mod names;
mod puppet;
mod seen;
mod world;

mod alone;
mod itself;
mod moved;
mod rewritten;
mod rigs;
mod sure;
mod windows;
