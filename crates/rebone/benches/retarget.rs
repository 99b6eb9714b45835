//! The solve of whole frames, all stages: samples onto sample rigs and, where `REBONE_CORPUS` names
//! the corpus, a body with fingers onto another. The items are frames.
//!
//! `cargo bench -p rebone`

#![allow(clippy::unwrap_used, reason = "a bench that panics has failed")]

use divan::Bencher;
use divan::counter::ItemsCount;
use rebone::skeleton::{Motion, bvh};
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
    let frames = &source.clip.frames[..FRAMES.min(source.clip.frames.len())];
    bencher.counter(ItemsCount::new(frames.len())).bench_local(|| {
        for frame in frames {
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
