//! Contacts of a body, found over a whole clip at once.

use super::sole_pivot::Part;
use super::spans::{WINDOW, runs};
use super::terrain::Terrain;
use super::tracks::Tracks;
use crate::body::BODY_HEIGHT;
use crate::contacts::{BodyPart, Contact, ContactKind};
use nalgebra::Vector3;
use std::collections::VecDeque;
use std::ops::Range;

/// One centimetre at a stature of 1.8 m, in metres of a 1.7 m body.
pub(crate) const CENTIMETRE: f64 = 0.01 * BODY_HEIGHT / 1.8;
/// A part is near what it may touch below this clearance: 0.02 of the stature.
const NEAR: f64 = 0.02 * BODY_HEIGHT;
/// A contact opens where a part moves by less in a [`WINDOW`], and closes where it moves by more.
const OPENS: f64 = 2.5 * CENTIMETRE;
pub(crate) const CLOSES: f64 = 4.0 * CENTIMETRE;
/// The least time of a contact, and the longest gap that is none, seconds.
const SHORTEST: f64 = 0.08;
const GAP: f64 = 0.05;
/// A plant within a slide lasts as long at least, seconds.
const RESTS: f64 = 0.2;
/// A foot that turns by more pivots, radians.
const PIVOTS: f64 = 8.0 * std::f64::consts::PI / 180.0;
/// A hand holds something off the floor where it rests for so long, seconds, while the hips move so far. Who walks swings
/// his arms back as fast: a hand stands for a third of a second.
const HOLDS: f64 = 0.5;
const PASSES: f64 = 8.0 * CENTIMETRE;

/// The contacts of some parts of a body over pieces of a clip, in the order of the parts, each one's in that of
/// time.
pub(crate) fn find(
    calm: &Tracks,
    terrain: &Terrain,
    pieces: &[Range<usize>],
    parts: &[BodyPart],
) -> Vec<Contact> {
    let mut contacts = Vec::new();
    for &part in parts {
        let points = part.points(&calm.points);
        for piece in pieces.iter().filter(|piece| !piece.is_empty() && !points.is_empty()) {
            let floor = match comes_near(calm, terrain, &points, piece) {
                true => on_floor(part, calm, terrain, &points, piece),
                false => Vec::new(),
            };
            let held = matches!(part, BodyPart::Hand(_)).then(|| holds(part, calm, &points, piece));
            let held = held.into_iter().flatten();
            let is_free = |held: &Contact| {
                floor.iter().all(|own| {
                    own.frames.end <= held.frames.start || held.frames.end <= own.frames.start
                })
            };
            let held: Vec<Contact> = held.filter(is_free).collect();
            let mut all = [floor, held].concat();
            all.sort_by_key(|contact| contact.frames.start);
            contacts.extend(all);
        }
    }
    contacts
}

/// Whether a part is ever near any level, or below: most of a body never is.
fn comes_near(calm: &Tracks, terrain: &Terrain, points: &[usize], piece: &Range<usize>) -> bool {
    let top = terrain.levels[terrain.levels.len() - 1] + NEAR;
    piece.clone().any(|frame| {
        let height = |&k: &usize| terrain.normal.dot(&calm.place(frame, k)) - calm.radii[k];
        points.iter().any(|k| height(k) < top)
    })
}

/// Contacts with the floor.
fn on_floor(
    part: BodyPart,
    calm: &Tracks,
    terrain: &Terrain,
    points: &[usize],
    piece: &Range<usize>,
) -> Vec<Contact> {
    let rests = &Part::read(calm, Some(terrain), points, piece.clone());
    let near = |t: usize| rests.clearance[t] < NEAR;
    let runs =
        runs(rests.len(), |t| near(t) && rests.moved[t] < CLOSES, |t| rests.moved[t] < OPENS);
    let runs = joined(runs, rests, calm.frame_time);
    let mut contacts = Vec::new();
    for run in runs {
        for (frames, stays) in still_parts(&rests.path, run, calm.frame_time) {
            if (frames.len() as f64) * calm.frame_time < SHORTEST {
                continue;
            }
            let kind = if stays { kind(part, calm, rests, &frames) } else { ContactKind::Slide };
            let confidence = terrain.confidence * sure(rests, &frames, calm.frame_time);
            let frames = frames.start + rests.begin..frames.end + rests.begin;
            contacts.push(Contact { part, kind, frames, confidence });
        }
    }
    contacts
}

/// What a hand holds off the floor: it rests while the body moves.
fn holds(part: BodyPart, calm: &Tracks, points: &[usize], piece: &Range<usize>) -> Vec<Contact> {
    let rests = Part::read(calm, None, points, piece.clone());
    let runs = runs(rests.len(), |t| rests.moved[t] < OPENS, |t| rests.moved[t] < OPENS / 2.0);
    let hips: Vec<Vector3<f64>> = piece.clone().map(|frame| calm.hips(frame)).collect();
    let mut contacts = Vec::new();
    for run in runs {
        for (frames, stays) in still_parts(&rests.path, run, calm.frame_time) {
            let lasts = frames.len() as f64 * calm.frame_time;
            if !stays || lasts < HOLDS || spread(&hips, &frames) < PASSES {
                continue;
            }
            let confidence = 0.5 * sure(&rests, &frames, calm.frame_time);
            let frames = frames.start + piece.start..frames.end + piece.start;
            contacts.push(Contact { part, kind: ContactKind::Hold, frames, confidence });
        }
    }
    contacts
}

/// The same without short gaps in which the part does not get away.
fn joined(runs: Vec<Range<usize>>, rests: &Part, frame_time: f64) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for run in runs {
        match all.last_mut() {
            Some(last)
                if (run.start - last.end) as f64 * frame_time <= GAP
                    && (rests.path[run.start] - rests.path[last.end - 1]).norm() < OPENS
                    && (last.end..run.start).all(|t| rests.clearance[t] < 2.0 * NEAR) =>
            {
                last.end = run.end;
            }
            _ => all.push(run),
        }
    }
    all
}

/// Splits a run into parts in which the path stays in a box of [`CLOSES`] for [`RESTS`] at least, and what is
/// between them; each with whether it stays. A run that stays as a whole is one part, however short.
fn still_parts(
    path: &[Vector3<f64>],
    run: Range<usize>,
    frame_time: f64,
) -> Vec<(Range<usize>, bool)> {
    let mut parts: Vec<(Range<usize>, bool)> = Vec::new();
    let mut bounds = Bounds::default();
    let (mut begin, mut slides) = (run.start, run.start);
    for end in run.start..=run.end {
        if end < run.end {
            bounds.push(path, end);
        }
        while begin < end && (end == run.end || bounds.size(path) > CLOSES) {
            let lasts = (end - begin) as f64 * frame_time;
            if lasts < RESTS && (begin..end) != run {
                begin += 1;
                bounds.forget(begin);
                continue;
            }
            parts.extend((slides < begin).then_some((slides..begin, false)));
            parts.push((begin..end, true));
            bounds.forget(end);
            (begin, slides) = (end, end);
        }
    }
    parts.extend((slides < run.end).then_some((slides..run.end, false)));
    parts
}

/// The bounds of a window of a path that moves on: for each axis the frames that may still be least or
/// greatest.
#[derive(Default)]
struct Bounds {
    least: [VecDeque<usize>; 3],
    greatest: [VecDeque<usize>; 3],
}

impl Bounds {
    fn push(&mut self, path: &[Vector3<f64>], t: usize) {
        for (axis, value) in path[t].iter().enumerate() {
            let (least, greatest) = (&mut self.least[axis], &mut self.greatest[axis]);
            while least.back().is_some_and(|&own| path[own][axis] >= *value) {
                least.pop_back();
            }
            while greatest.back().is_some_and(|&own| path[own][axis] <= *value) {
                greatest.pop_back();
            }
            least.push_back(t);
            greatest.push_back(t);
        }
    }

    fn forget(&mut self, before: usize) {
        for list in self.least.iter_mut().chain(&mut self.greatest) {
            while list.front().is_some_and(|&own| own < before) {
                list.pop_front();
            }
        }
    }

    /// The diagonal of the box.
    fn size(&self, path: &[Vector3<f64>]) -> f64 {
        let width = |axis: usize| match (self.greatest[axis].front(), self.least[axis].front()) {
            (Some(&high), Some(&low)) => path[high][axis] - path[low][axis],
            _ => 0.0,
        };
        Vector3::new(width(0), width(1), width(2)).norm()
    }
}

/// How far a path goes within some frames: the diagonal of its box.
pub(crate) fn spread(path: &[Vector3<f64>], frames: &Range<usize>) -> f64 {
    let mut bounds = Bounds::default();
    frames.clone().for_each(|t| bounds.push(path, t));
    bounds.size(path)
}

/// What a foot does that stays: whether it turns, and whether it rolls over.
fn kind(part: BodyPart, calm: &Tracks, rests: &Part, frames: &Range<usize>) -> ContactKind {
    let [.., last] = rests.points.as_slice() else { return ContactKind::Plant };
    let first = rests.points[0];
    if !matches!(part, BodyPart::Foot(_)) || first == *last {
        return ContactKind::Plant;
    }
    let headings = frames.clone().map(|t| {
        let ahead = calm.place(t + rests.begin, *last) - calm.place(t + rests.begin, first);
        libm::atan2(ahead.x, ahead.z)
    });
    let (mut turned, mut range, mut before) = (0.0_f64, [0.0_f64; 2], None);
    for heading in headings {
        let step = heading - before.unwrap_or(heading);
        turned += step - std::f64::consts::TAU * (step / std::f64::consts::TAU).round();
        range = [range[0].min(turned), range[1].max(turned)];
        before = Some(heading);
    }
    if range[1] - range[0] > PIVOTS {
        return ContactKind::Pivot;
    }
    let heel = |t: usize| rests.weights[t][0];
    let lifts = frames.clone().any(|t| heel(t) < 0.1);
    let strikes = frames.clone().any(|t| heel(t) > 0.8);
    let stands = frames.clone().any(|t| heel(t) > 0.2 && heel(t) < 0.7);
    if (lifts || strikes) && (stands || (lifts && strikes)) {
        ContactKind::Roll
    } else {
        ContactKind::Plant
    }
}

/// How likely a contact is one: the longer, stiller and nearer, the more.
fn sure(rests: &Part, frames: &Range<usize>, frame_time: f64) -> f64 {
    let count = frames.len() as f64;
    let mean = |list: &[f64]| list[frames.clone()].iter().sum::<f64>() / count;
    let still = 1.0 - 0.5 * (mean(&rests.moved) / CLOSES).min(1.0);
    let near = 1.0 - 0.5 * (mean(&rests.clearance).abs() / NEAR).min(1.0);
    let lasts = count * frame_time;
    still * near * lasts / (lasts + WINDOW / 2.0)
}
