//! The skin of one segment.

use super::layout::SegmentAxis;
use crate::math::percentile;
use nalgebra::Vector3;

/// The skin of a segment in the T pose, in the axes of the segment: its low end is the origin, +Y runs along it.
pub(super) struct SegmentSkin {
    pub(super) axis: SegmentAxis,
    pub(super) places: Vec<Vector3<f64>>,
}

impl SegmentSkin {
    /// Returns the value below which a share of the skin lies along one of the axes.
    pub(crate) fn percentile(&self, component: usize, share: f64) -> f64 {
        percentile(self.places.iter().map(|place| place[component]).collect(), share)
    }
}
