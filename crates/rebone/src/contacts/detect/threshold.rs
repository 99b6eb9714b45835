//! The rule that motion capture pipelines use, by heights and speeds of single frames: to compare with.

use super::displacement::CENTIMETRE;
use super::spans::spans;
use super::terrain::Terrain;
use super::tracks::SupportTrajectories;
use crate::align::SupportPoint;
use crate::body::Side;
use crate::contacts::{BodyPart, Contact, ContactKind};
use std::ops::Range;

/// The toes are near the floor below this clearance.
const NEAR_FLOOR_METRES: f64 = 3.0 * CENTIMETRE;
/// Toes and heel move by less in a frame of this time, seconds.
const MAX_STEP_METRES: f64 = CENTIMETRE;
const REFERENCE_FRAME_SECONDS: f64 = 1.0 / 30.0;
/// The majority counts over so many seconds: five such frames.
const VOTE_SECONDS: f64 = 5.0 * REFERENCE_FRAME_SECONDS;

/// The contacts of the feet over pieces of a clip: in frames where the tip of the toes is within 3 cm of the floor, and
/// moves by at most 1 cm a frame, as does the heel, at a stature of 180 cm and 30 frames a second; the majority over five
/// frames decides.
pub(crate) fn detect_by_thresholds(
    tracks: &SupportTrajectories,
    terrain: &Terrain,
    segments: &[Range<usize>],
) -> Vec<Contact> {
    let mut contacts = Vec::new();
    for side in Side::BOTH {
        let place = |point| tracks.points.iter().position(|own| *own == point);
        let heel = place(SupportPoint::Heel(side));
        let toes = place(SupportPoint::Toes(side)).or(place(SupportPoint::Ball(side)));
        let (Some(heel), Some(toes)) = (heel, toes) else { continue };
        for segment in segments {
            let is_planted = is_planted(tracks, terrain, segment, [heel, toes]);
            let found = spans(is_planted.len(), |t| is_planted[t], |_| true).into_iter();
            contacts.extend(found.map(|span| Contact {
                part: BodyPart::Foot(side),
                kind: ContactKind::Plant,
                frames: span.start + segment.start..span.end + segment.start,
                confidence: 1.0,
            }));
        }
    }
    contacts
}

/// In which frames of a piece a foot rests.
fn is_planted(
    tracks: &SupportTrajectories,
    terrain: &Terrain,
    segment: &Range<usize>,
    [heel, toes]: [usize; 2],
) -> Vec<bool> {
    let max_step = MAX_STEP_METRES * tracks.frame_time / REFERENCE_FRAME_SECONDS;
    let slow = |frame: usize, k: usize| {
        let step = if frame > segment.start { frame } else { frame + 1 };
        step >= segment.end || tracks.step(step, k).norm() <= max_step
    };
    let single: Vec<bool> = segment
        .clone()
        .map(|frame| {
            let clearance = terrain.clearance(&tracks.position(frame, toes)) - tracks.radii[toes];
            clearance < NEAR_FLOOR_METRES && slow(frame, toes) && slow(frame, heel)
        })
        .collect();
    let half = ((VOTE_SECONDS / tracks.frame_time - 1.0) / 2.0).round().max(0.0) as usize;
    let majority = |t: usize| {
        let near = &single[t.saturating_sub(half)..single.len().min(t + half + 1)];
        2 * near.iter().filter(|own| **own).count() > near.len()
    };
    (0..single.len()).map(majority).collect()
}
