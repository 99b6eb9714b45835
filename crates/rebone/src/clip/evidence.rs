//! Data for the verdict on a whole clip.

use super::input::ClipInput;
use super::parallel::in_blocks;
use crate::contacts::{BodyPart, DetectedContacts};
use crate::frame::Retargeter;
use crate::quality::{BodyTrace, ContactContext, TrackedJoints, Verdict, grade, is_still};
use crate::watch::{Stopped, Watched};
use rebone_skeleton::Clip;

/// Traces of source and result, as far as they are there, and the contacts of the source.
pub(crate) struct Evidence {
    pub(crate) tracked: TrackedJoints,
    /// The trace of the source, where it was needed before the verdict.
    pub(crate) source: Option<BodyTrace>,
    /// The trace of the result, where it is known what is graded.
    pub(crate) result: Option<BodyTrace>,
    /// Detected contacts of the source.
    pub(crate) known: Option<DetectedContacts>,
}

impl Evidence {
    /// Without traces.
    pub(crate) fn new(tracked: TrackedJoints) -> Self {
        Self { tracked, source: None, result: None, known: None }
    }

    /// Traces the result as it is now: what is done to it afterwards is not graded.
    pub(crate) fn keep_result(
        &mut self,
        retargeter: &Retargeter,
        input: &ClipInput,
        result: &Clip,
    ) -> Result<(), Stopped> {
        if self.result.is_none() {
            self.result = Some(self.trace(retargeter, input, 1, result)?);
        }
        Ok(())
    }

    /// Traces a clip, on all threads; `body` is 0 for the source, 1 for the result.
    pub(crate) fn trace(
        &self,
        retargeter: &Retargeter,
        input: &ClipInput,
        body: usize,
        clip: &Clip,
    ) -> Result<BodyTrace, Stopped> {
        let (plan, tracked) = (retargeter.plan(), &self.tracked);
        let first = if body == 0 { input.first(&plan.options) } else { 0 };
        let room = |frames| BodyTrace::new(tracked, body, clip.frame_time, frames);
        let mut all = room(clip.len() - first);
        let work = |_: &mut Retargeter, frames, block: &mut BodyTrace| {
            block.clear();
            block.push_frames(plan, (tracked, body), clip, frames);
        };
        let watched = Watched::begin(input.watch, "verdict", clip.len() - first);
        let take = &mut |block: &BodyTrace| all.append(block);
        in_blocks((retargeter, &watched), first..clip.len(), &|| room(0), &work, take)?;
        Ok(all)
    }

    /// Computes the verdict, with frames counted from the begin of the clip; `None` where there is nothing to grade: one
    /// or two frames, or no motion in source and result. The result must have been traced: [`keep_result`](Self::keep_result).
    pub(crate) fn verdict(
        mut self,
        retargeter: &Retargeter,
        input: &ClipInput,
    ) -> Result<Option<Verdict>, Stopped> {
        let plan = retargeter.plan();
        if self.source.is_none() {
            self.source = Some(self.trace(retargeter, input, 0, input.clip)?);
        }
        let Self { tracked, source: Some(source), result: Some(result), known } = self else {
            return Ok(None);
        };
        let segments = source.tracks.segments(input.begins_with_reference(&plan.options));
        let traces = [source, result];
        if is_still(&traces, input.expects_motion) {
            return Ok(None);
        }
        let footing = ContactContext { pieces: &segments, known, parts: &BodyPart::FEET };
        let mut verdict = grade(plan, &tracked, traces, footing, input.expects_motion).verdict;
        verdict.count_from(input.first(&plan.options));
        Ok(Some(verdict))
    }
}
