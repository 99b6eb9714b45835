//! What the source moves on: a level floor, a slope, or steps.

use super::slope::normal;
use super::still::WINDOW;
use super::tracks::Tracks;
use crate::align::SupportPoint;
use crate::ground::{confidence, level};
use crate::understand::BODY_HEIGHT;
use nalgebra::{Unit, Vector3};
use std::ops::Range;

/// Parallel planes that bodies stand on, in the inner world.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// Up from the planes.
    pub normal: Unit<Vector3<f64>>,
    /// Their heights along it, the lowest first; never none.
    pub levels: Vec<f64>,
    /// Probability that the lowest one is the floor.
    pub confidence: f64,
}

/// A point that is lower than a level by less still belongs to it.
const BELOW: f64 = 0.02 * BODY_HEIGHT;
/// The least height of a step: 0.05 of the stature.
const STEP: f64 = 0.05 * BODY_HEIGHT;
/// The least time that a body stands on a step, seconds.
const STANDS: f64 = 0.25;
/// At most so many levels.
const MOST_LEVELS: usize = 32;
/// The lowest point is still that moves by less in a [`WINDOW`].
const STILL: f64 = 0.025;

impl Terrain {
    /// A level floor that somebody named.
    pub fn level(height: f64) -> Self {
        Self { normal: Vector3::y_axis(), levels: vec![height], confidence: 1.0 }
    }

    /// What a body moves on over pieces of a clip: where its lowest supports are still. Steps are told by
    /// feet that bear the body alone. `pitch_sigma` is how far the pitch of the body's soles may be off, radians.
    pub(crate) fn find(tracks: &Tracks, pieces: &[Range<usize>], pitch_sigma: f64) -> Self {
        Self::across(tracks, pieces, normal(tracks, pieces, pitch_sigma))
    }

    /// The same where up from the floor is known.
    pub(crate) fn across(
        tracks: &Tracks,
        pieces: &[Range<usize>],
        normal: Unit<Vector3<f64>>,
    ) -> Self {
        let heights = |of: &dyn Fn(SupportPoint) -> bool, still: bool| -> Vec<f64> {
            let frames = pieces.iter().flat_map(|piece| {
                piece.clone().filter_map(|frame| lowest(tracks, &normal, frame, piece, of))
            });
            let mut heights: Vec<f64> =
                frames.filter(|own| own.1 || !still).map(|own| own.0).collect();
            heights.sort_by(f64::total_cmp);
            heights
        };
        let all = heights(&|_| true, true);
        let found = level(&all, 1.0).or_else(|| level(&heights(&|_| true, false), 1.0));
        let Some((mut floor, share)) = found else { return Self::level(0.0) };
        // How far knees and hands are from their skin is known less well than soles.
        let feet = heights(&is_sole, true);
        if let Some((own, _)) = level(&feet, 1.0).filter(|own| (own.0 - floor).abs() < STEP) {
            floor = own;
        }
        let mut levels = vec![floor];
        while levels.len() < MOST_LEVELS {
            let above = levels[levels.len() - 1] + STEP;
            let rest = &feet[feet.partition_point(|&height| height < above)..];
            let Some((next, share)) = level(rest, 1.0) else { break };
            if share * rest.len() as f64 * tracks.frame_time < STANDS {
                break;
            }
            levels.push(next);
        }
        Self { normal, levels, confidence: confidence(share) }
    }

    /// The same for a body whose lengths are others by a scale.
    pub(crate) fn scaled(&self, scale: f64) -> Self {
        let levels = self.levels.iter().map(|level| level * scale).collect();
        Self { levels, ..self.clone() }
    }

    /// The same with its lowest level at another height.
    pub(crate) fn raised_to(&self, level: f64) -> Self {
        let levels = self.levels.iter().map(|own| own - self.levels[0] + level).collect();
        Self { levels, ..self.clone() }
    }

    /// Height over the highest level that is not above.
    pub fn clearance(&self, place: &Vector3<f64>) -> f64 {
        let height = self.normal.dot(place);
        let below = self.levels.partition_point(|&level| level <= height + BELOW);
        height - self.levels[below.saturating_sub(1)]
    }

    /// The part of a movement that is along the planes.
    pub fn along(&self, way: &Vector3<f64>) -> Vector3<f64> {
        way - *self.normal * self.normal.dot(way)
    }
}

fn is_sole(point: SupportPoint) -> bool {
    matches!(point, SupportPoint::Heel(_) | SupportPoint::Ball(_) | SupportPoint::Toes(_))
}

/// The height of the lowest support of a frame, and whether it is still.
fn lowest(
    tracks: &Tracks,
    up: &Vector3<f64>,
    frame: usize,
    piece: &Range<usize>,
    of: &dyn Fn(SupportPoint) -> bool,
) -> Option<(f64, bool)> {
    let height = |k: usize| up.dot(&tracks.place(frame, k)) - tracks.radii[k];
    let heights = (0..tracks.points.len()).filter(|&k| of(tracks.points[k]));
    let heights = heights.map(|k| (k, height(k)));
    let (k, height) = heights.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let half = ((WINDOW / 2.0 / tracks.frame_time).round() as usize).max(1);
    let from = tracks.place(frame.saturating_sub(half).max(piece.start), k);
    let to = tracks.place((frame + half).min(piece.end - 1), k);
    Some((height, (to - from).norm() < STILL))
}
