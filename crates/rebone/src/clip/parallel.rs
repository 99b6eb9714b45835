//! Blocks of frames on all threads.

use crate::frame::Retargeter;
use crate::watch::{Stopped, Watched};
#[cfg(feature = "rayon")]
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Mutex;

/// Frames per block. A report is summed block by block, so its last bits depend on this, and not on the number of
/// threads.
pub(crate) const FRAMES_PER_BLOCK: usize = 64;
/// Blocks per thread in a wave, so that no thread waits long for the last block of another.
pub(crate) const BLOCKS_PER_THREAD: usize = 2;

/// Fills blocks of frames with `work` on all threads and passes them to `take` in order; `new` creates an empty block.
/// While `take` reads the blocks of one wave, those of the next are filled.
///
/// # Errors
/// The first error of `take`, which ends the work, or the stop of the watch.
pub(crate) fn in_blocks<B: Send + Sync>(
    (retargeter, watched): (&Retargeter, &Watched),
    frames: Range<usize>,
    new: &dyn Fn() -> B,
    work: &(dyn Fn(&mut Retargeter, Range<usize>, &mut B) + Sync),
    take: &mut (dyn FnMut(&B) -> Result<(), Stopped> + Send),
) -> Result<(), Stopped> {
    let end = frames.end;
    let begins = frames.step_by(FRAMES_PER_BLOCK);
    let blocks: Vec<_> = begins.map(|begin| begin..end.min(begin + FRAMES_PER_BLOCK)).collect();
    let pool = WorkerPool { retargeter, free: Mutex::new(Vec::new()) };
    let (mut made, mut making) = (Vec::<B>::new(), Vec::<B>::new());
    for wave in blocks.chunks(BLOCKS_PER_THREAD * threads()).chain([&[][..]]) {
        making.resize_with(wave.len(), new);
        let one = |(block, frames): (&mut B, &Range<usize>)| {
            // Blocks that are not computed are not taken.
            if watched.check().is_ok() {
                pool.with(|worker| work(worker, frames.clone(), block));
                watched.add(frames.len());
            }
        };
        join_or_serial(
            || made.iter().try_for_each(&mut *take),
            || for_each_block(&mut making, wave, one),
        )?;
        watched.check()?;
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

/// Runs both, in parallel with threads; returns the result of the first.
#[cfg(feature = "rayon")]
fn join_or_serial<T: Send>(first: impl FnOnce() -> T + Send, second: impl FnOnce() + Send) -> T {
    rayon::join(first, second).0
}

#[cfg(not(feature = "rayon"))]
fn join_or_serial<T>(first: impl FnOnce() -> T, second: impl FnOnce()) -> T {
    second();
    first()
}

/// Runs the work for each block and its frames.
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

/// A pool of clones of a retargeter, one for each concurrent block.
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
