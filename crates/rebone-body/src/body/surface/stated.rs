//! Surfaces of segments as a card states them.

use crate::body::BodySegment;

/// Smallest and largest girth that a card may state.
pub(crate) const GIRTHS: [f64; 2] = [0.3, 3.0];

/// Surface of a segment as a card states it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StatedSurface {
    /// Factor on the distances of the skin, or of the usual surface, from the axis.
    Girth(f64),
    /// The usual surface of the skeleton in place of the skin.
    Usual,
}

impl StatedSurface {
    /// Returns whether a girth is stated.
    pub fn is_girth(stated: &Option<Self>) -> bool {
        matches!(stated, Some(Self::Girth(_)))
    }
}

/// Stated surfaces in the order of [`BodySegment::ALL`].
pub(crate) type StatedSurfaces = [Option<StatedSurface>; BodySegment::ALL.len()];
