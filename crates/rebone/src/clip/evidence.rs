//! Data for the verdict on a whole clip.

use crate::align::Plan;
use crate::contacts::{BodyPart, DetectedContacts};
use crate::quality::{Footing, Seen, Verdict, Watch, grade};
use std::ops::Range;

/// Traces of both bodies of a plan, and the contacts of the source.
pub(crate) struct Evidence {
    pub(crate) watch: Watch,
    /// The source, and the result.
    pub(crate) seen: [Seen; 2],
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
        let footing = Footing { pieces: &self.segments, known: self.known, parts: &BodyPart::FEET };
        let mut verdict = grade(plan, &self.watch, self.seen, footing).verdict;
        verdict.count_from(self.first);
        verdict
    }
}
