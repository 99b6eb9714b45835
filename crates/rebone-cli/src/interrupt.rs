//! Ctrl-C, and the wish of the system that the program ends.

use crate::exit_code::{ExitCode, Failure};
use anyhow::Context;
use std::sync::atomic::{AtomicBool, Ordering};

static WANTED: AtomicBool = AtomicBool::new(false);

/// The user does not want the result any more.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(crate) struct Interrupted;

impl From<Interrupted> for Failure {
    fn from(_: Interrupted) -> Self {
        Self::silent(ExitCode::Interrupted)
    }
}

/// From here on the program is not ended at once: the work looks at [`check`], and leaves no half files. Whoever
/// asks twice does not want to wait for that.
pub(crate) fn listen() -> Result<(), Failure> {
    let handler = || {
        if WANTED.swap(true, Ordering::Relaxed) {
            std::process::exit(ExitCode::Interrupted as i32);
        }
    };
    Ok(ctrlc::set_handler(handler).context("cannot listen for Ctrl-C")?)
}

/// Fails once the user wants to stop.
pub(crate) fn check() -> Result<(), Interrupted> {
    if WANTED.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(()) }
}

/// Whether an error is that the user wants to stop.
pub(crate) fn is_cause(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.is::<Interrupted>())
}

/// Stops as the user would.
pub(crate) fn stop() {
    WANTED.store(true, Ordering::Relaxed);
}
