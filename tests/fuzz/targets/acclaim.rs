//! Bytes as an ASF and, behind the first zero, an AMC of it: clips are finite, and what is written as BVH is read back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebone::skeleton::{acclaim, bvh};

fuzz_target!(|bytes: &[u8]| {
    let zero = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let (skeleton, motion) = (&bytes[..zero], bytes.get(zero + 1..).unwrap_or_default());
    let asf = match acclaim::parse_asf(skeleton) {
        Ok(asf) => asf,
        Err(error) => return assert!(error.to_string().len() < 1000, "{error}"),
    };
    let amc = match acclaim::parse_amc(motion, &asf) {
        Ok(amc) => amc,
        Err(error) => return assert!(error.to_string().len() < 1000, "{error}"),
    };
    let checked = amc.clip.check_for(asf.skeleton());
    assert!(checked.is_ok(), "{checked:?}");
    let hierarchy = bvh::Hierarchy::from_skeleton(asf.skeleton());
    let options = bvh::WriteOptions::default();
    // A place just below what a reader takes may be moved beyond it.
    let Ok(text) = bvh::write_clip(Vec::new(), &hierarchy, &amc.clip, options) else { return };
    // Names of Acclaim files may hold the braces and words of a BVH.
    let is_plain = |name: &[u8]| name.iter().all(u8::is_ascii_alphanumeric);
    if asf.skeleton().joints().iter().all(|joint| is_plain(&joint.name)) {
        let again = bvh::parse(&text).expect("what was written can be read");
        assert_eq!(again.motion.clip.len(), amc.clip.len());
    }
});
