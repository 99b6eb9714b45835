//! Slope of the floor: a plane through stationary supports, compared with a level one.
//!
//! A plane has two more parameters than a level, and feet with a calibration a few degrees off look like a slope. So
//! the two are compared by their evidence, as the density of no slope before and after the data (Savage–Dickey ratio):
//! J. M. Dickey, The weighted likelihood ratio, linear hypotheses on normal location parameters, Annals of
//! Mathematical Statistics 42 (1971).

use super::spans::{WINDOW_SECONDS, spans, windowed_displacement};
use super::tracks::SupportTrajectories;
use crate::contacts::BodyPart;
use nalgebra::{Matrix2, SMatrix, SVector, Unit, Vector2, Vector3};
use rebone_body::body::Side;
use std::ops::Range;

/// A point is stationary with a smaller displacement in [`WINDOW_SECONDS`], for at least this time.
const STILL_DISPLACEMENT_METRES: f64 = 0.012;
const MIN_REST_SECONDS: f64 = 0.15;
/// Largest number of stationary spans that count, spread over the clip.
const MAX_RESTS: usize = 400;
/// Standard deviations: height of a stationary foot and of another part; pitch of a stationary foot; slope of a
/// sloping floor (tangents).
const FOOT_HEIGHT_SIGMA_METRES: f64 = 0.008;
const OTHER_HEIGHT_SIGMA_METRES: f64 = 0.02;
const PITCH_SIGMA: f64 = 0.02;
const SLOPE_SIGMA: f64 = 0.14;
/// Standard deviation of the error of a kind's skin, the same in all of its rests.
const SKIN_SIGMA_METRES: f64 = 0.02;
/// Smallest log evidence ratio of a slope against a level floor: by all observations, and by heights only.
const MIN_LOG_EVIDENCE: f64 = 3.0;
const MIN_LOG_EVIDENCE_OF_HEIGHTS: f64 = 0.0;
/// Smallest fraction of the feet's stationary spans that fit a slope: a dancer on the toes does not stand on one.
const MIN_FITTING_FRACTION: f64 = 0.8;
/// Largest relative difference between the slope by all observations and by heights only, and smallest number of
/// heights that fit, errors of skins included.
const MAX_DISAGREEMENT: f64 = 0.5;
const MIN_RESTS: usize = 4;
/// Largest fraction of the rests of one kind of part (feet, hands, …) that lie deeper below a slope; of fewer than ten, none may: a
/// plane through knees and hands is no floor where the seat is below it.
const MAX_SUNK_FRACTION: f64 = 0.1;
const MAX_DEPTH_SIGMAS: f64 = 4.0;
/// Rounds of iterative reweighting.
const REWEIGHTING_ROUNDS: i32 = 12;

/// Unknowns: height of the plane at the origin, metres; slope along x and z; pitch error of the left and the right foot, tangents;
/// and for each kind of other part the error of its skin, metres: true less assumed distance from joint to skin, one for all its
/// rests.
const UNKNOWNS: usize = FIRST_SKIN + SKIN_KINDS;
/// Index of the first error of a skin.
const FIRST_SKIN: usize = 5;
/// Kinds of parts other than feet: hands, elbows, knees, seat, back, head.
const SKIN_KINDS: usize = 6;
type Unknowns = SVector<f64, UNKNOWNS>;

/// One observation: factors of the unknowns, value, and standard deviation.
struct Observation {
    /// Index of the unknown error of the part's skin; `None` of a foot.
    skin: Option<usize>,
    factors: Unknowns,
    value: f64,
    sigma: f64,
}

/// Returns the normal of the floor; `pitch_sigma` is the standard deviation of the pitch of soles, a tangent.
pub(crate) fn floor_normal(
    low_passed: &SupportTrajectories,
    segments: &[Range<usize>],
    pitch_sigma: f64,
) -> Unit<Vector3<f64>> {
    let mut all = Vec::new();
    for part in BodyPart::ALL {
        let points = part.points(&low_passed.points);
        for segment in segments.iter().filter(|_| !points.is_empty()) {
            for rest in rests(low_passed, &points, segment) {
                all.extend(observations(low_passed, part, &points, &rest));
            }
        }
    }
    let slope = slope_of(&all, pitch_sigma).unwrap_or_default();
    Unit::new_normalize(Vector3::new(-slope.x, 1.0, -slope.y))
}

/// Returns spans in which all points of a part are stationary.
fn rests(
    low_passed: &SupportTrajectories,
    points: &[usize],
    segment: &Range<usize>,
) -> Vec<Range<usize>> {
    let half = WINDOW_SECONDS / 2.0 / low_passed.frame_time;
    let moved = |k: usize, t: usize| {
        windowed_displacement(|t| low_passed.position(segment.start + t, k), segment.len(), t, half)
    };
    let still = |t: usize| points.iter().all(|&k| moved(k, t) < STILL_DISPLACEMENT_METRES);
    let lasts = |span: &Range<usize>| {
        span.len() as f64 * low_passed.frame_time >= MIN_REST_SECONDS.max(WINDOW_SECONDS)
    };
    let all: Vec<_> = spans(segment.len(), still, |_| true).into_iter().filter(lasts).collect();
    let every = all.len().div_ceil(MAX_RESTS).max(1);
    let rests = all.into_iter().step_by(every);
    rests.map(|span| span.start + segment.start..span.end + segment.start).collect()
}

/// Returns the observations of a stationary part.
fn observations(
    low_passed: &SupportTrajectories,
    part: BodyPart,
    points: &[usize],
    frames: &Range<usize>,
) -> Vec<Observation> {
    let mean = |k: usize| {
        let sum: Vector3<f64> = frames.clone().map(|frame| low_passed.position(frame, k)).sum();
        sum / frames.len() as f64 - Vector3::y() * low_passed.radii[k]
    };
    let places: Vec<Vector3<f64>> = points.iter().map(|&k| mean(k)).collect();
    let middle = places.iter().sum::<Vector3<f64>>() / places.len() as f64;
    let mut factors = Unknowns::zeros();
    (factors[0], factors[1], factors[2]) = (1.0, middle.x, middle.z);
    let BodyPart::Foot(side) = part else {
        let skin = skin_of(part);
        factors[skin] = 1.0;
        let sigma = OTHER_HEIGHT_SIGMA_METRES;
        return vec![Observation { skin: Some(skin), factors, value: middle.y, sigma }];
    };
    let sigma = FOOT_HEIGHT_SIGMA_METRES;
    let mut observations = vec![Observation { skin: None, factors, value: middle.y, sigma }];
    let ahead = places[places.len() - 1] - places[0];
    let along = Vector2::new(ahead.x, ahead.z);
    if let Some(heading) = along.try_normalize(1e-3) {
        let mut factors = Unknowns::zeros();
        (factors[1], factors[2]) = (heading.x, heading.y);
        factors[if side == Side::Left { 3 } else { 4 }] = 1.0;
        observations.push(Observation {
            skin: None,
            factors,
            value: ahead.y / along.norm(),
            sigma: PITCH_SIGMA,
        });
    }
    observations
}

/// Returns the index of the unknown error of the skin of a part other than a foot.
fn skin_of(part: BodyPart) -> usize {
    let kind = match part {
        BodyPart::Hand(_) => 0,
        BodyPart::Elbow(_) => 1,
        BodyPart::Knee(_) => 2,
        BodyPart::Seat => 3,
        BodyPart::Back => 4,
        _ => 5,
    };
    FIRST_SKIN + kind
}

/// Returns the slope along x and z; `None` unless the evidence is for it by all observations, and not against it by heights only:
/// wrongly calibrated soles look like a slope wherever they stand.
fn slope_of(observations: &[Observation], pitch_sigma: f64) -> Option<Vector2<f64>> {
    let fit = Fit::new(observations.iter(), pitch_sigma)?;
    let heights = Fit::new(observations.iter().filter(|row| row.factors[0] > 0.0), pitch_sigma)?;
    let rests = || observations.iter().filter(|row| row.factors[0] > 0.0);
    let feet = || rests().filter(|row| row.skin.is_none());
    let inside = |row: &&Observation| (row.factors.dot(&fit.x) - row.value).abs() < 2.0 * row.sigma;
    let part = feet().filter(inside).count() as f64 / feet().count().max(1) as f64;
    let level = rests().filter(inside).count();
    // Depth below the plane itself: an error of the skin does not excuse it.
    let mut plane = fit.x;
    plane.rows_mut(FIRST_SKIN, SKIN_KINDS).fill(0.0);
    let sunk =
        |row: &&Observation| row.factors.dot(&plane) - row.value > MAX_DEPTH_SIGMAS * row.sigma;
    let mut skins = std::iter::once(None).chain((FIRST_SKIN..UNKNOWNS).map(Some));
    let is_above = skins.all(|skin| {
        let own = || rests().filter(|row| row.skin == skin);
        own().filter(sunk).count() as f64 <= MAX_SUNK_FRACTION * own().count() as f64
    });
    let agree = (heights.slope() - fit.slope()).norm() < MAX_DISAGREEMENT * fit.slope().norm();
    let believed =
        fit.evidence()? > MIN_LOG_EVIDENCE && heights.evidence()? > MIN_LOG_EVIDENCE_OF_HEIGHTS;
    (believed && agree && is_above && part >= MIN_FITTING_FRACTION && level >= MIN_RESTS)
        .then_some(fit.slope())
}

/// A plane with the normal matrix of its fit.
struct Fit {
    x: Unknowns,
    normal: SMatrix<f64, UNKNOWNS, UNKNOWNS>,
}

impl Fit {
    /// Fits a plane robustly (iteratively reweighted least squares).
    fn new<'a>(
        observations: impl Iterator<Item = &'a Observation> + Clone,
        pitch_sigma: f64,
    ) -> Option<Self> {
        // Starts from the lowest observation; observations far above have no weight at first.
        let heights = observations.clone().filter(|row| row.factors[0] > 0.0).map(|row| row.value);
        let lowest = heights.fold(f64::INFINITY, f64::min);
        let mut x = Unknowns::zeros();
        x[0] = lowest;
        let [slope, pitch] = [SLOPE_SIGMA.powi(-2), pitch_sigma.powi(-2)];
        let mut prior = Unknowns::repeat(SKIN_SIGMA_METRES.powi(-2));
        prior.rows_mut(0, FIRST_SKIN).copy_from_slice(&[1e-6, slope, slope, pitch, pitch]);
        let mut normal = SMatrix::from_diagonal(&prior);
        for round in 0..REWEIGHTING_ROUNDS {
            normal = SMatrix::from_diagonal(&prior);
            let mut right = Unknowns::zeros();
            right[0] = prior[0] * lowest;
            // From coarse to fine: a slope moves distant observations by decimetres.
            let wide = 1.0 + 10.0 * 0.5_f64.powi(round);
            for row in observations.clone() {
                let off = (row.factors.dot(&x) - row.value) / (row.sigma * wide);
                let weight = (1.0 + off * off).powi(-2) / (row.sigma * row.sigma);
                normal += row.factors * row.factors.transpose() * weight;
                right += row.factors * (row.value * weight);
            }
            x = normal.cholesky()?.solve(&right);
        }
        Some(Self { x, normal })
    }

    fn slope(&self) -> Vector2<f64> {
        Vector2::new(self.x[1], self.x[2])
    }

    fn covariance(&self) -> Option<Matrix2<f64>> {
        Some(self.normal.try_inverse()?.fixed_view::<2, 2>(1, 1).into())
    }

    /// Returns the log evidence ratio of the slope against none.
    fn evidence(&self) -> Option<f64> {
        let fit = self.slope().dot(&(self.covariance()?.try_inverse()? * self.slope()));
        Some(
            0.5 * fit + 0.5 * libm::log(self.covariance()?.determinant())
                - 2.0 * libm::log(SLOPE_SIGMA),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::SupportPoint::{Back, Ball, Elbow, Hand, Heel, Knee, Seat};
    use rebone_body::body::Side::{Left, Right};

    #[test]
    fn a_plane_through_knees_and_hands_is_no_floor_where_the_seat_is_below() {
        // A body sits on a level floor, its hands on the shins and for a while behind the seat: places in metres.
        let still = [
            (Heel(Left), [0.09, 0.02, 0.57]),
            (Ball(Left), [0.1, 0.03, 0.68]),
            (Heel(Right), [-0.08, 0.02, 0.57]),
            (Ball(Right), [-0.09, 0.03, 0.67]),
            (Knee(Left), [0.05, 0.225, 0.245]),
            (Knee(Right), [-0.03, 0.225, 0.244]),
            (Seat, [0.0, 0.01, -0.02]),
            (Back, [0.0, 0.18, -0.04]),
        ];
        let moving = [
            (Elbow(Left), [[0.265, 0.2, 0.05], [0.15, 0.2, -0.26]]),
            (Elbow(Right), [[-0.265, 0.17, 0.03], [-0.175, 0.21, -0.27]]),
            (Hand(Left), [[0.11, 0.104, 0.226], [0.27, 0.02, -0.14]]),
            (Hand(Right), [[-0.12, 0.083, 0.217], [-0.29, 0.03, -0.13]]),
        ];
        let frame = |t: usize| {
            let phase = usize::from((26..52).contains(&t));
            let moving = moving.iter().map(|(_, places)| places[phase]);
            still.iter().map(|own| own.1).chain(moving).map(Vector3::from).collect()
        };
        let names = still.iter().map(|own| own.0).chain(moving.iter().map(|own| own.0));
        let names: Vec<_> = names.collect();
        let tracks = SupportTrajectories::of_supports(&names, 1.0 / 30.0, (0..78).map(frame));
        let normal = floor_normal(&tracks, std::slice::from_ref(&(0..78)), 0.05);
        assert!(normal.y > 0.999, "{normal:?}");
    }

    #[test]
    fn a_seat_and_hands_alone_are_no_slope() {
        // Feet of a body that sits are on the floor; the skin of seat and hands, which rest four times, is taken for 4 cm higher.
        let points =
            [Heel(Left), Ball(Left), Heel(Right), Ball(Right), Seat, Hand(Left), Hand(Right)];
        let frame = |t: usize| {
            let lifted = if t % 30 < 20 { 0.0 } else { 0.05 * (t % 30 - 19) as f64 };
            let feet = [[0.1, 0.0, 0.6], [0.1, 0.0, 0.72], [-0.1, 0.0, 0.6], [-0.1, 0.0, 0.72]];
            let others =
                [[0.0, 0.04, 0.0], [0.25, 0.055 + lifted, -0.2], [-0.25, 0.055 + lifted, -0.2]];
            feet.into_iter().chain(others).map(Vector3::from).collect()
        };
        let tracks = SupportTrajectories::of_supports(&points, 1.0 / 30.0, (0..120).map(frame));
        let normal = floor_normal(&tracks, std::slice::from_ref(&(0..120)), 0.05);
        assert!(normal.y > 0.99999, "{normal:?}");
    }
}
