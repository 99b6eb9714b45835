//! Keeps hands above the ground: lifts of the end effectors of arms.

use super::smooth_envelope::{RISE_SECONDS, smooth_envelope};
use super::targets::segment_bodies::SegmentBodies;
use crate::contacts::BodyPart;
use crate::frame::PoseOffset;
use crate::math::low_passed;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::body::{Limb, METRES_PER_CENTIMETRE, Side};
use std::ops::Range;

/// Depth of a hand below the ground that is left, metres: 3 cm at 1.8 m.
const ALLOWED_DEPTH_METRES: f64 = 3.0 * METRES_PER_CENTIMETRE;
/// Largest rotation of a hand about its wrist.
const MAX_TURN: f64 = 40_f64.to_radians();

/// Share of the direction ahead, of that of the normal, in the direction that hands bend towards.
const AHEAD_SHARE: f64 = 0.35;

/// Adds rotations of hands and lifts of arms to the offsets of a segment, so that no hand is deeper below the ground than
/// the source's, scaled.
///
/// A hand reaches below the ground where arms are longer, legs shorter or hands larger than the source's. It first bends
/// at the wrist towards the plane of the ground, for lifting a straight arm bends it much. The arm then lifts it along the
/// normal of the ground. Both are smooth functions above what each frame needs.
pub(crate) fn lift_hands(pair: &SegmentBodies, frames: &Range<usize>, offsets: &mut [PoseOffset]) {
    for (k, limb) in Limb::ALL.into_iter().enumerate() {
        let Limb::Arm(side) = limb else { continue };
        let depths = depths(pair, frames, (k, side), offsets);
        if depths.iter().all(|depth| *depth == 0.0) {
            continue;
        }
        let reach = (RISE_SECONDS / pair.source.frame_time).ceil().max(1.0) as usize;
        let hands = frames.clone().map(|frame| {
            pair.target.lowest_of_hand(frame, side.index()) - pair.target.limb(frame, k)[1]
        });
        let hands = low_passed(&hands.collect::<Vec<_>>(), 1, reach as f64 / 2.0);
        let normal = *pair.below.normal;
        let needed =
            depths.iter().zip(&hands).map(|(depth, hand)| turn_that_lifts(hand, &normal, *depth));
        let turns =
            frames.clone().zip(&hands).zip(smooth_envelope(&needed.collect::<Vec<_>>(), reach));
        let turns = turns.map(|((frame, hand), turn)| bend_axis(pair, frame, hand) * turn);
        // Filtered: the axis turns round where a hand passes the direction from which it bends.
        let turns = low_passed(&turns.collect::<Vec<Vector3<f64>>>(), 1, reach as f64 / 4.0);
        let rest = depths.iter().zip(&hands).zip(&turns).map(|((depth, hand), turn)| {
            let turned = UnitQuaternion::from_scaled_axis(*turn) * hand;
            f64::max(depth - (turned - hand).dot(&normal), 0.0)
        });
        let lifts = smooth_envelope(&rest.collect::<Vec<_>>(), reach);
        for (offset, (turn, lift)) in offsets.iter_mut().zip(turns.into_iter().zip(lifts)) {
            offset.hands[side.index()] = turn;
            if lift > 0.0 {
                let end = offset.ends[k].unwrap_or(offset.root);
                offset.ends[k] = Some(end + normal * lift);
            }
        }
    }
}

/// Returns the depth of a hand below the ground in each frame, less the source's; 0 above it.
fn depths(
    pair: &SegmentBodies,
    frames: &Range<usize>,
    (limb, side): (usize, Side),
    offsets: &[PoseOffset],
) -> Vec<f64> {
    let part = BodyPart::Hand(side);
    let levels = pair.terrain.level_under_part(pair.low_passed, part, [].into_iter(), frames);
    let depth = |((frame, level), offset): ((usize, usize), &PoseOffset)| {
        let [source, target] =
            [pair.source, pair.target].map(|tracks| tracks.lowest_of_hand(frame, side.index()));
        let moved = target + offset.ends[limb].unwrap_or(offset.root);
        let allowed = -pair.terrain.height_over_level(level, &source) * pair.scale;
        let allowed = allowed.max(0.0) + ALLOWED_DEPTH_METRES;
        f64::max(-pair.below.height_over_level(level, &moved) - allowed, 0.0)
    };
    frames.clone().zip(levels).zip(offsets).map(depth).collect()
}

/// Returns the axis about which a hand bends towards the plane of the ground, ahead where it hangs straight down; zero
/// where no axis does.
fn bend_axis(pair: &SegmentBodies, frame: usize, hand: &Vector3<f64>) -> Vector3<f64> {
    let normal = *pair.below.normal;
    let hips = pair.target.hip_line(frame).unwrap_or_else(Vector3::zeros);
    let ahead = hips.cross(&normal).try_normalize(0.0).unwrap_or_else(Vector3::zeros);
    let towards = normal + ahead * AHEAD_SHARE;
    hand.cross(&towards).try_normalize(1e-3 * hand.norm()).unwrap_or_else(Vector3::zeros)
}

/// Returns the rotation about the wrist that lifts the lowest point of a hand by `depth`, at most until it is level with
/// the wrist.
fn turn_that_lifts(hand: &Vector3<f64>, normal: &Vector3<f64>, depth: f64) -> f64 {
    let length = hand.norm().max(f64::MIN_POSITIVE);
    let pitch = libm::asin((hand.dot(normal) / length).clamp(-1.0, 1.0));
    let wanted = libm::asin((libm::sin(pitch) + depth / length).min(0.0));
    f64::max(wanted - pitch, 0.0).min(MAX_TURN)
}
