//! Threads of the program: fewer where not all can be started.

use crate::exit_code::Failure;
use anyhow::Context;
use rayon::ThreadPoolBuilder;

/// Bytes of the stack of a thread: those of a main thread on most systems.
const STACK_BYTES: usize = 8 << 20;

/// Runs the work on as many threads as `rayon` chooses, or as can be started; on the caller's alone where none can.
pub(crate) fn run(work: impl FnOnce() -> Result<(), Failure> + Send) -> Result<(), Failure> {
    let builder = || ThreadPoolBuilder::new().stack_size(STACK_BYTES);
    let mut wanted = 0;
    loop {
        match builder().num_threads(wanted).build() {
            Ok(pool) => return pool.install(work),
            Err(_) if wanted == 1 => break,
            Err(_) if wanted == 0 => {
                wanted = std::thread::available_parallelism().map_or(1, Into::into)
            }
            Err(_) => wanted = wanted.div_ceil(2),
        }
    }
    ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build_global()
        .context("cannot use threads")?;
    work()
}
