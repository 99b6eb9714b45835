//! Comparison of a result with its source, as the data of a page.

use super::pack::{pack, quantum};
use super::player::{Player, player};
use rebone::quality::{Evaluation, Finding, Metric, evaluate};
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
    /// Reason for a missing result.
    pub error: Option<String>,
    /// Score from 0, the worst, to 1.
    pub score: Option<f64>,
    /// Verdict of the file itself, where it differs.
    pub note: Option<String>,
    #[serde(flatten)]
    /// Data of the result, shown when it is opened.
    pub view: Option<ClipView>,
}

/// Data of one result: reasons, metrics, curves, contacts, poses.
#[derive(Debug, Serialize)]
pub struct ClipView {
    reasons: Vec<Finding>,
    source_defects: Vec<Finding>,
    figures: Vec<Metric>,
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
/// let comparison = compare(&align(&source, &target, &options), &walk.clip, &result.clip);
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
pub fn compare(plan: &Plan, source: &Clip, result: &Clip) -> Comparison {
    let checked = evaluate(plan, source, result);
    let (curves, worst) = (curves(&checked), worst(&checked, source.frame_time));
    let player = player(plan, [source, result], &checked);
    let verdict = checked.verdict;
    let view = ClipView {
        worst,
        curves,
        contacts: bars(&checked.contacts),
        player,
        frames: verdict.frames,
        frame_time: source.frame_time,
        reasons: verdict.reasons,
        source_defects: verdict.source_defects,
        figures: verdict.figures,
    };
    Comparison { verdict: verdict.verdict.to_string(), score: verdict.score, view }
}

/// Packs metrics over time; those measured on source and result share a curve.
fn curves(Evaluation { verdict, curves: all, .. }: &Evaluation) -> Vec<PackedCurve> {
    let own = all.iter().filter(|own| !own.name.starts_with("source "));
    own.map(|own| {
        let name = own.name.strip_prefix("result ").unwrap_or(&own.name);
        let source = all.iter().find(|other| other.name == format!("source {name}"));
        let figure = verdict.figures.iter().find(|figure| figure.name == name);
        let most = own.values.iter().chain(source.iter().flat_map(|own| &own.values));
        let scale = quantum(most.copied());
        let step = verdict.frames.div_ceil(MAX_VALUES).max(1);
        let packed = |values: &[f64]| pack(values.iter().step_by(step).copied(), scale);
        let peak = (0..verdict.frames).max_by(|&a, &b| own.values[a].total_cmp(&own.values[b]));
        let look = figure.map(|figure| figure.look);
        let marked = |frame: &usize| look.is_some_and(|look| own.values[*frame] >= look);
        PackedCurve {
            name: figure.map_or(name, |figure| figure.label).to_owned(),
            unit: own.unit,
            step,
            scale,
            source: source.map(|own| packed(&own.values)),
            result: packed(&own.values),
            look,
            marks: peak.filter(marked).into_iter().collect(),
        }
    })
    .collect()
}

/// Returns the frames in which metrics exceed their bounds most, worst first.
fn worst(Evaluation { verdict, curves, .. }: &Evaluation, frame_time: f64) -> Vec<usize> {
    let bad = |frame: usize| {
        let part = curves.iter().filter_map(|own| {
            let figure = verdict.figures.iter().find(|figure| figure.name == own.name)?;
            Some(own.values[frame] / figure.fail)
        });
        let told = verdict
            .reasons
            .iter()
            .filter(|reason| reason.frames.is_some_and(|[from, to]| (from + to) / 2 == frame));
        part.fold(0.0, f64::max) + told.count() as f64
    };
    let mut frames: Vec<usize> = (0..verdict.frames).collect();
    let worth: Vec<f64> = frames.iter().map(|&frame| bad(frame)).collect();
    frames.sort_by(|&a, &b| worth[b].total_cmp(&worth[a]).then(a.cmp(&b)));
    let apart = (MIN_WORST_SECONDS / frame_time).max(1.0) as usize;
    let mut chosen: Vec<usize> = Vec::new();
    for frame in frames {
        if chosen.len() == MAX_WORST_FRAMES {
            break;
        }
        if chosen.iter().all(|own| own.abs_diff(frame) >= apart) {
            chosen.push(frame);
        }
    }
    chosen
}

fn bars(contacts: &[Vec<Contact>; 2]) -> Vec<ContactBars> {
    let of = |list: &[Contact], part: BodyPart| {
        let own = list.iter().filter(|own| own.part == part);
        own.map(|own| (own.frames.start, own.frames.end, own.kind)).collect::<Vec<_>>()
    };
    let both = BodyPart::ALL.into_iter().map(|part| ContactBars {
        part: part.to_string(),
        source: of(&contacts[0], part),
        result: of(&contacts[1], part),
    });
    both.filter(|own| !own.source.is_empty() || !own.result.is_empty()).collect()
}
