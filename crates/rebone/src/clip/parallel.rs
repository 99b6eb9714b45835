//! Blocks of frames on all threads.

use crate::frame::Retargeter;
use crate::watch::{Stopped, Watched};
#[cfg(feature = "rayon")]
use rayon::prelude::*;
use rebone_body::poses;
use rebone_skeleton::{Clip, Pose};
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
/// The stop of the watch.
pub(crate) fn in_blocks<B: Send + Sync>(
    (retargeter, watched): (&Retargeter, &Watched),
    frames: Range<usize>,
    new: &dyn Fn() -> B,
    work: &(dyn Fn(&mut Retargeter, Range<usize>, &mut B) + Sync),
    take: &mut (dyn FnMut(&B) + Send),
) -> Result<(), Stopped> {
    let blocks = blocks_of(frames);
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
            || made.iter().for_each(&mut *take),
            || for_each_block(&mut making, wave, one),
        );
        watched.check()?;
        std::mem::swap(&mut made, &mut making);
    }
    Ok(())
}

/// Returns what a function gives for each frame, on all threads.
///
/// # Errors
/// The stop of the watch.
pub(crate) fn map_frames<T: Clone + Send + Sync>(
    (retargeter, watched): (&Retargeter, &Watched),
    frames: Range<usize>,
    of: &(dyn Fn(&mut Retargeter, usize) -> T + Sync),
) -> Result<Vec<T>, Stopped> {
    let mut all = Vec::with_capacity(frames.len());
    let work = |worker: &mut Retargeter, frames: Range<usize>, block: &mut Vec<T>| {
        block.clear();
        block.extend(frames.map(|frame| of(worker, frame)));
    };
    let mut take = |block: &Vec<T>| all.extend_from_slice(block);
    in_blocks((retargeter, watched), frames, &Vec::new, &work, &mut take)?;
    Ok(all)
}

/// Changes all frames of a clip in place, on all threads; returns what the change gives for each.
///
/// # Errors
/// The stop of the watch.
pub(crate) fn edit_frames<T: Clone + Send + Sync>(
    (retargeter, watched): (&Retargeter, &Watched),
    clip: &mut Clip,
    change: &(dyn Fn(&mut Retargeter, usize, &mut Pose) -> T + Sync),
) -> Result<Vec<T>, Stopped> {
    let mut all = Vec::with_capacity(clip.len());
    let pool = WorkerPool { retargeter, free: Mutex::new(Vec::new()) };
    let mut changed: Vec<Vec<(Pose, T)>> = Vec::new();
    for wave in blocks_of(0..clip.len()).chunks(BLOCKS_PER_THREAD * threads()) {
        changed.resize_with(wave.len(), Vec::new);
        let unchanged: &Clip = clip;
        for_each_block(&mut changed, wave, |(block, frames)| {
            if watched.check().is_err() {
                return;
            }
            pool.with(|worker| {
                block.extend(frames.clone().map(|frame| {
                    let mut pose = poses::pose(unchanged, frame);
                    let given = change(worker, frame, &mut pose);
                    (pose, given)
                }));
            });
            watched.add(frames.len());
        });
        watched.check()?;
        for (block, frames) in changed.iter_mut().zip(wave) {
            for (frame, (pose, given)) in frames.clone().zip(block.drain(..)) {
                poses::set(clip, frame, &pose);
                all.push(given);
            }
        }
    }
    Ok(all)
}

/// The blocks of frames, in order.
fn blocks_of(frames: Range<usize>) -> Vec<Range<usize>> {
    let end = frames.end;
    let begins = frames.step_by(FRAMES_PER_BLOCK);
    begins.map(|begin| begin..end.min(begin + FRAMES_PER_BLOCK)).collect()
}

#[cfg(feature = "rayon")]
fn threads() -> usize {
    rayon::current_num_threads()
}

#[cfg(not(feature = "rayon"))]
fn threads() -> usize {
    1
}

/// Runs both, in parallel with threads.
#[cfg(feature = "rayon")]
fn join_or_serial(first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
    rayon::join(first, second);
}

#[cfg(not(feature = "rayon"))]
fn join_or_serial(first: impl FnOnce(), second: impl FnOnce()) {
    second();
    first();
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
