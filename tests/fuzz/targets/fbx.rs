//! Bytes as an FBX after some edits: what is read is finite.

#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use rebone::skeleton::fbx;
use rebone_fuzz::{scene, show};

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = scene::fbx(&mut Unstructured::new(bytes)) else { return };
    show("scene.fbx", || file.clone());
    let document = match fbx::parse(&file) {
        Ok(document) => document,
        Err(error) => return assert!(error.to_string().len() < 2000, "{error}"),
    };
    let joints = document.skeleton().len();
    let _ = document.skin_mesh();
    assert!(document.skin_points().points.iter().all(|point| point.joint.index() < joints));
    for index in 0..document.clips().len() {
        let Ok((clip, _)) = document.clip(index) else { continue };
        for pose in clip.poses() {
            assert!(pose.translations.iter().flatten().all(|x| !x.is_nan()));
            assert!(pose.rotations.iter().all(|turn| (turn.norm() - 1.0).abs() < 1e-6));
        }
    }
});
