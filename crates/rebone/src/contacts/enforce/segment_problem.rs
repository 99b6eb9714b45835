//! The least-squares problem of a piece of a clip: how body, feet and hands move so that its contacts hold.

use super::contact_target::{Foothold, Pair};
use super::limb_state::{Felt, Stance, felt, levels};
use crate::contacts::BodyPart;
use crate::frame::PoseOffset;
use crate::math::{Answer, Rows};
use crate::math::{Knots, SPACING};
use crate::options::ContactMode;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::rotation::shortest_arc;
use std::ops::Range;

/// Weights a second of the squared distances, metres: a foothold that is kept, one that is softly kept, a foothold of
/// a part that hangs on the body.
const HELD: f64 = 1000.0;
const SOFTLY: f64 = 3.0;
const BODY_HELD: f64 = 30.0;
/// Weight of a limb's change, and of the body's.
const LIMB: f64 = 1.0;
const ROOT: f64 = 0.4;
/// In so many seconds a limb's and the body's movement settle.
const LIMB_SETTLES: f64 = 0.15;
const ROOT_SETTLES: f64 = 0.25;
/// The body's movement is stiffer by so much while nothing is in contact.
const FLIGHT: f64 = 50.0;
/// Weights of what a limb cannot reach, and of what would be in the ground.
const REACH: f64 = 3000.0;
const GROUND: f64 = 1000.0;
/// In so many seconds a foot that splines leave in the ground is lifted, and let down again.
const LIFTS: f64 = 0.06;
/// Rounds in which rows of reach and ground come and go.
const ROUNDS: usize = 5;

/// The vertical axis of the floor.
const UP: usize = 1;
/// The body's movement among the unknown vectors of a knot; those of the limbs' ends stand behind it.
const BODY: usize = 0;

/// The problem of a piece of a clip, in the axes of the floor: +Y is away from it.
pub(crate) struct Piece<'a> {
    pair: Pair<'a>,
    frames: Range<usize>,
    footholds: &'a [Foothold],
    floor_from_inner: UnitQuaternion<f64>,
    /// How many of [`Limb::ALL`] count: legs, or all.
    limbs: usize,
    knots: Knots,
    /// For each frame whether anything is in contact.
    bears: Vec<bool>,
    /// For each limb that counts and each frame the foothold that is felt.
    felt: Vec<Vec<Option<Felt>>>,
    /// The same of how the limb stands.
    stances: Vec<Vec<Stance>>,
}

impl<'a> Piece<'a> {
    /// Of the frames of a piece, whose footholds those are; lengths of the limbs of both bodies.
    pub(crate) fn new(
        pair: Pair<'a>,
        lengths: [[f64; 4]; 2],
        frames: Range<usize>,
        footholds: &'a [Foothold],
    ) -> Self {
        let kept = |limb: &&BodyPart| limb.limb().is_some();
        let limbs = pair.keep.parts().iter().filter(kept).count();
        let floor_from_inner = shortest_arc(&pair.below.normal, &Vector3::y_axis());
        let mut bears = vec![false; frames.len()];
        for foothold in footholds {
            bears[foothold.held.start - frames.start..foothold.held.end - frames.start].fill(true);
        }
        let stances = |limb: usize| {
            let lengths = lengths.map(|own| own[limb]);
            let stance = |(frame, level)| {
                Stance::new(&pair, &floor_from_inner, lengths, (limb, level), frame)
            };
            frames.clone().zip(levels(&pair, limb, &frames, footholds)).map(stance).collect()
        };
        let felt = |limb| felt(limb, &floor_from_inner, &frames, footholds);
        Self {
            stances: (0..limbs).map(stances).collect(),
            felt: (0..limbs).map(felt).collect(),
            floor_from_inner,
            knots: Knots::new(frames.len(), pair.source.frame_time),
            pair,
            frames,
            footholds,
            limbs,
            bears,
        }
    }

    /// Fills in the movements of the piece's frames.
    pub(crate) fn solve(&self, moves: &mut [PoseOffset]) {
        let mut fixed = Rows::new(&self.knots, 1 + self.limbs);
        self.hold(&mut fixed);
        self.stay(&mut fixed);
        self.settle(&mut fixed);
        let mut x = fixed.clone().solve();
        // As many rounds wherever the piece is cut: what is far away does not change what is here.
        for _ in 0..ROUNDS {
            let mut rows = fixed.clone();
            // Only what is violated pulls: a row that is kept beyond that would push the other way.
            let is_met = [self.reach(&mut rows, &x), self.stay_above(&mut rows, &x)];
            if is_met == [true; 2] {
                break;
            }
            x = rows.solve();
        }
        let inner_from_floor = self.floor_from_inner.inverse();
        let lifts: Vec<Vec<f64>> = (0..self.limbs).map(|limb| self.lifts(&x, limb)).collect();
        for (k, moves) in moves.iter_mut().enumerate() {
            moves.root = inner_from_floor * x.value(k, BODY);
            for (limb, lifts) in lifts.iter().enumerate() {
                let end = self.end(&x, k, limb) + Vector3::y() * lifts[k];
                moves.ends[limb] = Some(inner_from_floor * end);
            }
        }
    }

    /// How far a foot in the air is lifted in each frame beyond what splines can follow, so that it is not in the
    /// ground: the envelope of smooth bumps.
    fn lifts(&self, x: &Answer, limb: usize) -> Vec<f64> {
        let mut lifts = vec![0.0; self.frames.len()];
        let reach = (LIFTS / self.pair.source.frame_time).ceil().max(1.0) as usize;
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

    /// How deep a foot in the air is in the ground, deeper than the source's; `None` of what is no foot.
    fn depth(&self, x: &Answer, frame: usize, limb: usize) -> Option<f64> {
        self.stances[limb][frame].depth(self.end(x, frame, limb)[UP])
    }

    /// How far a limb's end moves in a frame: what splines cannot follow is closed within contacts, and fades
    /// outside.
    fn end(&self, x: &Answer, frame: usize, limb: usize) -> Vector3<f64> {
        let own = x.value(frame, 1 + limb);
        let Some(felt) = self.felt[limb][frame] else { return own };
        if self.pair.keep == ContactMode::Soft {
            return own;
        }
        let mut off = felt.wanted - own;
        if felt.slides {
            (off.x, off.z) = (0.0, 0.0);
        }
        own + off * felt.share
    }

    /// How much of a limb's end in a frame is the splines', along an axis, and not closed.
    fn free(&self, frame: usize, limb: usize, axis: usize) -> f64 {
        match self.felt[limb][frame] {
            Some(own) if self.pair.keep != ContactMode::Soft && (axis == UP || !own.slides) => {
                1.0 - own.share
            }
            _ => 1.0,
        }
    }

    /// Rows of footholds.
    fn hold(&self, rows: &mut Rows) {
        let held = if self.pair.keep == ContactMode::Soft { SOFTLY } else { HELD };
        for foothold in self.footholds {
            let limb = foothold.part.limb();
            let weight = if limb.is_some() { held } else { BODY_HELD };
            let weight = weight * foothold.confidence.max(0.05) * self.pair.source.frame_time;
            let vector = limb.map_or(BODY, |limb| 1 + limb);
            for (k, wanted) in foothold.wanted.iter().enumerate() {
                let frame = foothold.felt.start + k - self.frames.start;
                let (wanted, weight) = (self.floor_from_inner * wanted, weight * foothold.share[k]);
                if foothold.slides() {
                    rows.push(UP, frame, &[(vector, 1.0)], wanted[UP], weight);
                } else {
                    rows.push_vector(frame, &[(vector, 1.0)], &wanted, weight);
                }
            }
        }
    }

    /// Rows of limbs and body that stay as they are.
    fn stay(&self, rows: &mut Rows) {
        let (time, zero) = (self.pair.source.frame_time, Vector3::zeros());
        for frame in 0..self.frames.len() {
            rows.push_vector(frame, &[(BODY, 1.0)], &zero, ROOT * time);
            for limb in 0..self.limbs {
                let change = [(BODY, -1.0), (1 + limb, 1.0)];
                rows.push_vector(frame, &change, &zero, LIMB * time);
            }
        }
    }

    /// Rows of smoothness.
    fn settle(&self, rows: &mut Rows) {
        let stiff = |settles: f64| settles.powi(4) / SPACING.powi(3);
        for knot in 1..self.knots.count() - 1 {
            let near = self.knots.centre(knot - 1)..=self.knots.centre(knot + 1);
            let flies = near.into_iter().all(|frame| !self.bears[frame]);
            let flight = if flies { FLIGHT } else { 1.0 };
            rows.smooth(BODY, knot, ROOT * stiff(ROOT_SETTLES) * flight);
            for limb in 0..self.limbs {
                rows.smooth(1 + limb, knot, LIMB * stiff(LIMB_SETTLES));
            }
        }
    }

    /// Rows of limbs that would have to be longer than they are: each is asked to be what it is now, shortened. Whether
    /// there are none.
    fn reach(&self, rows: &mut Rows, x: &Answer) -> bool {
        let mut is_met = true;
        for frame in 0..self.frames.len() {
            let root = x.value(frame, BODY);
            for limb in 0..self.limbs {
                let Stance { way, most, .. } = self.stances[limb][frame];
                let end = self.end(x, frame, limb);
                let now = way + end - root;
                let length = now.norm();
                if length <= most {
                    continue;
                }
                is_met = false;
                let shortened = end - root + now * (most / length - 1.0);
                let value = x.value(frame, 1 + limb);
                let weight = REACH * self.pair.source.frame_time;
                for axis in 0..3 {
                    let free = self.free(frame, limb, axis);
                    let parts = [(BODY, -1.0), (1 + limb, free)];
                    let wanted = shortened[axis] - (end[axis] - value[axis] * free);
                    rows.push(axis, frame, &parts, wanted, weight);
                }
            }
        }
        is_met
    }

    /// Rows of feet in the air that would be in the ground; whether there are none.
    fn stay_above(&self, rows: &mut Rows, x: &Answer) -> bool {
        let mut is_met = true;
        for limb in 0..self.limbs {
            for k in (0..self.frames.len()).filter(|&k| !self.is_held(k, limb)) {
                let Some(deepest) = self.depth(x, k, limb) else { continue };
                if deepest > 0.0 {
                    is_met = false;
                    let free = self.free(k, limb, UP);
                    let wanted = x.value(k, 1 + limb)[UP] * free + deepest;
                    let weight = GROUND * self.pair.source.frame_time;
                    rows.push(UP, k, &[(1 + limb, free)], wanted, weight);
                }
            }
        }
        is_met
    }

    /// Whether a limb is in contact.
    fn is_held(&self, frame: usize, limb: usize) -> bool {
        self.felt[limb][frame].is_some_and(|own| own.is_held)
    }
}
