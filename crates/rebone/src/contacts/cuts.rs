//! Where a clip is not one movement.

use super::tracks::Tracks;
use std::ops::Range;

/// A body that moves on by more between two frames jumped: metres, and metres a second.
const LEAST: f64 = 0.15;
const SPEED: f64 = 20.0;

/// The pieces of a clip between which nothing passes: cut where the body jumps, and behind a first frame that is
/// a reference pose.
pub fn pieces(tracks: &Tracks, begins_with_reference: bool) -> Vec<Range<usize>> {
    let most = LEAST.max(SPEED * tracks.frame_time);
    let jumps = |&frame: &usize| {
        let step = tracks.hips(frame) - tracks.hips(frame - 1);
        step.norm() > most || (begins_with_reference && frame == 1)
    };
    let cuts: Vec<usize> = (1..tracks.len()).filter(jumps).collect();
    let begins = [0].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([tracks.len()]);
    begins.zip(ends).map(|(begin, end)| begin..end).filter(|piece| !piece.is_empty()).collect()
}
