//! Comparison of a result with its source, as the data of a page.

use super::pack::{pack, quantum};
use super::player::{Player, player};
use crate::error::ViewError;
use rebone::quality::{Curve, Evaluation, Finding, Metric, evaluate};
use rebone::skeleton::Clip;
use rebone::{BodyPart, Contact, ContactKind, Plan};
use serde::Serialize;

/// Largest number of values of a curve.
const MAX_VALUES: usize = 600;
/// Largest number of worst frames, and least time between two of them.
const MAX_WORST_FRAMES: usize = 10;
const MIN_WORST_SECONDS: f64 = 0.25;

/// One row of the page.
#[derive(Debug, Default, Serialize)]
pub struct PageEntry {
    /// Name of the result.
    pub name: String,
    /// File of the clip.
    pub source: String,
    /// File of the rig.
    pub target: String,
    /// File of the result.
    pub output: Option<String>,
    /// PASS, LOOK, FAIL, or NONE where there is no result.
    pub verdict: String,
    /// Worst reason, where there are no data of the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Reason for a missing result.
    pub error: Option<String>,
    /// Score from 0, the worst, to 1.
    pub score: Option<f64>,
    /// Verdict of the file itself, where it differs.
    pub note: Option<String>,
    /// Data of the result, shown when it is opened.
    #[serde(flatten)]
    pub view: Option<ClipView>,
}

/// Data of one result: reasons, metrics, curves, contacts, poses.
#[derive(Debug, Serialize)]
pub struct ClipView {
    reasons: Vec<Finding>,
    source_defects: Vec<Finding>,
    metrics: Vec<Metric>,
    frames: usize,
    frame_time: f64,
    curves: Vec<PackedCurve>,
    contacts: Vec<ContactBars>,
    worst: Vec<usize>,
    player: Player,
}

/// A curve over time, packed.
#[derive(Debug, Serialize)]
struct PackedCurve {
    name: String,
    unit: &'static str,
    step: usize,
    scale: f64,
    source: Option<String>,
    result: String,
    look: Option<f64>,
    marks: Vec<usize>,
}

/// Contacts of a body part: first frame, frame after the last, kind.
#[derive(Debug, Serialize)]
struct ContactBars {
    part: String,
    source: Vec<(usize, usize, ContactKind)>,
    result: Vec<(usize, usize, ContactKind)>,
}

/// Verdict, score and data of a result.
#[derive(Debug)]
pub struct Comparison {
    /// PASS, LOOK or FAIL.
    pub verdict: String,
    /// Score from 0, the worst, to 1.
    pub score: f64,
    /// Data for the page.
    pub view: ClipView,
}

/// Compares a result with its source clip of the same rate.
///
/// ```
/// use rebone::{Hints, Options, align, retarget_motions, analyse};
/// use rebone_view::{Page, PageEntry, compare};
///
/// let (walk, rig) = (rebone_samples::walk().motion, rebone_samples::rigs().remove(0).motion);
/// let (options, hints) = (Options::default(), Hints::default());
/// let result = retarget_motions(&walk, &rig, &options).expect("a rig that can be solved");
/// let [source, target] = [&walk, &rig].map(|motion| analyse(motion, &hints).expect("a body"));
/// let comparison = compare(&align(&source, &target, &options), &walk.clip, &result.clip)?;
/// let entry = PageEntry {
///     name: "walk".to_owned(),
///     verdict: comparison.verdict,
///     score: Some(comparison.score),
///     view: Some(comparison.view),
///     ..PageEntry::default()
/// };
/// let page = Page { made: "rebone".to_owned(), title: "One walk".to_owned(), clips: vec![entry] };
/// assert!(page.html()?.contains("One walk"));
/// # Ok::<(), rebone_view::ViewError>(())
/// ```
///
/// # Errors
/// When the clips are no motions of the plan's skeletons.
pub fn compare(plan: &Plan, source: &Clip, result: &Clip) -> Result<Comparison, ViewError> {
    let evaluation = evaluate(plan, source, result)?;
    let (curves, worst) = (curves(&evaluation), worst(&evaluation, source.frame_time));
    let player = player(plan, [source, result], &evaluation)?;
    let verdict = evaluation.verdict;
    let view = ClipView {
        worst,
        curves,
        contacts: bars(&evaluation.contacts),
        player,
        frames: verdict.frames,
        frame_time: source.frame_time,
        reasons: verdict.reasons,
        source_defects: verdict.source_defects,
        metrics: verdict.metrics,
    };
    Ok(Comparison { verdict: verdict.verdict.to_string(), score: verdict.score, view })
}

/// Packs metrics over time; one measured on source and result gives one curve.
fn curves(Evaluation { verdict, curves, .. }: &Evaluation) -> Vec<PackedCurve> {
    let of_result = curves.iter().filter(|curve| !curve.name.starts_with("source "));
    let pack_curve = |curve: &Curve| {
        let name = curve.name.strip_prefix("result ").unwrap_or(&curve.name);
        let source = curves.iter().find(|other| other.name == format!("source {name}"));
        let metric = verdict.metrics.iter().find(|metric| metric.name == name);
        let values = &curve.values;
        let scale =
            quantum(values.iter().chain(source.iter().flat_map(|curve| &curve.values)).copied());
        let step = verdict.frames.div_ceil(MAX_VALUES).max(1);
        let packed = |values: &[f64]| pack(values.iter().step_by(step).copied(), scale);
        let peak = (0..verdict.frames).max_by(|&a, &b| values[a].total_cmp(&values[b]));
        let look = metric.map(|metric| metric.look);
        let exceeds = |frame: &usize| look.is_some_and(|look| values[*frame] >= look);
        PackedCurve {
            name: metric.map_or(name, |metric| metric.label).to_owned(),
            unit: curve.unit,
            step,
            scale,
            source: source.map(|source| packed(&source.values)),
            result: packed(values),
            look,
            marks: peak.filter(exceeds).into_iter().collect(),
        }
    };
    of_result.map(pack_curve).collect()
}

/// Returns the frames in which metrics exceed their bounds most, worst first.
fn worst(Evaluation { verdict, curves, .. }: &Evaluation, frame_time: f64) -> Vec<usize> {
    let excess = |frame: usize| {
        let parts_of_bound = curves.iter().filter_map(|curve| {
            let metric = verdict.metrics.iter().find(|metric| metric.name == curve.name)?;
            Some(curve.values[frame] / metric.fail)
        });
        let is_named =
            |reason: &&Finding| reason.frames.is_some_and(|[from, to]| (from + to) / 2 == frame);
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

/// Lists the contacts of each body part that has any.
fn bars(contacts: &[Vec<Contact>; 2]) -> Vec<ContactBars> {
    let of = |contacts: &[Contact], part: BodyPart| {
        let contacts = contacts.iter().filter(|contact| contact.part == part);
        let bars = contacts.map(|contact| (contact.frames.start, contact.frames.end, contact.kind));
        bars.collect::<Vec<_>>()
    };
    let parts = BodyPart::ALL.into_iter().map(|part| ContactBars {
        part: part.to_string(),
        source: of(&contacts[0], part),
        result: of(&contacts[1], part),
    });
    parts.filter(|bars| !bars.source.is_empty() || !bars.result.is_empty()).collect()
}
