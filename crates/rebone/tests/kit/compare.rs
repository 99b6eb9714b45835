//! How far a result is from the truth.

use crate::edit::sides;
use crate::puppet::Puppet;
use crate::world::about_up;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::{Clip, Skeleton, WorldPose, forward_kinematics};

/// The largest error, and where it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Worst {
    pub(crate) off: f64,
    pub(crate) at: String,
}

impl Worst {
    fn raise(&mut self, off: f64, at: impl Fn() -> String) {
        if off > self.off || off.is_nan() {
            *self = Self { off, at: at() };
        }
    }
}

/// The bones of limbs, by their ends.
const BONES: [[&str; 2]; 6] = [
    ["Arm", "ForeArm"],
    ["ForeArm", "Hand"],
    ["Hand", "HandMiddle1"],
    ["UpLeg", "Leg"],
    ["Leg", "Foot"],
    ["Foot", "ToeBase"],
];

/// A target and what has been made of it.
pub(crate) struct Found<'a> {
    source: &'a Puppet,
    target: &'a Puppet,
    /// World transforms of the target's nodes in each frame of the motion.
    frames: Vec<WorldPose>,
}

impl<'a> Found<'a> {
    /// Reads the result off a clip of the target's file; the first `skipped` frames are no motion.
    pub(crate) fn new(
        (source, target): (&'a Puppet, &'a Puppet),
        skeleton: &Skeleton,
        clip: &Clip,
        skipped: usize,
    ) -> Self {
        let (offsets, axes) = (target.offsets(), target.axes());
        let frames = clip.frames[skipped..].iter().map(|pose| {
            let joints = forward_kinematics(skeleton, pose);
            let mut joints = joints.positions.into_iter().zip(joints.rotations);
            let mut world = WorldPose::zeros(0);
            for (k, node) in target.nodes.iter().enumerate() {
                let (place, turn) = match node.parent.filter(|_| node.site) {
                    Some(above) => {
                        let turn = world.rotations[above];
                        let offset = turn * axes[above].inverse() * offsets[k];
                        (world.positions[above] + offset, turn)
                    }
                    None => joints.next().expect("as many joints as the file"),
                };
                world.positions.push(place);
                world.rotations.push(turn);
            }
            world
        });
        Self { source, target, frames: frames.collect() }
    }

    /// The truth in the same frames.
    fn truth(&self) -> impl Iterator<Item = (&WorldPose, &WorldPose)> {
        assert_eq!(self.frames.len() + 1, self.target.frames.len(), "frames");
        self.target.frames[1..].iter().zip(&self.frames)
    }

    /// The rest pose of a source says which way it faces, and the result is turned accordingly. Where
    /// nobody stands in it, the motion keeps its heading, and a turn by quarters is no error.
    fn headings(&self) -> impl Iterator<Item = UnitQuaternion<f64>> {
        let count = if self.source.stands() { 1 } else { 4 };
        let world = self.target.world;
        (0..count).map(move |quarters| world * about_up(f64::from(quarters)) * world.inverse())
    }

    /// The largest error of a place that both have, in statures.
    pub(crate) fn places(&self) -> Worst {
        let stature = self.target.stature();
        let nodes: Vec<_> = (0..self.target.nodes.len())
            .filter(|&k| self.shares(&self.target.nodes[k].key))
            .collect();
        self.best(|worst, turn, truth, found| {
            for &k in &nodes {
                let off = (turn * found.positions[k] - truth.positions[k]).norm() / stature;
                worst.raise(off, || self.target.nodes[k].key.clone());
            }
        })
    }

    /// The largest error of the direction of a limb's bone that both have, in radians.
    pub(crate) fn directions(&self) -> Worst {
        let keys = BONES.map(|[start, end]| [sides(start), sides(end)]);
        let bones: Vec<_> = keys
            .iter()
            .flat_map(|[start, end]| start.iter().zip(end))
            .filter(|(start, end)| self.shares(start) && self.shares(end))
            .filter_map(|(start, end)| Some((self.target.find(start)?, self.target.find(end)?)))
            .collect();
        self.best(|worst, turn, truth, found| {
            for &(start, end) in &bones {
                let along = |pose: &WorldPose| pose.positions[end] - pose.positions[start];
                let off = angle(&(turn * along(found)), &along(truth));
                worst.raise(off, || self.target.nodes[start].key.clone());
            }
        })
    }

    fn shares(&self, key: &str) -> bool {
        !key.is_empty() && self.source.find(key).is_some() && self.target.find(key).is_some()
    }

    /// The worst over the frames, in the best of the headings.
    fn best(
        &self,
        compare: impl Fn(&mut Worst, UnitQuaternion<f64>, &WorldPose, &WorldPose),
    ) -> Worst {
        let over_frames = |turn| {
            let mut worst = Worst::default();
            self.truth().for_each(|(truth, found)| compare(&mut worst, turn, truth, found));
            worst
        };
        let all = self.headings().map(over_frames);
        all.min_by(|a, b| a.off.total_cmp(&b.off)).expect("one heading at least")
    }
}

/// Exact also where it is tiny.
fn angle(a: &Vector3<f64>, b: &Vector3<f64>) -> f64 {
    a.cross(b).norm().atan2(a.dot(b))
}
