//! Tests of the library through its public functions, in one program: each more would be linked with all of it again.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may panic, and say that it was skipped"
)]

mod added_root;
mod bodies;
mod bound;
mod cards;
mod contacts;
mod copies;
mod corpus_roles;
mod cut;
mod egocentric;
mod energies;
mod extra_joints;
mod feet;
mod hands;
mod hostile;
mod hostile_values;
mod kit;
mod languages;
mod long_arms;
mod motions;
mod options;
mod partial;
mod promises;
mod props;
mod reports;
mod root_motion;
mod same_rig;
mod self_contact;
mod soles;
mod still_toes;
mod verdict;
