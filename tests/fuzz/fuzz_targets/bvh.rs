//! Bytes as a BVH file: no panic, and what is read is written and read back the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebone::skeleton::bvh::{self, WriteOptions};

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = bvh::parse(bytes) else { return };
    let clip = &document.motion.clip;
    let text = bvh::write_clip(Vec::new(), &document.hierarchy, clip, WriteOptions::default());
    let text = text.expect("what was read can be written");
    let again = bvh::parse(&text).expect("what was written can be read");
    assert_eq!(again.motion.clip.len(), clip.len());
    assert_eq!(again.motion.skeleton.len(), document.motion.skeleton.len());
});
