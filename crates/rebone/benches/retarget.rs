//! The solve of whole frames, all stages and each alone: samples onto sample rigs and, where `REBONE_CORPUS`
//! names the corpus, bodies of other programs; by the number of joints; and how long it takes to understand a
//! long motion. The items are frames.
//!
//! `cargo bench -p rebone`

#![allow(clippy::unwrap_used, reason = "a bench that panics has failed")]

use divan::Bencher;
use divan::counter::ItemsCount;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::align::Group;
use rebone::body::CalibrationSource;
use rebone::skeleton::{Axis, Clip, Joint, JointId, Motion, Pose, Skeleton, bvh};
use rebone::{Hints, LimbBlend, Options, Retargeter, align, analyse};
use rebone_samples as samples;
use std::path::Path;

/// Frames that one run solves.
const FRAMES: usize = 500;

/// Pairs of the corpus: bodies with fingers, of which the last two rigs have them alone.
const PAIRS: [(&str, &str, &str); 3] = [
    ("zeroeggs onto ortiz", "zeroeggs/067_Speech_2_x_1_0", "mixamo/Ortiz-Salsa_Dancing"),
    ("lafan1 onto ortiz", "lafan1/Lafan1_example", "mixamo/Ortiz-Salsa_Dancing"),
    ("cmu onto daz", "cmu-cgspeed/05_20", "cmu-daz/05_20-daz"),
];

fn main() {
    divan::main();
}

fn retargeter(source: &Motion, target: &Motion, limbs: LimbBlend) -> Retargeter {
    let analysed = |motion| analyse(motion, &Hints::default()).unwrap();
    let options = Options { limbs, ..Options::default() };
    Retargeter::new(align(&analysed(source), &analysed(target), &options)).unwrap()
}

fn frames(bencher: Bencher, source: &Motion, target: &Motion, limbs: LimbBlend) {
    let mut retargeter = retargeter(source, target, limbs);
    let mut pose = target.skeleton.rest_pose();
    let frames: Vec<Pose> = source.clip.poses().take(FRAMES).collect();
    bencher.counter(ItemsCount::new(frames.len())).bench_local(|| {
        for frame in &frames {
            retargeter.frame(frame, &mut pose).unwrap();
        }
    });
}

fn sample(mut all: Vec<samples::Sample>, name: &str) -> Motion {
    let place = all.iter().position(|sample| sample.name == name).unwrap();
    all.swap_remove(place).motion
}

#[divan::bench(args = ["one-spine", "seven-spine", "twist-zup-cm", "toy-a-pose"])]
fn direction(bencher: Bencher, rig: &str) {
    let limbs = LimbBlend::default();
    frames(bencher, &sample(samples::clips(), "reach"), &sample(samples::rigs(), rig), limbs);
}

#[divan::bench(args = ["one-spine", "twist-zup-cm"])]
fn position(bencher: Bencher, rig: &str) {
    let limbs = LimbBlend(1.0);
    frames(bencher, &sample(samples::clips(), "reach"), &sample(samples::rigs(), rig), limbs);
}

#[divan::bench(args = PAIRS.map(|pair| pair.0))]
fn corpus(bencher: Bencher, name: &str) {
    let Some(folder) = std::env::var_os("REBONE_CORPUS") else { return };
    let read = |file: &str| {
        let path = Path::new(&folder).join("motions").join(file).with_extension("bvh");
        bvh::parse(&std::fs::read(path).unwrap()).unwrap().motion
    };
    let (_, source, target) = PAIRS.into_iter().find(|pair| pair.0 == name).unwrap();
    frames(bencher, &read(source), &read(target), LimbBlend::default());
}

/// One stage of frames whose earlier stages are solved.
#[divan::bench(args = Group::ORDER)]
fn stage(bencher: Bencher, group: Group) {
    let source = sample(samples::clips(), "reach");
    let rig = sample(samples::rigs(), "seven-spine");
    let retargeter = retargeter(&source, &rig, LimbBlend::default());
    let earlier = |frame: Pose| {
        let mut retargeter = retargeter.clone();
        retargeter.observe(&frame);
        let earlier = Group::ORDER.into_iter().take_while(|&other| other != group);
        earlier.for_each(|group| retargeter.solve(group));
        retargeter
    };
    let mut all: Vec<Retargeter> = source.clip.poses().step_by(2).map(earlier).collect();
    bencher.counter(ItemsCount::new(all.len())).bench_local(|| {
        all.iter_mut().for_each(|retargeter| retargeter.solve(group));
    });
}

/// Bodies without fingers, with them, and with hair until they have so many joints.
#[divan::bench(args = [24, 54, 100, 150, 200])]
fn joints(bencher: Bencher, count: usize) {
    let Motion { skeleton, clip } = sample(samples::clips(), "reach");
    let is_finger = |&id: &JointId| {
        skeleton.path_to_root(id).skip(1).any(|above| skeleton[above].name.ends_with(b"Hand"))
    };
    let kept: Vec<JointId> =
        skeleton.ids().filter(|id| count >= skeleton.len() || !is_finger(id)).collect();
    let place = |id| JointId(kept.iter().position(|&other| other == id).unwrap());
    let joint =
        |&id: &JointId| Joint { parent: skeleton[id].parent.map(place), ..skeleton[id].clone() };
    let poses = clip.poses().map(|pose| Pose {
        translations: kept.iter().map(|id| pose.translations[id.0]).collect(),
        rotations: kept.iter().map(|id| pose.rotations[id.0]).collect(),
    });
    let motion = haired(kept.iter().map(joint).collect(), poses, count);
    assert_eq!(motion.skeleton.len(), count);
    frames(bencher, &motion, &motion, LimbBlend::default());
}

/// Joints and their poses, with hair until there are so many of them.
fn haired(mut joints: Vec<Joint>, poses: impl Iterator<Item = Pose>, count: usize) -> Motion {
    let head = joints.iter().position(|joint| joint.name == "Head").map(JointId);
    let mut last = head;
    while joints.len() < count {
        joints.push(Joint {
            name: format!("Hair{}", joints.len()).into(),
            parent: last,
            rest_translation: Vector3::new(0.0, -0.01, 0.0),
            rest_rotation: UnitQuaternion::identity(),
            translation_axes: Vec::new(),
            rotation_axes: vec![Axis::Z, Axis::X, Axis::Y],
        });
        last = Some(JointId(joints.len() - 1));
    }
    let poses = poses.map(|mut pose| {
        pose.rotations.resize(count, UnitQuaternion::identity());
        pose.translations.resize(count, Vector3::new(0.0, -0.01, 0.0));
        pose
    });
    let skeleton = Skeleton::new(joints, Vec::new()).unwrap();
    let clip = Clip::from_poses(&skeleton, 1.0 / 60.0, poses).unwrap();
    Motion { skeleton, clip }
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
    let joints = skeleton.joints().iter().map(turned).collect();
    let pose = |mut pose: Pose| {
        for id in skeleton.ids() {
            pose.rotations[id.0] = above(&skeleton[id]) * pose.rotations[id.0] * axes(id);
        }
        pose
    };
    let poses = clip.poses().cycle().take(3000).map(pose);
    haired(joints, poses, 100)
}

#[divan::bench]
fn understanding(bencher: Bencher) {
    let motion = long_motion();
    let source = analyse(&motion, &Hints::default()).unwrap().calibration;
    assert_eq!(source, CalibrationSource::Motion);
    let count = ItemsCount::new(motion.clip.len());
    bencher.counter(count).bench_local(|| analyse(&motion, &Hints::default()).unwrap());
}
