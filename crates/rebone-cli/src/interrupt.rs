//! Ctrl-C and termination signals.

use crate::exit_code::{ExitCode, Failure, Interrupted};
use anyhow::Context;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// Listens for signals: work ends at its next [`check`], without incomplete files. A second signal ends the program at
/// once.
pub(crate) fn listen() -> Result<(), Failure> {
    let handler = || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(ExitCode::Interrupted as i32);
        }
    };
    Ok(ctrlc::set_handler(handler).context("cannot listen for Ctrl-C")?)
}

/// Fails after a signal.
pub(crate) fn check() -> Result<(), Interrupted> {
    if STOP.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(()) }
}

/// Flag that a signal sets.
pub(crate) fn flag() -> &'static AtomicBool {
    &STOP
}

/// Stops the work as a signal does.
pub(crate) fn stop() {
    STOP.store(true, Ordering::Relaxed);
}
