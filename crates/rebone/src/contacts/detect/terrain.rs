//! The ground that the source moves on: a level floor, a slope, or steps.

use super::floor::{confidence, dominant_height, floor_at_zero, rests};
use super::slope::floor_normal;
use super::tracks::SupportTrajectories;
use crate::align::{Plan, SupportPoint};
use crate::contacts::BodyPart;
use nalgebra::{Unit, Vector3};
use rebone_body::body::BODY_HEIGHT;
use std::ops::Range;

/// Parallel ground planes in the inner world.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Terrain {
    /// Normal of the planes, upwards.
    pub(crate) normal: Unit<Vector3<f64>>,
    /// Their heights along the normal, ascending; at least one.
    pub(crate) levels: Vec<f64>,
    /// Probability that the lowest one is the floor.
    pub(crate) confidence: f64,
}

/// Depth below a level at which a point still belongs to it.
const MAX_DEPTH_METRES: f64 = 0.02 * BODY_HEIGHT;
/// Smallest height of a step: 0.05 of the stature.
pub(super) const MIN_STEP_METRES: f64 = 0.05 * BODY_HEIGHT;
/// Shortest times that a body stands on the lowest step, and on one of [`SURE_STEP_METRES`] and more: captures drift by as much as
/// a low step.
const MIN_STEP_SECONDS: [f64; 2] = [0.75, 0.25];
/// Height of a step that no drift makes: that of stairs.
const SURE_STEP_METRES: f64 = 0.15;
/// Largest number of levels.
const MAX_LEVELS: usize = 32;

impl Terrain {
    /// Creates a level floor at a stated height.
    pub(crate) fn flat(height: f64) -> Self {
        Self { normal: Vector3::y_axis(), levels: vec![height], confidence: 1.0 }
    }

    /// Detects the ground from the lowest supports while they are stationary; steps from feet that carry the body
    /// alone. `pitch_sigma` is the standard deviation of the pitch of the soles, radians.
    pub(crate) fn detect(
        low_passed: &SupportTrajectories,
        segments: &[Range<usize>],
        pitch_sigma: f64,
    ) -> Self {
        Self::with_normal(low_passed, segments, floor_normal(low_passed, segments, pitch_sigma))
    }

    /// Detects the ground for a known normal.
    pub(crate) fn with_normal(
        low_passed: &SupportTrajectories,
        segments: &[Range<usize>],
        normal: Unit<Vector3<f64>>,
    ) -> Self {
        // A segment of one frame, as a leading pose, has no velocity: it is no evidence of rest.
        let moving: Vec<Range<usize>> =
            segments.iter().filter(|segment| segment.len() > 1).cloned().collect();
        let segments = if moving.is_empty() { segments } else { &moving };
        let (mut all, mut feet, mut any) = (Vec::new(), Vec::new(), Vec::new());
        for segment in segments {
            for frame in segment.clone() {
                let [lowest, sole] = lowest(low_passed, &normal, frame);
                let rests = |k: usize| rests(low_passed, frame, segment, k);
                all.extend(lowest.filter(|own| rests(own.0)).map(|own| own.1));
                feet.extend(sole.filter(|own| rests(own.0)).map(|own| own.1));
                any.extend(lowest.map(|own| own.1));
            }
        }
        for heights in [&mut all, &mut feet, &mut any] {
            heights.sort_unstable_by(f64::total_cmp);
        }
        let Some((mut floor, mut fraction)) =
            dominant_height(&all, 1.0).or_else(|| dominant_height(&any, 1.0))
        else {
            return Self { confidence: 0.0, ..Self::flat(0.0) };
        };
        // Radii of knees and hands are less certain than soles, and hands sink into floors: the level on which feet
        // stand most of the time is the floor.
        if let Some((own, part)) = dominant_height(&feet, 1.0) {
            let most = part * feet.len() as f64 > 2.0 * fraction * all.len() as f64;
            if most || (own - floor).abs() < MIN_STEP_METRES {
                floor = own;
            }
        }
        if let Some(zero) = floor_at_zero(low_passed, segments, (floor, fraction)) {
            (floor, fraction) = zero;
        }
        let mut levels = vec![floor];
        while levels.len() < MAX_LEVELS {
            let above = levels[levels.len() - 1] + MIN_STEP_METRES;
            let rest = &feet[feet.partition_point(|&height| height < above)..];
            let Some((next, fraction)) = dominant_height(rest, 1.0) else { break };
            let seconds = fraction * rest.len() as f64 * low_passed.frame_time;
            if seconds < min_step_seconds(next - levels[levels.len() - 1]) {
                break;
            }
            levels.push(next);
        }
        Self { normal, levels, confidence: confidence(fraction) }
    }

    /// Scales the terrain to the paths and heights of a plan's target.
    pub(crate) fn scaled_to_target(&self, plan: &Plan) -> Self {
        let scale = Vector3::new(plan.travel_scale, plan.path_scale, plan.travel_scale);
        let normal = self.normal.component_div(&scale);
        let longer = normal.norm();
        let levels = self.levels.iter().map(|level| level / longer).collect();
        Self { normal: Unit::new_normalize(normal), levels, confidence: self.confidence }
    }

    /// Moves the terrain so that its lowest level has a height.
    pub(crate) fn with_floor_at(&self, level: f64) -> Self {
        let levels = self.levels.iter().map(|own| own - self.levels[0] + level).collect();
        Self { levels, ..self.clone() }
    }

    /// Returns the smallest distance of any support from the lowest level, if it exceeds half the stature.
    pub(crate) fn distance_to_motion(&self, tracks: &SupportTrajectories) -> Option<f64> {
        let lowest =
            |frame| lowest(tracks, &self.normal, frame)[0].map(|own| own.1 - self.levels[0]);
        let near = (0..tracks.len()).filter_map(lowest).min_by(|a, b| a.abs().total_cmp(&b.abs()));
        near.filter(|far| far.abs() > BODY_HEIGHT / 2.0)
    }

    /// Returns the height over the highest level that is not above a position.
    pub(crate) fn clearance(&self, place: &Vector3<f64>) -> f64 {
        self.height_over_level(self.level_below(place), place)
    }

    /// Returns the clearance of the skin below a support in a frame.
    pub(crate) fn skin_clearance(
        &self,
        tracks: &SupportTrajectories,
        frame: usize,
        k: usize,
    ) -> f64 {
        self.clearance(&tracks.position(frame, k)) - tracks.radii[k]
    }

    /// Returns the height along the normal over a level, by index.
    pub(crate) fn height_over_level(&self, level: usize, place: &Vector3<f64>) -> f64 {
        self.normal.dot(place) - self.levels[level]
    }

    /// Returns the index of the highest level that is not above a position.
    pub(crate) fn level_below(&self, place: &Vector3<f64>) -> usize {
        let height = self.normal.dot(place);
        let below = self.levels.partition_point(|&level| level <= height + MAX_DEPTH_METRES);
        below.saturating_sub(1)
    }

    /// Returns for each frame of a segment the index of the level below a part of the body with the given contacts, in
    /// order. Between two contacts it is the lower one, since step edges are unknown. Contacts of other segments are
    /// ignored.
    pub(crate) fn level_under_part(
        &self,
        low_passed: &SupportTrajectories,
        part: BodyPart,
        contacts: impl Iterator<Item = Range<usize>>,
        segment: &Range<usize>,
    ) -> Vec<usize> {
        let points = part.points(&low_passed.points);
        let within = |held: &Range<usize>| segment.start <= held.start && held.end <= segment.end;
        let held: Vec<Range<usize>> = contacts.filter(within).collect();
        let level = |held: &Range<usize>| {
            let middle = (held.start + held.end) / 2;
            points
                .iter()
                .map(|&k| self.level_below(&low_passed.position(middle, k)))
                .min()
                .unwrap_or(0)
        };
        let mut under = Vec::with_capacity(segment.len());
        let mut before = held.first().map_or(0, level);
        for held in &held {
            let own = level(held);
            under.resize((held.start - segment.start).max(under.len()), own.min(before));
            under.resize((held.end - segment.start).max(under.len()), own);
            before = own;
        }
        under.resize(segment.len(), before);
        under
    }

    /// Returns the component of a vector along the planes.
    pub(crate) fn tangential(&self, way: &Vector3<f64>) -> Vector3<f64> {
        way - *self.normal * self.normal.dot(way)
    }
}

/// Returns the shortest time that a body stands on a step over the level below.
fn min_step_seconds(height: f64) -> f64 {
    let [low, high] = MIN_STEP_SECONDS;
    let share = (height - MIN_STEP_METRES) / (SURE_STEP_METRES - MIN_STEP_METRES);
    low + (high - low) * share.clamp(0.0, 1.0)
}

fn is_sole(point: SupportPoint) -> bool {
    matches!(point, SupportPoint::Heel(_) | SupportPoint::Ball(_) | SupportPoint::Toes(_))
}

/// Returns the lowest support of a frame and its lowest sole, with their heights.
fn lowest(
    tracks: &SupportTrajectories,
    up: &Vector3<f64>,
    frame: usize,
) -> [Option<(usize, f64)>; 2] {
    let mut least = [None::<(usize, f64)>; 2];
    for (k, point) in tracks.points.iter().enumerate() {
        let height = up.dot(&tracks.position(frame, k)) - tracks.radii[k];
        for least in &mut least[..1 + usize::from(is_sole(*point))] {
            if least.is_none_or(|own| height < own.1) {
                *least = Some((k, height));
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_body::body::Side;
    use std::slice::from_ref;

    /// The levels, over ten frames from 100 on, under a foot whose ball is so high in each of them.
    fn under(heights: [f64; 10], contacts: &[Range<usize>]) -> Vec<usize> {
        let all = (0..100).map(|_| 0.0).chain(heights).map(|y| vec![Vector3::y() * y]);
        let tracks = SupportTrajectories::of_supports(&[SupportPoint::Ball(Side::Left)], 0.1, all);
        let terrain = Terrain { levels: vec![0.0, 0.2, 0.4], ..Terrain::flat(0.0) };
        let part = BodyPart::Foot(Side::Left);
        terrain.level_under_part(&tracks, part, contacts.iter().cloned(), &(100..110))
    }

    #[test]
    fn a_foot_in_the_air_is_over_the_lower_of_two_steps() {
        let up = [0.2, 0.2, 0.2, 0.35, 0.5, 0.5, 0.4, 0.4, 0.4, 0.6];
        assert_eq!(under(up, &[101..103, 106..109]), [1, 1, 1, 1, 1, 1, 2, 2, 2, 2]);
        let down = [0.6, 0.4, 0.4, 0.45, 0.4, 0.3, 0.0, 0.0, 0.0, 0.3];
        assert_eq!(under(down, &[101..103, 106..109]), [2, 2, 2, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn contacts_that_touch_or_are_in_other_pieces_are_told_apart() {
        let up = [0.2, 0.2, 0.2, 0.2, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4];
        assert_eq!(under(up, &[100..104, 104..110]), [1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
        assert_eq!(under(up, &[0..50, 104..110]), [2; 10]);
        assert_eq!(under(up, &[0..50, 60..70]), [0; 10]);
    }

    #[test]
    fn steps_are_where_soles_bear_alone() {
        let heel = SupportPoint::Heel(Side::Left);
        let stairs = |seconds: f64, height: f64| {
            let count = (seconds * 30.0) as usize;
            let place =
                move |t: usize| Vector3::new(t as f64 * 1e-4, height * (t / count) as f64, 0.0);
            SupportTrajectories::of_supports(
                &[heel],
                1.0 / 30.0,
                (0..3 * count).map(move |t| vec![place(t)]),
            )
        };
        let steps = &[0.0, 0.17, 0.34][..];
        // A body that drifts by 10 cm for half a second stands on no step.
        let cases = [
            (1.0, 0.17, steps),
            (0.4, 0.17, steps),
            (0.2, 0.17, &[0.0]),
            (0.5, 0.1, &[0.0]),
            (1.0, 0.1, &[0.0, 0.1, 0.2]),
        ];
        for (seconds, height, wanted) in cases {
            let tracks = stairs(seconds, height);
            let terrain =
                Terrain::with_normal(&tracks, from_ref(&(0..tracks.len())), Vector3::y_axis());
            assert_eq!(terrain.levels.len(), wanted.len(), "{:?}", terrain.levels);
            assert!(terrain.levels.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9));
        }
    }
}
