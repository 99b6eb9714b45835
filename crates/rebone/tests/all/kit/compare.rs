//! How far a result is from the truth.

use crate::kit::edit::sides;
use crate::kit::joints::BONES;
use crate::kit::test_rig::{TestRig, Turned};
use crate::kit::world::about_up;
use nalgebra::UnitQuaternion;
use rebone::skeleton::WorldPose;

/// The largest error, and the place of the body where it is.
pub(crate) type Worst = (f64, String);

/// A target, and what has been made of it; the rest poses are not compared.
pub(crate) struct Made {
    pub(crate) source: TestRig,
    pub(crate) target: TestRig,
    pub(crate) found: TestRig,
}

impl Made {
    /// The largest error of a place that both rigs have, in statures.
    pub(crate) fn places(&self) -> Worst {
        let (stature, nodes) = (self.target.stature(), &self.target.nodes);
        let nodes: Vec<_> = nodes.iter().filter_map(|node| self.shared(&node.key)).collect();
        self.worst(|turn, truth, found| {
            let off = |k: usize| (turn * found.positions[k] - truth.positions[k]).norm() / stature;
            nodes.iter().map(|&k| (off(k), k)).collect()
        })
    }

    /// The largest error of the direction of a limb's bone that both rigs have, in radians.
    pub(crate) fn directions(&self) -> Worst {
        self.directions_of(|_| true)
    }

    /// As [`directions`](Self::directions), without the feet: those that are longer than the source's pitch less.
    pub(crate) fn directions_without_feet(&self) -> Worst {
        self.directions_of(|start| !start.ends_with("Foot"))
    }

    fn directions_of(&self, counts: impl Fn(&str) -> bool) -> Worst {
        let bones = BONES.iter().filter(|[start, _]| counts(start));
        let bones = bones.flat_map(|[start, end]| sides(start).into_iter().zip(sides(end)));
        let ends = |(start, end): (String, String)| self.shared(&start).zip(self.shared(&end));
        let bones: Vec<_> = bones.filter_map(ends).collect();
        self.worst(|turn, truth, found| {
            let along = |pose: &WorldPose, (start, end): (usize, usize)| {
                pose.positions[end] - pose.positions[start]
            };
            let off = |bone| {
                let (a, b) = (turn * along(found, bone), along(truth, bone));
                a.cross(&b).norm().atan2(a.dot(&b))
            };
            bones.iter().map(|&bone| (off(bone), bone.0)).collect()
        })
    }

    /// The node of the target at a place that both rigs have.
    fn shared(&self, key: &str) -> Option<usize> {
        let is_place = !key.is_empty() && self.source.find(key).is_some();
        self.target.find(key).filter(|_| is_place)
    }

    /// The worst error over the frames.
    ///
    /// The rest pose of a source says which way it faces, and the result is turned accordingly. Where
    /// nobody stands in it, the motion keeps its heading, and a turn by quarters is no error.
    fn worst(
        &self,
        errors: impl Fn(UnitQuaternion<f64>, &WorldPose, &WorldPose) -> Vec<(f64, usize)>,
    ) -> Worst {
        let Self { source, target, found } = self;
        assert_eq!(target.frames.len(), found.frames.len(), "frames");
        let over_frames = |quarters: u8| {
            let turn = target.world * about_up(quarters) * target.world.inverse();
            let frames = target.frames.iter().zip(&found.frames).skip(1);
            let all = frames.flat_map(|(truth, found)| errors(turn, truth, found));
            all.max_by(|a, b| a.0.total_cmp(&b.0)).expect("all rigs have limbs")
        };
        let headings = if source.turned == Turned::No { 1 } else { 4 };
        let best = (0..headings).map(over_frames).min_by(|a, b| a.0.total_cmp(&b.0));
        let (off, node) = best.expect("one heading at least");
        (off, target.nodes[node].key.clone())
    }
}
