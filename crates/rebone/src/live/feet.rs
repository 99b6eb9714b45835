//! Contacts of a foot, frame by frame.

use crate::contacts::{BodyPart, MAX_POINTS, SupportTrajectories, weights_and_min_height};
use crate::math::ease;
use nalgebra::Vector3;

/// Time constant of the low-pass filter of a foot's speed, seconds.
const SPEED_SECONDS: f64 = 0.03;
/// Speed below which a contact begins and above which it ends, metres a second of a 1.7 m body.
const BEGIN_SPEED: f64 = 0.2;
const END_SPEED: f64 = 0.5;
/// Clearance below which a contact begins and above which it ends, metres of a 1.7 m body.
const BEGIN_CLEARANCE_METRES: f64 = 0.04;
const END_CLEARANCE_METRES: f64 = 0.07;
/// Offset from which a foot is let go: the leg would leave the motion.
const MAX_OFFSET_METRES: f64 = 0.15;

/// State of a foot.
#[derive(Clone, Debug)]
pub(super) struct Foot {
    /// Its points among the supports.
    points: Vec<usize>,
    /// Weights of its points in the last frame.
    weights: [f64; MAX_POINTS],
    /// Low-passed speed of the source's pivot, metres a second.
    speed: f64,
    pub(super) is_held: bool,
    /// Time since the contact began or ended, seconds.
    since: f64,
    /// Offset when the contact began or ended.
    begin: Vector3<f64>,
    /// Offset in the last frame, inner world.
    pub(super) offset: Vector3<f64>,
}

impl Foot {
    /// A foot that is not held, with its points among those of the source.
    pub(super) fn new(part: BodyPart, source: &SupportTrajectories) -> Self {
        Self {
            points: part.points(&source.points),
            weights: [0.0; MAX_POINTS],
            speed: f64::INFINITY,
            is_held: false,
            since: f64::INFINITY,
            begin: Vector3::zeros(),
            offset: Vector3::zeros(),
        }
    }

    /// Forgets earlier frames.
    pub(super) fn reset(&mut self) {
        (self.speed, self.is_held) = (f64::INFINITY, false);
        (self.begin, self.offset) = (Vector3::zeros(), Vector3::zeros());
    }

    /// Returns the least height of its points on the source in the last frame.
    pub(super) fn lowest(&self, source: &SupportTrajectories) -> f64 {
        let last = source.len() - 1;
        let heights = self.points.iter().map(|&k| source.position(last, k).y - source.radii[k]);
        heights.fold(f64::INFINITY, f64::min)
    }

    /// Reads the last frame: begins or ends a contact, and moves the offset.
    pub(super) fn update(
        &mut self,
        [source, target]: [&SupportTrajectories; 2],
        floor: f64,
        scale: f64,
        blend_seconds: f64,
    ) {
        let (frame, time) = (source.len() - 1, source.frame_time);
        let height =
            |tracks: &SupportTrajectories, k: usize| tracks.position(frame, k).y - tracks.radii[k];
        let count = self.points.len();
        let (weights, lowest) =
            weights_and_min_height(count, |at| height(source, self.points[at]) - floor);
        let (_, target_lowest) =
            weights_and_min_height(count, |at| height(target, self.points[at]) - floor * scale);
        if count == 0 || !lowest.is_finite() || !target_lowest.is_finite() {
            return;
        }
        let mean = [0, 1, 2].map(|at| (self.weights[at] + weights[at]) / 2.0);
        self.weights = weights;
        if frame == 0 {
            return;
        }
        let step = |tracks: &SupportTrajectories| {
            let steps =
                self.points.iter().zip(mean).map(|(&k, weight)| tracks.step(frame, k) * weight);
            let step = steps.sum::<Vector3<f64>>();
            Vector3::new(step.x, 0.0, step.z)
        };
        let [from, to] = [step(source), step(target)];
        let speed = from.norm() / time;
        let share = 1.0 - libm::exp(-time / SPEED_SECONDS);
        self.speed =
            if self.speed.is_finite() { self.speed + (speed - self.speed) * share } else { speed };
        let is_held = match self.is_held {
            true => self.speed < END_SPEED && lowest < END_CLEARANCE_METRES,
            false => self.speed < BEGIN_SPEED && lowest < BEGIN_CLEARANCE_METRES,
        };
        let is_far = self.offset.xz().norm() > MAX_OFFSET_METRES;
        self.set_held(is_held && !is_far);
        self.since += time;
        let share = if blend_seconds > 0.0 { ease(self.since / blend_seconds) } else { 1.0 };
        self.offset = if self.is_held {
            // The path along the floor begins with what is left of the last contact; the height blends in.
            let height = lowest * scale - target_lowest;
            let height = self.begin.y + (height - self.begin.y) * share;
            let along = self.offset + from * scale - to;
            Vector3::new(along.x, height, along.z)
        } else {
            self.begin * (1.0 - share)
        };
    }

    fn set_held(&mut self, is_held: bool) {
        if is_held != self.is_held {
            (self.is_held, self.since, self.begin) = (is_held, 0.0, self.offset);
        }
    }
}
