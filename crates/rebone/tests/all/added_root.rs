//! Root bones of rigs that have none: `--root root-bone --add-root`.

use nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::bvh::{Hierarchy, WriteOptions, write_clip};
use rebone::skeleton::{Format, JointId, Motion, WorldPose, forward_kinematics};
use rebone::{Character, Options, Retargeted, RootMotion, RootStart, Selection};
use rebone_samples as samples;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn bvh(motion: &Motion) -> Vec<u8> {
    let hierarchy = Hierarchy::from_skeleton(&motion.skeleton);
    write_clip(Vec::new(), &hierarchy, &motion.clip, WriteOptions::default()).unwrap()
}

fn rig() -> Vec<u8> {
    let rig = samples::rigs().into_iter().find(|rig| rig.name == "toy-a-pose");
    bvh(&rig.unwrap().motion)
}

fn character(name: &str, bytes: Vec<u8>) -> Character {
    Character::parse(name, bytes, Selection::default()).unwrap()
}

/// The rig as a glTF whose armature is turned and scaled, as Blender and Mixamo leave it, with a free node beside it; or
/// with its top joint at the top of the scene.
fn gltf(has_armature: bool) -> Vec<u8> {
    let still = retarget(character("rig.bvh", rig()), &Options::default());
    let mut json: Value = serde_json::from_slice(&still.write(Format::Gltf).unwrap()).unwrap();
    let nodes = json["nodes"].as_array_mut().unwrap();
    let top = nodes.len() - 1;
    assert_eq!(nodes[top]["name"], "Armature");
    if has_armature {
        for place in nodes.iter_mut().filter_map(|node| node["translation"].as_array_mut()) {
            place.iter_mut().for_each(|x| *x = json!(x.as_f64().unwrap() * 100.0));
        }
        nodes[top] = json!({ "name": "root", "children": [0], "scale": [0.01, 0.01, 0.01],
            "rotation": [-0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()], "translation": [0.5, 0.0, 0.1] });
        nodes[0]["rotation"] = json!([0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()]);
    } else {
        nodes.pop();
        json["scenes"][0]["nodes"] = json!([0]);
    }
    json.as_object_mut().unwrap().remove("animations");
    serde_json::to_vec(&json).unwrap()
}

fn retarget(target: Character, options: &Options) -> Retargeted {
    let walk = character("walk.bvh", bvh(&samples::walk().motion));
    rebone::retarget(&walk, &target, options).unwrap()
}

fn options(root: RootMotion, root_start: RootStart) -> Options {
    Options {
        root,
        root_start,
        add_root: true,
        tolerance: "0,0".parse().unwrap(),
        ..Options::default()
    }
}

/// World positions of all joints of a file in each frame, by name.
fn places(name: &str, bytes: Vec<u8>) -> Vec<BTreeMap<String, Vector3<f64>>> {
    let read = character(name, bytes);
    let skeleton = read.skeleton();
    let names: Vec<String> = skeleton.joints().iter().map(|own| own.name.to_string()).collect();
    let of = |world: WorldPose| names.iter().cloned().zip(world.positions).collect();
    read.clip().poses().map(|pose| of(forward_kinematics(skeleton, &pose).unwrap())).collect()
}

#[test]
fn an_added_root_bone_leaves_the_body_where_it_is() {
    for (name, bytes) in [("rig.bvh", rig()), ("rig.gltf", gltf(true)), ("top.gltf", gltf(false))] {
        let [world, rooted] = [RootMotion::World, RootMotion::RootBone]
            .map(|root| options(root, RootStart::Source))
            .map(|options| retarget(character(name, bytes.clone()), &options));
        let root = rooted.plan().root_bone().expect("it has a root bone");
        assert_eq!(root, JointId(0), "{name}");
        let stature = rooted.plan().target.stature;
        for format in [Format::Bvh, Format::Glb, Format::Gltf] {
            let file = format!("out.{format:?}");
            let [plain, moved] =
                [&world, &rooted].map(|own| places(&file, own.write(format).unwrap()));
            assert_eq!(plain.len(), moved.len());
            // The unit of the file is that of the rig, or metres.
            let unit =
                if format == Format::Bvh { 1.0 } else { world.plan().target.file_unit_metres() };
            for (plain, moved) in plain.iter().zip(&moved) {
                for (joint, place) in plain.iter().filter(|own| moved.contains_key(own.0)) {
                    let off = (place - moved[joint]).norm() / (stature * unit);
                    assert!(off < 1e-5, "{name} {format:?} {joint}: {off}");
                }
                let same = plain.keys().filter(|joint| moved.contains_key(*joint)).count();
                assert!(same >= plain.len(), "{name} {format:?}: {same} of {}", plain.len());
            }
        }
    }
}

#[test]
fn an_added_root_bone_has_the_root_path() {
    for (name, bytes) in [("rig.bvh", rig()), ("rig.gltf", gltf(true))] {
        let result =
            retarget(character(name, bytes), &options(RootMotion::RootBone, RootStart::Origin));
        let (clip, skeleton) = (result.clip(), &result.plan().target.skeleton);
        let (stature, path) = (result.plan().target.stature, result.root_path().unwrap());
        let rest = skeleton.rest_transform();
        let first = clip.pose(0).unwrap();
        assert!((first.translations[0] - rest.translation.vector).norm() < 1e-9 * stature);
        assert!(first.rotations[0].angle_to(&rest.rotation) < 1e-6);
        let up = Vector3::from(path.up);
        let hips = Vector3::from(path.positions[0]);
        let beside = rest.translation.vector - hips;
        let beside = beside - up * up.dot(&beside);
        for (frame, pose) in clip.poses().enumerate() {
            let turn =
                UnitQuaternion::from_scaled_axis(up * path.headings_degrees[frame].to_radians());
            let place = Vector3::from(path.positions[frame]) + turn * beside;
            let off = pose.translations[0] - place;
            assert!((off - up * up.dot(&off)).norm() < 1e-6 * stature, "{name} {frame}: {off}");
            assert!(pose.rotations[0].angle_to(&(turn * rest.rotation)) < 1e-5);
        }
        let travel = (Vector3::from(path.positions[clip.len() - 1]) - hips).norm();
        assert!(travel > stature, "{travel}");
    }
}

#[test]
fn a_gltf_gets_one_node_and_stays_as_it_is() {
    for has_armature in [true, false] {
        let before: Value = serde_json::from_slice(&gltf(has_armature)).unwrap();
        let target = character("rig.gltf", gltf(has_armature));
        let result = retarget(target, &options(RootMotion::RootBone, RootStart::Origin));
        let after: Value = serde_json::from_slice(&result.write(Format::Gltf).unwrap()).unwrap();
        let (old, new) = (before["nodes"].as_array().unwrap(), after["nodes"].as_array().unwrap());
        assert_eq!(new.len(), old.len() + 1);
        // The armature of the one file is called root.
        let name = if has_armature { "root_2" } else { "root" };
        assert_eq!(new[old.len()], json!({ "name": name, "children": [0] }));
        let changed: Vec<usize> = (0..old.len()).filter(|&node| old[node] != new[node]).collect();
        match has_armature {
            true => assert_eq!(changed, [old.len() - 1], "its parent's list of children"),
            false => assert!(changed.is_empty()),
        }
        let parents = |node: usize| {
            let lists = new.iter().map(|own| &own["children"]);
            let lists = lists.chain([&after["scenes"][0]["nodes"]]);
            lists
                .filter(|list| list.as_array().is_some_and(|own| own.contains(&json!(node))))
                .count()
        };
        assert_eq!((parents(0), parents(old.len())), (1, 1));
        assert_eq!(before["skins"], after["skins"]);
        let channels = after["animations"][0]["channels"].as_array().unwrap();
        let of_root = channels.iter().filter(|own| own["target"]["node"] == json!(old.len()));
        assert_eq!(of_root.count(), 2, "a rotation and a translation");
    }
}

#[test]
fn a_rig_with_a_root_bone_gets_no_other() {
    let rig = samples::rigs().into_iter().find(|rig| rig.name == "ground-root").unwrap();
    let target = character("rig.bvh", bvh(&rig.motion));
    let result = retarget(target, &options(RootMotion::RootBone, RootStart::Origin));
    assert_eq!(result.plan().target.skeleton.len(), rig.motion.skeleton.len());
}

#[test]
fn an_added_root_bone_goes_with_masks_and_base_animations() {
    let target = character("rig.bvh", rig());
    let options = Options {
        base: Some("0".to_owned()),
        only: vec![rebone::BodyRegion::Lower],
        ..options(RootMotion::RootBone, RootStart::Origin)
    };
    let result = retarget(target, &options);
    let arm = result.plan().target.body.arms[0].upper;
    let base = character("rig.bvh", rig()).clip().pose(0).unwrap();
    let own = result.clip().pose(3).unwrap().rotations[arm.index()];
    assert!(own.angle_to(&base.rotations[arm.index() - 1]) < 1e-6);
}
