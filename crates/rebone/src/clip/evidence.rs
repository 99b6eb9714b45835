//! What a verdict on a whole clip is read off.

use crate::align::Plan;
use crate::contacts::{BodyPart, DetectedContacts};
use crate::quality::{Footing, Seen, Verdict, Watch, grade};
use std::ops::Range;

/// What is seen of both bodies of a plan, and what is known of the source.
pub(crate) struct Evidence {
    pub(crate) watch: Watch,
    /// The source, and the result.
    pub(crate) seen: [Seen; 2],
    /// The frame of the take that the first one is.
    pub(crate) first: usize,
    /// The pieces of the clip between which nothing passes.
    pub(crate) segments: Vec<Range<usize>>,
    /// What the source touches, where that was found.
    pub(crate) known: Option<DetectedContacts>,
}

impl Evidence {
    /// The verdict, with frames by those of the take.
    pub(crate) fn verdict(self, plan: &Plan) -> Verdict {
        let footing = Footing { pieces: &self.segments, known: self.known, parts: &BodyPart::FEET };
        let mut verdict = grade(plan, &self.watch, self.seen, footing).verdict;
        verdict.count_from(self.first);
        verdict
    }
}
