//! Bounds of requests.

use std::time::Duration;

/// Bounds of requests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Connections at a time; others are closed.
    pub(crate) connections: usize,
    /// Bytes of a head.
    pub(crate) head_bytes: usize,
    /// Time for a request, head and body in all, and for a client to take some of its answer.
    pub(crate) wait: Duration,
    /// Bytes of a result.
    pub(crate) result_bytes: usize,
}

impl Limits {
    /// The bounds of the program.
    pub(crate) const PROGRAM: Self = Self {
        connections: 64,
        head_bytes: 16 << 10,
        wait: Duration::from_secs(10),
        result_bytes: 1 << 30,
    };
}
