//! A whole clip: blocks of its frames on all threads, then the floor where that is wanted.

use crate::align::Plan;
use crate::ground::{floor, lift};
use crate::report::Report;
use crate::understand::begins_with_reference;
use crate::{ReferenceFrame, Retargeter};
#[cfg(feature = "rayon")]
use rayon::prelude::*;
use rebone_ik::IkError;
use rebone_skeleton::{Clip, Pose};
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Mutex;

/// Frames of a block. A report is added up block by block, so its last bits depend on this, and on no
/// number of threads.
const BLOCK: usize = 64;
/// Blocks in hand for each thread, so that none waits long for another's last.
const AHEAD: usize = 2;

/// Retargets a whole clip: its frames on all threads of the pool, then the floor where that is wanted.
///
/// # Errors
/// When the target's joints do not form chains.
pub fn retarget_clip(plan: &Plan, clip: &Clip) -> Result<(Clip, Report), IkError> {
    Ok(collect(&Retargeter::new(plan.clone())?, clip))
}

/// Retargets a clip without holding the result: each pose of the target goes to `sink`, in the order of
/// the frames, from [`first_frame`] on. Where the result is to be put on its floor, which the last frame
/// may change, it is held after all.
///
/// Frames are solved in blocks on all threads of the `rayon` pool that this is called in, or of the global
/// one (without the feature `rayon`: on the caller's); poses and report are the same to the bit whatever their number. `retargeter` only says how.
///
/// # Errors
/// The first error of `sink`, which ends the work.
///
/// # Panics
/// When the clip is not of the source's skeleton.
pub fn retarget_frames<E: Send>(
    retargeter: &Retargeter,
    clip: &Clip,
    mut sink: impl FnMut(&Pose) -> Result<(), E> + Send,
) -> Result<Report, E> {
    if !retargeter.plan().options.ground {
        return solve(retargeter, clip, sink);
    }
    let (result, report) = collect(retargeter, clip);
    let mut pose = retargeter.plan().target.skeleton.rest_pose();
    for frame in 0..result.len() {
        result.read(frame, &mut pose);
        sink(&pose)?;
    }
    Ok(report)
}

/// The first frame of a clip that is retargeted: 1 where the first is a reference pose and to be left out.
pub fn first_frame(plan: &Plan, clip: &Clip) -> usize {
    let drops = plan.options.reference_frame == ReferenceFrame::Drop;
    usize::from(drops && begins_with_reference(&plan.source, clip))
}

/// All frames, and then the floor where that is wanted.
fn collect(retargeter: &Retargeter, clip: &Clip) -> (Clip, Report) {
    let plan = retargeter.plan();
    let mut result = Clip::new(&plan.target.skeleton, clip.frame_time);
    let pushed = solve(retargeter, clip, |pose| {
        result.push(pose);
        Ok::<_, Infallible>(())
    });
    let Ok(mut report) = pushed;
    if plan.options.ground {
        report.floor = floor(plan, &result);
        let level = report.floor.map_or(0.0, |floor| floor.level);
        lift(plan, &mut result, -level);
    }
    (result, report)
}

/// Wave after wave of blocks: while the poses of one go to `sink`, those of the next are solved.
fn solve<E: Send>(
    retargeter: &Retargeter,
    clip: &Clip,
    mut sink: impl FnMut(&Pose) -> Result<(), E> + Send,
) -> Result<Report, E> {
    let plan = retargeter.plan();
    let mut report = Report::new(plan);
    report.reference_frame = begins_with_reference(&plan.source, clip);
    let frames = first_frame(plan, clip)..clip.len();
    let begins = frames.clone().step_by(BLOCK);
    let blocks: Vec<_> = begins.map(|begin| begin..clip.len().min(begin + BLOCK)).collect();
    let crew = Crew { retargeter, free: Mutex::new(Vec::new()) };
    let (mut made, mut making) = (Vec::<Block>::new(), Vec::<Block>::new());
    let mut pose = plan.target.skeleton.rest_pose();
    for wave in blocks.chunks(AHEAD * threads()).chain([&[][..]]) {
        making.resize_with(wave.len(), || Block::new(plan, clip));
        let take =
            || made.iter().try_for_each(|block| block.give(&mut report, &mut pose, &mut sink));
        let one = |(block, frames): (&mut Block, &Range<usize>)| {
            crew.with(|worker| block.solve(worker, clip, frames.clone()));
        };
        both(take, || each(&mut making, wave, one))?;
        std::mem::swap(&mut made, &mut making);
    }
    report.finish(frames.len(), clip.frame_time);
    Ok(report)
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
fn both<T: Send>(first: impl FnOnce() -> T + Send, second: impl FnOnce() + Send) -> T {
    rayon::join(first, second).0
}

#[cfg(not(feature = "rayon"))]
fn both<T>(first: impl FnOnce() -> T, second: impl FnOnce()) -> T {
    second();
    first()
}

/// Does the work for each block and its frames.
#[cfg(feature = "rayon")]
fn each(
    blocks: &mut [Block],
    frames: &[Range<usize>],
    work: impl Fn((&mut Block, &Range<usize>)) + Send + Sync,
) {
    blocks.par_iter_mut().zip(frames).with_max_len(1).for_each(work);
}

#[cfg(not(feature = "rayon"))]
fn each(blocks: &mut [Block], frames: &[Range<usize>], work: impl Fn((&mut Block, &Range<usize>))) {
    blocks.iter_mut().zip(frames).for_each(work);
}

/// As many copies of a retargeter as work at the same time.
struct Crew<'a> {
    retargeter: &'a Retargeter,
    free: Mutex<Vec<Retargeter>>,
}

impl Crew<'_> {
    fn with(&self, work: impl FnOnce(&mut Retargeter)) {
        let free = self.free.lock().ok().and_then(|mut free| free.pop());
        let mut worker = free.unwrap_or_else(|| self.retargeter.clone());
        work(&mut worker);
        if let Ok(mut free) = self.free.lock() {
            free.push(worker);
        }
    }
}

/// What came of a few frames.
struct Block {
    source: Pose,
    target: Pose,
    poses: Clip,
    report: Report,
}

impl Block {
    /// Memory for one.
    fn new(plan: &Plan, clip: &Clip) -> Self {
        Self {
            source: plan.source.skeleton.rest_pose(),
            target: plan.target.skeleton.rest_pose(),
            poses: Clip::new(&plan.target.skeleton, clip.frame_time),
            report: Report::default(),
        }
    }

    /// Solves frames of a clip.
    fn solve(&mut self, worker: &mut Retargeter, clip: &Clip, frames: Range<usize>) {
        let Self { source, target, poses, report } = self;
        poses.keep(0..0);
        *report = Report::default();
        for frame in frames {
            clip.read(frame, source);
            worker.frame(source, target);
            report.record(frame, worker);
            poses.push(target);
        }
    }

    /// Hands over what was made.
    fn give<E>(
        &self,
        report: &mut Report,
        pose: &mut Pose,
        sink: &mut impl FnMut(&Pose) -> Result<(), E>,
    ) -> Result<(), E> {
        report.append(&self.report);
        (0..self.poses.len()).try_for_each(|frame| {
            self.poses.read(frame, pose);
            sink(pose)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hints, LimitMode, Options, align, samples, understand};

    /// A sample that is longer than what two threads have in hand at once, onto a rig whose limits bind.
    fn long() -> (Retargeter, Clip) {
        let named = |all: Vec<samples::Sample>, name: &str| {
            all.into_iter().find(|sample| sample.name == name).unwrap().motion
        };
        let clip = named(samples::clips(), "jump");
        let rig = named(samples::rigs(), "toy-a-pose");
        let [source, target] =
            [&clip, &rig].map(|motion| understand(motion, &Hints::default()).unwrap());
        let options = Options { limits: LimitMode::Strict, ..Options::default() };
        let plan = align(&source, &target, &options);
        let poses: Vec<Pose> = clip.clip.poses().collect();
        let frames = 3 * 2 * AHEAD * BLOCK + 7;
        let poses = poses.iter().cycle().take(frames).cloned();
        (Retargeter::new(plan).unwrap(), Clip::from_poses(&clip.skeleton, 1.0 / 30.0, poses))
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let (retargeter, clip) = long();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| collect(&retargeter, &clip))
        };
        let one = on(1);
        assert_eq!(one.0.len(), clip.len());
        assert!(!one.1.limits.is_empty());
        for threads in [2, 5] {
            assert_eq!(on(threads), one);
        }
    }

    #[test]
    fn blocks_add_up_to_what_frames_do() {
        let (mut retargeter, clip) = long();
        let (_, by_blocks) = collect(&retargeter, &clip);
        let plan = retargeter.plan().clone();
        let mut report = Report::new(&plan);
        let mut target = plan.target.skeleton.rest_pose();
        for (frame, source) in clip.poses().enumerate() {
            retargeter.frame(&source, &mut target);
            report.record(frame, &retargeter);
        }
        report.finish(clip.len(), clip.frame_time);
        assert_eq!(by_blocks.stages.len(), report.stages.len());
        for (stage, other) in by_blocks.stages.iter().zip(&report.stages) {
            assert_eq!(
                [stage.worst_frame, stage.unconverged],
                [other.worst_frame, other.unconverged]
            );
            assert_eq!(stage.worst, other.worst);
            let means = [stage.start - other.start, stage.end - other.end];
            assert!(means.iter().all(|mean| mean.abs() < 1e-12), "{means:?}");
        }
        let told = |report: &Report| -> Vec<_> {
            let limits = report.limits.iter();
            limits.map(|limit| (limit.joint.clone(), limit.frames, limit.worst_frame)).collect()
        };
        assert_eq!(told(&by_blocks), told(&report));
    }
}
