//! Contact detection by displacement within a time window, over a whole clip.

use super::drift::{DRIFT_METRES, drifts};
use super::sole_pivot::PivotPath;
use super::spans::{WINDOW_SECONDS, spans};
use super::terrain::Terrain;
use super::tracks::SupportTrajectories;
use crate::contacts::{BodyPart, Contact, ContactKind};
use nalgebra::Vector3;
use rebone_body::body::{BODY_HEIGHT, METRES_PER_CENTIMETRE};
use std::collections::VecDeque;
use std::ops::Range;

/// Clearance below which a part is near the ground: 0.02 of the stature.
const NEAR_FLOOR_METRES: f64 = 0.02 * BODY_HEIGHT;
/// Hysteresis: a contact needs a displacement in [`WINDOW_SECONDS`] below the first threshold once, and ends above the
/// second.
const OPEN_DISPLACEMENT_METRES: f64 = 2.5 * METRES_PER_CENTIMETRE;
pub(crate) const CLOSE_DISPLACEMENT_METRES: f64 = 4.0 * METRES_PER_CENTIMETRE;
/// Shortest contact, of a foot that drifts off the ground (at the top of a hop a foot is still for 0.1 s), and longest gap within one.
const MIN_CONTACT_SECONDS: f64 = 0.08;
const MIN_DRIFT_SECONDS: f64 = 0.2;
const MAX_GAP_SECONDS: f64 = 0.05;
/// Shortest plant within a slide.
const MIN_PLANT_SECONDS: f64 = 0.2;
/// Heading change above which a planted foot pivots.
const MIN_PIVOT_RADIANS: f64 = 8.0 * std::f64::consts::PI / 180.0;
/// A hand holds something off the floor if it is stationary this long while the hips travel this far. While walking a
/// hand reverses for about 0.33 s; require longer.
const MIN_HOLD_SECONDS: f64 = 0.5;
const MIN_HIP_TRAVEL_METRES: f64 = 8.0 * METRES_PER_CENTIMETRE;

/// Detects the contacts of some parts over segments of a clip, in the order of the parts, then of time.
pub(crate) fn detect_by_displacement(
    low_passed: &SupportTrajectories,
    terrain: &Terrain,
    segments: &[Range<usize>],
    parts: &[BodyPart],
) -> Vec<Contact> {
    let mut contacts = Vec::new();
    for &part in parts {
        let points = part.points(&low_passed.points);
        for segment in segments.iter().filter(|segment| !segment.is_empty() && !points.is_empty()) {
            let floor = match comes_near(low_passed, terrain, &points, segment) {
                true => on_floor(part, low_passed, terrain, &points, segment),
                false => Vec::new(),
            };
            let held = matches!(part, BodyPart::Hand(_))
                .then(|| holds(part, low_passed, &points, segment));
            let held = held.into_iter().flatten();
            let is_apart = |held: &Contact| {
                floor.iter().all(|other| {
                    other.frames.end <= held.frames.start || held.frames.end <= other.frames.start
                })
            };
            let held: Vec<Contact> = held.filter(is_apart).collect();
            let mut all = [floor, held].concat();
            all.sort_by_key(|contact| contact.frames.start);
            contacts.extend(all);
        }
    }
    contacts
}

/// Returns whether a part ever comes near any level of the terrain, or below: most parts never do.
fn comes_near(
    low_passed: &SupportTrajectories,
    terrain: &Terrain,
    points: &[usize],
    segment: &Range<usize>,
) -> bool {
    let top = terrain.levels[terrain.levels.len() - 1] + DRIFT_METRES;
    segment.clone().any(|frame| {
        let height =
            |&k: &usize| terrain.normal.dot(&low_passed.position(frame, k)) - low_passed.radii[k];
        points.iter().any(|k| height(k) < top)
    })
}

/// Detects contacts with the ground.
fn on_floor(
    part: BodyPart,
    low_passed: &SupportTrajectories,
    terrain: &Terrain,
    points: &[usize],
    segment: &Range<usize>,
) -> Vec<Contact> {
    let pivot = &PivotPath::new(low_passed, Some(terrain), points, segment.clone());
    let near = |t: usize| {
        pivot.clearance[t] < NEAR_FLOOR_METRES
            || matches!(part, BodyPart::Foot(_)) && drifts(low_passed, terrain, (pivot, t))
    };
    let spans = spans(
        pivot.len(),
        |t| near(t) && pivot.displacement[t] < CLOSE_DISPLACEMENT_METRES,
        |t| pivot.displacement[t] < OPEN_DISPLACEMENT_METRES,
    );
    let spans = merge_gaps(spans, pivot, low_passed.frame_time);
    let mut contacts = Vec::new();
    for span in spans {
        for (frames, stays) in stationary_spans(&pivot.path, span, low_passed.frame_time) {
            let is_near = |t: usize| pivot.clearance[t] < NEAR_FLOOR_METRES;
            let least =
                if frames.clone().any(is_near) { MIN_CONTACT_SECONDS } else { MIN_DRIFT_SECONDS };
            if (frames.len() as f64) * low_passed.frame_time < least {
                continue;
            }
            let kind =
                if stays { kind(part, low_passed, pivot, &frames) } else { ContactKind::Slide };
            let confidence = terrain.confidence * confidence(pivot, &frames, low_passed.frame_time);
            let frames = frames.start + pivot.begin..frames.end + pivot.begin;
            contacts.push(Contact { part, on: None, kind, frames, confidence });
        }
    }
    contacts
}

/// Detects holds: a hand stationary off the floor while the body moves.
fn holds(
    part: BodyPart,
    low_passed: &SupportTrajectories,
    points: &[usize],
    segment: &Range<usize>,
) -> Vec<Contact> {
    let pivot = PivotPath::new(low_passed, None, points, segment.clone());
    let spans = spans(
        pivot.len(),
        |t| pivot.displacement[t] < OPEN_DISPLACEMENT_METRES,
        |t| pivot.displacement[t] < OPEN_DISPLACEMENT_METRES / 2.0,
    );
    let hips: Vec<Vector3<f64>> =
        segment.clone().map(|frame| low_passed.hip_centre(frame)).collect();
    let mut contacts = Vec::new();
    for span in spans {
        for (frames, stays) in stationary_spans(&pivot.path, span, low_passed.frame_time) {
            let seconds = frames.len() as f64 * low_passed.frame_time;
            if !stays
                || seconds < MIN_HOLD_SECONDS
                || spread(&hips, &frames) < MIN_HIP_TRAVEL_METRES
            {
                continue;
            }
            let confidence = 0.5 * confidence(&pivot, &frames, low_passed.frame_time);
            let frames = frames.start + segment.start..frames.end + segment.start;
            contacts.push(Contact { part, on: None, kind: ContactKind::Hold, frames, confidence });
        }
    }
    contacts
}

/// Merges spans over short gaps in which the part stays near.
fn merge_gaps(spans: Vec<Range<usize>>, pivot: &PivotPath, frame_time: f64) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for span in spans {
        match all.last_mut() {
            Some(last)
                if (span.start - last.end) as f64 * frame_time <= MAX_GAP_SECONDS
                    && (pivot.path[span.start] - pivot.path[last.end - 1]).norm()
                        < OPEN_DISPLACEMENT_METRES
                    && (last.end..span.start)
                        .all(|t| pivot.clearance[t] < 2.0 * NEAR_FLOOR_METRES) =>
            {
                last.end = span.end;
            }
            _ => all.push(span),
        }
    }
    all
}

/// Splits a span into stationary parts, in which the path stays in a box of diagonal [`CLOSE_DISPLACEMENT_METRES`] for
/// at least [`MIN_PLANT_SECONDS`], and the parts between them; each with whether it is stationary. A span that is
/// stationary as a whole stays one part, however short.
fn stationary_spans(
    path: &[Vector3<f64>],
    span: Range<usize>,
    frame_time: f64,
) -> Vec<(Range<usize>, bool)> {
    let mut parts: Vec<(Range<usize>, bool)> = Vec::new();
    let mut bounds = Bounds::default();
    let (mut begin, mut slides) = (span.start, span.start);
    for end in span.start..=span.end {
        if end < span.end {
            bounds.push(path, end);
        }
        while begin < end && (end == span.end || bounds.size(path) > CLOSE_DISPLACEMENT_METRES) {
            let seconds = (end - begin) as f64 * frame_time;
            if seconds < MIN_PLANT_SECONDS && (begin..end) != span {
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
    parts.extend((slides < span.end).then_some((slides..span.end, false)));
    parts
}

/// The bounding box of a sliding window of a path: for each axis the frames that may still be least or greatest
/// (monotonic queues).
#[derive(Default)]
struct Bounds {
    min_frames: [VecDeque<usize>; 3],
    max_frames: [VecDeque<usize>; 3],
}

impl Bounds {
    fn push(&mut self, path: &[Vector3<f64>], t: usize) {
        for (axis, value) in path[t].iter().enumerate() {
            let (min_frames, max_frames) = (&mut self.min_frames[axis], &mut self.max_frames[axis]);
            while min_frames.back().is_some_and(|&own| path[own][axis] >= *value) {
                min_frames.pop_back();
            }
            while max_frames.back().is_some_and(|&own| path[own][axis] <= *value) {
                max_frames.pop_back();
            }
            min_frames.push_back(t);
            max_frames.push_back(t);
        }
    }

    fn forget(&mut self, before: usize) {
        for list in self.min_frames.iter_mut().chain(&mut self.max_frames) {
            while list.front().is_some_and(|&own| own < before) {
                list.pop_front();
            }
        }
    }

    /// Returns the diagonal of the box.
    fn size(&self, path: &[Vector3<f64>]) -> f64 {
        let width =
            |axis: usize| match (self.max_frames[axis].front(), self.min_frames[axis].front()) {
                (Some(&high), Some(&low)) => path[high][axis] - path[low][axis],
                _ => 0.0,
            };
        Vector3::new(width(0), width(1), width(2)).norm()
    }
}

/// Returns the diagonal of a path's bounding box over some frames.
pub(crate) fn spread(path: &[Vector3<f64>], frames: &Range<usize>) -> f64 {
    let mut bounds = Bounds::default();
    frames.clone().for_each(|t| bounds.push(path, t));
    bounds.size(path)
}

/// Classifies a stationary contact: plant, pivot or roll.
fn kind(
    part: BodyPart,
    low_passed: &SupportTrajectories,
    pivot: &PivotPath,
    frames: &Range<usize>,
) -> ContactKind {
    let [.., last] = pivot.points.as_slice() else { return ContactKind::Plant };
    let first = pivot.points[0];
    if !matches!(part, BodyPart::Foot(_)) || first == *last {
        return ContactKind::Plant;
    }
    let headings = frames.clone().map(|t| {
        let ahead = low_passed.position(t + pivot.begin, *last)
            - low_passed.position(t + pivot.begin, first);
        libm::atan2(ahead.x, ahead.z)
    });
    let (mut heading_change, mut range, mut before) = (0.0_f64, [0.0_f64; 2], None);
    for heading in headings {
        let step = heading - before.unwrap_or(heading);
        heading_change += step - std::f64::consts::TAU * (step / std::f64::consts::TAU).round();
        range = [range[0].min(heading_change), range[1].max(heading_change)];
        before = Some(heading);
    }
    if range[1] - range[0] > MIN_PIVOT_RADIANS {
        return ContactKind::Pivot;
    }
    let heel = |t: usize| pivot.weights[t][0];
    let lifts = frames.clone().any(|t| heel(t) < 0.1);
    let strikes = frames.clone().any(|t| heel(t) > 0.8);
    let stands = frames.clone().any(|t| heel(t) > 0.2 && heel(t) < 0.7);
    if (lifts || strikes) && (stands || (lifts && strikes)) {
        ContactKind::Roll
    } else {
        ContactKind::Plant
    }
}

/// Returns the probability of a contact: it grows with duration, stillness and nearness.
fn confidence(pivot: &PivotPath, frames: &Range<usize>, frame_time: f64) -> f64 {
    let count = frames.len() as f64;
    let mean = |list: &[f64]| list[frames.clone()].iter().sum::<f64>() / count;
    let stillness = 1.0 - 0.5 * (mean(&pivot.displacement) / CLOSE_DISPLACEMENT_METRES).min(1.0);
    let nearness = 1.0 - 0.5 * (mean(&pivot.clearance).abs() / NEAR_FLOOR_METRES).min(1.0);
    let seconds = count * frame_time;
    stillness * nearness * seconds / (seconds + WINDOW_SECONDS / 2.0)
}
