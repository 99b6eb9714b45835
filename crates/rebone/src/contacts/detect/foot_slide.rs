//! How far parts in contact slide.

use super::sole_pivot::Part;
use super::terrain::Terrain;
use super::tracks::Tracks;
use crate::contacts::Contact;
use nalgebra::Vector3;

/// How far a part of a source and of its result gets from its median place along the floor while it is in contact,
/// metres: the source's, and what the result's does beyond that, at the point that the source's rests on. `scale` are
/// lengths of the result over those of the source.
pub(crate) fn slips(
    contact: &Contact,
    [source, result]: [&Tracks; 2],
    calm: &Tracks,
    terrain: &Terrain,
    scale: f64,
) -> [f64; 2] {
    let points = contact.part.points(&source.points);
    let frames = contact.frames.start..contact.frames.end.min(source.len());
    if points.is_empty() || frames.is_empty() {
        return [0.0; 2];
    }
    let rests = Part::read(calm, Some(terrain), &points, frames.clone());
    let beyond = rests.rolled(&frames, |frame, place| {
        let k = points[place];
        terrain.along(&(result.step(frame, k) - source.step(frame, k) * scale))
    });
    [farthest(&rests.path), farthest(&beyond)]
}

/// The largest distance of a path from its median.
fn farthest(path: &[Vector3<f64>]) -> f64 {
    let median = Vector3::from_fn(|axis, _| {
        let mut all: Vec<f64> = path.iter().map(|place| place[axis]).collect();
        let middle = all.len() / 2;
        *all.select_nth_unstable_by(middle, f64::total_cmp).1
    });
    path.iter().map(|place| (place - median).norm()).fold(0.0, f64::max)
}
