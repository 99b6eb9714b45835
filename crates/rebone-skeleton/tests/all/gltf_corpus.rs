//! Real glTF, VRM and FBX files, in the folder that the environment variable `REBONE_CORPUS` names.

use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::gltf::{self, Container, Document, NewAnimation, ReadOptions, Tolerance};
use rebone_skeleton::{Clip, JointId, Pose, forward_kinematics};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

fn read(path: &Path) -> Arc<Document> {
    Arc::clone(rebone_skeleton::Document::open(path, None).unwrap().gltf().unwrap())
}

/// A second in which every joint of the document waves, and the root walks.
fn waving(document: &Document) -> Clip {
    let skeleton = document.skeleton();
    let poses = (0..31).map(|frame| {
        let mut pose = skeleton.rest_pose();
        let time = f64::from(frame) / 30.0;
        for id in skeleton.ids() {
            let axis = nalgebra::Unit::new_unchecked(Vector3::new(0.6, 0.0, -0.8));
            let angle = 0.3 * (time * 6.0 + id.index() as f64).sin();
            let turn = UnitQuaternion::from_axis_angle(&axis, angle);
            pose.rotations[id.index()] = turn * pose.rotations[id.index()];
        }
        pose.translations[0] += Vector3::new(0.0, 0.02 * (9.0 * time).sin(), time);
        pose
    });
    Clip::from_poses(skeleton, 1.0 / 30.0, poses).unwrap()
}

fn written(document: &Document, clip: &Clip, container: Container) -> Vec<u8> {
    let mapped: BTreeSet<JointId> = document.skeleton().ids().collect();
    let new = NewAnimation { name: "wave", clip, mapped: &mapped };
    document.with_animations(&[new], Tolerance::default(), container).unwrap()
}

/// The JSON of a file, and the data in it.
fn parts(bytes: &[u8]) -> (Map<String, Value>, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    if !bytes.starts_with(b"glTF") {
        return (serde_json::from_slice(bytes).unwrap(), Vec::new());
    }
    let json = &bytes[20..20 + word(12)];
    let data = bytes.get(20 + word(12) + 8..).unwrap_or_default();
    (serde_json::from_slice(json).unwrap(), data.to_vec())
}

#[test]
fn nothing_is_lost() {
    let Some(files) = crate::common::files(&["glb", "gltf", "vrm"]) else { return };
    assert!(files.len() >= 14, "{files:?}");
    for path in files {
        let (old, old_data) = parts(&std::fs::read(&path).unwrap());
        let document = read(&path);
        let (mut new, new_data) = parts(&written(&document, &waving(&document), Container::Glb));
        let mut length = old_data.len();
        for key in ["animations", "accessors", "bufferViews", "buffers"] {
            let count = old.get(key).map_or(0, |list| list.as_array().unwrap().len());
            let list = new[key].as_array_mut().unwrap();
            list.truncate(count);
            if key == "buffers" && new_data.len() > old_data.len() {
                let own = &old["buffers"][0]["byteLength"];
                length = own.as_u64().unwrap() as usize;
                list[0]["byteLength"] = own.clone();
            }
            if count == 0 {
                new.remove(key);
            }
        }
        assert_eq!(new, old, "{path:?}");
        assert_eq!(new_data[..length], old_data[..length], "{path:?}");
        let order = |map: &Map<String, Value>| map.keys().cloned().collect::<Vec<_>>();
        assert_eq!(order(&new), order(&old), "{path:?}");
    }
}

#[test]
fn what_is_written_is_read_back() {
    let Some(files) = crate::common::files(&["glb", "gltf", "vrm"]) else { return };
    for path in files {
        let document = read(&path);
        let clip = waving(&document);
        for container in [Container::Glb, Container::Gltf] {
            let bytes = written(&document, &clip, container);
            let side_file = |name: &str, _| std::fs::read(path.with_file_name(name));
            let again = gltf::parse(bytes, Some(&side_file), ReadOptions::default()).unwrap();
            assert_eq!(again.skeleton(), document.skeleton(), "{path:?}");
            let wave = again.clips().find(|own| own.name.as_deref() == Some("wave")).unwrap();
            let read = again.clip(wave.index).unwrap().clip;
            assert_eq!((read.len(), clip.len()), (31, 31), "{path:?}");
            for (a, b) in read.poses().zip(clip.poses()) {
                assert!(
                    apart(&document, &a, &b) < 2.5e-4,
                    "{path:?}: {}",
                    apart(&document, &a, &b)
                );
            }
        }
    }
}

/// Metres between the places of a joint in two poses, the farthest.
fn apart(document: &Document, a: &Pose, b: &Pose) -> f64 {
    let [a, b] =
        [a, b].map(|pose| forward_kinematics(document.skeleton(), pose).unwrap().positions);
    a.iter().zip(&b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

#[test]
fn a_second_animation_of_a_name_replaces_the_first() {
    let Some(files) = crate::common::files(&["vrm"]) else { return };
    let document = read(&files[0]);
    let once = written(&document, &waving(&document), Container::Glb);
    let again = gltf::parse(once, None, ReadOptions::default()).unwrap();
    let twice = written(&again, &waving(&again), Container::Glb);
    let names: Vec<_> = gltf::parse(twice, None, ReadOptions::default()).unwrap().clips().collect();
    assert_eq!(names.len(), 1);
}

/// In this file the parent of the feet is the root: they were targets of a solver.
#[test]
fn feet_of_their_own_hang_on_the_shins() {
    let Some(files) = crate::common::files(&["glb"]) else { return };
    let robot = files.iter().find(|path| path.ends_with("RobotExpressive.glb")).unwrap();
    let document = read(robot);
    let skeleton = document.skeleton();
    let joint = |name: &str| skeleton.find(name.into()).unwrap();
    for side in ["L", "R"] {
        let [shin, foot] = ["LowerLeg", "Foot"].map(|name| joint(&format!("{name}{side}")));
        assert_eq!(skeleton[foot].parent, Some(shin));
    }
    assert_eq!(skeleton[joint("PoleTargetL")].parent, Some(JointId(0)));
}

#[cfg(feature = "fbx")]
#[test]
fn an_fbx_and_a_bvh_of_one_rig_agree() {
    use rebone_skeleton::{bvh, fbx};
    let Some(files) = crate::common::files(&["fbx", "bvh"]) else { return };
    let of = |name: &str| files.iter().find(|path| path.ends_with(name)).unwrap();
    let one = fbx::parse(&std::fs::read(of("Geno_bind.fbx")).unwrap()).unwrap();
    let (clip, _) = one.clip(0).unwrap();
    let two = bvh::parse(&std::fs::read(of("Geno_bind.bvh")).unwrap()).unwrap().motion;
    assert_eq!((clip.len(), two.clip.len()), (2, 2));
    let places = [
        forward_kinematics(one.skeleton(), &clip.pose(1).unwrap()).unwrap().positions,
        forward_kinematics(&two.skeleton, &two.clip.pose(1).unwrap()).unwrap().positions,
    ];
    for (index, joint) in one.skeleton().joints().iter().enumerate() {
        let other = two.skeleton.find(joint.name.as_slice().into()).unwrap();
        let off = places[0][index] - places[1][other.index()] / 100.0;
        assert!(off.norm() < 1e-4, "{}: {off}", joint.name);
    }
}
