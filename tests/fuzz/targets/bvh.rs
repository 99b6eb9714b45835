//! Bytes as a BVH file: what is read is finite, and is written and read back the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebone::skeleton::{Skeleton, bvh};
use rebone_fuzz::text;

fuzz_target!(|bytes: &[u8]| {
    let document = match bvh::parse(bytes) {
        Ok(document) => document,
        Err(error) => {
            let message = error.to_string();
            assert!(message.len() < 1000, "{message}");
            return;
        }
    };
    let (skeleton, clip) = (&document.motion.skeleton, &document.motion.clip);
    for pose in clip.poses() {
        assert!(pose.translations.iter().flat_map(|place| place.iter()).all(|x| x.is_finite()));
        assert!(pose.rotations.iter().flat_map(|turn| turn.coords.iter()).all(|x| x.is_finite()));
    }
    // A place just below what a reader takes may be moved beyond it.
    let Some(text) = text(&document) else { return };
    let again = bvh::parse(&text).expect("what was written can be read");
    assert!(again.warnings.len() <= document.warnings.len(), "{:?}", again.warnings);
    assert_eq!(again.motion.clip.len(), clip.len());
    assert_eq!(again.motion.skeleton.joints(), skeleton.joints());
    // A text that is written anew has them before the joint's children.
    let sites = |skeleton: &Skeleton| {
        let mut sites = skeleton.end_sites().to_vec();
        sites.sort_by_key(|site| site.parent);
        sites
    };
    assert_eq!(sites(&again.motion.skeleton), sites(skeleton));
    assert_eq!(again.hierarchy.text(), document.hierarchy.text());
});
