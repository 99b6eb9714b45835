//! Frames of written glTF animations: their number, rate and translations come back.

use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::gltf::{Container, Document, NewAnimation, ReadOptions, Tolerance, parse};
use rebone_skeleton::{Axis, Clip, EndSite, Joint, JointId, Skeleton};
use serde_json::json;
use std::collections::BTreeSet;
use std::io::Cursor;

/// A skeleton of one joint, and a clip of it that rests.
fn still(frames: usize, frame_time: f64) -> (Document, Clip) {
    let joint = Joint {
        name: "root".into(),
        parent: None,
        rest_translation: Vector3::zeros(),
        rest_rotation: UnitQuaternion::identity(),
        translation_axes: Axis::ALL.to_vec(),
        rotation_axes: Axis::ALL.to_vec(),
    };
    let site = EndSite { parent: JointId(0), offset: Vector3::x() };
    let skeleton = Skeleton::new(vec![joint], vec![site]).unwrap();
    let rest = (0..frames).map(|_| skeleton.rest_pose());
    let clip = Clip::from_poses(&skeleton, frame_time, rest).unwrap();
    (Document::from_skeleton(&skeleton, 1.0, &UnitQuaternion::identity()), clip)
}

fn frames(bytes: Vec<u8>, clip: usize) -> (usize, f64) {
    let clip = parse(bytes, None, ReadOptions::default()).unwrap().clip(clip).unwrap().clip;
    (clip.len(), clip.frame_time)
}

#[test]
fn few_frames_and_slow_ones_come_back_as_they_were() {
    for (count, frame_time) in [(1, 1.0 / 24.0), (2, 0.1), (3, 1.0 / 15.0), (61, 1.0 / 4.0)] {
        let (document, clip) = still(count, frame_time);
        let mapped = BTreeSet::new();
        let names = ["still", "again"];
        let new = names.map(|name| NewAnimation { name, clip: &clip, mapped: &mapped });
        let once = document.with_animations(&new, Tolerance::default(), Container::Glb).unwrap();
        let part = parse(once.clone(), None, ReadOptions::default()).unwrap();
        let mut merger = document.merge_animations(Cursor::new(Vec::new())).unwrap();
        names.iter().for_each(|name| merger.add(&part, name).unwrap());
        let mut merged = Vec::new();
        merger.write(&mut merged).unwrap();
        for bytes in [once, merged] {
            assert_eq!(frames(bytes.clone(), 0), (count, frame_time));
            assert_eq!(frames(bytes, 1), (count, frame_time));
        }
    }
}

#[test]
fn frames_that_keys_do_not_lie_on_are_not_believed() {
    let (document, clip) = still(61, 0.25);
    let (mapped, tolerance) = (BTreeSet::new(), Tolerance::default());
    let new = NewAnimation { name: "a", clip: &clip, mapped: &mapped };
    let bytes = document.with_animations(&[new], tolerance, Container::Gltf).unwrap();
    let with = |extras: serde_json::Value| {
        let mut json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        json["animations"][0]["extras"] = extras;
        frames(json.to_string().into_bytes(), 0)
    };
    assert_eq!(with(json!({ "frame_time": 0.25, "frames": 61, "more": "of others" })), (61, 0.25));
    for extras in [
        json!(null),
        json!("frames"),
        json!([0.25, 61, 3]),
        json!({ "frame_time": 0.25 }),
        json!({ "frame_time": 0.25, "frames": 60 }),
        json!({ "frame_time": 0.25, "frames": -61 }),
        json!({ "frame_time": -0.25, "frames": 61 }),
        json!({ "frame_time": 0.0, "frames": 61 }),
        json!({ "frame_time": 0.26, "frames": 61 }),
        json!({ "frame_time": 1e-300, "frames": u64::MAX }),
        json!({ "frame_time": 15e-9, "frames": 1_000_000_001 }),
    ] {
        assert_eq!(with(extras.clone()), (361, 15.0 / 360.0), "{extras}");
    }
}

#[test]
fn translations_are_rounded_once_below_a_distant_node() {
    let text = br#"{"asset":{"version":"2.0"},"nodes":[{"translation":[900000,0,0],"children":[1]},
        {"name":"a","children":[2]},{"name":"b","translation":[0,1,0]}],"skins":[{"joints":[1,2]}]}"#;
    let document = parse(text.to_vec(), None, ReadOptions::default()).unwrap();
    let skeleton = document.skeleton();
    let poses = [0.0, 0.003].map(|step| {
        let mut pose = skeleton.rest_pose();
        pose.translations[0].x += step;
        pose
    });
    let clip = Clip::from_poses(skeleton, 0.1, poses).unwrap();
    let new = NewAnimation { name: "a", clip: &clip, mapped: &BTreeSet::new() };
    let bytes = document.with_animations(&[new], Tolerance::default(), Container::Glb).unwrap();
    let read = parse(bytes, None, ReadOptions::default()).unwrap().clip(0).unwrap().clip;
    let places: Vec<f64> = read.poses().map(|pose| pose.translations[0].x).collect();
    assert!((places[1] - places[0] - 0.003).abs() < 1e-8, "{places:?}");
}
