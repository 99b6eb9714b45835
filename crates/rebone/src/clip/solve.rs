//! The frames of a clip, each independent of the others.

use super::input::ClipInput;
use super::parallel::in_blocks;
use crate::align::Plan;
use crate::frame::Retargeter;
use crate::math::poses;
use crate::quality::{BodyTrace, TrackedJoints};
use crate::report::Report;
use crate::watch::{Sink, Stopped, Watched};
use rebone_skeleton::{Clip, Pose};
use std::ops::Range;

/// Traces that are recorded while frames are solved.
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
pub(crate) fn solve(
    retargeter: &Retargeter,
    input: &ClipInput,
    tracked: &TrackedJoints,
    traces: &mut [BodyTrace; 2],
    record: Record,
    sink: &mut (dyn FnMut(&Clip) -> Result<(), Stopped> + Send),
) -> Result<Report, Stopped> {
    let plan = retargeter.plan();
    let mut report = Report::new(plan);
    report.leading_pose = input.reference;
    let (clip, frames) = (input.clip, input.frames(&plan.options));
    let count = frames.len();
    let work = |worker: &mut Retargeter, frames, block: &mut Solved| {
        block.solve(worker, clip, frames, (tracked, record));
    };
    let new = || Solved::new(plan, tracked, clip);
    let watched = Watched::begin(input.watch, "solve", count);
    in_blocks((retargeter, &watched), frames, &new, &work, &mut |block| {
        report.append(&block.report);
        for (all, own) in traces.iter_mut().zip(&block.traces) {
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
    traces: [BodyTrace; 2],
}

impl Solved {
    /// Allocates an empty block.
    fn new(plan: &Plan, tracked: &TrackedJoints, clip: &Clip) -> Self {
        Self {
            source: plan.source.skeleton.rest_pose(),
            target: plan.target.skeleton.rest_pose(),
            poses: Clip::new(&plan.target.skeleton, clip.frame_time),
            report: Report::default(),
            traces: [0, 1].map(|body| BodyTrace::new(tracked, body, clip.frame_time, 0)),
        }
    }

    fn solve(
        &mut self,
        worker: &mut Retargeter,
        clip: &Clip,
        frames: Range<usize>,
        (tracked, record): (&TrackedJoints, Record),
    ) {
        let Self { source, target, poses, report, traces } = self;
        poses::keep(poses, 0..0);
        traces.iter_mut().for_each(BodyTrace::clear);
        *report = Report::default();
        for frame in frames {
            clip.read(frame, source);
            worker.checked_frame(source, target);
            report.record(frame, worker);
            poses::push(poses, target);
            if record != Record::Nothing {
                traces[0].push(worker.plan(), tracked, 0, worker.source_world());
                traces[0].push_arm_gaps(worker.plan(), 0, worker.source_world());
            }
            match record {
                Record::Nothing => {}
                Record::Source => {
                    let tracks = &mut traces[1].tracks;
                    tracks.push(&tracked.probes[1], worker.target_world());
                    if tracks.has_foot_mesh || worker.bends_toes() {
                        tracks.feet.push(worker.foot_states());
                    }
                }
                Record::Both => {
                    traces[1].push(worker.plan(), tracked, 1, worker.target_world());
                    traces[1].push_arm_gaps(worker.plan(), 1, worker.target_world());
                }
            }
        }
    }
}

/// Passes the poses of a clip to a sink; `pose` is scratch memory.
pub(crate) fn emit(poses: &Clip, pose: &mut Pose, sink: &mut Sink) -> Result<(), Stopped> {
    (0..poses.len()).try_for_each(|frame| {
        poses.read(frame, pose);
        sink(pose)
    })
}
