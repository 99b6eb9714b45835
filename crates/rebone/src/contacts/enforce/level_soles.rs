//! Levels standing soles sideways: a constant roll of a standing foot is noise of the capture or of its calibration.

use super::targets::segment_bodies::SegmentBodies;
use crate::align::Plan;
use crate::contacts::detect::SupportTrajectories;
use crate::contacts::{BodyPart, Contact, ContactKind};
use crate::frame::PoseOffset;
use crate::math::{ease, low_passed};
use nalgebra::{Unit, Vector3};
use rebone_body::body::Side;
use rebone_body::math::percentile;
use std::ops::Range;

/// Roll of a standing foot up to which it is noise, radians; it counts less beyond, and not from twice that on: the foot
/// is on its edge.
const MAX_ROLL_RADIANS: f64 = 10_f64.to_radians();
/// Range of the roll within a contact, from the 10th to the 90th percentile, up to which it is constant; less beyond, and not
/// from twice that on.
const MAX_SCATTER_RADIANS: f64 = 3_f64.to_radians();
/// A foot stands from this time on; it may be on its edge for half of it.
const MIN_STANCE_SECONDS: f64 = 0.6;
/// Slope of the ground from which on feet are not levelled, radians; half of it has no effect.
const MAX_SLOPE_RADIANS: f64 = 4_f64.to_radians();
/// Time over which a foot rolls to level and back: standard deviation, seconds.
const ROLL_SECONDS: f64 = 0.08;

/// Adds rotations of standing feet to the offsets of a segment.
pub(super) fn level_soles(
    plan: &Plan,
    pair: &SegmentBodies,
    moved: &SupportTrajectories,
    (segment, contacts): (&Range<usize>, &[&Contact]),
    offsets: &mut [PoseOffset],
) {
    let slope = pair.below.normal.angle(&Vector3::y());
    let share = ease(2.0 - 2.0 * slope / MAX_SLOPE_RADIANS);
    if moved.feet.is_empty() || !moved.has_foot_mesh || share == 0.0 {
        return;
    }
    for side in Side::BOTH {
        let own = contacts.iter().filter(|own| own.part == BodyPart::Foot(side));
        let mut rolls = vec![Vector3::zeros(); segment.len()];
        for contact in own.filter(|own| own.kind != ContactKind::Slide) {
            let frames = contact.frames.clone();
            let all: Vec<f64> = frames.map(|frame| roll_of(plan, moved, frame, side)).collect();
            let roll = share * constant_roll(&all, moved.frame_time);
            for frame in contact.frames.clone() {
                rolls[frame - segment.start] = ahead(plan, moved, frame, side) * -roll;
            }
        }
        if rolls.iter().all(|roll| *roll == Vector3::zeros()) {
            continue;
        }
        let rolls = low_passed(&rolls, 1, ROLL_SECONDS / pair.source.frame_time);
        for (offset, roll) in offsets.iter_mut().zip(rolls) {
            offset.feet[side.index()] = roll;
        }
    }
}

/// Returns the roll of a foot over the ground in a frame, its left side up.
fn roll_of(plan: &Plan, moved: &SupportTrajectories, frame: usize, side: Side) -> f64 {
    let foot = plan.target.body.legs[side.index()].foot;
    let left = plan.target.anatomical(foot, &moved.feet[frame][side.index()].foot) * Vector3::x();
    libm::asin(left.y.clamp(-1.0, 1.0))
}

/// Returns what of the roll of a standing foot is noise, given the roll in each frame.
fn constant_roll(rolls: &[f64], frame_time: f64) -> f64 {
    let [low, mid, high] = [0.1, 0.5, 0.9].map(|share| percentile(rolls.to_vec(), share));
    let time = rolls.len() as f64 * frame_time;
    mid * ease(2.0 - mid.abs() / MAX_ROLL_RADIANS)
        * ease(2.0 - (high - low) / MAX_SCATTER_RADIANS)
        * ease(2.0 * time / MIN_STANCE_SECONDS - 1.0)
}

/// Returns where a foot points along the floor.
fn ahead(plan: &Plan, moved: &SupportTrajectories, frame: usize, side: Side) -> Vector3<f64> {
    let foot = plan.target.body.legs[side.index()].foot;
    let ahead = plan.target.anatomical(foot, &moved.feet[frame][side.index()].foot) * Vector3::z();
    let flat = Vector3::new(ahead.x, 0.0, ahead.z);
    Unit::try_new(flat, 1e-3).map_or_else(Vector3::zeros, Unit::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_roll_of_a_stance_is_noise_and_a_short_or_large_one_is_not() {
        let (time, roll) = (0.02, 8_f64.to_radians());
        assert_eq!(constant_roll(&[roll; 100], time), roll);
        assert_eq!(constant_roll(&[-roll; 100], time), -roll);
        assert_eq!(constant_roll(&[roll; 10], time), 0.0, "on its edge for a moment");
        assert_eq!(constant_roll(&[3.0 * roll; 100], time), 0.0, "on its edge");
        let sways: Vec<f64> = (0..100).map(|k| roll * (1.0 + libm::sin(f64::from(k)))).collect();
        assert_eq!(constant_roll(&sways, time), 0.0, "it rolls");
    }
}
