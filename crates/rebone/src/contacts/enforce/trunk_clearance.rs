//! Keeps seat, back and head above the ground.

use super::smooth_envelope::{RISE_SECONDS, smooth_envelope};
use super::targets::segment_bodies::SegmentBodies;
use crate::contacts::BodyPart;
use crate::contacts::detect::{SupportTrajectories, Terrain};
use crate::frame::PoseOffset;
use std::ops::Range;

/// Raises the root where feet on the ground draw a trunk into it: feet of a body that lies on a large head stay in the air, as
/// far as its legs do not reach.
pub(super) fn raise_trunk(pair: &SegmentBodies, frames: &Range<usize>, offsets: &mut [PoseOffset]) {
    let normal = *pair.below.normal;
    let needed = frames.clone().zip(&*offsets);
    let needed: Vec<f64> =
        needed.map(|(frame, own)| (depth(pair, frame) - own.root.dot(&normal)).max(0.0)).collect();
    if needed.iter().all(|rise| *rise == 0.0) {
        return;
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::SupportPoint;
    use nalgebra::Vector3;
    use rebone_body::body::Side;

    #[test]
    fn a_trunk_that_feet_draw_into_the_ground_is_raised_as_far_as_the_source_is_not_in_it() {
        let points = [SupportPoint::Seat, SupportPoint::Head, SupportPoint::Ball(Side::Left)];
        let tracks = |seat: f64, head: f64| {
            let frame = move |_| [seat, head, 0.0].map(|y| Vector3::new(0.0, y, 0.0)).to_vec();
            SupportTrajectories::of_supports(&points, 0.1, (0..30).map(frame))
        };
        let ground = Terrain { normal: Vector3::y_axis(), levels: vec![0.0], confidence: 1.0 };
        let root = |source: &SupportTrajectories, target: &SupportTrajectories, root: f64| {
            let pair = SegmentBodies::on(&ground, [source, target], 0.5);
            let offset = PoseOffset { root: Vector3::y() * root, ..PoseOffset::default() };
            let mut offsets = vec![offset; 30];
            raise_trunk(&pair, &(0..30), &mut offsets);
            offsets[15].root.y
        };
        let lies = tracks(0.1, 0.02);
        assert!((root(&lies, &lies, -0.3) + 0.02).abs() < 1e-12, "the head is on the ground");
        assert_eq!(root(&lies, &lies, -0.01), -0.01, "nothing is in it");
        let sunk = tracks(0.1, -0.04);
        assert!((root(&sunk, &lies, -0.3) + 0.04).abs() < 1e-12, "half of the source's depth");
    }
}
