//! Scales of glTF nodes that carry joints: mirrored, uneven, and both.

use nalgebra::{Matrix4, UnitQuaternion, Vector3};
use rebone_skeleton::gltf::{self, Container, NewAnimation, Tolerance};
use rebone_skeleton::{Clip, ClipSelector, Document, Pose, Skeleton, forward_kinematics};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const NAMES: [&str; 5] = ["above", "a", "b", "c", "d"];

fn turn(index: usize) -> UnitQuaternion<f64> {
    let k = index as f64;
    UnitQuaternion::from_euler_angles(0.4 * k - 0.3, 0.2 - 0.5 * k, 0.7 * k)
}

/// A node above a chain of four joints; nodes have these scales.
fn file(scales: [[f64; 3]; 5]) -> Value {
    let nodes = NAMES.iter().zip(scales).enumerate().map(|(index, (name, scale))| {
        let children: &[usize] = if index < 4 { &[index + 1] } else { &[] };
        let rotation = turn(index).coords;
        let place = [0.1, 0.5, 0.2 * index as f64];
        json!({
            "name": name, "translation": place, "rotation": rotation.as_slice(), "scale": scale,
            "children": children,
        })
    });
    let mut json = json!({
        "asset": { "version": "2.0" },
        "nodes": nodes.collect::<Vec<_>>(), "skins": [{ "joints": [1, 2, 3, 4] }],
    });
    json["nodes"][4].as_object_mut().unwrap().remove("children");
    json
}

fn opened(json: &Value) -> Document {
    Document::parse("arm.gltf", json.to_string().into_bytes(), None).unwrap()
}

/// Places of the four joints, by the matrices of all nodes.
fn exact(scales: [[f64; 3]; 5]) -> Vec<Vector3<f64>> {
    let mut world = Matrix4::identity();
    let mut places = Vec::new();
    for (index, scale) in scales.into_iter().enumerate() {
        let place = Vector3::new(0.1, 0.5, 0.2 * index as f64);
        world *= Matrix4::new_translation(&place)
            * turn(index).to_homogeneous()
            * Matrix4::new_nonuniform_scaling(&scale.into());
        places.push(world.fixed_view::<3, 1>(0, 3).into_owned());
    }
    places.split_off(1)
}

fn moving(skeleton: &Skeleton) -> Clip {
    let poses = (0..20).map(|frame| {
        let mut pose = skeleton.rest_pose();
        for (joint, turn) in pose.rotations.iter_mut().enumerate() {
            let angle = 0.3 * (f64::from(frame) * 0.4 + joint as f64).sin();
            *turn *= UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
        }
        pose.translations[0].z += 0.05 * f64::from(frame);
        pose
    });
    Clip::from_poses(skeleton, 1.0 / 30.0, poses).unwrap()
}

const ONE: [f64; 3] = [1.0; 3];

#[test]
fn joints_are_where_the_scene_has_them_and_motion_comes_back() {
    let inverted = [-1.0; 3];
    for (scales, warns) in [
        ([ONE; 5], false),
        ([[-0.01; 3], ONE, ONE, ONE, ONE], false),
        ([ONE, ONE, inverted, ONE, ONE], false),
        ([inverted, [2.0; 3], inverted, ONE, inverted], false),
        ([[-1.0, 1.0, 1.0], ONE, ONE, ONE, ONE], false),
        ([ONE, [1.0, -1.0, 1.0], ONE, [1.0, 1.0, -2.0], ONE], true),
        ([ONE, [-1.0, -1.0, 1.0], ONE, inverted, ONE], false),
        ([ONE, ONE, [1.0, 1.0, 1.3], ONE, ONE], true),
        ([[1.0, 2.0, 1.0], ONE, [-1.0, 1.1, 1.0], ONE, ONE], true),
        ([ONE, ONE, ONE, ONE, [1.0, 1.0, 7.0]], false),
    ] {
        let document = opened(&file(scales));
        let skeleton = document.skeleton();
        let places = forward_kinematics(skeleton, &skeleton.rest_pose()).unwrap().positions;
        for (found, exact) in places.iter().zip(exact(scales)) {
            assert!((found - exact).norm() < 1e-6, "{scales:?}: {found} {exact}");
        }
        let clip = moving(skeleton);
        let mapped = BTreeSet::new();
        let new = NewAnimation { name: "wave", clip: &clip, mapped: &mapped };
        let tolerance = Tolerance { angle: 0.0, length: 0.0 };
        let scene: &gltf::Document = document.gltf().unwrap();
        let bytes = scene.with_animations(&[new], tolerance, Container::Glb).unwrap();
        let again = Document::parse("arm.glb", bytes, None).unwrap();
        let read = again.clip(Some(ClipSelector::Index(0))).unwrap();
        let said = read.warnings.iter().any(|own| own.message.contains("change their lengths"));
        assert_eq!(said, warns, "{scales:?} {:?}", read.warnings);
        let near = |(a, b): (Pose, Pose)| {
            let [a, b] = [a, b].map(|pose| forward_kinematics(skeleton, &pose).unwrap());
            let places = a.positions.iter().zip(&b.positions).all(|(a, b)| (a - b).norm() < 1e-5);
            places && a.rotations.iter().zip(&b.rotations).all(|(a, b)| a.angle_to(b) < 1e-5)
        };
        assert!(read.motion.clip.poses().zip(clip.poses()).all(near), "{scales:?}");
    }
}

#[test]
fn a_scale_that_leaves_no_size_is_refused() {
    for scale in [[0.0; 3], [1.0, 0.0, 1.0], [1e-10; 3], [1.0, 1.0, 1e10]] {
        let json = file([ONE, ONE, scale, ONE, ONE]);
        let error = Document::parse("arm.gltf", json.to_string().into_bytes(), None).unwrap_err();
        assert!(error.to_string().contains("at node 2, \"b\", which carries joints"), "{error}");
        // Nothing hangs on the last joint.
        opened(&file([ONE, ONE, ONE, ONE, scale]));
    }
}
