//! One branch of the tree as a line of joints, and what can be measured between any of them.

use crate::roles::shape::tree;
use nalgebra::Vector3;
use rebone_skeleton::rotation::direction;
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// Segments shorter than this share of the branch have no length.
const MIN_SEGMENT_FRACTION: f64 = 0.01;

/// Largest depth of a limb, in joints: it bounds the search.
const MAX_LIMB_JOINTS: usize = 20;

/// A joint whose bend changes by less than this (radians) over the poses does not move.
const MIN_BEND_RADIANS: f64 = 0.1;

/// The joints of a branch that can be hip, knee or ankle, from the trunk outwards.
#[derive(Clone, Debug)]
pub(crate) struct Chain<'a> {
    skeleton: &'a Skeleton,
    poses: &'a [WorldPose],
    reach: &'a [f64],
    pub(crate) joints: Vec<JointId>,
    /// Distance of each joint from the first, along the joints.
    along: Vec<f64>,
    /// Index in `joints` where three or more fingers branch off.
    pub(crate) palm: Option<usize>,
    /// The poses show some of its joints bending.
    pub(crate) moves: bool,
}

impl<'a> Chain<'a> {
    /// The branch below `from`, without joints that have no length.
    pub(crate) fn new(
        skeleton: &'a Skeleton,
        poses: &'a [WorldPose],
        reach: &'a [f64],
        from: JointId,
    ) -> Self {
        let line = skeleton.longest_path(reach, from);
        let short = MIN_SEGMENT_FRACTION * reach[from.index()];
        let long = |&id: &JointId| skeleton[id].rest_translation.norm() >= short;
        let inner = line.iter().skip(1).copied().filter(long);
        let joints: Vec<JointId> =
            std::iter::once(from).chain(inner).take(MAX_LIMB_JOINTS).collect();
        let palm =
            joints.iter().position(|&id| tree::finger_chains(skeleton, reach, id).len() >= 3);
        let mut chain =
            Self { skeleton, poses, reach, along: Vec::new(), joints, palm, moves: false };
        chain.along = std::iter::once(0.0)
            .chain(
                (1..chain.joints.len())
                    .map(|at| chain.mean(|pose| chain.distance(pose, at - 1, at))),
            )
            .scan(0.0, |sum, length| {
                *sum += length;
                Some(*sum)
            })
            .collect();
        chain.moves = (1..chain.joints.len().saturating_sub(1)).any(|at| {
            let (least, most) = chain.bend(at - 1, at, Some(at + 1));
            most - least > MIN_BEND_RADIANS
        });
        chain
    }

    fn at(&self, pose: &WorldPose, place: usize) -> Vector3<f64> {
        pose.positions[self.joints[place].index()]
    }

    fn distance(&self, pose: &WorldPose, a: usize, b: usize) -> f64 {
        (self.at(pose, a) - self.at(pose, b)).norm()
    }

    /// The mean of a measure over the poses.
    fn mean(&self, measure: impl Fn(&WorldPose) -> f64) -> f64 {
        self.poses.iter().map(measure).sum::<f64>() / self.poses.len().max(1) as f64
    }

    /// The length of the way from one joint to another.
    pub(crate) fn length(&self, from: usize, to: usize) -> f64 {
        self.along[to] - self.along[from]
    }

    /// Returns the distance of the farthest end below a joint.
    pub(crate) fn reach_below(&self, at: usize) -> f64 {
        self.reach[self.joints[at].index()]
    }

    /// The length of the end site that a joint itself carries, 0 without one.
    pub(crate) fn end_site_length(&self, at: usize) -> f64 {
        let sites = self.skeleton.end_sites_of(self.joints[at]);
        sites.map(|site| site.offset.norm()).fold(0.0, f64::max)
    }

    /// By which share the way between two joints is longer than the straight line, at most over the
    /// poses: 0 where all joints between stay in line.
    pub(crate) fn excess_length(&self, from: usize, to: usize) -> f64 {
        if to <= from + 1 {
            return 0.0;
        }
        let share = |pose: &WorldPose| {
            let way: f64 = (from..to).map(|at| self.distance(pose, at, at + 1)).sum();
            1.0 - self.distance(pose, from, to) / way.max(f64::MIN_POSITIVE)
        };
        self.poses.iter().map(share).fold(0.0, f64::max)
    }

    /// The least and the largest angle at `middle` between the ways from `from` and to `to` (`None`:
    /// to the tip) over the poses, in radians.
    pub(crate) fn bend(&self, from: usize, middle: usize, to: Option<usize>) -> (f64, f64) {
        let angle = |pose: &WorldPose| {
            let here = self.at(pose, middle);
            let end = match to {
                Some(to) => self.at(pose, to),
                None => tree::tip(self.skeleton, pose, self.reach, self.joints[middle]),
            };
            let (into, out) =
                (direction(&(here - self.at(pose, from)))?, direction(&(end - here))?);
            Some(libm::acos(into.dot(&out).clamp(-1.0, 1.0)))
        };
        let angles = self.poses.iter().filter_map(angle);
        angles.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), angle| {
            (least.min(angle), most.max(angle))
        })
    }
}

/// The middle between the joints at one place of two chains, in each pose.
pub(crate) fn middles(chains: &[Chain; 2], at: usize) -> Vec<Vector3<f64>> {
    let [a, b] = chains;
    a.poses.iter().map(|pose| (a.at(pose, at) + b.at(pose, at)) / 2.0).collect()
}

/// The mean distance of the joints at one place of two chains.
pub(crate) fn apart(chains: &[Chain; 2], at: usize) -> f64 {
    let [a, b] = chains;
    a.mean(|pose| (a.at(pose, at) - b.at(pose, at)).norm())
}
