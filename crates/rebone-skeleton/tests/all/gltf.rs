//! Small glTF files, written and read back, and errors of broken ones.

use nalgebra::{UnitQuaternion, Vector3};
use proptest::prelude::*;
use rebone_skeleton::gltf::{
    Container, Document, NewAnimation, ReadOptions, Tolerance, WriteError, parse,
};
use rebone_skeleton::{Axis, Clip, EndSite, Joint, JointId, Pose, Skeleton, forward_kinematics};
use std::collections::BTreeSet;
use std::slice;

/// A tree of joints, each on one before it.
fn skeletons() -> impl Strategy<Value = Skeleton> {
    let joint = (any::<prop::sample::Index>(), prop::array::uniform6(-1.0..1.0_f64));
    prop::collection::vec(joint, 1..12).prop_map(|joints| {
        let joints = joints.into_iter().enumerate().map(|(index, (parent, x))| Joint {
            name: format!("j{index}").into(),
            parent: (index > 0).then(|| JointId(parent.index(index.max(1)))),
            rest_translation: Vector3::new(x[0], x[1], x[2]),
            rest_rotation: UnitQuaternion::from_scaled_axis(Vector3::new(x[3], x[4], x[5]) * 3.0),
            translation_axes: Axis::ALL.to_vec(),
            rotation_axes: Axis::ALL.to_vec(),
        });
        let site = EndSite { parent: JointId(0), offset: Vector3::x() };
        Skeleton::new(joints.collect(), vec![site]).unwrap()
    })
}

fn moving(skeleton: &Skeleton, waves: [f64; 3]) -> Clip {
    let poses = (0..20).map(|frame| {
        let mut pose = skeleton.rest_pose();
        for (joint, turn) in pose.rotations.iter_mut().enumerate() {
            let angle = (f64::from(frame) * waves[0] + joint as f64).sin() * waves[1] * 2.0;
            *turn *= UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
        }
        pose.translations[0].z += waves[2] * f64::from(frame);
        pose
    });
    Clip::from_poses(skeleton, 1.0 / 60.0, poses).unwrap()
}

fn places(skeleton: &Skeleton, pose: &Pose) -> Vec<Vector3<f64>> {
    forward_kinematics(skeleton, pose).unwrap().positions
}

/// A file as one that holds an animation of each of these names, written at once or gathered of parts.
fn together(document: &Document, clips: &[(&str, Clip)], gathered: bool) -> Vec<u8> {
    let (mapped, tolerance) = (BTreeSet::new(), Tolerance::default());
    let new = |own: &'_ (&'static str, Clip)| -> Vec<u8> {
        let new = NewAnimation { name: "part", clip: &own.1, mapped: &mapped };
        let alone = document.joints_alone().unwrap();
        alone.with_animations(slice::from_ref(&new), tolerance, Container::Glb).unwrap()
    };
    if !gathered {
        let new: Vec<_> =
            clips.iter().map(|(name, clip)| NewAnimation { name, clip, mapped: &mapped }).collect();
        return document.with_animations(&new, tolerance, Container::Glb).unwrap();
    }
    let mut merger = document.merge_animations(tempfile::tempfile().unwrap()).unwrap();
    for (name, clip) in clips {
        let part = parse(new(&("", clip.clone())), None, ReadOptions::default()).unwrap();
        merger.add(&part, name).unwrap();
    }
    let mut bytes = Vec::new();
    merger.write(&mut bytes).unwrap();
    bytes
}

fn names(document: &Document) -> Vec<String> {
    document.clips().map(|own| own.name.unwrap()).collect()
}

proptest! {
    #[test]
    fn gathered_animations_are_those_that_are_written_at_once(
        skeleton in skeletons(),
        waves in prop::array::uniform3(-1.0..1.0_f64),
    ) {
        let other = waves.map(|wave| 0.7 * wave + 0.1);
        let clips = |of: &Skeleton| [("a", moving(of, waves)), ("b", moving(of, other))];
        let bare = Document::from_skeleton(&skeleton, 1.0, &UnitQuaternion::identity());
        // The second file has data, and an animation of a name that comes again.
        let full = together(&bare, &clips(&skeleton)[1..], false);
        let full = parse(full, None, ReadOptions::default()).unwrap();
        for document in [bare, full] {
            let clips = clips(document.skeleton());
            let read = |gathered| {
                let bytes = together(&document, &clips, gathered);
                let declared = u32::from_le_bytes(bytes[8..12].try_into().unwrap());
                prop_assert_eq!(bytes.len(), declared as usize);
                Ok(parse(bytes, None, ReadOptions::default()).unwrap())
            };
            let (once, parts) = (read(false)?, read(true)?);
            prop_assert_eq!(names(&parts), ["a", "b"]);
            for (at, name) in ["a", "b"].iter().enumerate() {
                let same = names(&once).iter().position(|own| own == name).unwrap();
                let clips = [once.clip(same).unwrap().clip, parts.clip(at).unwrap().clip];
                prop_assert_eq!(clips[0].len(), clips[1].len());
                for (a, b) in clips[0].poses().zip(clips[1].poses()) {
                    prop_assert_eq!(a, b);
                }
            }
        }
    }

    #[test]
    fn a_skeleton_and_its_motion_come_back(
        skeleton in skeletons(),
        waves in prop::array::uniform3(-1.0..1.0_f64),
        length in 1e-5..1e-2_f64,
    ) {
        let (metres, turn) = (0.5, UnitQuaternion::from_euler_angles(0.4, -0.3, 1.0));
        let document = Document::from_skeleton(&skeleton, metres, &turn);
        let clip = moving(&skeleton, waves);
        let mapped = BTreeSet::new();
        let new = NewAnimation { name: "wave", clip: &clip, mapped: &mapped };
        let tolerance = Tolerance { angle: length, length };
        for container in [Container::Glb, Container::Gltf] {
            let bytes = document.with_animations(slice::from_ref(&new), tolerance, container).unwrap();
            let again = parse(bytes, None, ReadOptions::default()).unwrap();
            let read = again.clip(0).unwrap().clip;
            prop_assert_eq!((read.len(), read.frame_time), (clip.len(), clip.frame_time));
            for frame in 0..read.len() {
                let found = places(again.skeleton(), &read.pose(frame).unwrap());
                let wanted = places(&skeleton, &clip.pose(frame).unwrap());
                for (joint, wanted) in skeleton.joints().iter().zip(wanted) {
                    let own = again.skeleton().find(joint.name.as_slice().into()).unwrap();
                    let off = found[own.index()] - turn * wanted * metres;
                    prop_assert!(off.norm() < 1.01 * length + 1e-5, "{off}");
                }
            }
        }
    }
}

fn error(json: &str) -> String {
    parse(json.as_bytes().to_vec(), None, ReadOptions::default()).unwrap_err().to_string()
}

#[test]
fn errors_say_where_what_and_what_to_do() {
    let with = |rest: &str| format!(r#"{{"asset":{{"version":"2.0"}},{rest}}}"#);
    let cases = [
        ("HIERARCHY".to_owned(), "byte 0: found no JSON and no GLB, expected a glTF 2.0 file"),
        (r#"{"asset":{"version":"1.0"}}"#.to_owned(), "asset.version: found \"1.0\", expected"),
        (with(r#""nodes":[{"children":[1]}]"#), "nodes[0].children[0]: found node 1, expected one"),
        (with(r#""nodes":[{"children":[0]}]"#), "nodes: found node 0 below itself"),
        (
            with(r#""nodes":[{"children":[2]},{"children":[2]},{}]"#),
            "nodes[1].children[0]: found node 2, which is a child of node 0 as well",
        ),
        (
            with(r#""nodes":[{"rotation":[0,0,0,0]}]"#),
            "nodes[0].rotation: found [0.0, 0.0, 0.0, 0.0]",
        ),
        (with(r#""nodes":[{"scale":[1,"x",1]}]"#), "nodes[0].scale[1]: invalid type: string \"x\""),
        (
            with(r#""nodes":[{"name":"A","scale":[1,0,1],"children":[1]},{}]"#),
            "nodes: found the scale 1 0 1 at node 0, \"A\", which carries joints",
        ),
        (with(r#""nodes":[]"#), "nodes: found no joints"),
        (with(r#""nodes":[{}],"skins":[{"joints":[3]}]"#), "skins[0].joints[0]: found node 3"),
        (
            with(r#""nodes":[{}],"buffers":[{"byteLength":9,"uri":"../x.bin"}]"#),
            "buffers[0].uri: found the URI \"../x.bin\", expected data in base64, or the name",
        ),
        (
            with(r#""nodes":[{}],"buffers":[{"byteLength":9,"uri":"data:;base64,AAAA"}]"#),
            "buffers[0]: found 3 bytes, expected the 9 of its byteLength",
        ),
    ];
    for (json, wanted) in cases {
        let found = error(&json);
        assert!(found.starts_with(wanted), "{json}\n{found}\n{wanted}");
    }
}

#[test]
fn a_deep_tree_is_read() {
    let count = 50_000;
    let nodes: Vec<String> = (0..count)
        .map(|node| match node + 1 < count {
            true => format!(r#"{{"children":[{}]}}"#, node + 1),
            false => "{}".to_owned(),
        })
        .collect();
    let json = format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{}]}}"#, nodes.join(","));
    let document = parse(json.into_bytes(), None, ReadOptions::default()).unwrap();
    assert_eq!(document.skeleton().len(), count);
}

#[test]
fn a_root_is_added_to_a_file_without_scenes() {
    let text = br#"{"asset":{"version":"2.0"},"nodes":[{"name":"a","children":[1]},{"name":"b","translation":[0,1,0]}]}"#;
    let document = parse(text.to_vec(), None, ReadOptions::default()).unwrap();
    let rooted = document.with_root("root").unwrap();
    let clip = moving(rooted.skeleton(), [0.1, 0.2, 0.0]);
    let new = NewAnimation { name: "a", clip: &clip, mapped: &BTreeSet::new() };
    let written = rooted.with_animations(&[new], Tolerance::default(), Container::Gltf).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&written).unwrap();
    assert!(json.get("scenes").is_none(), "{json}");
    assert_eq!(json["nodes"][2], serde_json::json!({ "name": "root", "children": [0] }));
}

/// Writes two frames of one joint, which moves by a millimetre at `place`.
fn written_at(place: f64, frame_time: f64, tolerance: Tolerance) -> Result<Vec<u8>, WriteError> {
    let text = br#"{"asset":{"version":"2.0"},"nodes":[{"name":"a","children":[1]},{"name":"b"}]}"#;
    let document = parse(text.to_vec(), None, ReadOptions::default()).unwrap();
    let skeleton = document.skeleton();
    let poses = [0.0, 0.001].map(|step| {
        let mut pose = skeleton.rest_pose();
        pose.translations[0].x = place + step;
        pose
    });
    let clip = Clip::from_poses(skeleton, frame_time, poses).unwrap();
    let new = NewAnimation { name: "a", clip: &clip, mapped: &BTreeSet::new() };
    document.with_animations(&[new], tolerance, Container::Glb)
}

#[test]
fn numbers_that_32_bits_do_not_hold_are_refused() {
    let [fine, coarse] = [1e-4, 0.05].map(|length| Tolerance { length, ..Tolerance::default() });
    let written = |place: f64, tolerance| written_at(place, 0.01, tolerance);
    assert!(written(1000.0, fine).is_ok());
    assert!(written(500_000.0, coarse).is_ok());
    let message = written(500_000.01, fine).unwrap_err().to_string();
    let wanted = "frame 0, joint \"a\": found a place 500000 m from the origin, which the 32 bit numbers of glTF hold to \
                  10.000 mm, expected 0.1 mm";
    assert!(message.starts_with(wanted), "{message}");
    let message = written(1e29, coarse).unwrap_err().to_string();
    assert!(message.contains("expected 50 mm"), "{message}");
    for frame_time in [1e-300, 1e30] {
        assert!(written_at(0.0, frame_time, fine).is_err(), "{frame_time}");
    }
}

#[test]
fn the_poses_of_a_written_animation_are_those_that_are_read() {
    let text = br#"{"asset":{"version":"2.0"},"nodes":[{"children":[1],"scale":[2,2,2],"translation":[9,0,0],
        "rotation":[0,0.6,0,0.8]},{"name":"a","children":[2]},{"name":"b","translation":[1,0,0]}],
        "skins":[{"joints":[1,2]}]}"#;
    let document = parse(text.to_vec(), None, ReadOptions::default()).unwrap();
    let clip = moving(document.skeleton(), [0.1, 0.3, 0.01]);
    let (coarse, none) = (Tolerance { angle: 0.1, length: 0.1 }, BTreeSet::new());
    let added = document.with_animation("a", clip.clone(), &none, coarse, Container::Glb);
    let (bytes, written) = added.unwrap();
    let read = parse(bytes, None, ReadOptions::default()).unwrap().clip(0).unwrap().clip;
    let apart = |own: &Clip, other: &Clip| {
        let places = |clip: &Clip| -> Vec<_> {
            clip.poses().flat_map(|pose| places(document.skeleton(), &pose)).collect()
        };
        assert_eq!(own.len(), other.len());
        let pairs = places(own).into_iter().zip(places(other));
        pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    };
    assert!(apart(&written, &read) < 1e-5, "{}", apart(&written, &read));
    assert!(apart(&written, &clip) > 1e-3, "{}", apart(&written, &clip));
}

#[test]
fn sizes_beyond_all_bounds_are_refused() {
    let whole = written_at(0.0, 0.1, Tolerance::default()).unwrap();
    for at in [8, 12, whole.len() - 80] {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        if let Ok(document) = parse(bytes, None, ReadOptions::default()) {
            assert!(document.clip(0).map_or(0, |read| read.clip.len()) < 1000, "byte {at}");
        }
    }
    let data = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let sizes = [u64::MAX, u64::MAX / 4 + 1, 1 << 63, u64::from(u32::MAX), 1 << 32, 36];
    for field in ["count", "byteOffset", "viewOffset", "byteStride", "byteLength"] {
        for size in sizes {
            let own = |name: &str, usual: u64| if name == field { size } else { usual };
            let json = serde_json::json!({
                "asset": { "version": "2.0" }, "nodes": [{ "name": "a", "children": [1] }, { "name": "b" }],
                "buffers": [{ "byteLength": 36, "uri": format!("data:;base64,{data}") }],
                "bufferViews": [{
                    "buffer": 0, "byteOffset": own("viewOffset", 0), "byteLength": own("byteLength", 36),
                    "byteStride": own("byteStride", 12),
                }],
                "accessors": [{
                    "bufferView": 0, "byteOffset": own("byteOffset", 0), "componentType": 5126,
                    "count": own("count", 3), "type": "VEC3",
                }, { "bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR" }],
                "animations": [{
                    "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
                    "samplers": [{ "input": 1, "output": 0 }],
                }],
            });
            let read = parse(json.to_string().into_bytes(), None, ReadOptions::default());
            let read = read.and_then(|document| document.clip(0));
            assert!(read.is_err() || size == 36, "{field} {size}");
        }
    }
}
