//! Work on frames, in blocks on all threads.

use crate::frame::Retargeter;
#[cfg(feature = "rayon")]
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Mutex;

/// Frames of a block. A report is added up block by block, so its last bits depend on this, and on no
/// number of threads.
pub(crate) const FRAMES_PER_BLOCK: usize = 64;
/// Blocks in hand for each thread, so that none waits long for another's last.
pub(crate) const BLOCKS_PER_THREAD: usize = 2;

/// Lets `work` fill a block for each few frames, on all threads, and `take` have the blocks in their order; `new`
/// is an empty one. Wave after wave: while the blocks of one are taken, those of the next are worked on.
///
/// # Errors
/// The first error of `take`, which ends the work.
pub(crate) fn in_blocks<B: Send + Sync, E: Send>(
    retargeter: &Retargeter,
    frames: Range<usize>,
    new: impl Fn() -> B,
    work: impl Fn(&mut Retargeter, Range<usize>, &mut B) + Send + Sync,
    mut take: impl FnMut(&B) -> Result<(), E> + Send,
) -> Result<(), E> {
    let end = frames.end;
    let begins = frames.step_by(FRAMES_PER_BLOCK);
    let blocks: Vec<_> = begins.map(|begin| begin..end.min(begin + FRAMES_PER_BLOCK)).collect();
    let pool = WorkerPool { retargeter, free: Mutex::new(Vec::new()) };
    let (mut made, mut making) = (Vec::<B>::new(), Vec::<B>::new());
    for wave in blocks.chunks(BLOCKS_PER_THREAD * threads()).chain([&[][..]]) {
        making.resize_with(wave.len(), &new);
        let one = |(block, frames): (&mut B, &Range<usize>)| {
            pool.with(|worker| work(worker, frames.clone(), block));
        };
        join_or_serial(
            || made.iter().try_for_each(&mut take),
            || for_each_block(&mut making, wave, one),
        )?;
        std::mem::swap(&mut made, &mut making);
    }
    Ok(())
}

#[cfg(feature = "rayon")]
fn threads() -> usize {
    rayon::current_num_threads()
}

#[cfg(not(feature = "rayon"))]
fn threads() -> usize {
    1
}

/// Does both, at the same time where there are threads; gives what the first one gives.
#[cfg(feature = "rayon")]
fn join_or_serial<T: Send>(first: impl FnOnce() -> T + Send, second: impl FnOnce() + Send) -> T {
    rayon::join(first, second).0
}

#[cfg(not(feature = "rayon"))]
fn join_or_serial<T>(first: impl FnOnce() -> T, second: impl FnOnce()) -> T {
    second();
    first()
}

/// Does the work for each block and its frames.
#[cfg(feature = "rayon")]
fn for_each_block<B: Send>(
    blocks: &mut [B],
    frames: &[Range<usize>],
    work: impl Fn((&mut B, &Range<usize>)) + Send + Sync,
) {
    blocks.par_iter_mut().zip(frames).with_max_len(1).for_each(work);
}

#[cfg(not(feature = "rayon"))]
fn for_each_block<B>(
    blocks: &mut [B],
    frames: &[Range<usize>],
    work: impl Fn((&mut B, &Range<usize>)),
) {
    blocks.iter_mut().zip(frames).for_each(work);
}

/// As many copies of a retargeter as work at the same time.
struct WorkerPool<'a> {
    retargeter: &'a Retargeter,
    free: Mutex<Vec<Retargeter>>,
}

impl WorkerPool<'_> {
    fn with(&self, work: impl FnOnce(&mut Retargeter)) {
        let free = self.free.lock().ok().and_then(|mut free| free.pop());
        let mut worker = free.unwrap_or_else(|| self.retargeter.clone());
        work(&mut worker);
        if let Ok(mut free) = self.free.lock() {
            free.push(worker);
        }
    }
}
