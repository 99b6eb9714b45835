//! Bytes as a BVH file: no panic, and what is read is written and read back the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebone::skeleton::bvh::{self, WriteOptions, Writer};

fuzz_target!(|bytes: &[u8]| {
    let Ok(document) = bvh::parse(bytes) else { return };
    let clip = &document.motion.clip;
    let (frames, options) = (clip.frames.len(), WriteOptions::default());
    let writer = Writer::new(Vec::new(), &document.hierarchy, clip.frame_time, frames, options);
    let mut writer = writer.expect("what was read can be written");
    for pose in &clip.frames {
        writer.write_pose(pose).expect("what was read can be written");
    }
    let text = writer.finish().expect("memory is enough");
    let again = bvh::parse(&text).expect("what was written can be read");
    assert_eq!(again.motion.clip.frames.len(), frames);
    assert_eq!(again.motion.skeleton.len(), document.motion.skeleton.len());
});
