//! Low-passes root height during stance, so that feet of other proportions entering or leaving contact do not make the
//! body bob.

use super::targets::segment_bodies::SegmentBodies;
use crate::align::Plan;
use crate::contacts::{BodyPart, Contact};
use crate::math::{ease, low_passed};
use nalgebra::Vector3;
use rebone_body::body::BODY_HEIGHT;
use std::ops::Range;

/// Standard deviation of the low-pass filter, and time over which it fades in and out of stance.
const SMOOTHING_SECONDS: f64 = 0.15;
/// Clearance below which parts other than feet may support the body, and above which they do not, metres.
const NEAR_METRES: f64 = 0.04 * BODY_HEIGHT;
const FAR_METRES: f64 = 0.1 * BODY_HEIGHT;

/// Returns vertical offsets of the target's root in a segment, so that its height over the source's path changes
/// slowly while a foot is in contact and no other part is near the ground.
///
/// Without contacts, the height of a frame follows its lowest sole, so a foot of other proportions entering or leaving
/// the ground moves the whole body.
pub(crate) fn smoothed_rise(
    plan: &Plan,
    pair: &SegmentBodies,
    segment: &Range<usize>,
    contacts: &[&Contact],
) -> Vec<Vector3<f64>> {
    let rise = |frame: usize| {
        let off =
            pair.target.hip_centre(frame) - plan.scaled_to_target(&pair.source.hip_centre(frame));
        Vector3::y() * off.y
    };
    let rises: Vec<Vector3<f64>> = segment.clone().map(rise).collect();
    let smooth = low_passed(&rises, 1, SMOOTHING_SECONDS / pair.source.frame_time);
    let stands = stance_weight(segment, contacts, pair.source.frame_time);
    let alone = unsupported_weight(pair, segment, contacts);
    let shares = stands.into_iter().zip(alone).map(|(stands, alone)| stands * alone);
    let both = smooth.iter().zip(&rises).zip(shares);
    both.map(|((smooth, rise), share)| (smooth - rise) * share).collect()
}

/// Returns the weight of stance in each frame of a segment, 0 to 1: it fades in after the first contact and out before
/// the end of the last.
fn stance_weight(segment: &Range<usize>, contacts: &[&Contact], frame_time: f64) -> Vec<f64> {
    let mut is_held = vec![false; segment.len()];
    for contact in contacts.iter().filter(|own| matches!(own.part, BodyPart::Foot(_))) {
        is_held[contact.frames.start - segment.start..contact.frames.end - segment.start]
            .fill(true);
    }
    let mut since = vec![f64::INFINITY; segment.len()];
    let mut pass = |frames: &mut dyn Iterator<Item = usize>| {
        // A contact at an end of the segment extends beyond it.
        let mut time = f64::INFINITY;
        for k in frames {
            time = if is_held[k] { time + frame_time } else { 0.0 };
            since[k] = since[k].min(time);
        }
    };
    pass(&mut (0..segment.len()));
    pass(&mut (0..segment.len()).rev());
    since.into_iter().map(|time| ease(time / SMOOTHING_SECONDS)).collect()
}

/// Returns the weight in each frame of a segment with which no part of the source but its feet is near the ground
/// below them, 0 to 1.
fn unsupported_weight(
    pair: &SegmentBodies,
    segment: &Range<usize>,
    contacts: &[&Contact],
) -> Vec<f64> {
    let SegmentBodies { source, terrain, .. } = *pair;
    let [left, right] = BodyPart::FEET.map(|part| {
        let held = contacts.iter().filter(|own| own.part == part).map(|own| own.frames.clone());
        terrain.level_under_part(pair.low_passed, part, held, segment)
    });
    let is_other = |k: &usize| !matches!(BodyPart::of(source.points[*k]), BodyPart::Foot(_));
    let others: Vec<usize> = (0..source.points.len()).filter(is_other).collect();
    let share = |(frame, levels): (usize, [usize; 2])| {
        let [low, high] = [levels[0].min(levels[1]), levels[0].max(levels[1])];
        let clearance = |&k: &usize| {
            let over = |level| {
                terrain.height_over_level(level, &source.position(frame, k)) - source.radii[k]
            };
            // A part far below the upper step stands next to it.
            if over(high) > -NEAR_METRES { over(high) } else { over(low) }
        };
        let least = others.iter().map(clearance).fold(f64::INFINITY, f64::min);
        ease((least - NEAR_METRES) / (FAR_METRES - NEAR_METRES))
    };
    let levels = left.into_iter().zip(right).map(|(left, right)| [left, right]);
    segment.clone().zip(levels).map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::ContactKind;
    use rebone_body::body::Side;

    #[test]
    fn it_takes_a_time_from_the_first_contact_and_to_the_last() {
        let foot = |side, frames| Contact {
            on: None,
            part: BodyPart::Foot(side),
            kind: ContactKind::Plant,
            frames,
            confidence: 1.0,
        };
        // One foot after the other, without a gap; in the air before; in contact to the end of the piece.
        let contacts = [foot(Side::Left, 20..40), foot(Side::Right, 38..60)];
        let stands = stance_weight(&(10..60), &contacts.each_ref(), 0.01);
        assert!(stands[..10].iter().all(|share| *share == 0.0));
        assert!(stands[10..25].windows(2).all(|pair| pair[0] < pair[1]));
        assert!(stands[25..].iter().all(|share| *share == 1.0));
        let hand = Contact { part: BodyPart::Hand(Side::Left), ..contacts[0].clone() };
        assert_eq!(super::stance_weight(&(10..60), &[&hand], 0.01), [0.0; 50]);
    }
}
