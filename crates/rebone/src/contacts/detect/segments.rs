//! Where a clip is not one movement.

use nalgebra::Vector3;
use std::ops::Range;

/// A body that moves on by more between two frames jumped: metres, and metres a second.
const LEAST: f64 = 0.15;
const SPEED: f64 = 20.0;

/// The pieces of a clip between which nothing passes: cut where the body jumps, and behind a first frame that is
/// a reference pose. `hips` are the places of the middle between the hips, frame by frame, metres of a 1.7 m body.
pub(crate) fn segments(
    hips: &[Vector3<f64>],
    frame_time: f64,
    begins_with_reference: bool,
) -> Vec<Range<usize>> {
    let most = LEAST.max(SPEED * frame_time);
    let jumps = |&frame: &usize| {
        (hips[frame] - hips[frame - 1]).norm() > most || (begins_with_reference && frame == 1)
    };
    let cuts: Vec<usize> = (1..hips.len()).filter(jumps).collect();
    let begins = [0].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([hips.len()]);
    begins.zip(ends).map(|(begin, end)| begin..end).filter(|segment| !segment.is_empty()).collect()
}
