//! Trunk, neck, head and collar bones.

use super::{Reader, carried};
use crate::understand::Side;
use crate::understand::frames::{frame, sideways};
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::{JointId, WorldPose, rotation::direction, rotation::shortest_arc};
use std::borrow::Borrow;

/// A joint that turns less on the one above never turns, radians.
const STILL: f64 = 1e-6;

/// The bases of collar bones are apart if by more than this share of the shoulders' distance.
const APART: f64 = 0.15;

/// How far frames may be off, against rest poses of 15 conventions that stand: nobody knows which pitch
/// an actor calls upright.
const PELVIS: [f64; 3] = [13_f64.to_radians(), 1_f64.to_radians(), 1_f64.to_radians()];
const SPINE: [f64; 3] = [11_f64.to_radians(), 3_f64.to_radians(), 3_f64.to_radians()];
const NECK: [f64; 3] = [13_f64.to_radians(), 9_f64.to_radians(), 3.5_f64.to_radians()];
const COLLAR: [f64; 3] = [11_f64.to_radians(), 6_f64.to_radians(), 8_f64.to_radians()];

impl Reader<'_> {
    /// Trunk and neck. A joint that never turns on the one above is part of its segment: its frame is
    /// that one's.
    pub(super) fn trunk(&mut self) {
        let mut joints: Vec<JointId> =
            self.body.trunk.iter().chain(&self.body.neck).copied().collect();
        joints.sort_unstable();
        for joint in joints {
            let parent = self.skeleton.joint(joint).parent;
            let still = parent.and_then(|parent| {
                Some(constant_turn(&self.upright, parent, joint)?.inverse() * self.frame(parent)?)
            });
            let frame = still.or_else(|| self.trunk_frame(joint));
            let sigma = match joint {
                joint if joint == self.body.pelvis() => PELVIS,
                joint if self.body.neck.contains(&joint) => NECK,
                _ => SPINE,
            };
            self.found[joint.index()] = frame.map(|frame| (frame, sigma.into()));
        }
    }

    /// Up and left, averaged in the joint's own axes.
    ///
    /// Up is halfway between the mean of the world's up, which leans with the actor, and the bone to the
    /// next joint, which leans with the rig.
    fn trunk_frame(&self, joint: JointId) -> Option<UnitQuaternion<f64>> {
        let body = self.body;
        let mut path = body.trunk.iter().chain(&body.neck).skip_while(|&&id| id != joint).skip(1);
        let next = path.next().copied();
        let girdle = self.girdle();
        let mut sums = [Vector3::zeros(); 3];
        for pose in &self.upright {
            let place = |id: JointId| pose.positions[id.index()];
            let across = |a: JointId, b: JointId| {
                direction(&(place(a) - place(b))).map_or(Vector3::zeros(), |d| *d)
            };
            let hips = || across(body.legs[0].upper, body.legs[1].upper);
            let shoulders = || across(girdle[0], girdle[1]);
            let left = match joint {
                joint if joint == body.pelvis() => hips(),
                joint if joint == body.chest() => shoulders(),
                _ => hips() + shoulders(),
            };
            let bone = next.map_or(*self.up, |next| across(next, joint));
            let own = pose.rotations[joint.index()].inverse();
            for (sum, seen) in sums.iter_mut().zip([*self.up, bone, left]) {
                *sum += own * seen;
            }
        }
        let [mean_up, bone, left] = sums.map(|sum| direction(&sum));
        let between = mean_up?.into_inner() + bone.or(mean_up)?.into_inner();
        // The lines of the thighs and of collar bones' bases are the segments' own; up is a guess.
        let by_collars = girdle != body.arms.each_ref().map(|arm| arm.upper);
        if joint == body.pelvis() || joint == body.chest() && by_collars {
            return sideways(&*left?, &between);
        }
        frame(&direction(&between).or(mean_up)?, &*left?)
    }

    /// Left and right joints of the chest: the bases of the collar bones, which nothing moves on the
    /// chest, where they are apart; else the upper arms.
    fn girdle(&self) -> [JointId; 2] {
        let arms = &self.body.arms;
        let uppers = arms.each_ref().map(|arm| arm.upper);
        let bases = arms.each_ref().map(|arm| arm.collar);
        let Some(pose) = self.frames.first() else { return uppers };
        let apart =
            |[a, b]: [JointId; 2]| (pose.positions[a.index()] - pose.positions[b.index()]).norm();
        match bases {
            [Some(left), Some(right)] if apart([left, right]) > APART * apart(uppers) => {
                [left, right]
            }
            _ => uppers,
        }
    }

    /// The collar bone of a side, on average against the chest, its bone turned to where it is in a T
    /// pose.
    pub(super) fn collar(&mut self, side: Side) {
        let chest = self.body.chest();
        let Some(collar) = self.body.arms[side.index()].collar else { return };
        let mean = carried(&self.upright, chest, self.frame(chest), collar);
        let points = self.collar_points(collar, side);
        self.found[collar.index()] = mean.zip(points).map(|(mean, points)| {
            let straight = collar_in_t_pose(&points, side);
            (mean * shortest_arc(&points, &straight).inverse(), COLLAR.into())
        });
    }

    /// The mean direction of a collar bone, in the frame of the chest.
    fn collar_points(&self, collar: JointId, side: Side) -> Option<Unit<Vector3<f64>>> {
        let (chest, upper) = (self.body.chest(), self.body.arms[side.index()].upper);
        let chest_frame = self.frame(chest)?;
        let points = |pose: &&WorldPose| {
            let place = |id: JointId| pose.positions[id.index()];
            (pose.rotations[chest.index()] * chest_frame).inverse() * (place(upper) - place(collar))
        };
        direction(&self.upright.iter().map(points).sum())
    }
}

/// `R_parent⁻¹ R_joint` where it is the same in all frames.
pub(super) fn constant_turn<P: Borrow<WorldPose>>(
    frames: &[P],
    parent: JointId,
    joint: JointId,
) -> Option<UnitQuaternion<f64>> {
    let turn = |pose: &P| {
        let rotations = &pose.borrow().rotations;
        rotations[parent.index()].inverse() * rotations[joint.index()]
    };
    let first = turn(frames.first()?);
    frames.iter().all(|pose| turn(pose).angle_to(&first) < STILL).then_some(first)
}

/// Where a collar bone points in the T pose, in the frame of the chest, given where it points on average
/// in a motion.
///
/// In the rest poses of 45 files it points outwards, 3.5 degrees back, spread by 10 degrees; hanging
/// arms pull it down and reaching ones forward, by some 12 degrees: the two are averaged by precision.
fn collar_in_t_pose(mean: &Unit<Vector3<f64>>, side: Side) -> Unit<Vector3<f64>> {
    const USUAL: f64 = 144.0 / (144.0 + 100.0);
    let back = 3.5_f64.to_radians();
    let usual = Vector3::new(side.sign() * libm::cos(back), 0.0, -libm::sin(back));
    direction(&(usual * USUAL + mean.into_inner() * (1.0 - USUAL))).unwrap_or(*mean)
}
