//! Toes that bend over time, and feet and toes turned as offsets say.

use super::smooth_envelope::smooth_envelope;
use crate::align::Plan;
use crate::contacts::detect::SupportTrajectories;
use crate::frame::PoseOffset;
use nalgebra::Vector3;
use rebone_body::body::Side;
use std::ops::Range;

/// Time over which toes begin to bend, seconds: a longer one lifts them off the ground before the push-off.
const BEND_SECONDS: f64 = 0.06;
/// Largest speed at which bent toes straighten, radians a second.
const STRAIGHTEN_SPEED: f64 = 400_f64.to_radians();

/// Adds bends of toes to the offsets of a segment: toes that are bent off the ground straighten slowly after a push-off, and
/// begin and end smoothly, never below what each frame has.
///
/// Flat toes are level by their bend, whatever those of the source do; a smooth bend would tremble as these, off the ground.
/// They take no more than what makes their pitch over the ground smooth.
pub(super) fn smooth_toes(
    target: &SupportTrajectories,
    segment: &Range<usize>,
    offsets: &mut [PoseOffset],
) {
    let Some(feet) = target.feet.get(segment.clone()) else { return };
    let reach = (BEND_SECONDS / target.frame_time).ceil().max(1.0) as usize;
    for side in [0, 1] {
        let bends: Vec<f64> = feet.iter().map(|feet| feet[side].toe_bend).collect();
        if bends.iter().all(|bend| *bend == 0.0) {
            continue;
        }
        // From straight down on: envelopes are of values above 0.
        let pitches: Vec<f64> =
            feet.iter().map(|feet| feet[side].toe_pitch + std::f64::consts::FRAC_PI_2).collect();
        let raises = |angles: &[f64]| -> Vec<f64> {
            let smooth = smooth_envelope(&straightening(angles, target.frame_time), reach);
            smooth.iter().zip(angles).map(|(smooth, angle)| (smooth - angle).max(0.0)).collect()
        };
        let (raises, pitches) = (raises(&bends), raises(&pitches));
        let steep: Vec<f64> = feet.iter().map(|feet| 1.0 - feet[side].toe_flatness).collect();
        let steep = smooth_envelope(&steep, reach);
        for (k, offset) in offsets.iter_mut().enumerate() {
            let beyond = (raises[k] - pitches[k]).max(0.0);
            offset.toes[side] = raises[k] - beyond * (1.0 - steep[k]);
        }
    }
}

/// Returns the least bends above some that fall by [`STRAIGHTEN_SPEED`] at most.
fn straightening(bends: &[f64], frame_time: f64) -> Vec<f64> {
    let least = |before: &mut f64, bend: &f64| {
        *before = f64::max(*bend, *before - STRAIGHTEN_SPEED * frame_time);
        Some(*before)
    };
    bends.iter().scan(0.0, least).collect()
}

/// Turns the feet of a segment of `moved` and their toes as the offsets say.
pub(super) fn turn_feet(
    plan: &Plan,
    moved: &mut SupportTrajectories,
    segment: &Range<usize>,
    offsets: &[PoseOffset],
) {
    for (frame, offset) in segment.clone().zip(offsets) {
        for side in Side::BOTH {
            let (foot, bend) = (offset.feet[side.index()], offset.toes[side.index()]);
            if foot == Vector3::zeros() && bend == 0.0 {
                continue;
            }
            let state = moved.feet[frame][side.index()];
            let turn = state.turn(plan, side, foot, bend);
            let lowest = state.lowest(&plan.supports.feet[1][side.index()], &turn);
            moved.turn_foot((frame, side), &turn, lowest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::FootState;

    #[test]
    fn toes_of_the_source_that_tremble_do_not_shake_flat_ones() {
        // The bend makes up for the source's toes, so that all are level.
        let mut tracks = SupportTrajectories::of_supports(&[], 0.01, (0..60).map(|_| Vec::new()));
        let bends = (0..60).map(|k| 0.3 + 0.05 * libm::sin(f64::from(2 * k)));
        tracks.feet = bends.map(|bend| [FootState::level(bend); 2]).collect();
        let fastest = |tracks: &SupportTrajectories| {
            let mut offsets = vec![PoseOffset::default(); 60];
            smooth_toes(tracks, &(0..60), &mut offsets);
            assert!(offsets.iter().all(|own| own.toes[0] >= 0.0));
            let steps = offsets.windows(2).map(|pair| (pair[1].toes[0] - pair[0].toes[0]).abs());
            steps.fold(0.0, f64::max)
        };
        assert!(fastest(&tracks) < 0.01, "{}", fastest(&tracks));
        tracks.feet.iter_mut().flatten().for_each(|feet| feet.toe_flatness = 0.0);
        assert!(fastest(&tracks) > 0.05, "steep toes make up for the source's");
    }

    #[test]
    fn toes_straighten_no_faster_than_their_limit_at_any_rate() {
        for time in [0.005, 0.02] {
            let bends: Vec<f64> =
                (0..100).map(|k| if f64::from(k) * time < 0.1 { 0.7 } else { 0.0 }).collect();
            let slow = straightening(&bends, time);
            let fastest =
                slow.windows(2).map(|pair| (pair[0] - pair[1]) / time).fold(0.0, f64::max);
            assert!(slow.iter().zip(&bends).all(|(slow, bend)| slow >= bend));
            assert!((fastest - STRAIGHTEN_SPEED).abs() < 1e-9, "{fastest}");
        }
    }
}
