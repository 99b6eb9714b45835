//! Turns of both arms over a piece of a clip, as splines: Gauss-Newton on banded normal equations.

use super::arm::{ARM_VARIABLES, BEND, turn_of};
use super::choice::{TouchChoice, TouchShares};
use super::goals::FrameGoals;
use super::quadratic::{Quadratic, VARIABLES, Variables, of_arm, variables_of};
use super::slack::TouchSlack;
use crate::body::Side;
use crate::frame::ArmTurn;
use crate::math::{BandedEquations, KNOT_SPACING_SECONDS, Knots, ease, for_all};
use crate::surface::{BodyTransforms, SurfacePair};
use std::ops::Range;

/// Most rounds of Gauss-Newton, and the largest change of a variable in a round after which there is no other, radians.
const MAX_ROUNDS: usize = 24;
const SETTLED_RADIANS: f64 = 0.01;
/// Lever of a change in one round, metres. Clearances come and go between rounds: undamped, arms swing from one side of a limit
/// to the other and a cut of the clip changes where they end.
const DAMPING_METRES: f64 = 0.06;
/// Time by which a piece begins before what is near, and ends after it.
const MARGIN_SECONDS: f64 = 0.5;
/// Time at the ends of a piece over which turns fade.
const FADE_SECONDS: f64 = 0.15;
/// Time in which turns settle.
const SETTLE_SECONDS: f64 = 0.15;
/// Lever of the smoothness of turns, metres.
const SMOOTH_METRES: f64 = 0.06;

/// Longest time that is solved at once, and time by which windows of longer pieces overlap: splines have settled by then.
const WINDOW_SECONDS: f64 = 20.0;
const OVERLAP_SECONDS: f64 = 2.0;
/// Largest number of frames of either, for clips of thousands of frames a second.
const MAX_WINDOW_FRAMES: usize = 5000;
const MAX_OVERLAP_FRAMES: usize = 1000;

/// Frames of a clip around self-contacts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    pub(crate) frames: Range<usize>,
    /// Whether turns fade at begin and end: they do not where the clip is cut.
    fades: [bool; 2],
}

impl Piece {
    /// Returns the pieces of a segment of a clip, given for each frame of the clip whether something is near.
    pub(crate) fn all_of(segment: &Range<usize>, is_active: &[bool], frame_time: f64) -> Vec<Self> {
        let margin = (MARGIN_SECONDS / frame_time).ceil() as usize;
        let mut all: Vec<Range<usize>> = Vec::new();
        for frame in segment.clone().filter(|&frame| is_active[frame]) {
            let begin = frame.saturating_sub(margin).max(segment.start);
            let end = segment.end.min(frame + margin + 1);
            match all.last_mut() {
                Some(last) if last.end >= begin => last.end = end,
                _ => all.push(begin..end),
            }
        }
        let piece = |frames: Range<usize>| Self {
            fades: [frames.start > segment.start, frames.end < segment.end],
            frames,
        };
        all.into_iter().map(piece).collect()
    }

    /// Returns the windows of a long piece that are solved one after another, so that memory does not grow with it: each
    /// as a piece of its own, with the frames in which it counts.
    pub(crate) fn windows(&self, frame_time: f64) -> Vec<(Self, Range<usize>)> {
        let frames = |time: f64, most: usize| ((time / frame_time).ceil() as usize).clamp(1, most);
        let length = frames(WINDOW_SECONDS, MAX_WINDOW_FRAMES);
        let overlap = frames(OVERLAP_SECONDS, MAX_OVERLAP_FRAMES);
        let Range { start, end } = self.frames;
        let window = |begin: usize| {
            let counts = begin..end.min(begin + length);
            let frames =
                counts.start.saturating_sub(overlap).max(start)..end.min(counts.end + overlap);
            let fades =
                [self.fades[0] && frames.start == start, self.fades[1] && frames.end == end];
            (Self { frames, fades }, counts)
        };
        (start..end).step_by(length).map(window).collect()
    }
}

impl SurfacePair {
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
        let frames: Vec<_> = piece.frames.clone().zip(bodies).collect();
        let goals = for_all(&frames, |(frame, [source, target])| {
            FrameGoals::new(self, [source, target], floors, choice.shares(*frame))
        });
        let mut x = vec![Variables::zeros(); bodies.len()];
        for _ in 0..MAX_ROUNDS {
            let at: Vec<(&FrameGoals, &Variables)> = goals.iter().zip(&x).collect();
            let quadratics = for_all(&at, |(goals, x)| damped(goals.quadratic(x), x));
            let next = solve_splines(&knots, &quadratics, frame_time);
            let steps = x.iter().zip(&next).map(|(x, next)| (next - x).amax());
            let largest = steps.fold(0.0, f64::max);
            x = next;
            if largest < SETTLED_RADIANS {
                break;
            }
        }
        x.iter_mut().zip(&goals).for_each(|(x, goals)| hold_bends(goals, x));
        fade(&mut x, piece.fades, frame_time);
        goals.iter().zip(&x).map(|(goals, x)| (arm_turns_at(goals, x), goals.slacks(x))).collect()
    }
}

/// Returns the turns of both arms of a frame at values of the variables.
pub(super) fn arm_turns_at(goals: &FrameGoals, x: &Variables) -> [ArmTurn; 2] {
    Side::BOTH.map(|side| turn_of(&goals.target.arms[side.index()], &of_arm(x, side)))
}

/// Adds the pull of the variables to what they are.
pub(super) fn damped(mut quadratic: Quadratic, x: &Variables) -> Quadratic {
    (0..VARIABLES)
        .for_each(|index| quadratic.pull(index, x[index], DAMPING_METRES * DAMPING_METRES));
    quadratic
}

/// Brings the bends of both elbows into their ranges.
pub(super) fn hold_bends(goals: &FrameGoals, x: &mut Variables) {
    for side in Side::BOTH {
        let [least, most] = goals.bend_range(side);
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

/// Returns the values, frame by frame, of the splines that meet the goals of all frames best.
fn solve_splines(knots: &Knots, quadratics: &[Quadratic], frame_time: f64) -> Vec<Variables> {
    let mut all = vec![Variables::zeros(); quadratics.len()];
    for variables in independent(quadratics) {
        let solved = spline_coefficients(knots, quadratics, &variables, frame_time);
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
fn independent(quadratics: &[Quadratic]) -> Vec<Range<usize>> {
    let arms = Side::BOTH.map(variables_of);
    let [first, second] = arms.each_ref().map(Range::clone);
    let joint = |own: &Quadratic| {
        let block = own.matrix.view_range(first.clone(), second.clone());
        block.iter().any(|entry| *entry != 0.0)
    };
    if quadratics.iter().any(joint) {
        return std::iter::once(0..VARIABLES).collect();
    }
    let is_asked = |arm: &Range<usize>| {
        let asks = |own: &Quadratic| own.vector.as_slice()[arm.clone()].iter().any(|x| *x != 0.0);
        quadratics.iter().any(asks)
    };
    arms.into_iter().filter(is_asked).collect()
}

/// Returns the coefficients of the splines of some variables, knot by knot.
fn spline_coefficients(
    knots: &Knots,
    quadratics: &[Quadratic],
    variables: &Range<usize>,
    frame_time: f64,
) -> Vec<f64> {
    let count = variables.len();
    let mut equations = BandedEquations::new(knots.count() * count, 4 * count);
    for (frame, own) in quadratics.iter().enumerate() {
        push_frame(&mut equations, knots.at(frame), (own, variables), frame_time);
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
    frame_time: f64,
) {
    let count = variables.len();
    let rows = own.matrix.transpose();
    for (a, share) in shares.iter().enumerate() {
        let row = (first + a) * count;
        for (k, i) in variables.clone().enumerate() {
            equations.add_right(row + k, share * own.vector[i] * frame_time);
        }
        for (b, other) in shares.iter().enumerate().skip(a) {
            let column = (first + b) * count;
            let weight = share * other * frame_time;
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

    #[test]
    fn pieces_reach_beyond_what_is_near_and_fade_but_where_the_clip_is_cut() {
        let mut is_active = vec![false; 200];
        for frame in [12, 60, 61, 75, 90, 199] {
            is_active[frame] = true;
        }
        let found = Piece::all_of(&(10..150), &is_active, 0.05);
        let expected = [(10..23, [false, true]), (50..101, [true, true])];
        let expected = expected.map(|(frames, fades)| Piece { frames, fades });
        assert_eq!(found, expected);
    }

    #[test]
    fn windows_of_a_long_piece_count_each_frame_once() {
        let piece = Piece { frames: 10..1010, fades: [true, false] };
        let windows = piece.windows(0.05);
        let counts: Vec<usize> = windows.iter().flat_map(|(_, counts)| counts.clone()).collect();
        assert_eq!(counts, (10..1010).collect::<Vec<_>>());
        let frames: Vec<_> = windows.iter().map(|(own, _)| own.frames.clone()).collect();
        assert_eq!(frames, [10..450, 370..850, 770..1010]);
        assert!(windows[0].0.fades[0] && !windows[1].0.fades[0]);
    }

    #[test]
    fn splines_follow_what_all_frames_ask_for() {
        let knots = Knots::new(60, 1.0 / 30.0);
        let quadratics: Vec<Quadratic> = (0..60)
            .map(|_| {
                let mut own = Quadratic::zero();
                (0..VARIABLES).for_each(|index| own.pull(index, 0.1 * index as f64, 1.0));
                own
            })
            .collect();
        for x in solve_splines(&knots, &quadratics, 1.0 / 30.0) {
            for index in 0..VARIABLES {
                assert!((x[index] - 0.1 * index as f64).abs() < 1e-9, "{x}");
            }
        }
    }
}
