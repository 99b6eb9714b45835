//! Data for the verdict on a whole clip.

use crate::align::Plan;
use crate::contacts::{BodyPart, DetectedContacts};
use crate::quality::{BodyTrace, ContactContext, TrackedJoints, Verdict, grade};
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
    /// Computes the verdict, with frames counted from the begin of the clip.
    pub(crate) fn verdict(self, plan: &Plan) -> Verdict {
        let footing =
            ContactContext { pieces: &self.segments, known: self.known, parts: &BodyPart::FEET };
        let mut verdict = grade(plan, &self.tracked, self.traces, footing).verdict;
        verdict.count_from(self.first);
        verdict
    }
}
