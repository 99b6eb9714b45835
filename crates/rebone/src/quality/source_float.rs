//! A source that floats: captures whose height is off, over ground that they should stand on.

use super::metric::MetricCollector;
use crate::body::CENTIMETRES_PER_METRE;
use crate::contacts::{SupportTrajectories, Terrain};
use std::ops::Range;

/// Half of the shortest time that counts as floating, which no jump takes.
const HALF_SECONDS: f64 = 0.75;
/// Least height that counts as floating: soles are not known better.
const MIN_CENTIMETRES: f64 = 3.0;

/// Adds the worst time in which no part of the source comes near its floor as a defect.
pub(super) fn grade(
    low_passed: &SupportTrajectories,
    terrain: &Terrain,
    pieces: &[Range<usize>],
    scale: f64,
    collector: &mut MetricCollector,
) {
    let lowest = |frame: usize| {
        let clearance =
            |k: usize| terrain.clearance(&low_passed.position(frame, k)) - low_passed.radii[k];
        (0..low_passed.points.len()).map(clearance).fold(f64::INFINITY, f64::min)
    };
    let length = ((HALF_SECONDS / low_passed.frame_time).ceil() as usize).max(1);
    let mut worst = (0.0, 0..0);
    for piece in pieces {
        let starts: Vec<usize> = piece.clone().step_by(length).collect();
        let least = |start: &usize| {
            (*start..(start + length).min(piece.end)).map(lowest).fold(f64::INFINITY, f64::min)
        };
        let blocks: Vec<f64> = starts.iter().map(least).collect();
        for (pair, start) in blocks.windows(2).zip(&starts) {
            let frames = *start..start + 2 * length;
            let height = pair[0].min(pair[1]) * scale * CENTIMETRES_PER_METRE;
            if frames.end <= piece.end && height.is_finite() && height > worst.0 {
                worst = (height, frames);
            }
        }
    }
    let (height, frames) = worst;
    if height > MIN_CENTIMETRES {
        let text = format!("the body floats {height:.1} cm over the floor in the source");
        collector.source_defect("foot_float", height, frames, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::SupportPoint::{Ball, Heel};
    use crate::body::Side::Left;
    use nalgebra::Vector3;
    use std::slice::from_ref;

    #[test]
    fn a_body_floats_that_is_off_the_floor_for_longer_than_a_jump() {
        let defects = |height: &dyn Fn(f64) -> f64, pieces: &[Range<usize>]| {
            let frame = |t: usize| {
                let height = height(t as f64 / 60.0);
                vec![Vector3::new(0.0, height, 0.0), Vector3::new(0.0, height, 0.2)]
            };
            let points = [Heel(Left), Ball(Left)];
            let tracks = SupportTrajectories::of_supports(&points, 1.0 / 60.0, (0..240).map(frame));
            let mut collector = MetricCollector::new(1.0 / 60.0);
            grade(&tracks, &Terrain::flat(0.0), pieces, 1.0, &mut collector);
            collector.source_defects
        };
        let whole = from_ref(&(0..240));
        let late = |t: f64| if t > 1.9 { 0.06 } else { 0.0 };
        let found = defects(&late, whole);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].text, "the body floats 6.4 cm over the floor in the source");
        assert_eq!(found[0].frames, Some([135, 224]));
        assert!(defects(&|_| 0.02, whole).is_empty(), "soles are not known better");
        let jump = |t: f64| if (1.0..2.1).contains(&t) { 0.5 } else { 0.0 };
        assert!(defects(&jump, whole).is_empty());
        assert!(defects(&|_| 0.06, &[0..80, 80..160]).is_empty(), "pieces that are too short");
    }
}
