//! A limit that kept a joint from where it was wanted.

use rebone_skeleton::JointId;

/// A limit that bound in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActiveLimit {
    /// The joint of the target.
    pub joint: JointId,
    /// Which of its coordinates.
    pub variable: usize,
    /// Its value, at the end of its range, radians.
    pub value: f64,
    /// How much further it would go, radians, negative below the range: the larger of what the
    /// closed-form start asks for and of what would suit the stage's goals best to first order, all
    /// other variables held.
    pub overshoot: f64,
    /// What it cost, metres of a 1.7 m body. Of a joint that a stage moves: without it the square of
    /// the distance from the stage's goals would be less by its square (to first order, all other
    /// variables held). Of any other joint: `overshoot` with a lever of 0.1 m.
    pub cost: f64,
}

impl ActiveLimit {
    /// A limit that costs less (metres of a 1.7 m body) counts as none.
    pub const MIN_COST_METRES: f64 = 1e-4;
    /// A limit that keeps the start's angle by less (radians) counts as none.
    pub const MIN_ANGLE_RADIANS: f64 = 1e-3;
    /// Lever of the joints that no stage moves: that of head and hand.
    const LEVER_METRES: f64 = 0.1;

    /// A variable of a joint that no stage moves, which was moved by `overshoot` into its box at `value`.
    pub(crate) fn clamped(joint: JointId, variable: usize, value: f64, overshoot: f64) -> Self {
        Self { joint, variable, value, overshoot, cost: Self::LEVER_METRES * overshoot.abs() }
    }
}
