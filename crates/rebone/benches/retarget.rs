//! The solve of whole frames, all stages: samples onto sample rigs and, where `REBONE_CORPUS` names
//! the corpus, a body with fingers onto another; and how long it takes to understand a long motion. The
//! items are frames.
//!
//! `cargo bench -p rebone`

#![allow(clippy::unwrap_used, reason = "a bench that panics has failed")]

use divan::Bencher;
use divan::counter::ItemsCount;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::{Axis, Clip, Joint, JointId, Motion, Pose, Skeleton, bvh};
use rebone::understand::CalibrationSource;
use rebone::{Hints, LimbModes, Options, Retargeter, align, samples, understand};
use std::path::Path;

/// Frames that one run solves.
const FRAMES: usize = 500;

const SOURCE: &str = "motions/zeroeggs/067_Speech_2_x_1_0.bvh";
const TARGET: &str = "motions/mixamo/Ortiz-Salsa_Dancing.bvh";

fn main() {
    divan::main();
}

fn retargeter(source: &Motion, target: &Motion, limbs: LimbModes) -> Retargeter {
    let understood = |motion| understand(motion, &Hints::default()).unwrap();
    let options = Options { limbs, ..Options::default() };
    Retargeter::new(align(&understood(source), &understood(target), &options)).unwrap()
}

fn frames(bencher: Bencher, source: &Motion, target: &Motion, limbs: LimbModes) {
    let mut retargeter = retargeter(source, target, limbs);
    let mut pose = target.skeleton.rest_pose();
    let frames: Vec<Pose> = source.clip.poses().take(FRAMES).collect();
    bencher.counter(ItemsCount::new(frames.len())).bench_local(|| {
        for frame in &frames {
            retargeter.frame(frame, &mut pose);
        }
    });
}

fn sample(mut all: Vec<samples::Sample>, name: &str) -> Motion {
    let place = all.iter().position(|sample| sample.name == name).unwrap();
    all.swap_remove(place).motion
}

#[divan::bench(args = ["one-spine", "seven-spine", "twist-zup-cm", "toy-a-pose"])]
fn direction(bencher: Bencher, rig: &str) {
    let limbs = LimbModes::default();
    frames(bencher, &sample(samples::clips(), "reach"), &sample(samples::rigs(), rig), limbs);
}

#[divan::bench(args = ["one-spine", "twist-zup-cm"])]
fn position(bencher: Bencher, rig: &str) {
    let limbs = LimbModes { arms: 1.0, legs: 1.0 };
    frames(bencher, &sample(samples::clips(), "reach"), &sample(samples::rigs(), rig), limbs);
}

#[divan::bench]
fn body_with_fingers_of_the_corpus(bencher: Bencher) {
    let Some(folder) = std::env::var_os("REBONE_CORPUS") else { return };
    let read = |name| bvh::read(&Path::new(&folder).join(name)).unwrap().motion;
    frames(bencher, &read(SOURCE), &read(TARGET), LimbModes::default());
}

/// A motion of 100 joints and 3,000 frames whose rest pose is nobody standing, so that all is read off the
/// motion: a sample over and over, each joint with axes of its own, and hair.
fn long_motion() -> Motion {
    let Motion { skeleton, clip } = sample(samples::clips(), "reach");
    let axes = |id: JointId| UnitQuaternion::from_scaled_axis(Vector3::new(id.0 as f64, 1.0, 0.5));
    let above = |joint: &Joint| joint.parent.map_or(UnitQuaternion::identity(), axes).inverse();
    let turned = |joint: &Joint| Joint {
        rest_translation: above(joint) * joint.rest_translation,
        ..joint.clone()
    };
    let mut joints: Vec<Joint> = skeleton.joints().iter().map(turned).collect();
    let head = skeleton.ids().find(|&id| skeleton.joint(id).name == "Head").unwrap();
    while joints.len() < 100 {
        let last = joints.len() - 1;
        joints.push(Joint {
            name: format!("Hair{last}").into(),
            parent: Some(if last < skeleton.len() { head } else { JointId(last) }),
            rest_translation: Vector3::new(0.0, -0.01, 0.0),
            rest_rotation: UnitQuaternion::identity(),
            translation_axes: Vec::new(),
            rotation_axes: vec![Axis::Z, Axis::X, Axis::Y],
        });
    }
    let count = joints.len();
    let pose = |mut pose: Pose| {
        for id in skeleton.ids() {
            pose.rotations[id.0] = above(skeleton.joint(id)) * pose.rotations[id.0] * axes(id);
        }
        pose.rotations.resize(count, UnitQuaternion::identity());
        pose.translations.resize(count, Vector3::new(0.0, -0.01, 0.0));
        pose
    };
    let poses = clip.poses().cycle().take(3000).map(pose);
    let longer = Skeleton::new(joints, Vec::new()).unwrap();
    let clip = Clip::from_poses(&longer, clip.frame_time, poses);
    Motion { skeleton: longer, clip }
}

#[divan::bench]
fn understanding(bencher: Bencher) {
    let motion = long_motion();
    let source = understand(&motion, &Hints::default()).unwrap().calibration;
    assert_eq!(source, CalibrationSource::Motion);
    let count = ItemsCount::new(motion.clip.len());
    bencher.counter(count).bench_local(|| understand(&motion, &Hints::default()).unwrap());
}
