//! Clips and motions.

use crate::{JointId, Pose, Skeleton};
use nalgebra::Vector3;

/// Poses at a fixed frame time.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Seconds from one frame to the next.
    pub frame_time: f64,
    /// One pose a frame.
    pub frames: Vec<Pose>,
}

impl Clip {
    /// Where a joint lies from its parent: its OFFSET, or its place in the first frame where the file
    /// animates a joint whose OFFSET is empty.
    pub fn bone(&self, skeleton: &Skeleton, joint: JointId) -> Vector3<f64> {
        let own = skeleton.joint(joint);
        match self.frames.first() {
            Some(first)
                if !own.translation_axes.is_empty() && own.rest_translation.norm() < 1e-9 =>
            {
                first.translations[joint.index()]
            }
            _ => own.rest_translation,
        }
    }
}

/// A clip and the skeleton it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The skeleton.
    pub skeleton: Skeleton,
    /// The clip, indexed like the skeleton.
    pub clip: Clip,
}
