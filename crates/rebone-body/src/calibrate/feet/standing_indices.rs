//! Frames in which a foot stands.

use crate::body::Leg;
use crate::calibrate::fusion::angle_fusion::AngleEstimate;
use nalgebra::{Unit, Vector3};
use rebone_skeleton::WorldPose;

/// The line from ankle to ball of a standing foot points down by so much, in the rest poses of 20
/// conventions; and how much it is spread.
pub(crate) const USUAL_SLOPE: AngleEstimate =
    AngleEstimate { angle: -28_f64.to_radians(), sigma: 13_f64.to_radians() };
/// A foot stands where its ankle is not higher than the other's lowest, or its own, by this share of the shin.
pub(crate) const MAX_STANDING_HEIGHT: f64 = 0.12;

/// A foot that moves by a length from one frame to the next counts as lifted by that many lengths.
const SPEED_COUNTS: f64 = 3.0;

/// The frames of [`standing_indices`].
pub(crate) fn standing_frames<'a>(
    leg: &Leg,
    frames: Vec<&'a WorldPose>,
    up: Unit<Vector3<f64>>,
) -> Vec<&'a WorldPose> {
    standing_indices(leg, &frames, up).into_iter().map(|k| frames[k]).collect()
}

/// Indices of the fifth of the frames in which a foot is lowest and slowest, without those in which it is higher than in the lowest
/// twentieth by more than [`MAX_STANDING_HEIGHT`]: of a dance with raised heels most of a fifth does not stand.
pub(crate) fn standing_indices(
    leg: &Leg,
    frames: &[&WorldPose],
    up: Unit<Vector3<f64>>,
) -> Vec<usize> {
    let place = |k: usize| frames[k].positions[leg.foot.index()];
    let speed = |k: usize| (place(k) - place(k.saturating_sub(1))).norm();
    let rank = |k: usize| place(k).dot(&up) + SPEED_COUNTS * speed(k);
    let mut order: Vec<(f64, usize)> = (0..frames.len()).map(|k| (rank(k), k)).collect();
    order.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    order.truncate((frames.len() / 5).max(1));
    if let Some(&(lowest, low)) = order.get(frames.len() / 20) {
        let shin = (place(low) - frames[low].positions[leg.lower.index()]).norm();
        let most = lowest + MAX_STANDING_HEIGHT * shin;
        order.retain(|(rank, _)| *rank <= most);
    }
    order.into_iter().map(|(_, k)| k).collect()
}
