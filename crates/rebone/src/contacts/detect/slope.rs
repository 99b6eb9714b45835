//! Whether a floor slopes: a plane through what rests on it, against the level one.
//!
//! A plane has two more parameters than a level, and feet that are read a few degrees off look like a slope. So the
//! two are compared by their evidence, as the density of no slope before and after the data: J. M. Dickey, The
//! weighted likelihood ratio, linear hypotheses on normal location parameters, Annals of Mathematical Statistics
//! 42 (1971).

use super::spans::{WINDOW, moved_about, runs};
use super::tracks::Tracks;
use crate::body::Side;
use crate::contacts::BodyPart;
use nalgebra::{Matrix2, SMatrix, SVector, Unit, Vector2, Vector3};
use std::ops::Range;

/// A point rests that moves by less in a [`WINDOW`], for so long, seconds.
const STILL: f64 = 0.012;
const RESTS: f64 = 0.15;
/// At most so many rests count, spread over the clip.
const MOST: usize = 400;
/// Standard deviations: of the height of a foot that rests and of another part, metres; of the pitch of a foot that
/// rests; of a slope where there is one (tangents).
const FOOT: f64 = 0.008;
const OTHER: f64 = 0.02;
const PITCH: f64 = 0.02;
const SLOPE: f64 = 0.14;
/// A slope is believed that is so much likelier than none, as a logarithm.
const BELIEVED: f64 = 3.0;
/// And only where so large a part of the feet's rests fit it: who dances on the toes does not stand on a slope.
const MOST_FIT: f64 = 0.8;
/// How far the slope by all rows may be from that by heights, as part of it, and how many heights have to fit it: a
/// plane goes through any three.
const AGREE: f64 = 0.5;
const LEAST_RESTS: usize = 4;
/// Rounds in which rests that do not fit lose their weight.
const ROUNDS: i32 = 12;

/// Unknowns: height, slope along x and z, and how far each foot is read off in pitch.
const UNKNOWNS: usize = 5;
type Unknowns = SVector<f64, UNKNOWNS>;

/// What a rest says: the factors of the unknowns, what they come to, and its standard deviation.
struct Row {
    factors: Unknowns,
    value: f64,
    sigma: f64,
}

/// Up from the floor; `pitch_sigma` is how far the pitch of soles may be off, a tangent.
pub(crate) fn normal(
    calm: &Tracks,
    pieces: &[Range<usize>],
    pitch_sigma: f64,
) -> Unit<Vector3<f64>> {
    let mut rows = Vec::new();
    for part in BodyPart::ALL {
        let points = part.points(&calm.points);
        for piece in pieces.iter().filter(|_| !points.is_empty()) {
            for rest in rests(calm, &points, piece) {
                rows.extend(read(calm, part, &points, &rest));
            }
        }
    }
    let slope = plane(&rows, pitch_sigma).unwrap_or_default();
    Unit::new_normalize(Vector3::new(-slope.x, 1.0, -slope.y))
}

/// Frames in which all points of a part rest.
fn rests(calm: &Tracks, points: &[usize], piece: &Range<usize>) -> Vec<Range<usize>> {
    let half = WINDOW / 2.0 / calm.frame_time;
    let moved =
        |k: usize, t: usize| moved_about(|t| calm.place(piece.start + t, k), piece.len(), t, half);
    let still = |t: usize| points.iter().all(|&k| moved(k, t) < STILL);
    let lasts = |run: &Range<usize>| run.len() as f64 * calm.frame_time >= RESTS.max(WINDOW);
    let all: Vec<_> = runs(piece.len(), still, |_| true).into_iter().filter(lasts).collect();
    let every = all.len().div_ceil(MOST).max(1);
    let rests = all.into_iter().step_by(every);
    rests.map(|run| run.start + piece.start..run.end + piece.start).collect()
}

/// What a part says that rests.
fn read(calm: &Tracks, part: BodyPart, points: &[usize], frames: &Range<usize>) -> Vec<Row> {
    let mean = |k: usize| {
        let sum: Vector3<f64> = frames.clone().map(|frame| calm.place(frame, k)).sum();
        sum / frames.len() as f64 - Vector3::y() * calm.radii[k]
    };
    let places: Vec<Vector3<f64>> = points.iter().map(|&k| mean(k)).collect();
    let middle = places.iter().sum::<Vector3<f64>>() / places.len() as f64;
    let mut factors = Unknowns::zeros();
    (factors[0], factors[1], factors[2]) = (1.0, middle.x, middle.z);
    let BodyPart::Foot(side) = part else {
        return vec![Row { factors, value: middle.y, sigma: OTHER }];
    };
    let mut rows = vec![Row { factors, value: middle.y, sigma: FOOT }];
    let ahead = places[places.len() - 1] - places[0];
    let along = Vector2::new(ahead.x, ahead.z);
    if let Some(heading) = along.try_normalize(1e-3) {
        let mut factors = Unknowns::zeros();
        (factors[1], factors[2]) = (heading.x, heading.y);
        factors[if side == Side::Left { 3 } else { 4 }] = 1.0;
        rows.push(Row { factors, value: ahead.y / along.norm(), sigma: PITCH });
    }
    rows
}

/// The slope along x and z; `None` where a level floor is as likely, by all rows or by the heights alone: soles
/// that are read off wrong look like a slope wherever they stand.
fn plane(rows: &[Row], pitch_sigma: f64) -> Option<Vector2<f64>> {
    let fit = Fit::new(rows.iter(), pitch_sigma)?;
    let heights = Fit::new(rows.iter().filter(|row| row.factors[0] > 0.0), pitch_sigma)?;
    let feet = || rows.iter().filter(|row| row.sigma != OTHER);
    let inside = |row: &&Row| (row.factors.dot(&fit.x) - row.value).abs() < 2.0 * row.sigma;
    let part = feet().filter(inside).count() as f64 / feet().count().max(1) as f64;
    let level = rows.iter().filter(|row| row.factors[0] > 0.0).filter(inside).count();
    let agree = (heights.slope() - fit.slope()).norm() < AGREE * fit.slope().norm();
    let believed = fit.evidence()? > BELIEVED && heights.evidence()? > BELIEVED;
    (believed && agree && part >= MOST_FIT && level >= LEAST_RESTS).then_some(fit.slope())
}

/// A plane, and how sure it is.
struct Fit {
    x: Unknowns,
    normal: SMatrix<f64, UNKNOWNS, UNKNOWNS>,
}

impl Fit {
    /// The plane that most rows agree on.
    fn new<'a>(rows: impl Iterator<Item = &'a Row> + Clone, pitch_sigma: f64) -> Option<Self> {
        // The lowest of what rests bears; what is far above does not count to begin with.
        let heights = rows.clone().filter(|row| row.factors[0] > 0.0).map(|row| row.value);
        let lowest = heights.fold(f64::INFINITY, f64::min);
        let mut x = Unknowns::zeros();
        x[0] = lowest;
        let [slope, pitch] = [SLOPE.powi(-2), pitch_sigma.powi(-2)];
        let prior = SVector::from([1e-6, slope, slope, pitch, pitch]);
        let mut normal = SMatrix::from_diagonal(&prior);
        for round in 0..ROUNDS {
            normal = SMatrix::from_diagonal(&prior);
            let mut right = Unknowns::zeros();
            right[0] = prior[0] * lowest;
            // From coarse to fine: a slope moves far rests by decimetres.
            let wide = 1.0 + 10.0 * 0.5_f64.powi(round);
            for row in rows.clone() {
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

    fn spread(&self) -> Option<Matrix2<f64>> {
        Some(self.normal.try_inverse()?.fixed_view::<2, 2>(1, 1).into())
    }

    /// How much likelier the slope is than none, as a logarithm.
    fn evidence(&self) -> Option<f64> {
        let fit = self.slope().dot(&(self.spread()?.try_inverse()? * self.slope()));
        Some(0.5 * fit + 0.5 * libm::log(self.spread()?.determinant()) - 2.0 * libm::log(SLOPE))
    }
}
