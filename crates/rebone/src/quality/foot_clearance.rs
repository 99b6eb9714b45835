//! Feet that are turned to stay out of the floor: large shoes on short legs.

use super::body_trace::Comparison;
use crate::align::SupportPoint;
use crate::math::ease;
use rebone_body::body::Side;
use rebone_body::math::percentile;

/// Rotation that a foot may have beside the source's where it would be in the floor otherwise, degrees.
const ALLOWANCE_DEGREES: f64 = 30.0;
/// Depths in the floor up to which nothing is allowed, and from which on all is, metres of a 1.7 m body.
const DEPTHS_METRES: [f64; 2] = [0.01, 0.04];
/// Part of the frames whose lowest foot is lower than the floor.
const FLOOR_FRACTION: f64 = 0.05;

/// The floor below a result's feet.
pub(super) struct FootClearance<'a> {
    pair: &'a Comparison<'a>,
    /// Its height, metres of a 1.7 m body.
    floor: f64,
}

impl<'a> FootClearance<'a> {
    pub(super) fn new(pair: &'a Comparison<'a>) -> Self {
        let lowest = |frame| feet(pair, frame).fold(f64::INFINITY, |low, own| low.min(own.1));
        let heights: Vec<f64> = (0..pair.len()).map(lowest).filter(|own| own.is_finite()).collect();
        Self { pair, floor: percentile(heights, FLOOR_FRACTION) }
    }

    /// Returns the rotation that a foot may differ by from the source's in a frame, degrees. `place` is its index among the
    /// segments.
    pub(super) fn allowed_degrees(&self, frame: usize, place: usize, side: Side) -> f64 {
        let [least, most] = DEPTHS_METRES;
        ALLOWANCE_DEGREES * ease((self.depth_if_kept(frame, place, side) - least) / (most - least))
    }

    /// Returns how deep a foot would be in the floor if it had the source's rotation about its ankle.
    fn depth_if_kept(&self, frame: usize, place: usize, side: Side) -> f64 {
        let [wanted, own] = [0, 1].map(|body| self.pair.rotation(body, frame, place));
        let turn = wanted * own.inverse();
        let tracks = &self.pair.tracks[1];
        let ankle = tracks.limb(frame, side.index())[1];
        let of_side =
            feet(self.pair, frame).filter(|(k, _)| side_of(tracks.points[*k]) == Some(side));
        let heights = of_side
            .map(|(k, _)| (ankle + turn * (tracks.position(frame, k) - ankle)).y - tracks.radii[k]);
        heights.map(|height| self.floor - height).fold(0.0, f64::max)
    }
}

/// The points of both feet of the result: their index, and the height of the sole there.
fn feet<'a>(pair: &'a Comparison, frame: usize) -> impl Iterator<Item = (usize, f64)> + 'a {
    let tracks = &pair.tracks[1];
    let points = tracks.points.iter().zip(&tracks.radii).enumerate();
    let points = points.filter(|(_, (point, _))| side_of(**point).is_some());
    points.map(move |(k, (_, radius))| (k, tracks.position(frame, k).y - radius))
}

fn side_of(point: SupportPoint) -> Option<Side> {
    match point {
        SupportPoint::Heel(side) | SupportPoint::Ball(side) | SupportPoint::Toes(side) => {
            Some(side)
        }
        _ => None,
    }
}
