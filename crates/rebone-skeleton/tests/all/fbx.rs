//! A small FBX text.

#![cfg(feature = "fbx")]

use nalgebra::Vector3;
use rebone_skeleton::{Pose, fbx, forward_kinematics};

/// Three joints, one above the other in the file's Z, in inches; the second one is turned by its
/// pre-rotation, and turns by another quarter about its own X within half a second.
const ARM: &str = include_str!("data/arm.fbx");

#[test]
fn units_axes_and_keys_are_those_of_the_file() {
    let document = fbx::parse(ARM.as_bytes()).unwrap();
    let skeleton = document.skeleton();
    let names: Vec<String> = skeleton.joints().iter().map(|joint| joint.name.to_string()).collect();
    assert_eq!(names, ["Root", "Upper", "Lower"]);
    assert_eq!(document.clips().collect::<Vec<_>>(), ["Turn"]);
    let clip = document.clip(0).unwrap();
    assert_eq!((clip.len(), clip.frame_time), (16, 1.0 / 30.0));
    let tip = |pose: &Pose| forward_kinematics(skeleton, pose).unwrap().positions[2];
    let inch = 0.0254;
    // Up is +Z in the file and +Y here; X stays.
    let near = |place: Vector3<f64>, x: f64, y: f64, z: f64| {
        (place - Vector3::new(x, y, z) * inch).norm() < 1e-6
    };
    let (first, last) = (tip(&clip.pose(0).unwrap()), tip(&clip.pose(15).unwrap()));
    assert!(near(first, 10.0, 30.0, 0.0), "{}", first / inch);
    assert!(near(last, 0.0, 30.0, 10.0), "{}", last / inch);
}

#[test]
fn what_is_no_fbx_says_so() {
    for text in ["", "; FBX 7.4.0 project file", "Kaydara FBX Binary  \0\x1a\0", "HIERARCHY"] {
        let error = fbx::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("found no "), "{error}");
    }
    let without = ARM.replace("LimbNode", "Null");
    let error = fbx::parse(without.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("found no joints"), "{error}");
}
