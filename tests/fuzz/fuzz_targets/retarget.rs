//! Bytes as a BVH file, as source and as target: no panic, and every number of a result is finite.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebone::skeleton::{Motion, bvh};
use rebone::{Options, retarget, samples};

/// More would only take time.
const FRAMES: usize = 3;

fn attempt(source: &Motion, target: &Motion) {
    let Ok(done) = retarget(source, target, &Options::default()) else { return };
    for pose in done.clip.poses() {
        assert!(pose.translations.iter().flat_map(|place| place.iter()).all(|x| x.is_finite()));
        assert!(pose.rotations.iter().flat_map(|turn| turn.coords.iter()).all(|x| x.is_finite()));
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = bvh::parse(bytes) else { return };
    let mut found = document.motion;
    found.clip.keep(0..FRAMES.min(found.clip.len()));
    let mut whole = samples::wave().motion;
    whole.clip.keep(0..FRAMES);
    attempt(&found, &whole);
    attempt(&whole, &found);
});
