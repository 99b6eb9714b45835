//! Joint limits that are active in a frame.

use rebone_skeleton::JointId;

/// A limit that was active in one frame: it changed the pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActiveLimit {
    /// The joint of the target.
    pub joint: JointId,
    /// Index of the variable among the joint's coordinates.
    pub variable: usize,
    /// Value of the variable, at the end of its range, radians.
    pub value: f64,
    /// Overshoot without the limit, radians, negative below the range: the larger of what the closed-form start asks
    /// for and of what would suit the goals of the stage best to first order, all other variables held.
    pub overshoot: f64,
    /// Cost, metres of a 1.7 m body. For a joint that a stage solves: without the limit, the squared distance from the
    /// stage's goals would be less by its square (to first order, all other variables held). For any other joint: the
    /// overshoot with a lever of 0.1 m.
    pub cost: f64,
}

impl ActiveLimit {
    /// Smallest cost that counts, metres of a 1.7 m body.
    pub const MIN_COST_METRES: f64 = 1e-4;
    /// Smallest violation by the start that counts, radians.
    pub const MIN_ANGLE_RADIANS: f64 = 1e-3;
    /// Lever of joints that no stage solves, as of head and hand, metres.
    const LEVER_METRES: f64 = 0.1;

    /// A variable of a joint that no stage solves, clamped to `value` by an overshoot, radians.
    pub fn clamped(joint: JointId, variable: usize, value: f64, overshoot: f64) -> Self {
        Self { joint, variable, value, overshoot, cost: Self::LEVER_METRES * overshoot.abs() }
    }
}
