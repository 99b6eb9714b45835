//! Turns of both arms over a piece of a clip, as splines: Gauss-Newton on banded normal equations.

use super::arm::{ARM_VARIABLES, BEND, turn_of};
use super::choice::{TouchChoice, TouchShares};
use super::goals::quadratic::{Quadratic, VARIABLES, Variables, of_arm, variables_of};
use super::goals::{FrameGoals, bend_range};
use super::piece::Piece;
use super::slack::TouchSlack;
use crate::frame::ArmTurn;
use crate::math::{KNOT_SPACING_SECONDS, Knots, ease, for_all};
use crate::surface::{BodyTransforms, SurfacePair};
use rebone_body::body::{BodySegment, Side};
use rebone_body::math::BandedEquations;
use std::ops::Range;

/// Most rounds of Gauss-Newton in all, and of rough ones.
const MAX_ROUNDS: usize = 24;
const MAX_ROUGH_ROUNDS: usize = 8;
/// Largest change of a variable in a round after which there is no other, radians; in a rough one.
const SETTLED_RADIANS: f64 = 0.01;
const ROUGH_RADIANS: f64 = 0.03;
/// Longest time between frames whose goals count: a frame at 30 frames a second.
const SAMPLE_SECONDS: f64 = 0.034;
/// Longest time between them in rough rounds: two frames at 30 frames a second.
const ROUGH_SECONDS: f64 = 0.068;
/// Least number of frames whose goals count, in a piece that has as many.
const MIN_SAMPLES: usize = 8;
/// Lever of a change in one round, metres. Clearances come and go between rounds: undamped, arms swing from one side of a limit
/// to the other and a cut of the clip changes where they end.
const DAMPING_METRES: f64 = 0.06;
/// Time at the ends of a piece over which turns fade.
const FADE_SECONDS: f64 = 0.15;
/// Time in which turns settle.
const SETTLE_SECONDS: f64 = 0.15;
/// Lever of the smoothness of turns, metres.
const SMOOTH_METRES: f64 = 0.06;

impl SurfacePair {
    /// Returns whether only hands in the floor can ask for anything: over a guessed surface only chosen touches and segments
    /// whose girth is stated count.
    pub(crate) fn is_floor_alone(&self, shares: Option<&TouchShares>) -> bool {
        let is_chosen = shares.is_none_or(|all| all.iter().flatten().any(|share| *share > 0.0));
        self.is_guessed() && !is_chosen && self.cleared().is_empty()
    }

    /// Returns whether a hand of the target may be in the floor.
    pub(crate) fn hands_may_sink(&self, target: &BodyTransforms, floors: Option<[f64; 2]>) -> bool {
        let hands = Side::BOTH.map(BodySegment::Hand);
        hands.into_iter().any(|hand| self.may_sink(hand, target, floors))
    }

    /// Returns whether the arms are near anything in a frame, or too deep.
    pub(crate) fn is_active(
        &self,
        bodies: [&BodyTransforms; 2],
        floors: Option<[f64; 2]>,
        shares: Option<TouchShares>,
    ) -> bool {
        FrameGoals::is_active(self, bodies, floors, shares)
    }

    /// Returns the turns of both arms in the frames of a piece, with the slack of their touches, given source and target there
    /// and the choice of touches by frames of the clip.
    pub(crate) fn arm_turns(
        &self,
        piece: &Piece,
        bodies: &[[BodyTransforms; 2]],
        (floors, choice): (Option<[f64; 2]>, &TouchChoice),
        frame_time: f64,
    ) -> Vec<([ArmTurn; 2], Vec<TouchSlack>)> {
        let knots = Knots::new(bodies.len(), frame_time);
        let every =
            |seconds: f64| ((seconds / frame_time) as usize).min(bodies.len() / MIN_SAMPLES).max(1);
        let fine = every(SAMPLE_SECONDS);
        let rough = every(ROUGH_SECONDS) / fine;
        let first = piece.first_sample(fine);
        let sampled: Vec<usize> = (first..bodies.len()).step_by(fine).collect();
        let goals = for_all(&sampled, |frame| {
            let [source, target] = &bodies[*frame];
            let shares = choice.shares(piece.frames.start + frame);
            (*frame, FrameGoals::new(self, [source, target], floors, shares))
        });
        let first_rough = (piece.first_sample(fine * rough) - first) / fine;
        let mut x = settled(&knots, &goals, (first_rough, rough), fine as f64 * frame_time);
        for (x, [_, target]) in x.iter_mut().zip(bodies) {
            hold_bends(target, x);
        }
        fade(&mut x, piece.fades, frame_time);
        let turns = bodies.iter().zip(&x).map(|([_, target], x)| arm_turns_at(target, x));
        let slacks: Vec<_> = goals.iter().map(|(frame, own)| own.slacks(&x[*frame])).collect();
        let nearest = |frame: usize| (frame + fine / 2).saturating_sub(first) / fine;
        let slack = |frame: usize| slacks[nearest(frame).min(slacks.len() - 1)].clone();
        turns.enumerate().map(|(frame, turns)| (turns, slack(frame))).collect()
    }
}

/// Returns the variables in all frames once they have settled, given goals of frames that are `seconds` apart. First the goals
/// of every `rough`th of these count, from the one at `first_rough` on, then all.
fn settled(
    knots: &Knots,
    goals: &[(usize, FrameGoals)],
    (first_rough, rough): (usize, usize),
    seconds: f64,
) -> Vec<Variables> {
    let mut x = vec![Variables::zeros(); knots.frames()];
    let (mut first, mut every) = (first_rough, rough);
    for round in 0..MAX_ROUNDS {
        let at: Vec<_> = goals.iter().skip(first).step_by(every).collect();
        let quadratics = for_all(&at, |(frame, goals)| {
            (*frame, damped(goals.quadratic(&x[*frame]), &x[*frame]))
        });
        let next = solve_splines(knots, &quadratics, seconds * every as f64);
        let steps = x.iter().zip(&next).map(|(x, next)| (next - x).amax());
        let largest = steps.fold(0.0, f64::max);
        x = next;
        if every > 1 && (largest < ROUGH_RADIANS || round + 1 >= MAX_ROUGH_ROUNDS) {
            (first, every) = (0, 1);
        } else if largest < SETTLED_RADIANS {
            break;
        }
    }
    x
}

/// Returns the turns of both arms of a frame at values of the variables.
pub(super) fn arm_turns_at(target: &BodyTransforms, x: &Variables) -> [ArmTurn; 2] {
    Side::BOTH.map(|side| turn_of(&target.arms[side.index()], &of_arm(x, side)))
}

/// Adds the pull of the variables to what they are.
pub(super) fn damped(mut quadratic: Quadratic, x: &Variables) -> Quadratic {
    (0..VARIABLES)
        .for_each(|index| quadratic.pull(index, x[index], DAMPING_METRES * DAMPING_METRES));
    quadratic
}

/// Brings the bends of both elbows into their ranges.
pub(super) fn hold_bends(target: &BodyTransforms, x: &mut Variables) {
    for side in Side::BOTH {
        let [least, most] = bend_range(&target.arms[side.index()]);
        let bend = &mut x[side.index() * ARM_VARIABLES + BEND];
        *bend = bend.clamp(least, most);
    }
}

/// Fades variables at begin and end.
fn fade(x: &mut [Variables], ends: [bool; 2], frame_time: f64) {
    let last = x.len().saturating_sub(1);
    for (k, x) in x.iter_mut().enumerate() {
        for (fades, frames) in ends.into_iter().zip([k, last - k]) {
            if fades {
                *x *= ease(frames as f64 * frame_time / FADE_SECONDS);
            }
        }
    }
}

/// Returns the values, frame by frame, of the splines that meet the goals of some frames best; each stands for `seconds`.
fn solve_splines(knots: &Knots, quadratics: &[(usize, Quadratic)], seconds: f64) -> Vec<Variables> {
    let mut all = vec![Variables::zeros(); knots.frames()];
    for variables in independent(quadratics) {
        let solved = spline_coefficients(knots, quadratics, &variables, seconds);
        for (frame, all) in all.iter_mut().enumerate() {
            let (first, shares) = knots.at(frame);
            for (k, i) in variables.clone().enumerate() {
                let own = solved[first * variables.len() + k..].iter().step_by(variables.len());
                all[i] = shares.iter().zip(own).map(|(share, x)| share * x).sum();
            }
        }
    }
    all
}

/// Returns the variables that are solved at once: those of each arm alone where nothing joins the arms, and none of an arm that
/// is asked for nothing.
fn independent(quadratics: &[(usize, Quadratic)]) -> Vec<Range<usize>> {
    let arms = Side::BOTH.map(variables_of);
    let [first, second] = arms.each_ref().map(Range::clone);
    let joint = |(_, own): &(usize, Quadratic)| {
        let block = own.matrix.view_range(first.clone(), second.clone());
        block.iter().any(|entry| *entry != 0.0)
    };
    if quadratics.iter().any(joint) {
        return std::iter::once(0..VARIABLES).collect();
    }
    let is_asked = |arm: &Range<usize>| {
        let asks = |(_, own): &(usize, Quadratic)| {
            own.vector.as_slice()[arm.clone()].iter().any(|x| *x != 0.0)
        };
        quadratics.iter().any(asks)
    };
    arms.into_iter().filter(is_asked).collect()
}

/// Returns the coefficients of the splines of some variables, knot by knot.
fn spline_coefficients(
    knots: &Knots,
    quadratics: &[(usize, Quadratic)],
    variables: &Range<usize>,
    seconds: f64,
) -> Vec<f64> {
    let count = variables.len();
    let mut equations = BandedEquations::new(knots.count() * count, 4 * count);
    for (frame, own) in quadratics {
        push_frame(&mut equations, knots.at(*frame), (own, variables), seconds);
    }
    let stiffness =
        SMOOTH_METRES * SMOOTH_METRES * SETTLE_SECONDS.powi(4) / KNOT_SPACING_SECONDS.powi(3);
    let difference = [1.0, -2.0, 1.0];
    for knot in 1..knots.count().saturating_sub(1) {
        for i in 0..count {
            let at = [knot - 1, knot, knot + 1].map(|knot| knot * count + i);
            for (a, x) in difference.into_iter().enumerate() {
                for (b, y) in difference.into_iter().enumerate().skip(a) {
                    equations.add(at[a], at[b], stiffness * x * y);
                }
            }
        }
    }
    equations.solve()
}

/// Adds the goals of a frame to the equations of the coefficients.
fn push_frame(
    equations: &mut BandedEquations,
    (first, shares): (usize, &[f64; 4]),
    (own, variables): (&Quadratic, &Range<usize>),
    seconds: f64,
) {
    let count = variables.len();
    let rows = own.matrix.transpose();
    for (a, share) in shares.iter().enumerate() {
        let row = (first + a) * count;
        for (k, i) in variables.clone().enumerate() {
            equations.add_right(row + k, share * own.vector[i] * seconds);
        }
        for (b, other) in shares.iter().enumerate().skip(a) {
            let column = (first + b) * count;
            let weight = share * other * seconds;
            for (k, i) in variables.clone().enumerate() {
                let from = if a == b { k } else { 0 };
                let own = &rows.as_slice()[i * VARIABLES..][variables.clone()][from..];
                equations.add_row(row + k, column + from, own, weight);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pulls to values that change over time, in some frames.
    fn pulls(frames: impl Iterator<Item = usize>, frame_time: f64) -> Vec<(usize, Quadratic)> {
        let pull = |frame: usize| {
            let mut own = Quadratic::zero();
            let value = libm::sin(3.0 * frame as f64 * frame_time);
            (0..VARIABLES).for_each(|index| own.pull(index, value * index as f64, 0.01));
            (frame, own)
        };
        frames.map(pull).collect()
    }

    #[test]
    fn splines_follow_what_sampled_frames_ask_for() {
        let frame_time = 1.0 / 60.0;
        let knots = Knots::new(60, frame_time);
        let solved = [1, 2].map(|every| {
            let quadratics = pulls((0..60).step_by(every), frame_time);
            solve_splines(&knots, &quadratics, every as f64 * frame_time)
        });
        for (frame, (all, half)) in solved[0].iter().zip(&solved[1]).enumerate() {
            let wanted = libm::sin(3.0 * frame as f64 * frame_time);
            for index in 0..VARIABLES {
                let off = [all, half].map(|x| (x[index] - wanted * index as f64).abs());
                assert!(off.iter().all(|off| *off < 0.1 * index as f64 + 1e-9), "{frame}: {off:?}");
                assert!((all[index] - half[index]).abs() < 0.01 * index as f64 + 1e-9, "{frame}");
            }
        }
    }
}
