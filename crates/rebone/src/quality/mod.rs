//! Quality of a result: metrics against the source and a verdict, from the two clips alone.
//!
//! A result of any program is graded alike. Defects of the source are listed apart.

mod body;
mod body_trace;
mod diagnosis;
mod feet;
mod foot_clearance;
mod metric;
mod path;
mod self_contact;
mod source_float;

pub(crate) use body_trace::{BodyTrace, TrackedJoints};
pub use diagnosis::Diagnosis;
pub(crate) use feet::ContactContext;
pub use metric::{Curve, Finding, Grade, Metric};

use crate::align::Plan;
use crate::contacts::{BodyPart, Contact};
use crate::error::RetargetError;
use body_trace::Comparison;
use metric::MetricCollector;
use rebone_body::calibrate::begins_with_reference;
use rebone_skeleton::Clip;
use serde::Serialize;
use std::ops::RangeInclusive;

/// Grade of a result, with reasons.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The worst grade of all metrics.
    pub verdict: Grade,
    /// Score from 0, the worst, to 1, the best; reports sort by it.
    pub score: f64,
    /// Findings beyond a threshold, the worst first.
    pub reasons: Vec<Finding>,
    /// Defects of the source itself.
    pub source_defects: Vec<Finding>,
    /// All metrics.
    pub metrics: Vec<Metric>,
    /// Number of frames that were compared.
    pub frames: usize,
}

/// Message of a result without a motion to grade.
const STILL: &str = "still: one or two frames, or a pose that is kept, have no verdict";
/// Frames of a pose: two can hold one key each.
const MAX_STILL_FRAMES: usize = 2;
/// Frame times of motions, seconds: 4 to 10,000 frames a second.
pub(crate) const FRAME_TIMES: RangeInclusive<f64> = 1e-4..=0.25;

/// Lengths that differ by less than one in this many frames differ by rounding.
const ROUNDED_FRAMES: usize = 100;

/// Largest number of worst frames, and least time between two of them.
const MAX_WORST_FRAMES: usize = 10;
const MIN_WORST_SECONDS: f64 = 0.25;

impl Verdict {
    /// Adds a finding without a metric; the grade is at least LOOK.
    pub(crate) fn note(&mut self, text: String) {
        self.add(Finding::note(text));
    }

    /// Adds a note that the source's first frame is a calibration pose, which the result keeps: a property of the source,
    /// so the grade stays.
    pub(crate) fn note_leading_pose(&mut self) {
        let text = "a calibration pose, not motion: --leading-pose drop leaves it out".to_owned();
        let mut finding = Finding::note(text);
        finding.frames = Some([0, 0]);
        finding.verdict = Grade::Pass;
        self.add(finding);
    }

    fn add(&mut self, finding: Finding) {
        self.verdict = self.verdict.max(finding.verdict);
        self.reasons.push(finding);
    }

    /// Counts frames of findings from the begin of a file, whose frame `first` is the first that was compared.
    pub fn count_from(&mut self, first: usize) {
        let reasons = self.reasons.iter_mut().chain(&mut self.source_defects);
        let frames = reasons.filter_map(|reason| reason.frames.as_mut());
        frames.flatten().for_each(|frame| *frame = frame.saturating_add(first));
    }
}

/// A verdict with the data it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The verdict.
    pub verdict: Verdict,
    /// Metrics over time.
    pub curves: Vec<Curve>,
    /// Contacts of source and result, each detected by itself.
    pub contacts: [Vec<Contact>; 2],
    /// Rotation of the result about the vertical against the source, radians; undone in all metrics.
    pub yaw: f64,
    /// Rise of the result's floor over the source's, scaled as paths are, where it was moved to height zero: metres of a
    /// 1.7 m body; 0 where it was not moved.
    pub floor_rise: f64,
    /// The source begins with a calibration pose, often a T pose, that is no part of the motion.
    pub leading_pose: bool,
}

impl Evaluation {
    /// Returns the frames in which metrics exceed their bounds most, worst first: at most ten, a quarter of a second apart.
    pub fn worst_frames(&self, frame_time: f64) -> Vec<usize> {
        let Self { verdict, curves, .. } = self;
        let excess = |frame: usize| {
            let parts_of_bound = curves.iter().filter_map(|curve| {
                let metric = verdict.metrics.iter().find(|metric| metric.name == curve.name)?;
                Some(curve.values.get(frame)? / metric.fail)
            });
            let is_named = |reason: &&Finding| {
                reason.frames.is_some_and(|[from, to]| usize::midpoint(from, to) == frame)
            };
            let named = verdict.reasons.iter().filter(is_named).count();
            parts_of_bound.fold(0.0, f64::max) + named as f64
        };
        let excess: Vec<f64> = (0..verdict.frames).map(excess).collect();
        let mut frames: Vec<usize> = (0..verdict.frames).collect();
        frames.sort_by(|&a, &b| excess[b].total_cmp(&excess[a]).then(a.cmp(&b)));
        let min_distance = (MIN_WORST_SECONDS / frame_time).max(1.0) as usize;
        let mut chosen: Vec<usize> = Vec::new();
        for frame in frames {
            if chosen.len() == MAX_WORST_FRAMES {
                break;
            }
            if chosen.iter().all(|other| other.abs_diff(frame) >= min_distance) {
                chosen.push(frame);
            }
        }
        chosen
    }
}

/// Compares a result with its source. The plan's target is the result's skeleton.
///
/// ```
/// use rebone::quality::{Grade, evaluate};
///
/// let [walk, rig] = [rebone_samples::walk(), rebone_samples::rigs().remove(0)].map(|sample| sample.motion);
/// let [source, target] = [&walk, &rig].map(|motion| rebone::analyse(motion, &rebone::Hints::default()));
/// let plan = rebone::align(&source?, &target?, &rebone::Options::default());
/// let input = rebone::ClipInput::new(&plan.source, &walk.clip);
/// let (clip, _) = rebone::retarget_clip(&plan, &input)?;
/// let evaluation = evaluate(&plan, &walk.clip, &clip)?;
/// assert!(evaluation.verdict.verdict < Grade::Fail);
/// let slide = evaluation.verdict.metrics.iter().find(|metric| metric.name == "foot_slide");
/// assert!(slide.is_some_and(|metric| metric.value < metric.fail));
/// # Ok::<(), rebone::RetargetError>(())
/// ```
///
/// The rest of the longer clip is left out. Frames of reasons are those that were compared,
/// counted from 0.
///
/// # Errors
/// When the clips are no motions of the plan's skeletons.
pub fn evaluate(plan: &Plan, source: &Clip, result: &Clip) -> Result<Evaluation, RetargetError> {
    evaluate_clips(plan, [source, result], true)
}

/// Compares a result with its source, as [`evaluate`] does.
///
/// # Errors
/// As for [`evaluate`]; when there is no motion to grade: at their rate, in one or two frames, or because both stand still.
#[cfg(feature = "files")]
pub(crate) fn evaluate_motion(plan: &Plan, clips: [&Clip; 2]) -> Result<Evaluation, RetargetError> {
    match no_motion(clips[0]) {
        Some(text) => Err(RetargetError::NoVerdict(text)),
        None => evaluate_clips(plan, clips, false),
    }
}

fn evaluate_clips(
    plan: &Plan,
    [source, result]: [&Clip; 2],
    takes_still: bool,
) -> Result<Evaluation, RetargetError> {
    plan.check_source(source)?;
    result.check_for(&plan.target.skeleton)?;
    let tracked = TrackedJoints::new(plan);
    let count = source.len().min(result.len());
    let traces =
        [0, 1].map(|body| BodyTrace::of(plan, &tracked, body, [source, result][body], count));
    if !takes_still && is_still(&traces, false) {
        return Err(RetargetError::NoVerdict(STILL.to_owned()));
    }
    let is_leading_pose = begins_with_reference(&plan.source, source);
    let pieces = traces[0].tracks.segments(is_leading_pose);
    let footing = ContactContext { pieces: &pieces, known: None, parts: &BodyPart::ALL };
    let mut checked = grade(plan, &tracked, traces, footing, false);
    let diagnosis = Diagnosis::of_checked(&plan.source, source);
    checked.verdict.add_source_defects(&diagnosis, 2 * usize::from(is_leading_pose));
    checked.leading_pose = is_leading_pose;
    if is_leading_pose {
        checked.verdict.note_leading_pose();
    }
    let (all, own) = (source.len(), result.len());
    if all.abs_diff(own) > 1 + all.max(own) / ROUNDED_FRAMES {
        let frames = if own == 1 { "frame" } else { "frames" };
        let text =
            format!("it has {own} {frames} for the source's {all}: the rest is not compared");
        checked.verdict.note(text);
    }
    Ok(checked)
}

/// Reason why a rate is no motion to grade.
pub(crate) fn no_motion(clip: &Clip) -> Option<String> {
    let rate = 1.0 / clip.frame_time;
    let is_motion = FRAME_TIMES.contains(&clip.frame_time);
    (!is_motion).then(|| match (0.01..1e5).contains(&rate) {
        true => format!("{rate:.2} frames a second are no motion to see"),
        false => format!("{rate:.3e} frames a second are no motion to see"),
    })
}

/// Returns whether there is nothing to grade: one or two frames, or no motion in source and result, where the source's file has
/// none (`expects_motion`).
pub(crate) fn is_still(traces: &[BodyTrace; 2], expects_motion: bool) -> bool {
    let is_short = traces[0].len() <= MAX_STILL_FRAMES;
    is_short || !expects_motion && traces.iter().all(BodyTrace::is_still)
}

/// Grades traces of source and result. Where nothing moves in the result, the source's motion decides whether that is a
/// fault, or that of its file, if `expects_motion`.
pub(crate) fn grade(
    plan: &Plan,
    tracked: &TrackedJoints,
    traces: [BodyTrace; 2],
    footing: ContactContext,
    expects_motion: bool,
) -> Evaluation {
    let [source_stands, result_stands] = traces.each_ref().map(BodyTrace::is_still);
    let lacks_motion = result_stands && (expects_motion || !source_stands);
    let pair = Comparison::new(tracked, traces, plan.travel_scale);
    let mut collector = MetricCollector::new(pair.tracks[0].frame_time);
    let pieces = footing.pieces;
    let (contacts, floor_rise) = feet::grade(plan, &pair, footing, &mut collector);
    body::grade(&pair, pieces, &mut collector);
    path::grade(plan, &pair, &mut collector);
    if pair.stays {
        collector
            .note("the result stays in place: it was compared as if it travelled with the source");
    }
    collector.metric("stillness", f64::from(u8::from(lacks_motion)), None, || {
        let of =
            if source_stands { "the source's file has other motion" } else { "the source moves" };
        format!("nothing moves in the result, though {of}")
    });
    for lost in &plan.target.skin_lost {
        collector
            .note(&format!("{lost}: look whether feet and hands are where the skin needs them"));
    }
    for (whose, body) in [("source", &plan.source), ("target", &plan.target)] {
        if let Some(question) = &body.up_question {
            collector.note(&format!("{whose}: {question}"));
        }
    }
    let sure = plan.source.confidence.min(plan.target.confidence);
    collector.metric("uncertainty", 1.0 - sure, None, || {
        "one of the skeletons is little known: look at the cards".to_owned()
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
    Evaluation { verdict, curves, contacts, yaw: pair.yaw, floor_rise, leading_pose: false }
}
