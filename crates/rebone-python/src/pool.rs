//! The pool of threads of this process, progress, and Ctrl-C.

use crate::convert::errors::input_error;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Time between two looks at signals and progress.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);
/// Bytes of the stack of a thread: those of a main thread on most systems.
const STACK_BYTES: usize = 8 << 20;
/// Most threads that can be asked for.
const MAX_THREADS: usize = 1024;

/// A pool, and the process that made it: a child made by `fork` has no threads of its parent.
struct OwnPool {
    process: u32,
    pool: Option<Arc<ThreadPool>>,
    /// Number of threads that is wanted; 0 for one a processor, or as `RAYON_NUM_THREADS` says.
    wanted: usize,
}

impl OwnPool {
    /// Leaves the pool, whose threads end after their work. A pool of the parent stays as it is: its threads are not there to be
    /// ended.
    fn leave(&mut self) {
        let left = self.pool.take();
        if self.process != process::id() {
            std::mem::forget(left);
        }
    }
}

/// Locked with the interpreter attached, and never while it waits: so no other thread holds it when the process forks.
static POOL: Mutex<OwnPool> = Mutex::new(OwnPool { process: 0, pool: None, wanted: 0 });

/// The number of threads that work; sets it first where one is given, 0 for one a processor.
#[pyfunction]
#[pyo3(signature = (count=None))]
pub(crate) fn threads(py: Python<'_>, count: Option<usize>) -> PyResult<usize> {
    if let Some(count) = count {
        if count > MAX_THREADS {
            let message = format!("found {count} threads, expected at most {MAX_THREADS}");
            return Err(input_error(&message));
        }
        let mut own = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        if own.wanted != count {
            own.wanted = count;
            own.leave();
        }
    }
    Ok(pool(py)?.current_num_threads())
}

/// The pool of this process, made where there is none.
fn pool(_py: Python<'_>) -> PyResult<Arc<ThreadPool>> {
    let mut own = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = &own.pool
        && own.process == process::id()
    {
        return Ok(Arc::clone(pool));
    }
    let builder = ThreadPoolBuilder::new().stack_size(STACK_BYTES).num_threads(own.wanted);
    let new =
        builder.build().map_err(|error| input_error(&format!("cannot start threads: {error}")))?;
    let new = Arc::new(new);
    own.leave();
    own.pool = Some(Arc::clone(&new));
    own.process = process::id();
    Ok(new)
}

/// Work in the pool that another thread watches.
pub(crate) struct Watching<'a> {
    /// Ends the work soon.
    pub(crate) stop: &'a dyn Fn(),
    /// Looks at the progress, with the interpreter attached; an exception ends the work.
    pub(crate) look: &'a (dyn Fn(Python<'_>) -> PyResult<()> + Sync),
    /// Waits for the end of work that is stopped: it cleans up.
    pub(crate) waits: bool,
}

/// Does work in the pool, without the interpreter. Meanwhile this thread looks at signals and progress. Work that was
/// stopped and is not waited for ends by itself: its next look at the stop may be a second away.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    watching: &Watching,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    pool(py)?.spawn(move || drop(sender.send(catch_unwind(AssertUnwindSafe(work)))));
    let receiver = Mutex::new(receiver);
    let mut failed = None;
    loop {
        // A receiver is not to be shared, and the interpreter is released by reference.
        let received = py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(LOOK_INTERVAL)
        });
        match received {
            Ok(Ok(value)) => return failed.map_or(Ok(value), Err),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(RecvTimeoutError::Disconnected) => return Err(input_error("the work was lost")),
            Err(RecvTimeoutError::Timeout) if failed.is_none() => {
                let looked = py.check_signals().and_then(|()| (watching.look)(py));
                let Err(error) = looked else { continue };
                (watching.stop)();
                if !watching.waits {
                    return Err(error);
                }
                failed = Some(error);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Does work in the pool that is not stopped.
pub(crate) fn run_unwatched<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let pool = pool(py)?;
    Ok(py.detach(|| pool.install(work)))
}
