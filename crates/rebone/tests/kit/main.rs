//! A kit that makes rigs with a known answer: one body and clip, edited into two files that differ in
//! topology, rest pose, axes, units and names. Whatever was edited, the motion in the world is known.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod case;
mod compare;
mod cuts;
mod edit;
mod joints;
mod known;
mod names;
mod puppet;
mod world;

mod itself;
mod rigs;
