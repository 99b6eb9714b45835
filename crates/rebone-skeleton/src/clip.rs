//! Clips and motions.

use crate::{Pose, Skeleton};

/// Poses at a fixed frame time.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Seconds from one frame to the next.
    pub frame_time: f64,
    /// One pose a frame.
    pub frames: Vec<Pose>,
}

/// A clip and the skeleton it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The skeleton.
    pub skeleton: Skeleton,
    /// The clip, indexed like the skeleton.
    pub clip: Clip,
}
