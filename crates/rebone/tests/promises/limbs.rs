//! That the goals of the limbs are met where they can be.

use crate::support::*;
use nalgebra::Vector3;
use rebone::align::Plan;
use rebone::skeleton::{JointId, WorldPose, forward_kinematics, rotation::direction};
use rebone::understand::{Anatomy, BODY_HEIGHT};
use rebone::{LimbModes, Options};

/// The joints of the four limbs: the one that moves the upper bone, the lower bone, and the end.
fn limbs(anatomy: &Anatomy) -> Vec<[JointId; 3]> {
    let arms = anatomy.body.arms.iter().map(|arm| [arm.upper, arm.lower, arm.wrist.joint]);
    arms.chain(anatomy.body.legs.iter().map(|leg| [leg.upper, leg.lower, leg.foot])).collect()
}

fn line(world: &WorldPose, [from, to]: [JointId; 2]) -> Vector3<f64> {
    world.positions[to.index()] - world.positions[from.index()]
}

fn length(anatomy: &Anatomy, [upper, lower, end]: [JointId; 3]) -> f64 {
    let bone = |a, b| (anatomy.place(b) - anatomy.place(a)).norm();
    bone(upper, lower) + bone(lower, end)
}

/// The source in the inner world, metres of a 1.7 m body.
fn seen(plan: &Plan, pose: &rebone::skeleton::Pose) -> WorldPose {
    let mut world = forward_kinematics(&plan.source.skeleton, pose);
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
    let bone = |k: usize| (plan.target.place(to[k + 1]) - plan.target.place(to[k])).norm();
    let along = |k: usize| *direction(&line(world, [from[k], from[k + 1]])).unwrap();
    let led = along(0) * bone(0) + along(1) * bone(1);
    led.lerp(&(line(world, [from[0], from[2]]) * scale), mode)
}

/// The largest miss of an end, in statures, where it can be reached.
fn worst_miss(source: &Named, target: &Named, mode: f64, frames: usize) -> (f64, usize) {
    let (from, to) = (anatomy(&source.motion), anatomy(&target.motion));
    let limbs_mode = LimbModes { arms: mode, legs: mode };
    let options = Options { limbs: limbs_mode, ..Options::default() };
    let mut retargeter = retargeter(&from, &to, &options);
    let (mut worst, mut reached) = (0.0_f64, 0);
    for pose in thinned(&source.motion.clip, frames) {
        let result = pose_of(&mut retargeter, pose);
        let plan = retargeter.plan();
        let (there, world) = (inner(plan, &result), seen(plan, pose));
        for (limb, [upper, _, end]) in limbs(&to).into_iter().enumerate() {
            let goal = wanted(plan, &world, limb, mode);
            let longest = length(&to, limbs(&to)[limb]);
            let [a, b] = [0, 1].map(|k| {
                let joints = limbs(&to)[limb];
                (to.place(joints[k + 1]) - to.place(joints[k])).norm()
            });
            let extension = goal.norm() / longest;
            let own = length(&from, limbs(&from)[limb]);
            let source_extension =
                line(&world, [limbs(&from)[limb][0], limbs(&from)[limb][2]]).norm() / own;
            if extension <= source_extension.min(0.998) && goal.norm() > (a - b).abs() * 1.001 {
                reached += 1;
                let miss = (line(&there, [upper, end]) - goal).norm() / BODY_HEIGHT;
                worst = worst.max(miss);
            }
        }
    }
    (worst, reached)
}

#[test]
fn ends_are_at_their_places() {
    for mode in [1.0, 0.5, 0.2] {
        for clip in samples() {
            for rig in rigs() {
                let (miss, reached) = worst_miss(&clip, &rig, mode, 30);
                println!("{} on {} at {mode}: {miss:.1e} ({reached})", clip.name, rig.name);
            }
        }
    }
}

/// Knees and elbows with one channel: both bones of each limb follow the source's.
#[test]
fn one_channel_meets_both_directions() {
    let rig = rigs().into_iter().find(|rig| rig.name == "one-channel").unwrap();
    let to = anatomy(&rig.motion);
    for clip in samples() {
        let from = anatomy(&clip.motion);
        let mut retargeter = retargeter(&from, &to, &Options::default());
        let (mut worst, mut all, mut bound) = (0.0_f64, 0.0_f64, 0);
        for pose in thinned(&clip.motion.clip, 60) {
            let result = pose_of(&mut retargeter, pose);
            let plan = retargeter.plan();
            let (there, world) = (inner(plan, &result), seen(plan, pose));
            for limb in 0..4 {
                let [a, b] = [limbs(&from)[limb], limbs(&to)[limb]];
                let boxes: Vec<_> = retargeter.boxes().collect();
                let at_limit = boxes.iter().any(|joint| {
                    b[..2].contains(&joint.joint)
                        && (0..joint.values.len()).any(|k| {
                            joint.values[k] - joint.lower[k] < 1e-7
                                || joint.upper[k] - joint.values[k] < 1e-7
                        })
                });
                for k in 0..2 {
                    let off = line(&world, [a[k], a[k + 1]]).angle(&line(&there, [b[k], b[k + 1]]));
                    all = all.max(off);
                    if !at_limit {
                        worst = worst.max(off)
                    }
                }
                bound += usize::from(at_limit);
            }
        }
        println!("{}: {worst:.1e} free, {all:.1e} all, {bound} at limit", clip.name);
    }
}
