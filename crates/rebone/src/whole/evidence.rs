//! What a verdict on a whole clip is read off.

use crate::align::Plan;
use crate::contacts::{BodyPart, Found};
use crate::verdict::{Footing, Seen, Verdict, Watch, judge};
use std::ops::Range;

/// What is seen of both bodies of a plan, and what is known of the source.
pub(super) struct Evidence {
    pub(super) watch: Watch,
    /// The source, and the result.
    pub(super) seen: [Seen; 2],
    /// The frame of the take that the first one is.
    pub(super) first: usize,
    /// The pieces of the clip between which nothing passes.
    pub(super) pieces: Vec<Range<usize>>,
    /// What the source touches, where that was found.
    pub(super) known: Option<Found>,
}

impl Evidence {
    /// The verdict, with frames by those of the take.
    pub(super) fn verdict(self, plan: &Plan) -> Verdict {
        let footing = Footing { pieces: &self.pieces, known: self.known, parts: &BodyPart::FEET };
        let mut verdict = judge(plan, &self.watch, self.seen, footing).verdict;
        verdict.count_from(self.first);
        verdict
    }
}
