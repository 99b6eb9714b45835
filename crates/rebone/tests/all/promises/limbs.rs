//! That the goals of the limbs are met where they can be.

use crate::promises::support::*;
use nalgebra::Vector3;
use rebone::align::Plan;
use rebone::body::{Anatomy, BODY_HEIGHT};
use rebone::skeleton::rotation::direction;
use rebone::skeleton::{JointId, WorldPose, forward_kinematics};
use rebone::{LimbBlend, Options};

/// The joints of the four limbs: the one that moves the upper bone, the lower bone, and the end.
fn limbs(anatomy: &Anatomy) -> Vec<[JointId; 3]> {
    let arms = anatomy.body.arms.iter().map(|arm| [arm.upper, arm.lower, arm.hand.unwrap()]);
    arms.chain(anatomy.body.legs.iter().map(|leg| [leg.upper, leg.lower, leg.foot])).collect()
}

fn line(world: &WorldPose, [from, to]: [JointId; 2]) -> Vector3<f64> {
    world.positions[to.index()] - world.positions[from.index()]
}

/// Lengths of the upper and the lower bone, metres of a 1.7 m body.
fn bones(anatomy: &Anatomy, [upper, lower, end]: [JointId; 3]) -> [f64; 2] {
    [(upper, lower), (lower, end)].map(|(a, b)| {
        (anatomy.t_pose.positions[b.index()] - anatomy.t_pose.positions[a.index()]).norm()
    })
}

fn length(anatomy: &Anatomy, joints: [JointId; 3]) -> f64 {
    bones(anatomy, joints).iter().sum()
}

/// The source in the inner world, metres of a 1.7 m body.
fn seen(plan: &Plan, pose: &rebone::skeleton::Pose) -> WorldPose {
    let mut world = forward_kinematics(&plan.source.skeleton, pose).unwrap();
    let scale = plan.source.metres_per_unit();
    for place in &mut world.positions {
        *place = plan.inner_from_source * *place * scale;
    }
    world
}

/// Where the end should be from its limb's root, `mode` between the source's directions and its place.
fn wanted(plan: &Plan, world: &WorldPose, limb: usize, mode: f64) -> Vector3<f64> {
    let [from, to] = [&plan.source, &plan.target].map(|anatomy| limbs(anatomy)[limb]);
    let scale = length(&plan.target, to) / length(&plan.source, from);
    let [first, second] = bones(&plan.target, to);
    let along = |k: usize| *direction(&line(world, [from[k], from[k + 1]])).unwrap();
    let led = along(0) * first + along(1) * second;
    led.lerp(&(line(world, [from[0], from[2]]) * scale), mode)
}

/// The largest miss of an end, in statures, where it can be reached, and how often it could: where
/// the limb is asked to be no straighter than the source's is nor than 0.998, nor to fold more than
/// its bones can.
fn worst_miss(source: &Named, target: &Named, mode: f64, frames: usize) -> (f64, usize) {
    let (from, to) = (anatomy(&source.motion), anatomy(&target.motion));
    let modes = LimbBlend(mode);
    let mut retargeter = retargeter(&from, &to, &Options { limbs: modes, ..Options::default() });
    let (mut worst, mut reached) = (0.0_f64, 0);
    for pose in thinned(&source.motion.clip, frames) {
        let result = pose_of(&mut retargeter, &pose);
        let plan = retargeter.plan();
        let (there, world) = (inner(plan, &result), seen(plan, &pose));
        for (limb, (from_joints, joints)) in limbs(&from).into_iter().zip(limbs(&to)).enumerate() {
            let goal = wanted(plan, &world, limb, mode);
            let [first, second] = bones(&to, joints);
            let own =
                line(&world, [from_joints[0], from_joints[2]]).norm() / length(&from, from_joints);
            let reach = own.min(0.998) * (first + second) * (1.0 + 1e-12);
            if goal.norm() <= reach && goal.norm() > (first - second).abs() * 1.001 {
                reached += 1;
                let miss = (line(&there, [joints[0], joints[2]]) - goal).norm() / BODY_HEIGHT;
                worst = worst.max(miss);
            }
        }
    }
    (worst, reached)
}

#[test]
fn ends_are_at_their_places() {
    for mode in [1.0, 0.5, 0.2] {
        let mut reached = 0;
        for clip in samples() {
            for rig in rigs() {
                let (miss, times) = worst_miss(&clip, &rig, mode, 30);
                assert!(miss < 1e-6, "{} on {} at {mode}: {miss:e}", clip.name, rig.name);
                reached += times;
            }
        }
        assert!(reached > 1000, "{reached} at {mode}");
    }
}

/// Both bones of each limb follow the source's where knees and elbows have one channel; no limit binds
/// in these clips.
#[test]
fn one_channel_meets_both_directions() {
    let rig = rigs().into_iter().find(|rig| rig.name == "one-channel").unwrap();
    let to = anatomy(&rig.motion);
    for clip in samples() {
        let from = anatomy(&clip.motion);
        let mut retargeter = retargeter(&from, &to, &Options::default());
        for pose in thinned(&clip.motion.clip, 60) {
            let result = pose_of(&mut retargeter, &pose);
            let (there, world) =
                (inner(retargeter.plan(), &result), seen(retargeter.plan(), &pose));
            for (a, b) in limbs(&from).into_iter().zip(limbs(&to)) {
                for k in 0..2 {
                    let along = |world, joints: [JointId; 3]| {
                        *direction(&line(world, [joints[k], joints[k + 1]])).unwrap()
                    };
                    // The chord of two unit vectors.
                    let off = (along(&world, a) - along(&there, b)).norm();
                    assert!(off < 1e-4, "{}: bone {k} is {off:e} off", clip.name);
                }
            }
        }
    }
}
