//! Applies the corrections of contacts to a result.

use super::parallel::in_blocks;
use super::solve::emit;
use crate::contacts::ContactCorrection;
use crate::frame::Retargeter;
use crate::math::poses;
use crate::quality::{BodyTrace, TrackedJoints};
use crate::watch::{Sink, Stopped, Watched};
use rebone_skeleton::{Clip, Pose};
use std::ops::Range;

/// Applies corrections to all frames of a result. Returns the remaining distance of each end effector from its target,
/// frame by frame, and the trace of the corrected result.
pub(crate) fn correct(
    (retargeter, watched): (&Retargeter, &Watched),
    result: &Clip,
    correction: &ContactCorrection,
    tracked: &TrackedJoints,
    sink: &mut Sink,
) -> Result<(Vec<[f64; 4]>, BodyTrace), Stopped> {
    let skeleton = &retargeter.plan().target.skeleton;
    let rest = skeleton.rest_pose();
    let (mut slack, mut pose) = (Vec::new(), rest.clone());
    let room = |frames| BodyTrace::new(tracked, 1, result.frame_time, frames);
    let mut traces = room(result.len());
    let new = || Corrected {
        pose: rest.clone(),
        poses: Clip::new(skeleton, result.frame_time),
        slack: Vec::new(),
        traces: room(0),
    };
    let work = |worker: &mut Retargeter, frames: Range<usize>, block: &mut Corrected| {
        block.correct(worker, result, frames, (correction, tracked));
    };
    in_blocks((retargeter, watched), 0..result.len(), &new, &work, &mut |block| {
        slack.extend_from_slice(&block.slack);
        traces.append(&block.traces);
        emit(&block.poses, &mut pose, sink)
    })?;
    Ok((slack, traces))
}

/// A block of corrected frames.
struct Corrected {
    pose: Pose,
    poses: Clip,
    slack: Vec<[f64; 4]>,
    traces: BodyTrace,
}

impl Corrected {
    fn correct(
        &mut self,
        worker: &mut Retargeter,
        result: &Clip,
        frames: Range<usize>,
        (correction, tracked): (&ContactCorrection, &TrackedJoints),
    ) {
        poses::keep(&mut self.poses, 0..0);
        self.slack.clear();
        self.traces.clear();
        for frame in frames {
            result.read(frame, &mut self.pose);
            self.slack.push(worker.apply_offset(&mut self.pose, &correction.offsets[frame]));
            poses::push(&mut self.poses, &self.pose);
            let plan = worker.plan();
            self.traces.push(plan, tracked, 1, worker.target_world());
            // Arms that are turned afterwards are measured then.
            if plan.self_contact_surfaces().is_none() {
                self.traces.push_arm_gaps(plan, 1, worker.target_world());
            }
        }
    }
}
