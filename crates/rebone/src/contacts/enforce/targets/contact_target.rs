//! A contact to enforce on the target: the offsets that a part needs, frame by frame.

use crate::contacts::{BodyPart, ContactKind};
use nalgebra::Vector3;
use std::ops::Range;

/// A contact to enforce on the target.
#[derive(Clone, Debug)]
pub(crate) struct ContactTarget {
    /// The part.
    pub(crate) part: BodyPart,
    /// The contact's frames.
    pub(crate) frames: Range<usize>,
    /// The frames over which it blends in, holds, and blends out.
    pub(crate) blend_frames: Range<usize>,
    /// Offset of the part in each of these frames, metres in the inner world.
    pub(crate) offset: Vec<Vector3<f64>>,
    /// Blend weight per frame, 0 to 1.
    pub(crate) weight: Vec<f64>,
    /// Its motion.
    pub(crate) kind: ContactKind,
    /// Probability of the contact.
    pub(crate) confidence: f64,
}

impl ContactTarget {
    /// Returns whether only the height is constrained.
    pub(crate) fn slides(&self) -> bool {
        self.kind == ContactKind::Slide
    }

    /// Returns whether the part is held off the floor.
    pub(crate) fn holds(&self) -> bool {
        self.kind == ContactKind::Hold
    }
}
