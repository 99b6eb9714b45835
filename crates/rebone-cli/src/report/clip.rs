//! What a page shows of one result.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::quality::{Checked, Figure, Reason, check};
use rebone::skeleton::{Clip, JointId, WorldPose};
use rebone::{Anatomy, BodyPart, Contact, ContactKind, Plan};
use serde::Serialize;

/// Most frames of a result that are drawn, and most values of a curve.
const MOST_POSES: usize = 300;
const MOST_VALUES: usize = 600;
/// Frames that are shown as the worst, and seconds between two of them.
const WORST: usize = 10;
const APART: f64 = 0.25;
/// In a curve, no value.
const GAP: i16 = i16::MIN;

/// A row of the page.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Entry {
    /// What the result is called.
    pub(crate) name: String,
    /// The clip, the rig and the result.
    pub(crate) source: String,
    pub(crate) target: String,
    pub(crate) output: Option<String>,
    /// PASS, LOOK, FAIL, or NONE where there is no result.
    pub(crate) verdict: String,
    /// Why there is none.
    pub(crate) error: Option<String>,
    pub(crate) score: Option<f64>,
    /// What the file itself comes to, where that is something else.
    pub(crate) note: Option<String>,
    #[serde(flatten)]
    pub(crate) shown: Option<Shown>,
}

/// What is shown of a result when it is opened.
#[derive(Debug, Serialize)]
pub(crate) struct Shown {
    reasons: Vec<Reason>,
    source_defects: Vec<Reason>,
    figures: Vec<Figure>,
    frames: usize,
    frame_time: f64,
    curves: Vec<Curve>,
    contacts: Vec<Bars>,
    worst: Vec<usize>,
    player: Player,
}

#[derive(Debug, Serialize)]
struct Curve {
    name: String,
    unit: &'static str,
    step: usize,
    scale: f64,
    source: Option<String>,
    result: String,
    look: Option<f64>,
    marks: Vec<usize>,
}

/// The contacts of a part of the body: from, behind the last, and what it does.
#[derive(Debug, Serialize)]
struct Bars {
    part: String,
    source: Vec<(usize, usize, ContactKind)>,
    result: Vec<(usize, usize, ContactKind)>,
}

#[derive(Debug, Serialize)]
struct Player {
    step: usize,
    floor: f64,
    bodies: Vec<Body>,
}

#[derive(Debug, Serialize)]
struct Body {
    name: &'static str,
    parents: Vec<i32>,
    scale: f64,
    places: String,
}

/// Compares a result with its clip; the word for it, the score, and all that is shown.
pub(crate) fn of(plan: &Plan, source: &Clip, result: &Clip) -> (String, f64, Shown) {
    let checked = check(plan, source, result);
    let (curves, worst) = (curves(&checked), worst(&checked, source.frame_time));
    let player = player(plan, [source, result], &checked);
    let verdict = checked.verdict;
    let shown = Shown {
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
    (verdict.verdict.to_string(), verdict.score, shown)
}

/// Figures over time; those that source and result have each are one.
fn curves(Checked { verdict, curves: all, .. }: &Checked) -> Vec<Curve> {
    let own = all.iter().filter(|own| !own.name.starts_with("source "));
    own.map(|own| {
        let name = own.name.strip_prefix("result ").unwrap_or(&own.name);
        let source = all.iter().find(|other| other.name == format!("source {name}"));
        let figure = verdict.figures.iter().find(|figure| figure.name == name);
        let most = own.values.iter().chain(source.iter().flat_map(|own| &own.values));
        let scale = scale(most.copied());
        let step = verdict.frames.div_ceil(MOST_VALUES).max(1);
        let packed = |values: &[f64]| pack(values.iter().step_by(step).copied(), scale);
        let peak = (0..verdict.frames).max_by(|&a, &b| own.values[a].total_cmp(&own.values[b]));
        let look = figure.map(|figure| figure.look);
        let marked = |frame: &usize| look.is_some_and(|look| own.values[*frame] >= look);
        Curve {
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

/// The frames in which figures are farthest beyond their bounds.
fn worst(Checked { verdict, curves, .. }: &Checked, frame_time: f64) -> Vec<usize> {
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
    let apart = (APART / frame_time).max(1.0) as usize;
    let mut chosen: Vec<usize> = Vec::new();
    for frame in frames {
        if chosen.len() == WORST {
            break;
        }
        if chosen.iter().all(|own| own.abs_diff(frame) >= apart) {
            chosen.push(frame);
        }
    }
    chosen
}

fn bars(contacts: &[Vec<Contact>; 2]) -> Vec<Bars> {
    let of = |list: &[Contact], part: BodyPart| {
        let own = list.iter().filter(|own| own.part == part);
        own.map(|own| (own.frames.start, own.frames.end, own.kind)).collect::<Vec<_>>()
    };
    let both = BodyPart::ALL.into_iter().map(|part| Bars {
        part: part.to_string(),
        source: of(&contacts[0], part),
        result: of(&contacts[1], part),
    });
    both.filter(|own| !own.source.is_empty() || !own.result.is_empty()).collect()
}

/// Both bodies as lines, the source as large as its path in the result's world.
fn player(plan: &Plan, clips: [&Clip; 2], checked: &Checked) -> Player {
    let count = checked.verdict.frames;
    let step = count.div_ceil(MOST_POSES).max(1);
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
        Body {
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

/// The joints that are drawn, the pelvis first: those with a role but for fingers.
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

/// The value of one step of the numbers that stand for some.
fn scale(values: impl Iterator<Item = f64>) -> f64 {
    let most = values.filter(|value| value.is_finite()).fold(0.0, |most: f64, x| most.max(x.abs()));
    (most / f64::from(i16::MAX)).max(1e-9)
}

/// Numbers as base64 of 16 bits each, the lower byte first.
fn pack(values: impl Iterator<Item = f64>, scale: f64) -> String {
    let bytes = values.flat_map(|value| {
        let whole = if value.is_finite() { (value / scale).round() as i16 } else { GAP };
        whole.to_le_bytes()
    });
    STANDARD.encode(bytes.collect::<Vec<u8>>())
}
