//! The frames of a clip, each independent of the others.

use super::input::ClipInput;
use super::parallel::in_blocks;
use crate::align::Plan;
use crate::contacts::SupportTrajectories;
use crate::frame::Retargeter;
use crate::quality::{BodyTrace, TrackedJoints};
use crate::report::Report;
use crate::watch::{Stopped, Watched};
use rebone_body::poses;
use rebone_skeleton::{Clip, Pose};
use std::ops::Range;

/// What is recorded while frames are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    /// Nothing: there is no visible motion.
    Nothing,
    /// The trace of the source.
    Source,
    /// The trace of the source, and the supports of the result, which contacts will move.
    Supports,
}

/// All frames of a clip, solved.
pub(crate) struct SolvedFrames {
    pub(crate) clip: Clip,
    /// Goals and limits.
    pub(crate) report: Report,
    /// The trace of the source; without frames where it is not recorded.
    pub(crate) source: BodyTrace,
    /// Supports of the result; without frames where they are not recorded.
    pub(crate) supports: SupportTrajectories,
}

/// Solves all frames.
pub(crate) fn solve(
    retargeter: &Retargeter,
    input: &ClipInput,
    tracked: &TrackedJoints,
    record: Record,
) -> Result<SolvedFrames, Stopped> {
    let plan = retargeter.plan();
    let (clip, frames) = (input.clip, input.frames(&plan.options));
    let count = frames.len();
    let room = if record == Record::Nothing { 0 } else { count };
    let mut all = SolvedBlock::new(plan, tracked, clip, room);
    all.report = Report::new(plan);
    all.report.leading_pose = input.reference;
    let work = |worker: &mut Retargeter, frames, block: &mut SolvedBlock| {
        block.solve(worker, clip, frames, (tracked, record));
    };
    let new = || SolvedBlock::new(plan, tracked, clip, 0);
    let watched = Watched::begin(input.watch, "solve", count);
    in_blocks((retargeter, &watched), frames, &new, &work, &mut |block| all.append(block))?;
    let SolvedBlock { clip: solved, mut report, source, supports, .. } = all;
    report.finish(count, clip.frame_time);
    Ok(SolvedFrames { clip: solved, report, source, supports })
}

/// A block of solved frames.
struct SolvedBlock {
    pose: Pose,
    solved: Pose,
    clip: Clip,
    report: Report,
    source: BodyTrace,
    supports: SupportTrajectories,
}

impl SolvedBlock {
    /// Allocates an empty block, with room for traces of some frames.
    fn new(plan: &Plan, tracked: &TrackedJoints, clip: &Clip, room: usize) -> Self {
        Self {
            pose: plan.source.skeleton.rest_pose(),
            solved: plan.target.skeleton.rest_pose(),
            clip: Clip::new(&plan.target.skeleton, clip.frame_time),
            report: Report::default(),
            source: BodyTrace::new(tracked, 0, clip.frame_time, room),
            supports: SupportTrajectories::new(&tracked.probes[1], clip.frame_time, 0),
        }
    }

    fn append(&mut self, later: &Self) {
        self.report.append(&later.report);
        self.source.append(&later.source);
        self.supports.append(&later.supports);
        poses::append(&mut self.clip, &later.clip);
    }

    fn solve(
        &mut self,
        worker: &mut Retargeter,
        clip: &Clip,
        frames: Range<usize>,
        (tracked, record): (&TrackedJoints, Record),
    ) {
        poses::keep(&mut self.clip, 0..0);
        self.source.clear();
        self.supports.clear();
        self.report = Report::default();
        for frame in frames {
            clip.read(frame, &mut self.pose);
            worker.checked_frame(&self.pose, &mut self.solved);
            self.report.record(frame, worker);
            poses::push(&mut self.clip, &self.solved);
            if record != Record::Nothing {
                self.source.push(worker.plan(), tracked, 0, worker.source_world());
                self.source.push_arm_gaps(worker.plan(), 0, worker.source_world());
            }
            if record == Record::Supports {
                self.supports.push(&tracked.probes[1], worker.target_world());
                if self.supports.has_foot_mesh || worker.bends_toes() {
                    self.supports.feet.push(worker.foot_states());
                }
            }
        }
    }
}
