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

/// Widest seam that is called a cycle: metres of a 1.7 m body, degrees.
///
/// ```
/// let [metres, degrees] = rebone::MAX_SEAM;
/// assert!(metres < 0.2 && degrees < 60.0);
/// ```
pub const MAX_SEAM: [f64; 2] = [0.15, 45.0];

#[cfg(feature = "files")]
impl CycleReport {
    /// Returns the doubt about a seam that is too wide to call the frames a cycle.
    pub(crate) fn doubt(&self) -> Option<String> {
        let is_wide = self.seam_metres > MAX_SEAM[0] || self.seam_degrees > MAX_SEAM[1];
        let ([first, last], centimetres) = (self.frames, 100.0 * self.seam_metres);
        is_wide.then(|| {
            format!(
                "frames {first} and {last} of the source are {centimetres:.0} cm and {:.0}° apart: this is hardly a cycle",
                self.seam_degrees
            )
        })
    }
}
