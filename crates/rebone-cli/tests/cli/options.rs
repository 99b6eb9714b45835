//! What a result should be like: floor, method, first frame.

use crate::support::{Place, humanoid, with_leading_pose};

/// The numbers of each frame.
fn frames(text: &str) -> Vec<Vec<f64>> {
    let numbers = |line: &str| line.split(' ').map(|number| number.parse().unwrap()).collect();
    text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1).map(numbers).collect()
}

#[test]
fn ground_moves_all_frames_by_one_height_and_says_from_where() {
    let place = Place::new();
    place.run("retarget walk.bvh hero.bvh -o plain.bvh").succeeds();
    let run = place.run("retarget walk.bvh hero.bvh -o out.bvh --ground on --report out.json");
    run.succeeds();
    assert!(
        run.stdout.lines().count() <= 5 && run.stdout.contains("floor moved"),
        "{}",
        run.stdout
    );
    let report: serde_json::Value = serde_json::from_str(&place.read("out.json")).unwrap();
    let floor = &report["result"]["floor"];
    let level = floor["level"].as_f64().unwrap();
    assert!(floor["confidence"].as_f64().unwrap() > 0.5, "{floor}");
    for (plain, grounded) in
        frames(&place.read("plain.bvh")).iter().zip(frames(&place.read("out.bvh")))
    {
        assert!((plain[1] - level - grounded[1]).abs() < 1e-9);
        assert_eq!((plain[0], &plain[2..]), (grounded[0], &grounded[2..]));
    }
    // The toes end 2 under zero; a bent knee points them down by 3 more.
    assert!(level < -2.0 && level > -5.5, "{level}");
}

#[test]
fn every_solver_is_known_by_its_name() {
    let place = Place::new();
    let line = "retarget walk.bvh hero.bvh -o out.bvh --limbs position --solver";
    place.run(&format!("{line} lm")).succeeds();
    let lm = frames(&place.read("out.bvh"));
    for solver in ["jacobian-transpose", "nelder-mead"] {
        place.run(&format!("{line} {solver}")).succeeds();
        for (a, b) in lm.iter().flatten().zip(frames(&place.read("out.bvh")).iter().flatten()) {
            assert!((a - b).abs() < 0.5, "{solver}: {a} and {b}");
        }
    }
}

#[test]
fn egocentric_coordinates_map_samples_and_say_whose_surface_is_not_known() {
    let place = Place::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/");
    for (name, file) in [("clip.bvh", "clips/walk.bvh"), ("rig.bvh", "rigs/toy-a-pose.bvh")] {
        std::fs::copy(format!("{data}{file}"), place.path(name)).unwrap();
    }
    let line = "retarget clip.bvh rig.bvh --method egocentric";
    for (name, options) in [("a.bvh", ""), ("b.bvh", "--limits human")] {
        let run = place.run(&format!("{line} -o {name} {options}"));
        run.succeeds();
        let said = |body: &str| run.stderr.contains(&format!("the {body} has no skin that fits"));
        assert!(said("source") && said("target"), "{}", run.stderr);
        let written = frames(&place.read(name));
        assert!(written.len() > 1 && written.iter().flatten().all(|number| number.is_finite()));
    }
}

#[test]
fn a_leading_pose_is_reported_kept_or_dropped() {
    let place = Place::new();
    place.write("marked.bvh", &with_leading_pose(12));
    let run = place.run("retarget marked.bvh hero.bvh -o keep.bvh");
    run.succeeds();
    assert!(run.stderr.contains("--leading-pose drop"), "{}", run.stderr);
    assert!(place.read("keep.bvh").contains("Frames: 12\n"));
    let line = "retarget marked.bvh hero.bvh -o drop.bvh --leading-pose drop --preview drop.png";
    let run = place.run(line);
    run.succeeds();
    assert_eq!(run.stderr, "");
    assert!(run.stdout.contains("without the leading pose"), "{}", run.stdout);
    assert!(place.read("drop.bvh").contains("Frames: 11\n"));
    let last = |name: &str| place.read(name).lines().last().unwrap().to_owned();
    assert_eq!(last("drop.bvh"), last("keep.bvh"));
    let run = place.run("retarget walk.bvh hero.bvh -o out.bvh --leading-pose drop");
    run.succeeds();
    assert!(run.stderr.contains("it was kept") && place.read("out.bvh").contains("Frames: 3\n"));
}

#[test]
fn check_applies_the_rule_of_retarget_to_leading_poses() {
    let place = Place::new();
    place.write("marked.bvh", &with_leading_pose(12));
    let said = "a calibration pose, not motion: --leading-pose drop leaves it out (frame 0)";
    let run = place.run("retarget marked.bvh hero.bvh -o keep.bvh");
    assert!(run.stdout.contains(said), "{run:?}");
    let run = place.run("check marked.bvh keep.bvh");
    // A property of the source, whose grade is none of the result's.
    assert!(run.stdout.contains(&format!("PASS  {said}")), "{run:?}");
    place.run("retarget marked.bvh hero.bvh -o drop.bvh --leading-pose drop").succeeds();
    let run = place.run("check marked.bvh drop.bvh --frames 1..");
    assert!(!run.stdout.contains(said), "{run:?}");
}

#[test]
fn files_in_the_wrong_order_are_a_warning() {
    let place = Place::new();
    place.write("long.bvh", &humanoid("", 12));
    let run = place.run("retarget hero.bvh long.bvh -o out.bvh --report out.json");
    run.succeeds();
    let said = "the source has 1 frame, the target 12: are they in the wrong order?";
    assert!(run.stderr.contains(said) && place.read("out.json").contains(said), "{run:?}");
    place.run("retarget hero.bvh hero.bvh -o alone.gltf").succeeds();
    let mut scene: serde_json::Value = serde_json::from_str(&place.read("alone.gltf")).unwrap();
    scene.as_object_mut().unwrap().remove("animations");
    place.write("alone.gltf", &scene.to_string());
    let run = place.run("retarget alone.gltf long.bvh -o other.bvh");
    run.fails(1, &["only a skeleton", "help: the file with the motion comes first"]);
}

#[test]
fn the_clip_of_a_file_with_several_is_named() {
    let place = Place::new();
    place.run("retarget walk.bvh hero.bvh -o one.glb --animation Walk").succeeds();
    let run = place.run("inspect one.glb");
    assert!(!run.stdout.contains("clips"), "{run:?}");
    place.run("retarget walk.bvh one.glb -o two.glb --animation Run").succeeds();
    let run = place.run("retarget two.glb hero.bvh -o out.bvh");
    run.succeeds();
    assert!(
        run.stdout
            .contains("two.glb: clip 0 \"Walk\" of 2 (Walk, Run; --clip takes another), 3 frames"),
        "{run:?}"
    );
    let run = place.run("retarget two.glb hero.bvh -o out.bvh --clip Run");
    assert!(run.stdout.contains("two.glb: clip 1 \"Run\" of 2 (Walk, Run; --clip"), "{run:?}");
    let run = place.run("inspect two.glb");
    assert!(run.stdout.contains("0 Walk, 1 Run"), "{run:?}");
    let json: serde_json::Value =
        serde_json::from_str(&place.run("inspect two.glb --json").stdout).unwrap();
    assert_eq!(json["clips"], serde_json::json!(["Walk", "Run"]));
    assert_eq!(json["clip"], 0);
}
