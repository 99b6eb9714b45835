//! Heights of whole feet over the ground, where the target's have a mesh: heel, ball, tip and edges of its shoes.

use super::targets::segment_bodies::SegmentBodies;
use crate::contacts::BodyPart;
use crate::contacts::detect::{SupportTrajectories, Terrain};
use rebone_body::body::Side;

/// Heights of a foot in one frame, metres of a 1.7 m body.
#[derive(Clone, Copy, Debug)]
pub(super) struct WholeFoot {
    /// Height of the source's over its lowest level.
    pub(super) source: f64,
    /// Height of the source's over the ground below it.
    pub(super) source_clearance: f64,
    /// Height of the target's over its lowest level.
    pub(super) target: f64,
}

impl SegmentBodies<'_> {
    /// Returns whether feet are kept over the ground by all of their mesh.
    pub(super) fn has_whole_feet(&self) -> bool {
        self.target.has_foot_mesh
    }

    /// Returns the heights of a foot; `None` for other parts, and where the target's feet have no mesh. `points` are those
    /// of its sole.
    pub(super) fn whole_foot(
        &self,
        part: BodyPart,
        frame: usize,
        points: &[usize],
    ) -> Option<WholeFoot> {
        let BodyPart::Foot(side) = part else { return None };
        if !self.has_whole_feet() {
            return None;
        }
        let over_lowest = |tracks: &SupportTrajectories, terrain: &Terrain| {
            let lowest = tracks.lowest_of_foot(frame, side.index());
            terrain.height_over_level(0, &lowest)
        };
        let (mut source, sole) =
            (over_lowest(self.source, self.terrain), self.lowest_of_points(frame, points));
        let mut clearance = self.clearance_of_points(frame, points) + source - sole;
        if !self.source.has_foot_mesh {
            // A sole below joints is assumed: what only it has in the ground is not in it.
            let assumed = (source - sole).min(clearance.max(0.0));
            (source, clearance) = (source - assumed, clearance - assumed);
        }
        let target = over_lowest(self.target, self.below);
        Some(WholeFoot { source, source_clearance: clearance, target })
    }

    /// Returns the depth of the source's foot below a level of the ground, at the target's size; 0 above it.
    pub(super) fn source_depth(&self, frame: usize, side: Side, level: usize) -> f64 {
        let lowest = self.source.lowest_of_foot(frame, side.index());
        (-self.terrain.height_over_level(level, &lowest) * self.scale).max(0.0)
    }

    /// Returns the height of the lowest of some of the source's points over the lowest level.
    fn lowest_of_points(&self, frame: usize, points: &[usize]) -> f64 {
        let height = |&k: &usize| {
            let place = self.source.position(frame, k);
            self.terrain.height_over_level(0, &place) - self.source.radii[k]
        };
        points.iter().map(height).fold(f64::INFINITY, f64::min)
    }

    /// Returns the height of the lowest of some of the source's points over the ground below it.
    pub(super) fn clearance_of_points(&self, frame: usize, points: &[usize]) -> f64 {
        let clearance = |&k: &usize| self.terrain.skin_clearance(self.source, frame, k);
        points.iter().map(clearance).fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::SupportPoint;
    use nalgebra::Vector3;

    #[test]
    fn a_sole_that_is_assumed_sinks_no_deeper_than_the_joints() {
        let part = BodyPart::Foot(Side::Left);
        let points = [SupportPoint::Heel(Side::Left), SupportPoint::Ball(Side::Left)];
        let tracks = |sole: f64, lowest: f64, has_mesh| {
            let frame = move |_| vec![Vector3::y() * sole; 2];
            let tracks = SupportTrajectories::of_supports(&points, 0.1, (0..3).map(frame));
            tracks.with_lowest_of_feet(lowest, has_mesh)
        };
        let ground = Terrain { normal: Vector3::y_axis(), levels: vec![0.0], confidence: 1.0 };
        let target = tracks(0.03, 0.02, true);
        let heights = |source: &SupportTrajectories, target: &SupportTrajectories| {
            let pair = SegmentBodies::on(&ground, [source, target], 1.0);
            let pair = SegmentBodies { levels_feet: true, ..pair };
            let foot = pair.whole_foot(part, 1, &[0, 1])?;
            assert!((foot.source - foot.source_clearance).abs() < 1e-12);
            Some([foot.source, foot.target])
        };
        for (sole, joint, expected) in
            [(0.01, 0.03, 0.01), (-0.01, 0.01, 0.0), (-0.03, -0.01, -0.01), (0.0, 0.02, 0.0)]
        {
            let [source, own] = heights(&tracks(sole, joint, false), &target).unwrap();
            assert!((source - expected).abs() < 1e-12, "{sole} and {joint} give {source}");
            assert_eq!(own, 0.02, "the lowest of the mesh");
        }
        assert_eq!(heights(&tracks(-0.03, -0.01, true), &target).unwrap()[0], -0.01);
        assert!(heights(&target, &tracks(0.03, 0.02, false)).is_none(), "no mesh");
    }
}
