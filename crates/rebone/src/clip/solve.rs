//! The frames of a clip, each independent of the others.

use super::input::ClipInput;
use super::parallel::in_blocks;
use crate::align::Plan;
use crate::frame::Retargeter;
use crate::quality::{Seen, Watch};
use crate::report::Report;
use rebone_skeleton::{Clip, Pose};
use std::ops::Range;

/// What is recorded while frames are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    /// Nothing: there is no visible motion.
    Nothing,
    /// The source, and the target's trajectories: its poses are not final.
    Source,
    /// Both bodies.
    Both,
}

/// Solves all frames and records both bodies; `sink` receives blocks of the result.
pub(crate) fn solve<E: Send>(
    retargeter: &Retargeter,
    input: &ClipInput,
    watch: &Watch,
    seen: &mut [Seen; 2],
    record: Record,
    mut sink: impl FnMut(&Clip) -> Result<(), E> + Send,
) -> Result<Report, E> {
    let plan = retargeter.plan();
    let mut report = Report::new(plan);
    report.leading_pose = input.reference;
    let (clip, frames) = (input.clip, input.frames(&plan.options));
    let count = frames.len();
    let work = |worker: &mut Retargeter, frames, block: &mut Solved| {
        block.solve(worker, clip, frames, (watch, record));
    };
    let new = || Solved::new(plan, watch, clip);
    in_blocks(retargeter, frames, new, work, |block| {
        report.append(&block.report);
        for (all, own) in seen.iter_mut().zip(&block.seen) {
            all.append(own);
        }
        sink(&block.poses)
    })?;
    report.finish(count, clip.frame_time);
    Ok(report)
}

/// A block of solved frames.
struct Solved {
    source: Pose,
    target: Pose,
    poses: Clip,
    report: Report,
    seen: [Seen; 2],
}

impl Solved {
    /// Allocates an empty block.
    fn new(plan: &Plan, watch: &Watch, clip: &Clip) -> Self {
        Self {
            source: plan.source.skeleton.rest_pose(),
            target: plan.target.skeleton.rest_pose(),
            poses: Clip::new(&plan.target.skeleton, clip.frame_time),
            report: Report::default(),
            seen: [0, 1].map(|body| Seen::new(watch, body, clip.frame_time, 0)),
        }
    }

    fn solve(
        &mut self,
        worker: &mut Retargeter,
        clip: &Clip,
        frames: Range<usize>,
        (watch, record): (&Watch, Record),
    ) {
        let Self { source, target, poses, report, seen } = self;
        poses.keep(0..0);
        seen.iter_mut().for_each(Seen::clear);
        *report = Report::default();
        for frame in frames {
            clip.read(frame, source);
            worker.frame(source, target);
            report.record(frame, worker);
            poses.push(target);
            if record != Record::Nothing {
                seen[0].push(worker.plan(), watch, 0, worker.source_world());
            }
            match record {
                Record::Nothing => {}
                Record::Source => seen[1].tracks.push(&watch.probes[1], worker.target_world()),
                Record::Both => seen[1].push(worker.plan(), watch, 1, worker.target_world()),
            }
        }
    }
}

/// Passes the poses of a clip to a sink; `pose` is scratch memory.
pub(crate) fn emit<E>(
    poses: &Clip,
    pose: &mut Pose,
    sink: &mut impl FnMut(&Pose) -> Result<(), E>,
) -> Result<(), E> {
    (0..poses.len()).try_for_each(|frame| {
        poses.read(frame, pose);
        sink(pose)
    })
}
