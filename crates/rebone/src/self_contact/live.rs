//! Turns of both arms frame by frame, without knowledge of later frames.

use super::choice::TouchShares;
use super::goals::FrameGoals;
use super::goals::quadratic::Variables;
use super::solve::{arm_turns_at, damped, hold_bends};
use crate::frame::ArmTurn;
use crate::surface::{BodyTransforms, SurfacePair};
use rebone_body::body::BodySegment;

/// Rounds of Gauss-Newton in a frame, from the solution of the frame before.
const ROUNDS: usize = 4;
/// Time constant of each of the two low-pass filters that turns pass, seconds.
const FILTER_SECONDS: f64 = 0.05;
/// Largest variable at which turns end where nothing is near, radians.
const ENDED_RADIANS: f64 = 1e-4;

/// Turns of both arms over the frames so far.
#[derive(Clone, Debug)]
pub(crate) struct LiveArmTurns {
    /// Solution of the last frame.
    solved: Variables,
    /// States of both filters.
    filtered: [Variables; 2],
}

impl LiveArmTurns {
    /// No turns.
    pub(crate) fn new() -> Self {
        Self { solved: Variables::zeros(), filtered: [Variables::zeros(); 2] }
    }

    /// Reads the next frame, and returns its turns; `None` far from any self-contact.
    pub(crate) fn update(
        &mut self,
        pair: &SurfacePair,
        bodies: [&BodyTransforms; 2],
        floors: Option<[f64; 2]>,
        frame_time: f64,
    ) -> Option<[ArmTurn; 2]> {
        // A touch of a source without a skin is known over a whole clip only.
        let none: TouchShares = [[0.0; BodySegment::ALL.len()]; 2];
        let shares = pair.is_guessed().then_some(none);
        let is_active = FrameGoals::is_active(pair, bodies, floors, shares);
        if !is_active && self.has_ended() {
            *self = Self::new();
            return None;
        }
        let goals = FrameGoals::new(pair, bodies, floors, shares);
        if is_active {
            self.solve(&goals);
        } else {
            self.solved = Variables::zeros();
        }
        let share = 1.0 - libm::exp(-frame_time / FILTER_SECONDS);
        let mut next = self.solved;
        for state in &mut self.filtered {
            *state += (next - *state) * share;
            next = *state;
        }
        hold_bends(goals.target, &mut next);
        Some(arm_turns_at(goals.target, &next))
    }

    fn solve(&mut self, goals: &FrameGoals) {
        for _ in 0..ROUNDS {
            let own = damped(goals.quadratic(&self.solved), &self.solved);
            let next = own.matrix.cholesky().map(|factor| factor.solve(&own.vector));
            // Poses of 1e300 metres have no solution.
            match next.filter(|next| next.iter().all(|value| value.is_finite())) {
                Some(next) => self.solved = next,
                None => return,
            }
        }
    }

    fn has_ended(&self) -> bool {
        self.filtered.iter().all(|state| state.amax() < ENDED_RADIANS)
    }
}
