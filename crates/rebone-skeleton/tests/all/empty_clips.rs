//! glTF animations in which no joint moves.

use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::gltf::{self, Container, NewAnimation, Tolerance};
use rebone_skeleton::{Axis, Clip, ClipSelector, Document, Joint, JointId, Skeleton};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn arm() -> Skeleton {
    let joint = |name: &str, parent: Option<usize>| Joint {
        name: name.into(),
        parent: parent.map(JointId),
        rest_translation: Vector3::y(),
        rest_rotation: UnitQuaternion::identity(),
        translation_axes: Axis::ALL.to_vec(),
        rotation_axes: Axis::ALL.to_vec(),
    };
    let joints = vec![joint("a", None), joint("b", Some(0)), joint("c", Some(1))];
    Skeleton::new(joints, Vec::new()).unwrap()
}

/// A clip in which the second joint turns by this much over 20 frames, from a pose off the rest pose.
fn turning(skeleton: &Skeleton, degrees: f64) -> Clip {
    let poses = (0..20).map(|frame| {
        let mut pose = skeleton.rest_pose();
        let angle = (10.0 + degrees * f64::from(frame) / 19.0).to_radians();
        pose.rotations[1] = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), angle);
        pose
    });
    Clip::from_poses(skeleton, 1.0 / 30.0, poses).unwrap()
}

/// A file with an animation of each of these turns, all keys written.
fn file(turns: &[f64]) -> Value {
    let skeleton = arm();
    let scene = gltf::Document::from_skeleton(&skeleton, 1.0, &UnitQuaternion::identity());
    let clips: Vec<(String, Clip)> =
        turns.iter().map(|turn| (format!("by {turn}"), turning(&skeleton, *turn))).collect();
    let mapped = BTreeSet::from_iter(skeleton.ids());
    let new: Vec<_> =
        clips.iter().map(|(name, clip)| NewAnimation { name, clip, mapped: &mapped }).collect();
    let tolerance = Tolerance { angle: 0.0, length: 0.0 };
    let bytes = scene.with_animations(&new, tolerance, Container::Gltf).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

fn opened(json: &Value) -> Document {
    Document::parse("arm.gltf", json.to_string().into_bytes(), None).unwrap()
}

fn empty(document: &Document) -> Vec<bool> {
    document.clips().iter().map(|clip| clip.is_empty).collect()
}

#[test]
fn an_animation_with_equal_keys_is_empty_and_never_the_default() {
    let document = opened(&file(&[0.0, 0.009, 20.0, 30.0]));
    assert_eq!(empty(&document), [true, true, false, false]);
    assert_eq!(document.clip(None).unwrap().index, Some(2));
    let held = document.clip(Some(ClipSelector::Index(0))).unwrap();
    assert_eq!((held.index, held.motion.clip.len()), (Some(0), 20));
    // Of a file of poses, the first is read, for a rig has more than its rest pose then.
    let document = opened(&file(&[0.0, 0.0]));
    let read = document.clip(None).unwrap();
    assert_eq!((read.index, read.motion.clip.len()), (None, 20));
}

#[test]
fn keys_of_other_properties_and_other_nodes_move_no_joint() {
    let mut json = file(&[20.0, 25.0]);
    for channel in json["animations"][0]["channels"].as_array_mut().unwrap() {
        if channel["target"]["path"] == "rotation" {
            channel["target"]["path"] = json!("weights");
        }
    }
    assert_eq!(empty(&opened(&json)), [true, false]);
    let mut json = file(&[20.0]);
    let camera = json["nodes"].as_array().unwrap().len();
    json["nodes"].as_array_mut().unwrap().push(json!({ "name": "camera" }));
    for channel in json["animations"][0]["channels"].as_array_mut().unwrap() {
        channel["target"]["node"] = json!(camera);
    }
    assert_eq!(empty(&opened(&json)), [true]);
    let mut json = file(&[20.0]);
    json["animations"][0]["channels"] = json!([]);
    assert_eq!(empty(&opened(&json)), [true]);
}

#[test]
fn an_animation_that_cannot_be_read_is_not_empty() {
    let mut json = file(&[0.0]);
    for accessor in json["accessors"].as_array_mut().unwrap() {
        accessor["count"] = json!(100_000);
    }
    let document = opened(&json);
    assert_eq!(empty(&document), [false]);
    assert!(document.clip(None).is_err());
}
