//! Tests of batches, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may panic, and say that it was skipped"
)]

mod batch;
mod clashes;
mod common;
mod identity;
mod killed;
mod locks;
mod model;
mod people;
mod report;
mod shard_options;
mod shards;
mod state;
mod tars;
mod version;
