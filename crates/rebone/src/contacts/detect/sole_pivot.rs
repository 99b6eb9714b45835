//! The pivot of a part of the body: the point that it rests on, and its displacement.

use super::spans::{WINDOW_SECONDS, windowed_displacement};
use super::terrain::Terrain;
use super::tracks::SupportTrajectories;
use nalgebra::Vector3;
use std::ops::Range;

/// Softness `τ` of the pivot's weights: 0.005 of the stature, metres of a 1.7 m body.
const WEIGHT_SOFTNESS_METRES: f64 = 0.0085;
/// Largest number of points of a part.
pub(crate) const MAX_POINTS: usize = 3;

/// A part of the body over a segment of a clip.
///
/// A rolling foot rests on its heel, then its ball, then the tip of its toes, and no single point is stationary all
/// the time. The *pivot* is the mean of the points weighted by `exp(−c/τ)`, `c` their clearances. Its path is the sum
/// of the weighted steps of the points, so that shifting from one point to the next is no displacement.
#[derive(Clone, Debug)]
pub(crate) struct PivotPath {
    /// First frame.
    pub(crate) begin: usize,
    /// Its points, in [`SupportTrajectories::points`].
    pub(crate) points: Vec<usize>,
    /// Weights of the points; their sum is 1.
    pub(crate) weights: Vec<[f64; MAX_POINTS]>,
    /// Path of the pivot along the ground.
    pub(crate) path: Vec<Vector3<f64>>,
    /// Clearance of the lowest point over the level below it.
    pub(crate) clearance: Vec<f64>,
    /// Displacement of the pivot in [`WINDOW_SECONDS`](super::spans::WINDOW_SECONDS) about each frame.
    pub(crate) displacement: Vec<f64>,
}

impl PivotPath {
    /// Follows some points over some frames of low-passed trajectories; without a terrain, displacement counts in all
    /// directions, not only along the ground.
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

    /// Returns the number of frames.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Returns the path of the pivot: the sum of the weighted steps of the points; `step(frame, k)` gives the step of
    /// point `k` since the frame before.
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

/// Returns weights of points by their heights, and the least height.
pub(crate) fn weights_and_min_height(
    count: usize,
    height: impl Fn(usize) -> f64,
) -> ([f64; MAX_POINTS], f64) {
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

/// Returns `exp(x)` for `x ≤ 0`; fast for zero and below −40, where it is 0.
fn exp_nonpositive(x: f64) -> f64 {
    match x {
        0.0 => 1.0,
        x if x < -40.0 => 0.0,
        x => libm::exp(x),
    }
}
