//! Feet that bear though a capture has drifted off the ground.

use super::sole_pivot::PivotPath;
use super::terrain::{MIN_STEP_METRES, Terrain};
use super::tracks::SupportTrajectories;

/// Clearance below which a foot that is the lowest part of the body bears, as captures drift: lower than any step.
pub(super) const DRIFT_METRES: f64 = MIN_STEP_METRES;
/// Height by which another part may be lower.
const LOWEST_METRES: f64 = 0.01;

/// Returns whether a part is as near to the ground as captures drift, and the lowest of the body, in a frame of its path.
pub(super) fn drifts(
    low_passed: &SupportTrajectories,
    terrain: &Terrain,
    (pivot, t): (&PivotPath, usize),
) -> bool {
    let frame = t + pivot.begin;
    let clearance = |k: usize| terrain.skin_clearance(low_passed, frame, k);
    let least = pivot.clearance[t] - LOWEST_METRES;
    pivot.clearance[t] < DRIFT_METRES && (0..low_passed.points.len()).all(|k| clearance(k) > least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::SupportPoint::{Ball, Heel, Knee};
    use crate::contacts::{BodyPart, detect_by_displacement};
    use nalgebra::Vector3;
    use rebone_body::body::Side::{Left, Right};
    use std::slice::from_ref;

    #[test]
    fn the_lowest_foot_bears_where_a_capture_drifts_and_at_the_top_of_a_hop_it_does_not() {
        let contacts = |place: &dyn Fn(f64) -> [f64; 2], knee: f64| {
            let frame = |t: usize| {
                let [height, ahead] = place(t as f64 / 60.0);
                let foot = |along: f64| Vector3::new(0.0, height, ahead + along);
                vec![foot(0.0), foot(0.2), Vector3::new(0.3, knee, 0.0)]
            };
            let points = [Heel(Left), Ball(Left), Knee(Right)];
            let tracks = SupportTrajectories::of_supports(&points, 1.0 / 60.0, (0..120).map(frame));
            let feet = [BodyPart::Foot(Left)];
            let found =
                detect_by_displacement(&tracks, &Terrain::flat(0.0), from_ref(&(0..120)), &feet);
            found.into_iter().map(|own| (own.frames.start, own.frames.end)).collect::<Vec<_>>()
        };
        assert_eq!(contacts(&|_| [0.06, 0.0], 0.5), [(0, 120)], "it floats by 6 cm");
        assert_eq!(contacts(&|_| [0.06, 0.0], 0.0), [], "a knee is on the ground");
        assert_eq!(contacts(&|_| [0.1, 0.0], 0.5), [], "a step");
        let hop = |t: f64| {
            let off = (t - 1.0).abs();
            [(0.07 - 9.81 / 2.0 * off * off).max(0.0), 5.0 * (off - 0.1).max(0.0)]
        };
        assert_eq!(contacts(&hop, 0.5), []);
    }
}
