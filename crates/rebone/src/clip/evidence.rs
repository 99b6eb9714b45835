//! Data for the verdict on a whole clip.

use crate::align::Plan;
use crate::contacts::{BodyPart, DetectedContacts};
use crate::quality::{BodyTrace, ContactContext, TrackedJoints, Verdict, grade, is_still};
use rebone_skeleton::Clip;
use std::ops::Range;

/// Traces of both bodies of a plan, and the contacts of the source.
pub(crate) struct Evidence {
    pub(crate) tracked: TrackedJoints,
    /// The source, and the result.
    pub(crate) traces: [BodyTrace; 2],
    /// Index of the first frame in the clip.
    pub(crate) first: usize,
    /// Segments of continuous motion.
    pub(crate) segments: Vec<Range<usize>>,
    /// Detected contacts of the source.
    pub(crate) known: Option<DetectedContacts>,
}

impl Evidence {
    /// Of the clips of source and result, which have the same frames.
    pub(crate) fn of(plan: &Plan, tracked: TrackedJoints, clips: [&Clip; 2]) -> Self {
        let frames = clips[0].len().min(clips[1].len());
        let traces = [0, 1].map(|body| BodyTrace::of(plan, &tracked, body, clips[body], frames));
        let segments = traces[0].tracks.segments(false);
        Self { tracked, traces, first: 0, segments, known: None }
    }

    /// Replaces the result by what a file holds of it.
    #[cfg(feature = "files")]
    pub(crate) fn set_written(&mut self, plan: &Plan, written: &Clip) {
        self.traces[1] = BodyTrace::of(plan, &self.tracked, 1, written, written.len());
    }

    /// Returns whether there is nothing to grade: one or two frames, or no motion in source and result.
    pub(crate) fn is_still(&self, expects_motion: bool) -> bool {
        is_still(&self.traces, expects_motion)
    }

    /// Computes the verdict, with frames counted from the begin of the clip.
    /// `expects_motion` is as in [`ClipInput`](super::ClipInput).
    pub(crate) fn verdict(self, plan: &Plan, expects_motion: bool) -> Verdict {
        let footing =
            ContactContext { pieces: &self.segments, known: self.known, parts: &BodyPart::FEET };
        let mut verdict = grade(plan, &self.tracked, self.traces, footing, expects_motion).verdict;
        verdict.count_from(self.first);
        verdict
    }
}
