//! The rule that motion capture pipelines use, by heights and speeds of single frames: to compare with.

use super::displacement::CENTIMETRE;
use super::spans::runs;
use super::terrain::Terrain;
use super::tracks::Tracks;
use crate::align::SupportPoint;
use crate::body::Side;
use crate::contacts::{BodyPart, Contact, ContactKind};
use std::ops::Range;

/// The toes are near the floor below this clearance.
const NEAR: f64 = 3.0 * CENTIMETRE;
/// Toes and heel move by less in a frame of this time, seconds.
const STEP: f64 = CENTIMETRE;
const FRAME: f64 = 1.0 / 30.0;
/// The majority counts over so many seconds: five such frames.
const VOTE: f64 = 5.0 * FRAME;

/// The contacts of the feet over pieces of a clip: in frames where the tip of the toes is within 3 cm of the floor, and
/// moves by at most 1 cm a frame, as does the heel, at a stature of 180 cm and 30 frames a second; the majority over five
/// frames decides.
pub(crate) fn find_by_thresholds(
    tracks: &Tracks,
    terrain: &Terrain,
    pieces: &[Range<usize>],
) -> Vec<Contact> {
    let mut contacts = Vec::new();
    for side in Side::BOTH {
        let place = |point| tracks.points.iter().position(|own| *own == point);
        let heel = place(SupportPoint::Heel(side));
        let toes = place(SupportPoint::Toes(side)).or(place(SupportPoint::Ball(side)));
        let (Some(heel), Some(toes)) = (heel, toes) else { continue };
        for piece in pieces {
            let rests = rests(tracks, terrain, piece, [heel, toes]);
            let found = runs(rests.len(), |t| rests[t], |_| true).into_iter();
            contacts.extend(found.map(|run| Contact {
                part: BodyPart::Foot(side),
                kind: ContactKind::Plant,
                frames: run.start + piece.start..run.end + piece.start,
                confidence: 1.0,
            }));
        }
    }
    contacts
}

/// In which frames of a piece a foot rests.
fn rests(
    tracks: &Tracks,
    terrain: &Terrain,
    piece: &Range<usize>,
    [heel, toes]: [usize; 2],
) -> Vec<bool> {
    let most = STEP * tracks.frame_time / FRAME;
    let slow = |frame: usize, k: usize| {
        let step = if frame > piece.start { frame } else { frame + 1 };
        step >= piece.end || tracks.step(step, k).norm() <= most
    };
    let alone: Vec<bool> = piece
        .clone()
        .map(|frame| {
            let clearance = terrain.clearance(&tracks.place(frame, toes)) - tracks.radii[toes];
            clearance < NEAR && slow(frame, toes) && slow(frame, heel)
        })
        .collect();
    let half = ((VOTE / tracks.frame_time - 1.0) / 2.0).round().max(0.0) as usize;
    let majority = |t: usize| {
        let near = &alone[t.saturating_sub(half)..alone.len().min(t + half + 1)];
        2 * near.iter().filter(|own| **own).count() > near.len()
    };
    (0..alone.len()).map(majority).collect()
}
