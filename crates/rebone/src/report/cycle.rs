//! The seam of a cycle.

use serde::Serialize;

/// A cycle that was closed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CycleReport {
    /// First and last frame of the cycle in the source's file, counted from 0; in the result they are one pose.
    pub frames: [usize; 2],
    /// Largest distance of a joint between the two before the seam was closed, metres of a 1.7 m body.
    pub seam_metres: f64,
    /// Largest rotation of a joint between the two before the seam was closed, degrees.
    pub seam_degrees: f64,
    /// The joint that is farthest off.
    pub joint: String,
    /// Rotation of the body about the vertical over one cycle, degrees; 0 where it was closed as drift.
    pub turn_degrees: f64,
    /// Gap at the seam of the result before it was closed in the same way, metres of a 1.7 m body.
    pub residual_metres: f64,
}
