//! What is promised of the built-in samples, and `data/` against them.
//!
//! `REBONE_BLESS=1 cargo test -p rebone-samples --test samples` writes `data/` anew.

use rebone_samples::{Sample, SamplePart, clips, rigs};
use rebone_skeleton::bvh::{self, Hierarchy, WriteOptions};
use rebone_skeleton::{Axis, EndSite, JointId, Skeleton, WorldPose, forward_kinematics};
use std::path::{Path, PathBuf};

type V = nalgebra::Vector3<f64>;

/// Centimetres: the unit of the clips.
const MILLIMETRE: f64 = 0.1;

fn folder(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(kind)
}

fn text(sample: &Sample) -> Vec<u8> {
    let hierarchy = Hierarchy::from_skeleton(&sample.motion.skeleton);
    let clip = &sample.motion.clip;
    let options = WriteOptions { decimals: Some(5), ..WriteOptions::default() };
    bvh::write_clip(Vec::new(), &hierarchy, clip, options).expect("all frames are written")
}

fn id(skeleton: &Skeleton, name: &str) -> JointId {
    skeleton.find(name.into()).unwrap_or_else(|| panic!("no joint {name}"))
}

fn worlds(sample: &Sample) -> Vec<WorldPose> {
    let motion = &sample.motion;
    motion
        .clip
        .poses()
        .map(|pose| forward_kinematics(&motion.skeleton, &pose).expect("values of the test fit"))
        .collect()
}

fn end(world: &WorldPose, site: &EndSite) -> V {
    let joint = site.parent.index();
    world.positions[joint] + world.rotations[joint] * site.offset
}

#[test]
fn data_is_what_the_generator_writes_and_nothing_else() {
    let bless = std::env::var_os("REBONE_BLESS").is_some();
    let mut size = 0;
    for (kind, samples) in [("clips", clips()), ("rigs", rigs())] {
        let folder = folder(kind);
        for sample in &samples {
            let path = folder.join(format!("{}.bvh", sample.name));
            let made = text(sample);
            size += made.len();
            if bless {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(&path, &made).unwrap();
            }
            let kept = std::fs::read(&path).unwrap_or_default();
            assert!(kept == made, "{} is not what the generator writes", path.display());
        }
        let files = std::fs::read_dir(&folder).unwrap().count();
        assert_eq!(files, samples.len(), "files in {}", folder.display());
    }
    assert!(size < 3_000_000, "{size} bytes");
}

/// Five decimals of a degree at the end of ten joints and 2 m are off by 2e-6 of 1 m at most.
#[test]
fn what_was_written_reads_back_to_the_same_places() {
    for sample in clips().into_iter().chain(rigs()) {
        let back = bvh::parse(&text(&sample)).unwrap().motion;
        assert_eq!(back.clip.len(), sample.motion.clip.len());
        // Rigs are in many units: what counts is off by how much of the longest offset.
        let offsets = sample.motion.skeleton.joints().iter().map(|joint| joint.rest_translation);
        let size = offsets.map(|offset| offset.norm()).fold(0.0, f64::max);
        for (frame, pose) in back.clip.poses().enumerate() {
            let there = forward_kinematics(&back.skeleton, &pose).unwrap();
            let here = forward_kinematics(
                &sample.motion.skeleton,
                &sample.motion.clip.pose(frame).unwrap(),
            )
            .unwrap();
            for joint in sample.motion.skeleton.ids() {
                let name = &sample.motion.skeleton[joint].name;
                let twin = back.skeleton.find(name.as_ref()).unwrap();
                let off = there.positions[twin.index()] - here.positions[joint.index()];
                assert!(off.norm() < 1e-5 * size, "{} {name}: {off}", sample.name);
            }
        }
    }
}

#[test]
fn planted_feet_stand_still() {
    for sample in clips() {
        let (skeleton, worlds) = (&sample.motion.skeleton, worlds(&sample));
        assert!(sample.foot_plants.len() >= 2, "{}", sample.name);
        for planted in &sample.foot_plants {
            let side = if planted.part == SamplePart::LeftFoot { "Left" } else { "Right" };
            for joint in ["Foot", "ToeBase"] {
                let index = id(skeleton, &format!("{side}{joint}")).index();
                let stand = &worlds[planted.frames.clone()];
                let first = stand[0].positions[index];
                for world in stand {
                    let moved = (world.positions[index] - first).norm();
                    assert!(moved < 0.01 * MILLIMETRE, "{} {side}{joint} {moved}", sample.name);
                }
            }
        }
    }
}

#[test]
fn nothing_is_below_the_floor() {
    for sample in clips() {
        let skeleton = &sample.motion.skeleton;
        let feet = ["LeftFoot", "RightFoot"].map(|name| id(skeleton, name).index());
        for (frame, world) in worlds(&sample).iter().enumerate() {
            let heels = feet.map(|foot| {
                world.positions[foot] + world.rotations[foot] * V::new(0.0, -8.5, -5.0)
            });
            let ends = skeleton.end_sites().iter().map(|site| end(world, site));
            let lowest = world.positions.iter().copied().chain(heels).chain(ends);
            let lowest = lowest.map(|place| place.y).fold(f64::INFINITY, f64::min);
            assert!(lowest > -MILLIMETRE, "{} frame {frame}: {lowest}", sample.name);
        }
    }
}

#[test]
fn knees_bend_backward_and_elbows_forward() {
    for sample in clips() {
        let skeleton = &sample.motion.skeleton;
        for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
            let knee = id(skeleton, &format!("{side}Leg")).index();
            let elbow = id(skeleton, &format!("{side}ForeArm")).index();
            for (frame, pose) in sample.motion.clip.poses().enumerate() {
                let shin = pose.rotations[knee] * -V::y();
                let forearm = pose.rotations[elbow] * (V::x() * sign);
                let at = || format!("{} {side} frame {frame}", sample.name);
                // In the T-pose the forearm bends forward and the shin backward, and neither aside.
                assert!(shin.z < -0.05 && shin.x.abs() < 1e-9, "{}: {shin}", at());
                assert!(forearm.z > 0.05 && forearm.y.abs() < 1e-9, "{}: {forearm}", at());
            }
        }
    }
}

/// A person's joints stay below 20 times gravity; a pop of 1 cm at 60 frames/s is 36 m/s² more.
#[test]
fn curves_are_smooth() {
    for sample in clips() {
        let (worlds, dt) = (worlds(&sample), sample.motion.clip.frame_time);
        for (frame, three) in worlds.windows(3).enumerate() {
            for joint in sample.motion.skeleton.ids() {
                let [a, b, c] = [0, 1, 2].map(|k| three[k].positions[joint.index()]);
                let acceleration = (a - 2.0 * b + c).norm() / (dt * dt) / 100.0;
                assert!(
                    acceleration < 200.0,
                    "{} frame {frame} {}: {acceleration} m/s²",
                    sample.name,
                    sample.motion.skeleton[joint].name
                );
            }
        }
    }
}

#[test]
fn the_jump_is_ballistic() {
    let sample = rebone_samples::jump();
    let dt = sample.motion.clip.frame_time;
    let places: Vec<V> = sample.motion.clip.poses().map(|pose| pose.translations[0]).collect();
    let falling = |k: &usize| {
        let height = |k: usize| places[k].y;
        (height(k - 1) - 2.0 * height(*k) + height(k + 1)) / (dt * dt)
    };
    let falling = |k: usize| (falling(&k) + 981.0).abs() < 1e-3;
    let flight: Vec<usize> = (1..places.len() - 1).filter(|&k| falling(k)).collect();
    assert!(flight.len() >= 26, "0.48 s at 60 frames/s, ends excluded: {}", flight.len());
    assert_eq!(flight[flight.len() - 1] - flight[0], flight.len() - 1);
}

#[test]
fn sitting_brings_the_seat_and_both_hands_to_the_floor() {
    let sample = rebone_samples::sit();
    let worlds = worlds(&sample);
    let seated = &worlds[(2.2 / sample.motion.clip.frame_time) as usize];
    let height = |name| seated.positions[id(&sample.motion.skeleton, name).index()].y;
    for (name, range) in [
        ("Hips", 11.0..14.0),
        ("LeftUpLeg", 8.0..11.0),
        ("LeftHand", 3.0..5.0),
        ("RightHand", 3.0..5.0),
        ("LeftLeg", 35.0..50.0),
    ] {
        assert!(range.contains(&height(name)), "{name}: {}", height(name));
    }
}

#[test]
fn rigs_have_one_rest_frame_and_unique_names() {
    for sample in rigs() {
        let skeleton = &sample.motion.skeleton;
        assert!(sample.motion.clip.poses().eq([skeleton.rest_pose()]), "{}", sample.name);
        let mut names: Vec<_> = skeleton.joints().iter().map(|joint| &joint.name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), skeleton.len(), "{}", sample.name);
        let leaf = |joint: JointId| skeleton.children(joint).next().is_none();
        let ends = |joint: JointId| skeleton.end_sites_of(joint).count();
        assert!(skeleton.ids().filter(|&joint| leaf(joint)).all(|joint| ends(joint) == 1));
    }
}

#[test]
fn each_rig_has_the_topology_it_is_named_for() {
    let rigs = rigs();
    let rig = |name: &str| &rigs.iter().find(|rig| rig.name == name).unwrap().motion.skeleton;
    let count = |name, part: &str| {
        rig(name).joints().iter().filter(|joint| joint.name.to_string().contains(part)).count()
    };
    assert_eq!(count("one-spine", "thorax"), 1);
    assert_eq!(count("seven-spine", "Spine"), 7);
    assert_eq!(rig("chest-root").joints()[0].name, "chest");
    assert_eq!(rig("ground-root").joints()[0].rest_translation, V::zeros());
    assert_eq!(count("ground-root", "hip_"), 2);
    assert_eq!(count("twist-zup-cm", "arm.L.001"), 2);
    assert!(rig("twist-zup-cm").joints()[0].rest_translation.z > 80.0);
    assert_eq!(count("no-collar-no-neck", "Neck") + count("no-collar-no-neck", "Shoulder"), 0);
    let hinges = ["LeftKnee", "RightKnee", "LeftElbow", "RightElbow"].map(|name| {
        let skeleton = rig("one-channel");
        skeleton[id(skeleton, name)].rotation_axes.clone()
    });
    assert_eq!(hinges, [[Axis::X], [Axis::X], [Axis::Y], [Axis::Y]]);
}
