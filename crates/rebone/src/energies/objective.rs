//! The weighted sum of all energies over a window of frames, and its gradient by the coefficients of splines.

use super::body::{Forces, StartPose, VariableBody};
use super::penetration::Penetration;
use super::points::{Point, SolePoint};
use crate::contacts::Terrain;
use crate::math::Knots;
use nalgebra::Vector3;
use rebone_body::body::BODY_HEIGHT;
use rebone_skeleton::WorldPose;

/// Weights as published for the search after training: λ, β, γ, ρ and ω.
const CONTACT_WEIGHT: f64 = 100.0;
const PENETRATION_WEIGHT: f64 = 1.0;
const FOOT_WEIGHT: f64 = 0.1;
const ROTATION_WEIGHT: f64 = 10.0;
const END_WEIGHT: f64 = 1000.0;
/// Share of the way to a touch that a goal is at. It moves along with the steps, so that it is a factor of the gradient.
const GOAL_SHARE: f64 = 0.3;
/// Vertices of colliding triangles that a sample stands for.
const VERTICES_PER_SAMPLE: f64 = 50.0;
/// Frame time of published velocities.
const REFERENCE_FRAME_SECONDS: f64 = 1.0 / 30.0;

/// A frame of a window.
#[derive(Clone, Debug)]
pub(super) struct EnergyFrame {
    pub(super) start: StartPose,
    /// Points that should touch.
    pub(super) pairs: Vec<[Point; 2]>,
    /// Whether the feet are in contact, left and right.
    pub(super) is_planted: [bool; 2],
    /// The ends of the source's limbs.
    pub(super) source_ends: [Vector3<f64>; 4],
}

/// The energies of a window.
pub(super) struct Objective<'a> {
    pub(super) body: &'a VariableBody<'a>,
    pub(super) ends: &'a [Point; 4],
    pub(super) soles: &'a [SolePoint],
    pub(super) penetration: Option<&'a Penetration<'a>>,
    /// The ground below the target.
    pub(super) terrain: &'a Terrain,
    pub(super) frame_time: f64,
    pub(super) knots: Knots,
    pub(super) frames: Vec<EnergyFrame>,
}

/// A frame in work.
struct Work {
    x: Vec<f64>,
    world: WorldPose,
    forces: Forces,
    gradient: Vec<f64>,
}

impl Objective<'_> {
    /// Returns the number of coefficients.
    pub(super) fn variables(&self) -> usize {
        self.knots.count() * self.body.width()
    }

    /// Returns the variables of a frame.
    pub(super) fn at(&self, frame: usize, coefficients: &[f64]) -> Vec<f64> {
        let width = self.body.width();
        let (first, shares) = self.knots.at(frame);
        let blocks = coefficients[first * width..].chunks_exact(width).zip(shares);
        let mut x = vec![0.0; width];
        for (block, share) in blocks {
            x.iter_mut().zip(block).for_each(|(to, own)| *to += share * own);
        }
        x
    }

    /// Returns the weighted energies, and writes their gradient.
    pub(super) fn evaluate(&self, coefficients: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        let (mut energy, mut last) = (0.0, None::<Work>);
        for frame in 0..self.frames.len() {
            let mut work = self.begin(frame, coefficients);
            energy += self.of_frame(&self.frames[frame], &mut work);
            if let Some(mut last) = last.take() {
                energy += self.of_step(frame, &mut last, &mut work);
                self.end(frame - 1, last, gradient);
            }
            last = Some(work);
        }
        if let Some(last) = last {
            self.end(self.frames.len() - 1, last, gradient);
        }
        energy
    }

    /// Poses a frame.
    fn begin(&self, frame: usize, coefficients: &[f64]) -> Work {
        let x = self.at(frame, coefficients);
        let mut world = WorldPose::zeros(&self.body.plan.target.skeleton);
        self.body.pose(&self.frames[frame].start, &x, &mut world);
        Work { gradient: vec![0.0; x.len()], forces: self.body.forces(), x, world }
    }

    /// Adds the gradient of a frame to that by the coefficients.
    fn end(&self, frame: usize, mut work: Work, gradient: &mut [f64]) {
        self.body.add_gradient((&work.world, &work.x), &mut work.forces, &mut work.gradient);
        let width = self.body.width();
        let (first, shares) = self.knots.at(frame);
        for (block, share) in gradient[first * width..].chunks_exact_mut(width).zip(shares) {
            block.iter_mut().zip(&work.gradient).for_each(|(to, own)| *to += share * own);
        }
    }

    /// The energies of a frame by itself: contacts, penetration, heights of feet, rotations.
    fn of_frame(&self, frame: &EnergyFrame, work: &mut Work) -> f64 {
        let penetration = self.penetration.map_or(0.0, |own| {
            let weight = PENETRATION_WEIGHT * VERTICES_PER_SAMPLE;
            weight * own.evaluate(self.body.plan, &work.world, (weight, &mut work.forces))
        });
        penetration
            + CONTACT_WEIGHT * GOAL_SHARE * contacts(frame, work)
            + FOOT_WEIGHT * self.heights(frame, work)
            + ROTATION_WEIGHT * self.rotations(work)
    }

    /// The energies of a step between two frames: velocities of planted feet, of the ends of limbs, and of the body.
    fn of_step(&self, frame: usize, last: &mut Work, next: &mut Work) -> f64 {
        let frames = [&self.frames[frame - 1], &self.frames[frame]];
        let rate = REFERENCE_FRAME_SECONDS / self.frame_time;
        FOOT_WEIGHT * self.foot_velocities(frames, (last, next), rate)
            + END_WEIGHT * self.end_velocities(frames, (last, next), rate)
            + self.body_velocity((last, next), rate)
    }

    /// E_foot, heights: `Σ ‖h‖²/H` of the points of planted feet.
    fn heights(&self, frame: &EnergyFrame, work: &mut Work) -> f64 {
        let mut energy = 0.0;
        for SolePoint { side, point, radius } in self.soles {
            if frame.is_planted[side.index()] {
                let height = self.terrain.clearance(&point.place(&work.world)) - radius;
                energy += height * height / BODY_HEIGHT;
                let by = *self.terrain.normal * (2.0 * FOOT_WEIGHT * height / BODY_HEIGHT);
                point.push(&work.world, &mut work.forces, &by);
            }
        }
        energy
    }

    /// E_weak, rotations: `Σ ‖θ − θ_copy‖²`.
    fn rotations(&self, work: &mut Work) -> f64 {
        let own = self.body.rotations(&work.x);
        let to = work.gradient.iter_mut().zip(own);
        to.for_each(|(to, x)| *to += 2.0 * ROTATION_WEIGHT * x);
        own.iter().map(|x| x * x).sum()
    }

    /// E_weak, velocity: `‖o − o_copy‖²` of the body.
    fn body_velocity(&self, (last, next): (&mut Work, &mut Work), rate: f64) -> f64 {
        let off = (self.body.offset(&next.x) - self.body.offset(&last.x)) * rate;
        self.body.add_offset_gradient(&(off * (2.0 * rate)), &mut next.gradient);
        self.body.add_offset_gradient(&(off * (-2.0 * rate)), &mut last.gradient);
        off.norm_squared()
    }

    /// E_foot, velocities: `Σ ‖v‖²/H` of the points of feet that are planted in both frames.
    fn foot_velocities(
        &self,
        frames: [&EnergyFrame; 2],
        (last, next): (&mut Work, &mut Work),
        rate: f64,
    ) -> f64 {
        let mut energy = 0.0;
        for SolePoint { side, point, .. } in self.soles {
            if frames.iter().all(|frame| frame.is_planted[side.index()]) {
                let velocity = (point.place(&next.world) - point.place(&last.world)) * rate;
                energy += velocity.norm_squared() / BODY_HEIGHT;
                push_step(point, (last, next), velocity * (2.0 * FOOT_WEIGHT * rate / BODY_HEIGHT));
            }
        }
        energy
    }

    /// E_ee: `Σ ‖v/H − v_source/H‖²` of hands and feet.
    fn end_velocities(
        &self,
        frames: [&EnergyFrame; 2],
        (last, next): (&mut Work, &mut Work),
        rate: f64,
    ) -> f64 {
        let mut energy = 0.0;
        for (k, point) in self.ends.iter().enumerate() {
            let [before, after] = frames.map(|frame| frame.source_ends[k]);
            let step = point.place(&next.world) - point.place(&last.world);
            let off = (step - (after - before)) * (rate / BODY_HEIGHT);
            energy += off.norm_squared();
            push_step(point, (last, next), off * (2.0 * END_WEIGHT * rate / BODY_HEIGHT));
        }
        energy
    }
}

/// E_j2j: mean of `‖v_i − v_j‖²` over the pairs.
fn contacts(frame: &EnergyFrame, work: &mut Work) -> f64 {
    let count = frame.pairs.len().max(1) as f64;
    let mut energy = 0.0;
    for [a, b] in &frame.pairs {
        let off = a.place(&work.world) - b.place(&work.world);
        energy += off.norm_squared() / count;
        let by = off * (2.0 * CONTACT_WEIGHT * GOAL_SHARE / count);
        a.push(&work.world, &mut work.forces, &by);
        b.push(&work.world, &mut work.forces, &-by);
    }
    energy
}

/// Adds the gradient by the step of a point between two frames.
fn push_step(point: &Point, (last, next): (&mut Work, &mut Work), by_step: Vector3<f64>) {
    point.push(&next.world, &mut next.forces, &by_step);
    point.push(&last.world, &mut last.forces, &-by_step);
}
