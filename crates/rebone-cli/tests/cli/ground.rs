//! Results stand on a floor, whatever the height of the source's.

use super::support::Place;
use rebone::skeleton::bvh::{Hierarchy, WriteOptions, write_clip};
use rebone::skeleton::{Clip, Motion, Skeleton, forward_kinematics};
use serde_json::Value;

/// A walk, as sampled and 1 m lower, and a rig as BVH and as GLB.
fn place() -> Place {
    let place = Place::new();
    let mut walk = rebone_samples::walk().motion;
    write(&place, "level.bvh", &walk);
    walk.clip.edit(|_, pose| pose.translations[0].y -= 100.0).unwrap();
    write(&place, "low.bvh", &walk);
    let rigs = rebone_samples::rigs();
    let rig = &rigs.iter().find(|rig| rig.name == "toy-a-pose").unwrap().motion;
    write(&place, "rig.bvh", rig);
    place.run("retarget level.bvh rig.bvh -o rig.glb").succeeds();
    place
}

fn write(place: &Place, name: &str, motion: &Motion) {
    let hierarchy = Hierarchy::from_skeleton(&motion.skeleton);
    let bytes = write_clip(Vec::new(), &hierarchy, &motion.clip, WriteOptions::default()).unwrap();
    std::fs::write(place.path(name), bytes).unwrap();
}

/// The lowest joint of a frame, along +Y.
fn lowest(skeleton: &Skeleton, clip: &Clip, frame: usize) -> f64 {
    let world = forward_kinematics(skeleton, &clip.pose(frame).unwrap()).unwrap();
    world.positions.iter().map(|position| position.y).fold(f64::INFINITY, f64::min)
}

/// The height of the lowest joint of a file's clip, over its frames.
fn floor_of(place: &Place, name: &str) -> f64 {
    let file = rebone::open(place.path(name)).unwrap();
    let clip = file.document().clip_names().pop();
    let file = clip.map_or(file.clone(), |clip| file.with_clip(clip.as_str()).unwrap());
    let frames = 0..file.clip().len();
    frames.map(|frame| lowest(file.skeleton(), file.clip(), frame)).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_character_stands_on_its_own_floor() {
    let place = place();
    let run = place.run("retarget low.bvh rig.glb -o low.glb --animation low");
    assert!(run.stdout.contains("floor moved from height -"), "{run:?}");
    place.run("retarget level.bvh rig.glb -o level.glb --animation level").succeeds();
    let [low, level] = ["low.glb", "level.glb"].map(|name| floor_of(&place, name));
    assert!((low - level).abs() < 0.05, "{low} {level}");
    let run = place.run("retarget low.bvh rig.glb -o kept.glb --animation kept --ground keep");
    assert!(!run.stdout.contains("floor moved") && !run.stderr.contains("floor"), "{run:?}");
    assert!(floor_of(&place, "kept.glb") < level - 0.5);
}

#[test]
fn a_bvh_keeps_the_heights_of_its_source_and_says_so() {
    let place = place();
    let run = place.run("retarget low.bvh rig.bvh -o out.bvh --report report.json");
    assert!(run.stderr.contains("--ground on moves it to 0"), "{run:?}");
    let report: Value = serde_json::from_str(&place.read("report.json")).unwrap();
    let verdict = report["result"]["verdict"].to_string();
    assert!(verdict.contains("the source's floor is at height"), "{verdict}");
    assert_ne!(report["result"]["verdict"]["verdict"], "PASS");
    let run = place.run("retarget low.bvh rig.bvh -o on.bvh --ground on");
    assert!(!run.stderr.contains("floor is at height"), "{run:?}");
    assert!(floor_of(&place, "on.bvh").abs() < 10.0, "{}", floor_of(&place, "on.bvh"));
}

#[test]
fn a_motion_onto_its_own_rig_stays_where_it_is() {
    let place = place();
    let run = place.run("retarget low.bvh low.bvh -o same.bvh");
    assert!(!run.stderr.contains("floor"), "{run:?}");
    place.run("retarget low.bvh rig.glb -o kept.glb --animation kept --ground keep").succeeds();
    let run = place.run("retarget kept.glb rig.glb -o same.glb --clip kept");
    assert!(!run.stdout.contains("floor moved"), "{run:?}");
}
