//! Threads: fewer where not all can be started.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZeroUsize;

/// Bytes of the stack of a thread: those of a main thread on most systems.
const STACK_BYTES: usize = 8 << 20;

/// Runs work on `wanted` threads, at most four for each processor; without a number on `RAYON_NUM_THREADS`, or one for each
/// processor; on fewer where not all can be started, and on the caller's alone where none can.
///
/// ```
/// let threads = rebone_batch::on_threads(2.try_into().ok(), || 7);
/// assert_eq!(threads, 7);
/// ```
pub fn on_threads<T: Send>(wanted: Option<NonZeroUsize>, work: impl FnOnce() -> T + Send) -> T {
    match pool(wanted) {
        Some(pool) => pool.install(work),
        None => {
            // Fails where the caller is a thread of a pool, which then does the work.
            let alone = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
            let _ = alone.build_global();
            work()
        }
    }
}

/// Threads for each processor at most: more bring nothing, and what they need may not be there.
pub(crate) const MAX_THREADS_PER_PROCESSOR: NonZeroUsize =
    NonZeroUsize::new(4).expect("4 is not 0");

/// Limits a number of threads.
pub(crate) fn limited(wanted: NonZeroUsize) -> NonZeroUsize {
    wanted.min(processors().saturating_mul(MAX_THREADS_PER_PROCESSOR))
}

fn processors() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Starts threads: as many as are wanted, as the environment says, or one for each processor.
fn pool(wanted: Option<NonZeroUsize>) -> Option<ThreadPool> {
    let count = wanted.or_else(stated).unwrap_or_else(processors);
    first_that_starts(limited(count).get(), |count| {
        ThreadPoolBuilder::new().stack_size(STACK_BYTES).num_threads(count).build().ok()
    })
}

/// The number of threads that the environment of `rayon` states.
fn stated() -> Option<NonZeroUsize> {
    std::env::var("RAYON_NUM_THREADS").ok()?.parse().ok()
}

/// Starts a number of threads, then half as many as before, until they can be started; `None` where not one can.
fn first_that_starts<T>(mut count: usize, start: impl Fn(usize) -> Option<T>) -> Option<T> {
    loop {
        match start(count) {
            Some(pool) => return Some(pool),
            None if count == 1 => return None,
            None => count = count.div_ceil(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_cannot_be_started_are_done_without() {
        let most = |most: usize| move |count: usize| (count <= most).then_some(count);
        assert_eq!(first_that_starts(400, most(400)), Some(400));
        assert_eq!(first_that_starts(400, most(110)), Some(100));
        assert_eq!(first_that_starts(7, most(1)), Some(1));
        assert_eq!(first_that_starts(7, most(0)), None);
    }
}
