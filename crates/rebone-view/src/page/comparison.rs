//! Comparison of a result with its source, as the data of a page.

use super::contact_bars::{ContactBars, ground_bars, self_contact_bars};
use super::mesh::PageMesh;
use super::pack::{self, Columns, curve_step};
use super::player::{self, Player, player};
use crate::error::ViewError;
use rebone::quality::{Curve, Evaluation, Finding, Metric};
use rebone::skeleton::Clip;
use rebone::{Plan, compare_self_contacts};
use serde::Serialize;
use std::sync::Arc;

/// Largest length of packed details, in characters. Where more would be needed, fewer poses are stored.
pub(super) const MAX_CHARACTERS: usize = 28_000;
/// Number of stored poses that are left at least.
const MIN_POSES: usize = 10;
/// Largest number of values of a curve.
const MAX_VALUES: usize = 300;
/// Contacts of a kind that are closer to each other than this part of a clip are drawn as one.
const MIN_BAR_GAPS: usize = 400;

/// One row of the page.
#[derive(Debug, Default, Serialize)]
pub struct PageEntry {
    /// Name of the result.
    pub name: String,
    /// File of the clip.
    pub source: String,
    /// Number of the clip in a file with several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<usize>,
    /// File of the rig.
    pub target: String,
    /// File of the result.
    pub output: Option<String>,
    /// PASS, LOOK, FAIL, or NONE where there is no result.
    pub verdict: String,
    /// Worst reason why the result is not better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Reason for a missing result.
    pub error: Option<String>,
    /// Score from 0, the worst, to 1.
    pub score: Option<f64>,
    /// Verdict of the file itself, where it differs.
    pub note: Option<String>,
    /// The clip begins with a calibration pose, often a T pose.
    #[serde(skip_serializing_if = "is_false")]
    pub leading_pose: bool,
    /// Nothing moves in the clip, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub still: Option<bool>,
    /// Duration of the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Mark of a person: `accepted` or `flagged`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// Note of a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// Details of the result, shown when it is opened.
    #[serde(skip)]
    pub details: Option<ClipDetails>,
}

fn is_false(own: &bool) -> bool {
    !own
}

/// Details of one result: reasons, metrics, curves, contacts, poses.
#[derive(Debug)]
pub struct ClipDetails {
    pub(super) metrics: Vec<Metric>,
    /// Fields as JSON, and numbers, each compressed as base64, with a space between them.
    pub(super) packed: String,
    /// Meshes of source and result.
    pub(super) meshes: [Option<Arc<str>>; 2],
}

/// Details apart from numbers over time.
#[derive(Serialize)]
struct DetailFields<'a> {
    reasons: &'a [Finding],
    source_defects: &'a [Finding],
    metrics: &'a [Metric],
    frames: usize,
    frame_time: f64,
    curves: &'a [PackedCurve],
    contacts: &'a [ContactBars],
    worst: &'a [usize],
    player: &'a Player,
}

/// A curve over time, of which the highest value of each `step` frames is kept.
#[derive(Debug, Serialize)]
struct PackedCurve {
    name: String,
    unit: &'static str,
    step: usize,
    scale: f64,
    /// Number of values.
    count: usize,
    /// Names of its one or two columns.
    bodies: Vec<&'static str>,
    look: Option<f64>,
    marks: Vec<usize>,
    #[serde(skip)]
    values: Vec<Vec<f64>>,
}

/// Verdict, score and data of a result.
#[derive(Debug)]
pub struct Comparison {
    /// PASS, LOOK or FAIL.
    pub verdict: String,
    /// Score from 0, the worst, to 1.
    pub score: f64,
    /// Worst reason why it is not better.
    pub reason: Option<String>,
    /// The source begins with a calibration pose, often a T pose.
    pub leading_pose: bool,
    /// Duration.
    pub seconds: f64,
    /// Details for the page.
    pub details: ClipDetails,
}

/// Details of a result with its source clip of the same rate, of which `evaluation` is; meshes of both are drawn where their skeletons fit.
///
/// ```
/// use rebone::quality::evaluate;
/// use rebone::{ClipInput, Hints, Options, align, analyse, retarget_clip};
/// use rebone_view::{Page, PageDetails, PageEntry, PageMesh, compare};
///
/// let (walk, rig) = (rebone_samples::walk().motion, rebone_samples::rigs().remove(0).motion);
/// let (options, hints) = (Options::default(), Hints::default());
/// let [source, target] = [&walk, &rig].map(|motion| analyse(motion, &hints).expect("a body"));
/// let plan = align(&source, &target, &options);
/// let (result, _) = retarget_clip(&plan, &ClipInput::new(&source, &walk.clip)).expect("a clip");
/// let no_mesh = PageMesh::none("a skeleton alone");
/// let evaluation = evaluate(&plan, &walk.clip, &result).expect("a motion");
/// let comparison = compare(&plan, &evaluation, [&walk.clip, &result], [&no_mesh, &no_mesh])?;
/// let entry = PageEntry {
///     name: "walk".to_owned(),
///     verdict: comparison.verdict,
///     score: Some(comparison.score),
///     details: Some(comparison.details),
///     ..PageEntry::default()
/// };
/// let mut page = Page::new("rebone", "One walk");
/// page.push(&entry)?;
/// let details: Vec<String> = page.take_block().into_iter().collect();
/// let mut html = Vec::new();
/// page.write(&mut html, PageDetails::Inside(&details))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the clips are no motions of the plan's skeletons, the evaluation is of longer ones, or the details cannot be written as JSON.
pub fn compare(
    plan: &Plan,
    evaluation: &Evaluation,
    [source, result]: [&Clip; 2],
    skins: [&PageMesh; 2],
) -> Result<Comparison, ViewError> {
    let verdict = &evaluation.verdict;
    let (found, most) = (verdict.frames, source.len().min(result.len()));
    if found > most {
        return Err(ViewError::Evaluation { found, most });
    }
    let (curves, worst) = (curves(evaluation), evaluation.worst_frames(source.frame_time));
    let (kept, found) = compare_self_contacts(plan, source, result)?;
    let min_gap = verdict.frames / MIN_BAR_GAPS;
    let mut contacts = ground_bars(&evaluation.contacts, min_gap);
    contacts.extend(self_contact_bars(&kept, &found, min_gap));
    let mut step = player::min_step(verdict.frames, source.frame_time);
    let packed = loop {
        let player = player(plan, [source, result], skins, evaluation, &worst, step)?;
        let fields = DetailFields {
            reasons: &verdict.reasons,
            source_defects: &verdict.source_defects,
            metrics: &verdict.metrics,
            frames: verdict.frames,
            frame_time: source.frame_time,
            curves: &curves,
            contacts: &contacts,
            worst: &worst,
            player: &player,
        };
        let packed = packed(&fields)?;
        let is_least = step * MIN_POSES >= verdict.frames;
        if packed.len() <= MAX_CHARACTERS || is_least {
            break packed;
        }
        step = (step + 1).max(step * packed.len() / MAX_CHARACTERS);
    };
    let skeletons = [&plan.source.skeleton, &plan.target.skeleton];
    let meshes = [0, 1].map(|body| Some(skins[body].on(skeletons[body]).ok()?.0.text.clone()));
    Ok(Comparison {
        verdict: verdict.verdict.to_string(),
        score: verdict.score,
        reason: verdict.reasons.first().map(|reason| reason.text.clone()),
        leading_pose: evaluation.leading_pose,
        // Four digits are more than a table shows.
        seconds: (verdict.frames as f64 * source.frame_time * 1e4).round() / 1e4,
        details: ClipDetails { packed, metrics: verdict.metrics.clone(), meshes },
    })
}

/// Packs fields, curves and poses as text.
fn packed(fields: &DetailFields) -> Result<String, serde_json::Error> {
    let mut columns = Columns::default();
    for PackedCurve { scale, values, .. } in fields.curves {
        values.iter().for_each(|own| columns.push_curve(own.iter().copied(), *scale));
    }
    fields.player.pack(&mut columns);
    Ok(format!("{} {}", pack::text(&serde_json::to_vec(fields)?), columns.text()))
}

/// Returns metrics over time; one measured on source and result gives one curve.
fn curves(Evaluation { verdict, curves, .. }: &Evaluation) -> Vec<PackedCurve> {
    let of_result = curves.iter().filter(|curve| !curve.name.starts_with("source "));
    let pack_curve = |curve: &Curve| {
        let name = curve.name.strip_prefix("result ").unwrap_or(&curve.name);
        let source = curves.iter().find(|other| other.name == format!("source {name}"));
        let metric = verdict.metrics.iter().find(|metric| metric.name == name);
        let values = &curve.values;
        let step = verdict.frames.div_ceil(MAX_VALUES).max(1);
        let thinned = |values: &Vec<f64>| -> Vec<f64> {
            values.chunks(step).map(|part| part.iter().copied().fold(f64::NAN, f64::max)).collect()
        };
        let named = source.map(|source| ("source", thinned(&source.values))).into_iter();
        let (bodies, thin): (Vec<_>, Vec<_>) = named.chain([("result", thinned(values))]).unzip();
        let peak = (0..verdict.frames).max_by(|&a, &b| values[a].total_cmp(&values[b]));
        let look = metric.map(|metric| metric.look);
        let exceeds = |frame: &usize| look.is_some_and(|look| values[*frame] >= look);
        PackedCurve {
            name: metric.map_or(name, |metric| metric.label).to_owned(),
            unit: curve.unit,
            step,
            count: values.len().div_ceil(step),
            scale: curve_step(thin.iter().flatten().copied()),
            bodies,
            look,
            marks: peak.filter(exceeds).into_iter().collect(),
            values: thin,
        }
    };
    of_result.map(pack_curve).collect()
}
