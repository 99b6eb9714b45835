//! Where the joints of a body are, frame by frame: a sample. The items are joints.
//!
//! `cargo bench -p rebone-skeleton`

#![allow(clippy::unwrap_used, reason = "a bench that panics has failed")]

use divan::Bencher;
use divan::counter::ItemsCount;
use rebone_skeleton::{Pose, WorldPose, bvh};
use std::path::Path;

fn main() {
    divan::main();
}

#[divan::bench]
fn forward(bencher: Bencher) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/clips/reach.bvh");
    let motion = bvh::parse(&std::fs::read(path).unwrap()).unwrap().motion;
    let poses: Vec<Pose> = motion.clip.poses().collect();
    let skeleton = &motion.skeleton;
    let mut world = WorldPose::zeros(skeleton);
    bencher.counter(ItemsCount::new(poses.len() * skeleton.len())).bench_local(|| {
        poses.iter().for_each(|pose| world.update(skeleton, pose).unwrap());
        divan::black_box(&world);
    });
}
