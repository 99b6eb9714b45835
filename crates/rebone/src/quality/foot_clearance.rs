//! Feet that are turned to stay out of the floor: large shoes on short legs.

use super::body_trace::Comparison;
use crate::align::SupportPoint;
use crate::body::Side;
use crate::math::ease;

/// Rotation that a foot may have beside the source's where it would be in the floor otherwise, degrees.
const ALLOWANCE_DEGREES: f64 = 30.0;
/// Depths in the floor up to which nothing is allowed, and from which on all is, metres of a 1.7 m body.
const DEPTHS_METRES: [f64; 2] = [0.01, 0.04];

/// Returns the rotation that a foot of the result may differ by from the source's in a frame, degrees. `place` is its index among
/// the segments.
pub(super) fn allowed_degrees(pair: &Comparison, frame: usize, place: usize, side: Side) -> f64 {
    let [least, most] = DEPTHS_METRES;
    ALLOWANCE_DEGREES * ease((depth_if_kept(pair, frame, place, side) - least) / (most - least))
}

/// Returns how far a foot of the result would be below the lowest point of both feet if it had the source's rotation about its
/// ankle.
fn depth_if_kept(pair: &Comparison, frame: usize, place: usize, side: Side) -> f64 {
    let tracks = &pair.tracks[1];
    let [wanted, own] = [0, 1].map(|body| pair.rotation(body, frame, place));
    let turn = wanted * own.inverse();
    let ankle = tracks.limb(frame, side.index())[1];
    let (mut lowest, mut kept) = (f64::INFINITY, f64::INFINITY);
    for (k, (point, radius)) in tracks.points.iter().zip(&tracks.radii).enumerate() {
        use SupportPoint::{Ball, Heel, Toes};
        let (Heel(of) | Ball(of) | Toes(of)) = *point else { continue };
        let at = tracks.position(frame, k);
        lowest = lowest.min(at.y - radius);
        if of == side {
            kept = kept.min((ankle + turn * (at - ankle)).y - radius);
        }
    }
    if kept.is_finite() { (lowest - kept).max(0.0) } else { 0.0 }
}
