//! The promises that the library makes, held on its own samples and, where `REBONE_CORPUS` names the
//! folder of real files, on those.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and say that it was skipped"
)]

mod support;

mod continuity;

mod edits;

mod invariance;

mod itself;

mod limbs;

mod limits;
