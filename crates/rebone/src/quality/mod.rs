//! What a viewer would say of a result: figures against the source, and a verdict, from the two clips alone.
//!
//! The result may be anybody's: it is read like any other clip, on the target's skeleton. What the source itself
//! does wrong is told apart.

mod body;
mod body_trace;
mod feet;
mod metric;
mod path;

pub(crate) use body_trace::{Seen, Watch};
pub(crate) use feet::Footing;
pub use metric::{Curve, Finding, Grade, Metric};

use crate::align::Plan;
use crate::calibrate::begins_with_reference;
use crate::contacts::{BodyPart, Contact};
use crate::options::{LeadingPose, Options};
use body_trace::Pair;
use metric::MetricCollector;
use rebone_skeleton::Clip;
use serde::Serialize;

/// What there is to say of a result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The worst of all figures.
    pub verdict: Grade,
    /// From 0, the worst, to 1, the best: by this a batch is ranked.
    pub score: f64,
    /// Why it is not better, the worst first.
    pub reasons: Vec<Finding>,
    /// What is wrong with the source itself.
    pub source_defects: Vec<Finding>,
    /// All that was measured.
    pub metrics: Vec<Metric>,
    /// The number of frames that were compared.
    pub frames: usize,
}

/// A rest of frames that is smaller, as part of all, comes of rounding.
const UNSEEN_REST: usize = 100;

impl Verdict {
    /// Adds what somebody should look at.
    pub(crate) fn note(&mut self, text: String) {
        self.verdict = self.verdict.max(Grade::Look);
        self.reasons.push(Finding::note(text));
    }

    /// Notes a leading pose that the result keeps.
    pub(crate) fn note_leading_pose(&mut self, options: &Options, frame: usize) {
        if options.leading_pose == LeadingPose::Keep {
            self.note(format!(
                "frame {frame} is a calibration pose, not motion: --leading-pose drop leaves it out"
            ));
        }
    }

    /// Counts the frames of reasons from the begin of a file, where what was compared begins at its frame `first`.
    pub fn count_from(&mut self, first: usize) {
        let reasons = self.reasons.iter_mut().chain(&mut self.source_defects);
        let frames = reasons.filter_map(|reason| reason.frames.as_mut());
        frames.flatten().for_each(|frame| *frame += first);
    }
}

/// A verdict, and what it was read off.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The verdict.
    pub verdict: Verdict,
    /// Figures over time.
    pub curves: Vec<Curve>,
    /// Contacts of the source and of the result, each found by itself.
    pub contacts: [Vec<Contact>; 2],
    /// How the result is turned about the vertical against the source, radians: undone in all that was measured.
    pub yaw: f64,
    /// Height of the result's floor in the inner world.
    pub floor: f64,
}

/// Compares a result with its source. The plan's target is the result's skeleton.
///
/// Where one of the clips is longer, the rest of it is left out. Frames of reasons are those that were compared,
/// counted from 0.
///
/// # Panics
/// When the clips are not of the plan's skeletons.
pub fn evaluate(plan: &Plan, source: &Clip, result: &Clip) -> Evaluation {
    let watch = Watch::new(plan);
    let count = source.len().min(result.len());
    let seen = [0, 1].map(|body| Seen::of(plan, &watch, body, [source, result][body], count));
    let pieces = seen[0].tracks.segments(begins_with_reference(&plan.source, source));
    let footing = Footing { pieces: &pieces, known: None, parts: &BodyPart::ALL };
    let mut checked = grade(plan, &watch, seen, footing);
    let (all, own) = (source.len(), result.len());
    if all.abs_diff(own) > 1 + all.max(own) / UNSEEN_REST {
        let text = format!("it has {own} frames for the source's {all}: the rest is not compared");
        checked.verdict.note(text);
    }
    checked
}

/// The same of what was seen.
pub(crate) fn grade(plan: &Plan, watch: &Watch, seen: [Seen; 2], footing: Footing) -> Evaluation {
    let pair = Pair::new(watch, seen, plan.travel_scale);
    let mut collector = MetricCollector::new(pair.tracks[0].frame_time);
    let pieces = footing.pieces;
    let (contacts, floor) = feet::grade(plan, &pair, footing, &mut collector);
    body::grade(&pair, pieces, &mut collector);
    path::grade(plan, &pair, &mut collector);
    if pair.stays {
        collector.note("it stays in place: all else is said as if it went the source's way");
    }
    let sure = plan.source.confidence.min(plan.target.confidence);
    collector.metric("uncertainty", 1.0 - sure, None, || {
        "little is known of one of the two skeletons: look at their cards".to_owned()
    });
    let (verdict, score) = collector.verdict();
    let verdict = Verdict {
        verdict,
        score,
        reasons: collector.reasons(),
        source_defects: collector.source_defects,
        metrics: collector.metrics,
        frames: pair.len(),
    };
    let curves = collector.curves;
    Evaluation { verdict, curves, contacts, yaw: pair.yaw, floor }
}
