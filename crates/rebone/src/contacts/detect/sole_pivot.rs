//! How still a part of the body is, and on which of its points it rests.

use super::spans::{WINDOW_SECONDS, windowed_displacement};
use super::terrain::Terrain;
use super::tracks::SupportTrajectories;
use nalgebra::Vector3;
use std::ops::Range;

/// Softness of the choice of the point that a foot rests on: 0.005 of the stature, metres of a 1.7 m body.
const WEIGHT_SOFTNESS_METRES: f64 = 0.0085;
/// Softness of the least height, metres: soles of other lengths are off by less than that.
const HEIGHT_SOFTNESS_METRES: f64 = 0.003;
/// At most so many points a part.
pub(crate) const MAX_POINTS: usize = 3;

/// A part of the body over a piece of a clip.
///
/// A foot that rolls rests on its heel, then on its ball, then on the tip of its toes, and no single point
/// of it is still all the time. What is followed is the point that it rests on: the *pivot*, the mean of its
/// points weighted by `exp(−c/τ)`, `c` their clearances. Its path is the sum of the weighted steps of the
/// points, so that passing from one point to the next is no movement.
#[derive(Clone, Debug)]
pub(crate) struct PivotPath {
    /// The first frame.
    pub(crate) begin: usize,
    /// Its points, in [`SupportTrajectories::points`].
    pub(crate) points: Vec<usize>,
    /// Weights of the points, which add up to 1.
    pub(crate) weights: Vec<[f64; MAX_POINTS]>,
    /// Path of the pivot along the floor.
    pub(crate) path: Vec<Vector3<f64>>,
    /// Distance of the lowest point to what is below it.
    pub(crate) clearance: Vec<f64>,
    /// How far the pivot moves in the time of a [`WINDOW_SECONDS`] about each frame.
    pub(crate) displacement: Vec<f64>,
}

impl PivotPath {
    /// Reads some points over some frames of low_passed paths ([`SupportTrajectories::low_passed`]); without a terrain all movement counts, not
    /// only along the floor.
    pub(crate) fn new(
        low_passed: &SupportTrajectories,
        terrain: Option<&Terrain>,
        points: &[usize],
        frames: Range<usize>,
    ) -> Self {
        let clearance = |frame, k| {
            terrain.map_or(0.0, |terrain| terrain.clearance(&low_passed.position(frame, k)))
                - low_passed.radii[k]
        };
        let weights_and_min_height =
            |frame| weights_and_min_height(points.len(), |k| clearance(frame, points[k]));
        let (weights, clearance) = frames.clone().map(weights_and_min_height).unzip();
        let begin = frames.start;
        let (path, displacement) = (Vec::new(), Vec::new());
        let mut own =
            Self { begin, points: points.to_vec(), weights, path, clearance, displacement };
        own.path = own.rolling_path(&frames, |frame, k| {
            let step = low_passed.step(frame, points[k]);
            terrain.map_or(step, |terrain| terrain.tangential(&step))
        });
        let half = WINDOW_SECONDS / 2.0 / low_passed.frame_time;
        let displacement = |t| windowed_displacement(|k| own.path[k], own.len(), t, half);
        own.displacement = (0..own.len()).map(displacement).collect();
        own
    }

    /// The number of frames.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The path of what rests on the pivot: the sum of the steps of the points, as they are weighted; `step` gives that
    /// of a point, by its place in the list, from the frame before.
    pub(crate) fn rolling_path(
        &self,
        frames: &Range<usize>,
        step: impl Fn(usize, usize) -> Vector3<f64>,
    ) -> Vec<Vector3<f64>> {
        let mut place = Vector3::zeros();
        let mut path = Vec::with_capacity(frames.len());
        for frame in frames.clone() {
            if frame > frames.start {
                let [last, weights] = [frame - 1, frame].map(|k| &self.weights[k - self.begin]);
                for k in 0..self.points.len() {
                    place += step(frame, k) * ((last[k] + weights[k]) / 2.0);
                }
            }
            path.push(place);
        }
        path
    }
}

/// Weights of points by their heights, and the least height.
fn weights_and_min_height(count: usize, height: impl Fn(usize) -> f64) -> ([f64; MAX_POINTS], f64) {
    let count = count.min(MAX_POINTS);
    let mut weights = [0.0; MAX_POINTS];
    (0..count).for_each(|k| weights[k] = height(k));
    let least = weights[..count].iter().copied().fold(f64::INFINITY, f64::min);
    for weight in &mut weights[..count] {
        *weight = exp_nonpositive((least - *weight) / WEIGHT_SOFTNESS_METRES);
    }
    let sum: f64 = weights.iter().sum();
    (weights.map(|weight| weight / sum), least)
}

/// `exp(x)` of what is not above zero, most of which is zero or far below.
fn exp_nonpositive(x: f64) -> f64 {
    match x {
        0.0 => 1.0,
        x if x < -40.0 => 0.0,
        x => libm::exp(x),
    }
}

/// `−τ ln Σ exp(−h/τ)` of heights, with a softness that grows with the `scale`.
pub(crate) fn soft_minimum(heights: impl Iterator<Item = f64> + Clone, scale: f64) -> f64 {
    let softness = HEIGHT_SOFTNESS_METRES * scale;
    let least = heights.clone().fold(f64::INFINITY, f64::min);
    let sum: f64 = heights.map(|height| exp_nonpositive((least - height) / softness)).sum();
    least - softness * libm::log(sum)
}
