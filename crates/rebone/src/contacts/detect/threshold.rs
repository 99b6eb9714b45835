//! Contact detection by thresholds of height and speed in single frames, as motion capture pipelines do it: for
//! comparison.

use super::spans::spans;
use super::terrain::Terrain;
use super::tracks::SupportTrajectories;
use crate::align::SupportPoint;
use crate::body::{METRES_PER_CENTIMETRE, Side};
use crate::contacts::{BodyPart, Contact, ContactKind};
use std::ops::Range;

/// Clearance below which the toes are near the floor.
const NEAR_FLOOR_METRES: f64 = 3.0 * METRES_PER_CENTIMETRE;
/// Largest step of toes and heel in a frame of the reference time.
const MAX_STEP_METRES: f64 = METRES_PER_CENTIMETRE;
const REFERENCE_FRAME_SECONDS: f64 = 1.0 / 30.0;
/// Width of the majority vote: five reference frames.
const VOTE_SECONDS: f64 = 5.0 * REFERENCE_FRAME_SECONDS;

/// Detects contacts of the feet over segments of a clip: frames in which the tip of the toes is within 3 cm of the
/// floor, and toes and heel move by at most 1 cm per frame, at a stature of 180 cm and 30 frames per second; then a
/// majority vote over five frames.
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
                on: None,
                part: BodyPart::Foot(side),
                kind: ContactKind::Plant,
                frames: span.start + segment.start..span.end + segment.start,
                confidence: 1.0,
            }));
        }
    }
    contacts
}

/// Returns for each frame of a segment whether a foot is planted.
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
