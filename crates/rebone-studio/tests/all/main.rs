//! Tests of the studio's session, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may panic, and say that it was skipped"
)]

mod ask;
mod depths;
mod edits;
mod kit;
mod turned_frames;
