//! Comparison of a result with its source, as the data of a page.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::quality::{Evaluation, Finding, Metric, evaluate};
use rebone::skeleton::{Clip, JointId, WorldPose};
use rebone::{Anatomy, BodyPart, Contact, ContactKind, Plan};
use serde::Serialize;

/// Largest number of poses of a player, and of values of a curve.
const MAX_POSES: usize = 300;
const MAX_VALUES: usize = 600;
/// Largest number of worst frames, and least time between two of them.
const MAX_WORST_FRAMES: usize = 10;
const MIN_WORST_SECONDS: f64 = 0.25;
/// Stands for a missing value in a curve.
const MISSING: i16 = i16::MIN;

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

#[derive(Debug, Serialize)]
struct Player {
    step: usize,
    floor: f64,
    bodies: Vec<PlayerBody>,
}

#[derive(Debug, Serialize)]
struct PlayerBody {
    name: &'static str,
    parents: Vec<i32>,
    scale: f64,
    places: String,
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
        let scale = scale(most.copied());
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

/// Packs both bodies, the source scaled as its path is in the result's world.
fn player(plan: &Plan, clips: [&Clip; 2], checked: &Evaluation) -> Player {
    let count = checked.verdict.frames;
    let step = count.div_ceil(MAX_POSES).max(1);
    let frames: Vec<usize> = (0..count).step_by(step).collect();
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), checked.yaw);
    let body = |name, anatomy: &Anatomy, clip: &Clip, inner: UnitQuaternion<f64>, scale: f64| {
        let joints = drawn(anatomy);
        let place = |id: &JointId| joints.iter().position(|own| own == id);
        let parent = |id: &JointId| {
            let mut above = anatomy.skeleton.path_to_root(*id).skip(1);
            above.find_map(|id| place(&id)).map_or(-1, |place| place as i32)
        };
        let mut places = Vec::with_capacity(frames.len() * joints.len() * 3);
        let mut world = WorldPose::zeros(anatomy.skeleton.len());
        for &frame in &frames {
            world.update(&anatomy.skeleton, &clip.pose(frame));
            for id in &joints {
                let place =
                    inner * world.positions[id.index()] * (anatomy.metres_per_unit() * scale);
                places.extend(place.iter().copied());
            }
        }
        let unit = self::scale(places.iter().copied());
        PlayerBody {
            name,
            parents: joints.iter().map(parent).collect(),
            scale: unit,
            places: pack(places.into_iter(), unit),
        }
    };
    let bodies = vec![
        body("source", &plan.source, clips[0], plan.inner_from_source, plan.path_scale),
        body("result", &plan.target, clips[1], turn * plan.inner_from_target, 1.0),
    ];
    Player { step, floor: checked.floor, bodies }
}

/// Returns the joints that are drawn: the pelvis, then all with a role except fingers.
fn drawn(anatomy: &Anatomy) -> Vec<JointId> {
    let body = &anatomy.body;
    let fingers: Vec<JointId> = body
        .arms
        .iter()
        .flat_map(|arm| arm.fingers.iter().chain(&arm.metacarpals).flatten().copied())
        .collect();
    let pelvis = body.pelvis();
    let has_role =
        |id: &JointId| anatomy.roles.of(*id).is_some() && !fingers.contains(id) && *id != pelvis;
    [pelvis].into_iter().chain(anatomy.skeleton.ids().filter(has_role)).collect()
}

/// Returns the quantisation step of values packed as 16 bits.
fn scale(values: impl Iterator<Item = f64>) -> f64 {
    let most = values.filter(|value| value.is_finite()).fold(0.0, |most: f64, x| most.max(x.abs()));
    (most / f64::from(i16::MAX)).max(1e-9)
}

/// Packs numbers as base64 of little-endian 16 bits in units of `scale`.
fn pack(values: impl Iterator<Item = f64>, scale: f64) -> String {
    let bytes = values.flat_map(|value| {
        let whole = if value.is_finite() { (value / scale).round() as i16 } else { MISSING };
        whole.to_le_bytes()
    });
    STANDARD.encode(bytes.collect::<Vec<u8>>())
}
