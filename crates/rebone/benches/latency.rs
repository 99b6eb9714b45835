//! How long a frame takes from a pose to a pose, on one thread: not on average, but at worst.
//!
//! `cargo bench -p rebone --bench latency [FRAMES [SOURCE TARGET]]`; by default a million frames of our own
//! wave onto our own rig with fingers. Numbers are microseconds; what the system takes away in between counts.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench may panic and print")]

use rebone::skeleton::{Motion, bvh};
use rebone::{Hints, Options, Retargeter, align, analyse_pair};
use rebone_samples as samples;
use std::time::Instant;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let frames: usize = words.first().map_or(1_000_000, |word| word.parse().unwrap());
    let [source, target] = match &words[..] {
        [_, source, target, ..] => [source, target].map(|path| read(path)),
        _ => [samples::wave().motion, with_fingers()],
    };
    let unknown = Hints::default();
    let analysed = analyse_pair([&source, &target], [&unknown, &unknown], &[]).unwrap();
    let [from, onto] = &analysed.anatomies;
    let mut retargeter = Retargeter::new(align(from, onto, &Options::default())).unwrap();
    let poses: Vec<_> = source.clip.poses().collect();
    let mut pose = target.skeleton.rest_pose();
    let mut times: Vec<u32> = Vec::with_capacity(frames);
    for frame in 0..frames {
        let begin = Instant::now();
        retargeter.frame(&poses[frame % poses.len()], &mut pose).unwrap();
        times.push(begin.elapsed().as_nanos().try_into().unwrap_or(u32::MAX));
    }
    times.sort_unstable();
    let at = |share: f64| f64::from(times[((frames - 1) as f64 * share) as usize]) / 1000.0;
    println!(
        "{frames} frames: median {:.1}, p99 {:.1}, p99.9 {:.1}, p99.99 {:.1}, worst {:.1} microseconds",
        at(0.5),
        at(0.99),
        at(0.999),
        at(0.9999),
        at(1.0)
    );
}

fn read(path: &str) -> Motion {
    bvh::parse(&std::fs::read(path).unwrap()).unwrap().motion
}

fn with_fingers() -> Motion {
    let rigs = samples::rigs().into_iter().map(|rig| rig.motion);
    rigs.max_by_key(|rig| rig.skeleton.len()).unwrap()
}
