//! Foot sliding: tangential displacement of parts in contact.

use super::sole_pivot::PivotPath;
use super::terrain::Terrain;
use super::tracks::SupportTrajectories;
use crate::contacts::Contact;
use nalgebra::Vector3;

/// Returns `[source, result]`: the largest tangential distance from the median position during a contact, metres, at the
/// pivot of the source. That of the result is the smaller one of its slide relative to the source and its slide in the
/// world. `scale` is lengths of the result over those of the source.
pub(crate) fn foot_slide(
    contact: &Contact,
    [source, result]: [&SupportTrajectories; 2],
    low_passed: &SupportTrajectories,
    terrain: &Terrain,
    scale: f64,
) -> [f64; 2] {
    let points = contact.part.points(&source.points);
    let frames = contact.frames.start..contact.frames.end.min(source.len());
    if points.is_empty() || frames.is_empty() {
        return [0.0; 2];
    }
    let rests = PivotPath::new(low_passed, Some(terrain), &points, frames.clone());
    let beyond = rests.rolling_path(&frames, |frame, place| {
        let k = points[place];
        terrain.tangential(&(result.step(frame, k) - source.step(frame, k) * scale))
    });
    let alone = rests.rolling_path(&frames, |frame, place| {
        terrain.tangential(&result.step(frame, points[place]))
    });
    [farthest(&rests.path), farthest(&beyond).min(farthest(&alone))]
}

/// Returns the largest distance of a path from its median.
fn farthest(path: &[Vector3<f64>]) -> f64 {
    let median = Vector3::from_fn(|axis, _| {
        let mut all: Vec<f64> = path.iter().map(|place| place[axis]).collect();
        let middle = all.len() / 2;
        *all.select_nth_unstable_by(middle, f64::total_cmp).1
    });
    path.iter().map(|place| (place - median).norm()).fold(0.0, f64::max)
}
