//! Floating of the source: a height over the floor at which no part of the body is supported.

use super::metric::MetricCollector;
use crate::contacts::{SupportTrajectories, Terrain};
use rebone_body::body::CENTIMETRES_PER_METRE;
use std::collections::VecDeque;
use std::ops::Range;

/// Shortest time that counts as floating, seconds: longer than any jump.
const MIN_FLOAT_SECONDS: f64 = 1.5;
/// Least height that counts as floating, cm at a stature of 1.8 m: the height of soles is not known better.
const MIN_FLOAT_CENTIMETRES: f64 = 3.0;

/// Adds the worst span in which no part of the source comes near its floor as a defect, at the size of the result and by the
/// thresholds of `foot_float`, as slides of the source are.
pub(super) fn grade(
    low_passed: &SupportTrajectories,
    terrain: &Terrain,
    pieces: &[Range<usize>],
    scale: f64,
    collector: &mut MetricCollector,
) {
    let lowest = |frame: usize| {
        let clearances = 0..low_passed.points.len();
        let clearances = clearances.map(|k| terrain.skin_clearance(low_passed, frame, k));
        clearances.fold(f64::INFINITY, f64::min)
    };
    let length = ((MIN_FLOAT_SECONDS / low_passed.frame_time).round() as usize).max(1);
    let mut worst = (0.0, 0..0);
    for piece in pieces {
        // Frames of the window that may still be its lowest, with their heights: a monotonic queue.
        let mut least: VecDeque<(usize, f64)> = VecDeque::new();
        for frame in piece.clone() {
            let own = lowest(frame);
            while least.back().is_some_and(|(_, height)| *height >= own) {
                least.pop_back();
            }
            least.push_back((frame, own));
            let Some(start) = (frame + 1).checked_sub(length).filter(|&k| k >= piece.start) else {
                continue;
            };
            while least.front().is_some_and(|(at, _)| *at < start) {
                least.pop_front();
            }
            let height = least.front().map_or(0.0, |own| own.1) * scale * CENTIMETRES_PER_METRE;
            if height.is_finite() && height > worst.0 {
                worst = (height, start..frame + 1);
            }
        }
    }
    let (height, frames) = worst;
    if height > MIN_FLOAT_CENTIMETRES {
        let text = format!("the body floats {height:.1} cm over the floor in the source");
        collector.source_defect("foot_float", height, frames, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::SupportPoint::{Ball, Heel};
    use nalgebra::Vector3;
    use rebone_body::body::Side::Left;
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
        assert_eq!(found[0].frames, Some([115, 204]));
        assert!(defects(&|_| 0.02, whole).is_empty(), "soles are not known better");
        let short = |t: f64| if (1.0..2.6).contains(&t) { 0.06 } else { 0.0 };
        assert_eq!(defects(&short, whole).len(), 1, "whenever it begins");
        let jump = |t: f64| if (1.0..2.1).contains(&t) { 0.5 } else { 0.0 };
        assert!(defects(&jump, whole).is_empty());
        assert!(defects(&|_| 0.06, &[0..80, 80..160]).is_empty(), "pieces that are too short");
    }
}
