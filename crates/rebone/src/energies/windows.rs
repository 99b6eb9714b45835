//! The energies of a clip, minimised over windows of frames that overlap.

use super::body::VariableBody;
use super::contact_pairs::ContactPairs;
use super::objective::{EnergyFrame, Objective};
use super::penetration::Penetration;
use super::points::{ends, sole_points};
use crate::align::Plan;
use crate::contacts::Terrain;
use crate::math::{Knots, ease, for_all, minimise};
use crate::surface::SurfacePair;
use crate::watch::{Stopped, Watched};
use nalgebra::Vector3;
use rebone_body::poses;
use rebone_skeleton::{Clip, WorldPose};
use std::ops::Range;

/// Distance of two points in the start from which on they are not pulled together, metres.
const MAX_PULLED_METRES: f64 = 0.15;
/// Time of a window, and time by which neighbours overlap: the result fades from one to the other there.
const WINDOW_SECONDS: f64 = 8.0;
const OVERLAP_SECONDS: f64 = 1.0;
/// Largest number of frames of a window, for clips of thousands of frames a second.
const MAX_WINDOW_FRAMES: usize = 2000;
/// Most iterations in a window.
const MAX_ITERATIONS: usize = 200;
/// Length of the first step over the gradient.
const FIRST_STEP: f64 = 0.01;

/// A result of rotation copy with what is known of its source.
pub(crate) struct EnergyProblem<'a> {
    pub(crate) plan: &'a Plan,
    /// Surfaces of both bodies; `None` of bodies that have none.
    pub(crate) pair: Option<&'a SurfacePair>,
    /// The result of rotation copy.
    pub(crate) start: &'a Clip,
    /// Self-contacts in each frame.
    pub(crate) pairs: &'a [ContactPairs],
    /// Whether feet are in contact in each frame, left and right.
    pub(crate) is_planted: &'a [[bool; 2]],
    /// The ends of the source's limbs in each frame.
    pub(crate) source_ends: &'a [[Vector3<f64>; 4]],
    /// The ground below the target.
    pub(crate) terrain: &'a Terrain,
}

impl EnergyProblem<'_> {
    /// Returns the poses with the least energies in segments of continuous motion.
    ///
    /// # Errors
    /// Where the work was stopped.
    pub(crate) fn solve<'w>(
        &self,
        segments: &[Range<usize>],
        begin: impl FnOnce(usize) -> Watched<'w>,
    ) -> Result<Clip, Stopped> {
        let body = VariableBody::new(self.plan);
        let penetration = self.pair.map(|pair| Penetration::new(self.plan, pair));
        let frame_time = self.start.frame_time;
        let all: Vec<Range<usize>> =
            segments.iter().flat_map(|own| windows(own, frame_time)).collect();
        let watched = begin(all.len());
        let solved = for_all(&all, |frames| {
            watched.check()?;
            let solved = self.solve_window(&body, penetration.as_ref(), frames);
            watched.add(1);
            Ok(solved)
        });
        let solved = solved.into_iter().collect::<Result<Vec<_>, Stopped>>()?;
        watched.check()?;
        let mut sums = vec![vec![0.0; body.width()]; self.start.len()];
        let mut weights = vec![0.0; self.start.len()];
        for (frames, solved) in all.iter().zip(&solved) {
            for ((k, frame), x) in frames.clone().enumerate().zip(solved) {
                let weight = overlap_weight(k, frames.len(), frame_time);
                sums[frame].iter_mut().zip(x).for_each(|(sum, x)| *sum += weight * x);
                weights[frame] += weight;
            }
        }
        let mut world = WorldPose::zeros(&self.plan.target.skeleton);
        let mut helpers = world.clone();
        let mut result = self.start.clone();
        poses::edit(&mut result, |frame, pose| {
            let x: Vec<f64> = sums[frame].iter().map(|sum| sum / weights[frame]).collect();
            if x.iter().any(|x| *x != 0.0) {
                body.write(pose, &x, &mut world);
                self.plan.carry_helpers(pose, &mut helpers);
            }
        });
        Ok(result)
    }

    /// Returns the variables of each frame of a window.
    fn solve_window(
        &self,
        body: &VariableBody,
        penetration: Option<&Penetration>,
        frames: &Range<usize>,
    ) -> Vec<Vec<f64>> {
        let (ends, soles) = (ends(self.plan), sole_points(self.plan));
        let objective = Objective {
            body,
            ends: &ends,
            soles: &soles,
            penetration,
            terrain: self.terrain,
            frame_time: self.start.frame_time,
            knots: Knots::new(frames.len(), self.start.frame_time),
            frames: frames.clone().map(|frame| self.frame(body, frame)).collect(),
        };
        let mut coefficients = vec![0.0; objective.variables()];
        minimise(&mut coefficients, (FIRST_STEP, MAX_ITERATIONS), |x, gradient| {
            objective.evaluate(x, gradient)
        });
        (0..frames.len()).map(|frame| objective.at(frame, &coefficients)).collect()
    }

    /// Reads a frame. Points that are far from each other in the start are not pulled.
    fn frame(&self, body: &VariableBody, frame: usize) -> EnergyFrame {
        let start = body.start(&poses::pose(self.start, frame));
        let mut world = WorldPose::zeros(&self.plan.target.skeleton);
        body.pose(&start, &vec![0.0; body.width()], &mut world);
        let pairs = self.pairs[frame].0.iter().copied();
        let pairs =
            pairs.filter(|[a, b]| (a.place(&world) - b.place(&world)).norm() <= MAX_PULLED_METRES);
        EnergyFrame {
            pairs: pairs.collect(),
            start,
            is_planted: self.is_planted[frame],
            source_ends: self.source_ends[frame],
        }
    }
}

/// Returns windows over a segment of a clip that overlap.
fn windows(segment: &Range<usize>, frame_time: f64) -> Vec<Range<usize>> {
    let length = ((WINDOW_SECONDS / frame_time).ceil() as usize).clamp(2, MAX_WINDOW_FRAMES);
    let step = length - overlap_frames(length, frame_time);
    let window = |start: usize| start..segment.end.min(start + length);
    let next = |last: &Range<usize>| (last.end < segment.end).then(|| window(last.start + step));
    std::iter::successors(Some(window(segment.start)), next).collect()
}

fn overlap_frames(length: usize, frame_time: f64) -> usize {
    ((OVERLAP_SECONDS / frame_time).ceil() as usize).min(length / 2)
}

/// Returns the weight of a window in its frame `k`, which falls towards its ends.
fn overlap_weight(k: usize, frames: usize, frame_time: f64) -> f64 {
    let inward = (k + 1).min(frames - k) as f64;
    ease(inward * frame_time / OVERLAP_SECONDS).max(1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_a_segment_and_overlap() {
        let frame_time = 1.0 / 30.0;
        let all = windows(&(10..500), frame_time);
        assert_eq!(all, [10..250, 220..460, 430..500]);
        assert_eq!(windows(&(3..4), frame_time).len(), 1);
        let weight = |k: usize| overlap_weight(k, 240, frame_time);
        assert!(weight(0) > 0.0 && weight(0) < 0.01 && weight(15) < 1.0);
        assert_eq!([weight(29), weight(120), weight(210)], [1.0; 3]);
    }
}
