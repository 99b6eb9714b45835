//! Keeps seat, back and head above the ground.

use super::contact_target::SegmentBodies;
use super::smooth_envelope::{RISE_SECONDS, smooth_envelope};
use crate::contacts::BodyPart;
use crate::contacts::detect::{SupportTrajectories, Terrain};
use crate::frame::PoseOffset;
use std::ops::Range;

/// Raises the root where feet on the ground draw a trunk into it: who lies on a large head has his feet in the air, as far as
/// his legs do not reach.
pub(super) fn raise_trunk(pair: &SegmentBodies, frames: &Range<usize>, offsets: &mut [PoseOffset]) {
    let normal = *pair.below.normal;
    let needed = frames.clone().zip(&*offsets);
    let needed: Vec<f64> =
        needed.map(|(frame, own)| (depth(pair, frame) - own.root.dot(&normal)).max(0.0)).collect();
    let reach = (RISE_SECONDS / pair.source.frame_time).ceil().max(1.0) as usize;
    for (offset, rise) in offsets.iter_mut().zip(smooth_envelope(&needed, reach)) {
        offset.root += normal * rise;
    }
}

/// Returns the depth of seat, back or head of the target below the lowest level of the ground, less the depth of the
/// source's, scaled; negative above it.
fn depth(pair: &SegmentBodies, frame: usize) -> f64 {
    let of = |k: usize| {
        let under = |terrain: &Terrain, tracks: &SupportTrajectories| {
            tracks.radii[k] - terrain.height_over_level(0, &tracks.position(frame, k))
        };
        let own = under(pair.below, pair.target);
        own - (under(pair.terrain, pair.source) * pair.scale).max(0.0)
    };
    let points = pair.target.points.iter().enumerate();
    let trunk = points.filter(|(_, point)| BodyPart::of(**point).limb().is_none());
    trunk.map(|(k, _)| of(k)).fold(f64::NEG_INFINITY, f64::max)
}
