//! From BVH text to a clip and back, by bytes: samples and, where `REBONE_CORPUS` names the corpus, files of
//! other programs.
//!
//! `cargo bench -p rebone-skeleton`

#![allow(clippy::unwrap_used, reason = "a bench that panics has failed")]

use divan::Bencher;
use divan::counter::BytesCount;
use rebone_skeleton::bvh::{self, WriteOptions};
use std::path::{Path, PathBuf};

const FILES: [&str; 6] = [
    "reach",
    "zeroeggs/067_Speech_2_x_1_0",
    "lafan1/Lafan1_example",
    "cmu-cgspeed/05_20",
    "mixamo/Sporty_Granny-Macarena_Dance",
    "bandai-namco/dataset-1_kick_normal_001",
];

fn main() {
    divan::main();
}

/// The bytes of a file; `None` for one of the corpus where that is not at hand.
fn bytes(name: &str) -> Option<Vec<u8>> {
    let path = match name.contains('/') {
        true => PathBuf::from(std::env::var_os("REBONE_CORPUS")?).join("motions"),
        false => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/clips"),
    };
    Some(std::fs::read(path.join(name).with_extension("bvh")).unwrap())
}

#[divan::bench(args = FILES)]
fn read(bencher: Bencher, name: &str) {
    let Some(bytes) = bytes(name) else { return };
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| bvh::parse(&bytes).unwrap());
}

fn write(bencher: Bencher, name: &str, decimals: Option<u8>) {
    let Some(bytes) = bytes(name) else { return };
    let document = bvh::parse(&bytes).unwrap();
    let options = WriteOptions { decimals, ..WriteOptions::default() };
    let clip = &document.motion.clip;
    let text = || bvh::write_clip(Vec::new(), &document.hierarchy, clip, options).unwrap();
    bencher.counter(BytesCount::new(text().len())).bench(text);
}

/// Numbers with all their digits.
#[divan::bench(args = FILES)]
fn write_exact(bencher: Bencher, name: &str) {
    write(bencher, name, None);
}

#[divan::bench(args = FILES)]
fn write_six_decimals(bencher: Bencher, name: &str) {
    write(bencher, name, Some(6));
}
