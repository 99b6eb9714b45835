//! Ctrl-C and termination signals.

use crate::exit_code::{ExitCode, Failure, Interrupted};
use anyhow::Context;
#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGXFSZ};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread;
use std::time::Duration;

/// Set by a signal.
static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Exit code of the last signal; 0 before.
static CODE: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);
/// Temporary files that are written.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Signals that end the program, and its exit codes then.
const SIGNALS: &[(i32, ExitCode)] = &[
    (SIGINT, ExitCode::Interrupted),
    (SIGTERM, ExitCode::Terminated),
    #[cfg(unix)]
    (SIGHUP, ExitCode::HungUp),
];

/// Time for work to end by itself after a signal, with its temporary files removed.
const MAX_WAIT_AFTER_SIGNAL: Duration = Duration::from_millis(600);
/// Time between two looks at the flag.
pub(crate) const SIGNAL_CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Listens for signals. Work ends at its next [`check`], without incomplete files. Where it does not come to one, blocked
/// in a pipe for instance, the program ends after [`MAX_WAIT_AFTER_SIGNAL`]; a second signal ends it at once.
pub(crate) fn listen() -> Result<(), Failure> {
    let attempt = || -> std::io::Result<()> {
        for &(signal, code) in SIGNALS {
            flag::register_conditional_shutdown(signal, code as i32, Arc::clone(&STOP))?;
            flag::register_usize(signal, Arc::clone(&CODE), code as usize)?;
            flag::register(signal, Arc::clone(&STOP))?;
        }
        // A file that becomes longer than the user's limit is an error of its write.
        #[cfg(unix)]
        flag::register(SIGXFSZ, Arc::default())?;
        Ok(())
    };
    attempt().context("cannot listen for Ctrl-C")?;
    // Without this thread a second signal ends work that is blocked.
    let _ = thread::Builder::new().name("signals".to_owned()).spawn(end_after_signal);
    Ok(())
}

/// Waits for a signal and ends the program, unless its work ends before.
fn end_after_signal() {
    while check().is_ok() {
        thread::sleep(SIGNAL_CHECK_INTERVAL);
    }
    thread::sleep(MAX_WAIT_AFTER_SIGNAL);
    if let Some(code) = exit_code() {
        if let Ok(files) = TEMPORARY.try_lock() {
            files.iter().for_each(|file| drop(std::fs::remove_file(file)));
        }
        process::exit(code as i32);
    }
}

/// Removes a temporary file where a signal ends the program while it is written.
pub(crate) fn remove_at_exit(path: &Path) {
    if let Ok(mut files) = TEMPORARY.lock() {
        files.push(path.to_owned());
    }
}

/// Keeps files that belong to one that gets its name now.
pub(crate) fn keep_at_exit(paths: &[PathBuf]) {
    if let Ok(mut files) = TEMPORARY.lock() {
        let kept: BTreeSet<&PathBuf> = paths.iter().collect();
        files.retain(|path| !kept.contains(path));
    }
}

/// Fails after a signal.
pub(crate) fn check() -> Result<(), Interrupted> {
    if STOP.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(()) }
}

/// The exit code after a signal.
pub(crate) fn exit_code() -> Option<ExitCode> {
    let code = CODE.load(Ordering::Relaxed);
    SIGNALS.iter().map(|signal| signal.1).find(|own| *own as usize == code)
}

/// Flag that a signal sets.
pub(crate) fn flag() -> &'static AtomicBool {
    &STOP
}

/// Stops the work as a signal does.
pub(crate) fn stop() {
    STOP.store(true, Ordering::Relaxed);
}
