//! The least-squares problem of a segment: offsets of root, feet and hands that enforce its contacts.

use super::limb_state::{ActiveTarget, LimbState, active_targets, levels};
use super::targets::contact_target::ContactTarget;
use super::targets::segment_bodies::SegmentBodies;
use crate::contacts::BodyPart;
use crate::frame::PoseOffset;
use crate::math::{KNOT_SPACING_SECONDS, Knots, SplineLeastSquares, SplineSolution};
use crate::options::ContactMode;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::rotation::shortest_arc;
use std::ops::Range;

/// Weights per second of squared distances, metres: contact targets, soft targets, and targets of parts fixed to the
/// trunk.
const TARGET_WEIGHT: f64 = 1000.0;
const SOFT_WEIGHT: f64 = 3.0;
const BODY_TARGET_WEIGHT: f64 = 30.0;
/// Weights of the offsets of limbs relative to the root, and of the root.
const LIMB_WEIGHT: f64 = 1.0;
const ROOT_WEIGHT: f64 = 0.4;
/// Times in which offsets of limbs and of the root settle.
const LIMB_SETTLE_SECONDS: f64 = 0.15;
const ROOT_SETTLE_SECONDS: f64 = 0.25;
/// Factor of the root's stiffness while nothing is in contact.
const AIRBORNE_STIFFNESS: f64 = 50.0;
/// Weights of reach and ground violations.
const REACH_WEIGHT: f64 = 3000.0;
const GROUND_WEIGHT: f64 = 1000.0;
/// Time over which a foot that the splines leave below the ground is lifted and lowered.
const LIFT_SECONDS: f64 = 0.06;
/// Largest number of rounds of the active set of reach and ground rows.
const MAX_ROUNDS: usize = 5;

/// Index of the floor's vertical axis.
const UP: usize = 1;
/// Index of the root's offset among the vectors of a knot; limb ends follow.
const ROOT_VECTOR: usize = 0;

/// The problem of a segment, in the axes of the floor: +Y is its normal.
pub(crate) struct SegmentProblem<'a> {
    pair: SegmentBodies<'a>,
    frames: Range<usize>,
    contact_targets: &'a [ContactTarget],
    floor_from_inner: UnitQuaternion<f64>,
    /// Number of [`Limb::ALL`](rebone_body::body::Limb::ALL) with targets: legs, or all.
    limbs: usize,
    knots: Knots,
    /// For each frame whether any part is in contact.
    in_contact: Vec<bool>,
    /// Active target of each limb in each frame.
    targets: Vec<Vec<Option<ActiveTarget>>>,
    /// State of each limb in each frame.
    limb_states: Vec<Vec<LimbState>>,
}

impl<'a> SegmentProblem<'a> {
    /// Sets up the problem of a segment with its targets; lengths of the limbs of both bodies.
    pub(crate) fn new(
        pair: SegmentBodies<'a>,
        lengths: [[f64; 4]; 2],
        frames: Range<usize>,
        contact_targets: &'a [ContactTarget],
    ) -> Self {
        let kept = |limb: &&BodyPart| limb.limb().is_some();
        let limbs = pair.keep.parts().iter().filter(kept).count();
        let floor_from_inner = shortest_arc(&pair.below.normal, &Vector3::y_axis());
        let mut in_contact = vec![false; frames.len()];
        for contact_target in contact_targets {
            in_contact[contact_target.frames.start - frames.start
                ..contact_target.frames.end - frames.start]
                .fill(true);
        }
        let limb_states = |limb: usize| {
            let lengths = lengths.map(|own| own[limb]);
            let limb_state = |(frame, level)| {
                LimbState::new(&pair, &floor_from_inner, lengths, (limb, level), frame)
            };
            frames
                .clone()
                .zip(levels(&pair, limb, &frames, contact_targets))
                .map(limb_state)
                .collect()
        };
        let targets = |limb| active_targets(limb, &floor_from_inner, &frames, contact_targets);
        Self {
            limb_states: (0..limbs).map(limb_states).collect(),
            targets: (0..limbs).map(targets).collect(),
            floor_from_inner,
            knots: Knots::new(frames.len(), pair.source.frame_time),
            pair,
            frames,
            contact_targets,
            limbs,
            in_contact,
        }
    }

    /// Solves for the offsets of the segment's frames.
    pub(crate) fn solve(&self, offsets: &mut [PoseOffset]) {
        let mut fixed = SplineLeastSquares::new(&self.knots, 1 + self.limbs);
        self.push_targets(&mut fixed);
        self.push_rest(&mut fixed);
        self.push_smoothness(&mut fixed);
        let mut x = fixed.clone().solve();
        // A fixed number of rounds keeps distant frames independent of each other.
        for _ in 0..MAX_ROUNDS {
            let mut rows = fixed.clone();
            // Only violated rows are active: a satisfied one would pull back.
            let is_met = [self.push_reach(&mut rows, &x), self.push_ground(&mut rows, &x)];
            if is_met == [true; 2] {
                break;
            }
            x = rows.solve();
        }
        let inner_from_floor = self.floor_from_inner.inverse();
        let lifts: Vec<Vec<f64>> = (0..self.limbs).map(|limb| self.lifts(&x, limb)).collect();
        for (k, offsets) in offsets.iter_mut().enumerate() {
            offsets.root = inner_from_floor * x.value(k, ROOT_VECTOR);
            for (limb, lifts) in lifts.iter().enumerate() {
                let end = self.end(&x, k, limb) + Vector3::y() * lifts[k];
                offsets.ends[limb] = Some(inner_from_floor * end);
            }
        }
    }

    /// Returns the lift of a foot in the air in each frame beyond what splines can follow, so that it stays above the
    /// ground: the envelope of smooth bumps.
    fn lifts(&self, x: &SplineSolution, limb: usize) -> Vec<f64> {
        let mut lifts = vec![0.0; self.frames.len()];
        let reach = (LIFT_SECONDS / self.pair.source.frame_time).ceil().max(1.0) as usize;
        let in_air = |k: &usize| !self.is_held(*k, limb);
        for k in (0..lifts.len()).filter(in_air) {
            let Some(depth) = self.depth(x, k, limb).filter(|depth| *depth > 0.0) else { continue };
            let near = k.saturating_sub(reach - 1)..lifts.len().min(k + reach);
            for t in near.filter(in_air) {
                let away = t.abs_diff(k) as f64 / reach as f64;
                lifts[t] = f64::max(lifts[t], depth * (1.0 - away * away).powi(2));
            }
        }
        lifts
    }

    /// Returns the depth of a foot in the air below the ground, less the source's; `None` for other limbs.
    fn depth(&self, x: &SplineSolution, frame: usize, limb: usize) -> Option<f64> {
        self.limb_states[limb][frame].depth(self.end(x, frame, limb)[UP])
    }

    /// Returns the offset of a limb's end in a frame: the residual of the splines is closed within contacts, and fades
    /// outside.
    fn end(&self, x: &SplineSolution, frame: usize, limb: usize) -> Vector3<f64> {
        let own = x.value(frame, 1 + limb);
        let Some(targets) = self.targets[limb][frame] else { return own };
        if self.pair.keep == ContactMode::Soft {
            return own;
        }
        let mut off = targets.offset - own;
        if targets.slides {
            (off.x, off.z) = (0.0, 0.0);
        }
        own + off * targets.weight
    }

    /// Returns the share of the splines in the offset of a limb's end, along an axis.
    fn free(&self, frame: usize, limb: usize, axis: usize) -> f64 {
        match self.targets[limb][frame] {
            Some(own) if self.pair.keep != ContactMode::Soft && (axis == UP || !own.slides) => {
                1.0 - own.weight
            }
            _ => 1.0,
        }
    }

    /// Adds rows of contact targets.
    fn push_targets(&self, rows: &mut SplineLeastSquares) {
        let held = if self.pair.keep == ContactMode::Soft { SOFT_WEIGHT } else { TARGET_WEIGHT };
        for contact_target in self.contact_targets {
            let limb = contact_target.part.limb();
            let weight = if limb.is_some() { held } else { BODY_TARGET_WEIGHT };
            let weight = weight * contact_target.confidence.max(0.05) * self.pair.source.frame_time;
            let vector = limb.map_or(ROOT_VECTOR, |limb| 1 + limb);
            for (k, wanted) in contact_target.offset.iter().enumerate() {
                let frame = contact_target.blend_frames.start + k - self.frames.start;
                let (wanted, weight) =
                    (self.floor_from_inner * wanted, weight * contact_target.weight[k]);
                if contact_target.slides() {
                    rows.push(UP, frame, &[(vector, 1.0)], wanted[UP], weight);
                } else {
                    rows.push_vector(frame, &[(vector, 1.0)], &wanted, weight);
                }
            }
        }
    }

    /// Adds rows of zero offset of limbs and root.
    fn push_rest(&self, rows: &mut SplineLeastSquares) {
        let (time, zero) = (self.pair.source.frame_time, Vector3::zeros());
        for frame in 0..self.frames.len() {
            rows.push_vector(frame, &[(ROOT_VECTOR, 1.0)], &zero, ROOT_WEIGHT * time);
            for limb in 0..self.limbs {
                let change = [(ROOT_VECTOR, -1.0), (1 + limb, 1.0)];
                rows.push_vector(frame, &change, &zero, LIMB_WEIGHT * time);
            }
        }
    }

    /// Adds rows of smoothness.
    fn push_smoothness(&self, rows: &mut SplineLeastSquares) {
        let stiff = |settles: f64| settles.powi(4) / KNOT_SPACING_SECONDS.powi(3);
        for knot in 1..self.knots.count() - 1 {
            let near = self.knots.centre(knot - 1)..=self.knots.centre(knot + 1);
            let is_airborne = near.into_iter().all(|frame| !self.in_contact[frame]);
            let flight = if is_airborne { AIRBORNE_STIFFNESS } else { 1.0 };
            rows.smooth(ROOT_VECTOR, knot, ROOT_WEIGHT * stiff(ROOT_SETTLE_SECONDS) * flight);
            for limb in 0..self.limbs {
                rows.smooth(1 + limb, knot, LIMB_WEIGHT * stiff(LIMB_SETTLE_SECONDS));
            }
        }
    }

    /// Adds rows for limbs beyond their reach, linearised at the current vector; returns whether there are none.
    fn push_reach(&self, rows: &mut SplineLeastSquares, x: &SplineSolution) -> bool {
        let mut is_met = true;
        for frame in 0..self.frames.len() {
            let root = x.value(frame, ROOT_VECTOR);
            for limb in 0..self.limbs {
                let LimbState { root_to_end, max_length, .. } = self.limb_states[limb][frame];
                let end = self.end(x, frame, limb);
                let now = root_to_end + end - root;
                let length = now.norm();
                if length <= max_length {
                    continue;
                }
                is_met = false;
                let shortened = end - root + now * (max_length / length - 1.0);
                let value = x.value(frame, 1 + limb);
                let weight = REACH_WEIGHT * self.pair.source.frame_time;
                for axis in 0..3 {
                    let free = self.free(frame, limb, axis);
                    let parts = [(ROOT_VECTOR, -1.0), (1 + limb, free)];
                    let wanted = shortened[axis] - (end[axis] - value[axis] * free);
                    rows.push(axis, frame, &parts, wanted, weight);
                }
            }
        }
        is_met
    }

    /// Adds rows for feet in the air below the ground; returns whether there are none.
    fn push_ground(&self, rows: &mut SplineLeastSquares, x: &SplineSolution) -> bool {
        let mut is_met = true;
        for limb in 0..self.limbs {
            for k in (0..self.frames.len()).filter(|&k| !self.is_held(k, limb)) {
                let Some(deepest) = self.depth(x, k, limb) else { continue };
                if deepest > 0.0 {
                    is_met = false;
                    let free = self.free(k, limb, UP);
                    let wanted = x.value(k, 1 + limb)[UP] * free + deepest;
                    let weight = GROUND_WEIGHT * self.pair.source.frame_time;
                    rows.push(UP, k, &[(1 + limb, free)], wanted, weight);
                }
            }
        }
        is_met
    }

    /// Returns whether a limb is in contact.
    fn is_held(&self, frame: usize, limb: usize) -> bool {
        self.targets[limb][frame].is_some_and(|own| own.is_held)
    }
}
