//! `rebone export`: what an engine does with the file is what `rebone retarget` writes.

use crate::support::Place;
use nalgebra::{Isometry3, Matrix4, Point3, Quaternion, Translation3, UnitQuaternion, Vector3};
use rebone::skeleton::{Axis, Clip, JointId, Motion, Pose, Skeleton, bvh, forward_kinematics};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const RIGS: [&str; 4] = ["ground-root", "nameless", "toy-a-pose", "twist-zup-cm"];
const FRAMES: [usize; 3] = [0, 31, 77];

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name)
}

fn motion(path: &Path) -> Motion {
    bvh::parse(&std::fs::read(path).unwrap()).unwrap().motion
}

/// What plain Python makes of the plan in a place, frame by frame; `None` where there is no Python.
#[allow(clippy::print_stderr, reason = "a test says that it was skipped")]
fn carried_out(place: &Place, source: &Motion) -> Option<Vec<Value>> {
    let reader = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/rotation_table_reader.py");
    let frame = |&frame: &usize| {
        let pose = source.clip.pose(frame).unwrap();
        let joints = pose.translations.iter().zip(&pose.rotations);
        let joints = joints.map(|(at, turn)| json!([at.as_slice(), turn.coords.as_slice()]));
        joints.collect::<Value>()
    };
    let frames: Value = FRAMES.iter().map(frame).collect();
    let child = Command::new("python3")
        .arg(reader)
        .arg(place.path("rotations.json"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("skipped: no python3 here");
        return None;
    };
    child.stdin.take().unwrap().write_all(frames.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    std::array::from_fn(|k| value[k].as_f64().unwrap())
}

fn pose(frame: &Value) -> Pose {
    let joints = || frame.as_array().unwrap().iter();
    let turn =
        |joint: &Value| UnitQuaternion::new_normalize(Quaternion::from(numbers::<4>(&joint[1])));
    Pose {
        translations: joints().map(|joint| Vector3::from(numbers(&joint[0]))).collect(),
        rotations: joints().map(turn).collect(),
    }
}

/// The frames of all joints in the world.
fn world(skeleton: &Skeleton, pose: &Pose) -> Vec<Isometry3<f64>> {
    let world = forward_kinematics(skeleton, pose).unwrap();
    let places = world.positions.into_iter().zip(world.rotations);
    places.map(|(at, turn)| Isometry3::from_parts(Translation3::from(at), turn)).collect()
}

/// How far joints are from where `retarget` has them, and vertices from where the rig's own joints carry them.
fn farthest(rig: &Motion, result: &Motion, frames: &[Value]) -> [f64; 2] {
    let skeleton = &rig.skeleton;
    let bound = world(skeleton, &skeleton.rest_pose());
    let mut most = [0.0_f64; 2];
    for (frame, at) in frames.iter().zip(FRAMES) {
        let own = world(skeleton, &result.clip.pose(at).unwrap());
        let carried = world(skeleton, &pose(frame));
        for id in skeleton.ids() {
            let k = id.index();
            let off = (own[k].translation.vector - carried[k].translation.vector).norm();
            most[0] = most[0].max(off);
            // A vertex beside the joint, half of which hangs on the joint above.
            let vertex = bound[k] * Point3::new(3.0, -2.0, 1.0);
            let above = skeleton[id].parent.map_or(k, |parent| parent.index());
            let (mut by_own, mut by_plan) = (Vector3::zeros(), Vector3::zeros());
            for joint in [k, above] {
                let skin = Matrix4::from_column_slice(&numbers::<16>(&frame[joint][2]));
                by_plan += skin.transform_point(&vertex).coords / 2.0;
                by_own += (own[joint] * bound[joint].inverse() * vertex).coords / 2.0;
            }
            most[1] = most[1].max((by_own - by_plan).norm());
        }
    }
    most
}

/// Both figures over the rig's height; `None` without Python.
fn compare(rig: &str, options: &str) -> Option<[f64; 2]> {
    compare_files(&data("clips/walk.bvh"), &data(&format!("rigs/{rig}.bvh")), options)
}

/// The same of any two files.
fn compare_files(walk: &Path, rig: &Path, options: &str) -> Option<[f64; 2]> {
    let place = Place::new();
    let files = format!("{} {} {options}", walk.display(), rig.display());
    place.run(&format!("export {files} -o rotations.json")).succeeds();
    place.run(&format!("retarget {files} -o out.bvh")).succeeds();
    let frames = carried_out(&place, &motion(walk))?;
    let rig = motion(rig);
    let most = farthest(&rig, &motion(&place.path("out.bvh")), &frames);
    let heights = world(&rig.skeleton, &rig.skeleton.rest_pose());
    let reach = heights.iter().map(|frame| frame.translation.vector.norm()).fold(0.0, f64::max);
    Some(most.map(|most| most / reach))
}

#[test]
fn an_engine_needs_nothing_but_the_plan() {
    for rig in RIGS {
        for method in ["copy", "bind"] {
            let Some(off) = compare(rig, &format!("--method {method} --accept-guesses")) else {
                return;
            };
            assert!(off.iter().all(|off| *off < 1e-6), "{rig}, {method}: {off:?}");
        }
    }
}

#[test]
fn paths_above_the_body_and_helpers_are_in_the_plan() {
    // A source whose root lies on the floor, its up another axis than the rig's, and a rig with a helper on its root.
    let place = Place::new();
    let walk = data("clips/walk.bvh");
    for rig in ["ground-root", "twist-zup-cm"] {
        let rig = data(&format!("rigs/{rig}.bvh"));
        place.run(&format!("retarget {} {} -o on.bvh", walk.display(), rig.display())).succeeds();
        let plain = std::fs::read_to_string(data("rigs/ground-root.bvh")).unwrap();
        place.write("helped.bvh", &with_helper(&plain));
        place.write("card.toml", "[helpers]\nik_hand_l = \"leftHand\"\n");
        let options = format!("--target-card {}", place.path("card.toml").display());
        let helped = place.path("helped.bvh");
        for method in ["copy", "bind"] {
            let options = format!("{options} --method {method} --accept-guesses");
            let off = compare_files(&place.path("on.bvh"), &helped, &options);
            let Some(off) = off else { return };
            assert!(off.iter().all(|off| *off < 1e-6), "{}, {method}: {off:?}", rig.display());
        }
    }
}

#[test]
fn stretched_bones_are_in_the_plan() {
    let place = Place::new();
    let mut walk = with_positions(&motion(&data("clips/walk.bvh")));
    let forearm = walk.skeleton.find("LeftForeArm".into()).unwrap().index();
    let thigh = walk.skeleton.find("RightUpLeg".into()).unwrap().index();
    let stretch = |frame: usize, pose: &mut Pose| {
        for joint in [forearm, thigh] {
            pose.translations[joint] += Vector3::new(4.0, 0.0, -2.0) * (frame as f64 / 20.0).sin();
        }
    };
    walk.clip.edit(stretch).unwrap();
    write(&place.path("walk.bvh"), &walk);
    write(&place.path("rig.bvh"), &with_positions(&motion(&data("rigs/ground-root.bvh"))));
    for method in ["copy", "bind"] {
        let options = format!("--method {method} --accept-guesses");
        let off = compare_files(&place.path("walk.bvh"), &place.path("rig.bvh"), &options);
        let Some(off) = off else { return };
        assert!(off.iter().all(|off| *off < 1e-6), "{method}: {off:?}");
    }
}

/// The same with position channels on all joints.
fn with_positions(motion: &Motion) -> Motion {
    let mut joints = motion.skeleton.joints().to_vec();
    joints.iter_mut().for_each(|joint| joint.translation_axes = Axis::ALL.to_vec());
    let skeleton = Skeleton::new(joints, motion.skeleton.end_sites().to_vec()).unwrap();
    let clip = Clip::from_poses(&skeleton, motion.clip.frame_time, motion.clip.poses()).unwrap();
    Motion { skeleton, clip }
}

fn write(path: &Path, motion: &Motion) {
    let hierarchy = bvh::Hierarchy::from_skeleton(&motion.skeleton);
    let mut file = std::fs::File::create(path).unwrap();
    bvh::write_clip(&mut file, &hierarchy, &motion.clip, bvh::WriteOptions::default()).unwrap();
}

/// The rig with a joint on its root, at the left hand or so.
fn with_helper(rig: &str) -> String {
    let helper = "\tJOINT ik_hand_l\n\t{\n\t\tOFFSET 70 140 0\n\t\tCHANNELS 6 Xposition Yposition Zposition \
                  Zrotation Xrotation Yrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 1 0 0\n\t\t}\n\t}\n";
    let (tree, motion) = rig.split_once("MOTION").unwrap();
    let tree = tree.trim_end().strip_suffix('}').unwrap();
    let motion = motion.trim_end();
    format!("{tree}{helper}}}\nMOTION{motion} 70 140 0 0 0 0\n")
}

#[test]
fn a_card_corrects_a_bind_pose_that_is_another() {
    // The rig holds its arms 40 degrees down, the walk's skeleton holds them out.
    let place = Place::new();
    let rig = data("rigs/toy-a-pose.bvh");
    place.run(&format!("card {} -o card.toml --t-pose", rig.display())).succeeds();
    let card = format!("--target-card {}", place.path("card.toml").display());
    let Some(off) = compare("toy-a-pose", &format!("--method bind {card}")) else { return };
    assert!(off.iter().all(|off| *off < 1e-6), "{off:?}");

    let walk = data("clips/walk.bvh");
    let arm = |options: &str| {
        let files = format!("{} {} --method bind {options}", walk.display(), rig.display());
        place.run(&format!("retarget {files} -o out.bvh")).succeeds();
        let result = motion(&place.path("out.bvh"));
        upper_arm(&result, "lShldr", "lForeArm")
    };
    let wanted = upper_arm(&motion(&walk), "LeftArm", "LeftForeArm");
    let [plain, corrected] = [arm(""), arm(&card)].map(|arm| arm.angle(&wanted).to_degrees());
    assert!(plain > 30.0 && corrected < 1.0, "{plain} {corrected}");
}

/// Where an upper arm points in the first frame.
fn upper_arm(motion: &Motion, upper: &str, lower: &str) -> Vector3<f64> {
    let world = forward_kinematics(&motion.skeleton, &motion.clip.pose(0).unwrap()).unwrap();
    let place = |name: &str| {
        let is_named = |id: &JointId| motion.skeleton[*id].name == name;
        world.positions[motion.skeleton.ids().find(is_named).unwrap().index()]
    };
    place(lower) - place(upper)
}
