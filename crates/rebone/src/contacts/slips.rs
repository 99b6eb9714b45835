//! How far parts in contact slide.

use super::still::Part;
use super::tracks::Tracks;
use super::{Contact, Terrain};
use nalgebra::Vector3;

/// A source and a result, whose contacts are compared: paths of both bodies, what the source moves on, and lengths of
/// the result over those of the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slips<'a> {
    pub(crate) source: &'a Tracks,
    pub(crate) result: &'a Tracks,
    pub(crate) terrain: &'a Terrain,
    pub(crate) scale: f64,
}

impl Slips<'_> {
    /// How far a part gets from its median place along the floor while it is in contact, metres: the source's, and what
    /// the result's does beyond that, at the point that the source's rests on.
    pub(crate) fn of(&self, contact: &Contact) -> [f64; 2] {
        let points = contact.part.points(&self.source.points);
        let frames = contact.frames.start..contact.frames.end.min(self.source.len());
        if points.is_empty() || frames.is_empty() {
            return [0.0; 2];
        }
        let rests = Part::read(self.source, Some(self.terrain), &points, frames.clone());
        let mut beyond = vec![Vector3::zeros()];
        for frame in frames.clone().skip(1) {
            let [last, weights] = [frame - 1, frame].map(|k| &rests.weights[k - frames.start]);
            let mut place = beyond[beyond.len() - 1];
            for (k, &point) in points.iter().enumerate() {
                let step = |tracks: &Tracks| {
                    self.terrain
                        .along(&(tracks.place(frame, point) - tracks.place(frame - 1, point)))
                };
                let step = step(self.result) - step(self.source) * self.scale;
                place += step * ((last[k] + weights[k]) / 2.0);
            }
            beyond.push(place);
        }
        [farthest(&rests.path), farthest(&beyond)]
    }
}

/// The largest distance of a path from its median.
fn farthest(path: &[Vector3<f64>]) -> f64 {
    let median = Vector3::from_fn(|axis, _| {
        let mut all: Vec<f64> = path.iter().map(|place| place[axis]).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or(0.0)
    });
    path.iter().map(|place| (place - median).norm()).fold(0.0, f64::max)
}
