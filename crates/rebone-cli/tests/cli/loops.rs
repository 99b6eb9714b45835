//! `--loop`: one cycle, closed.

use crate::support::Place;
use serde_json::Value;

fn with_walk() -> Place {
    let place = Place::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/");
    for (name, file) in [("walk.bvh", "clips/walk.bvh"), ("toy.bvh", "rigs/toy-a-pose.bvh")] {
        std::fs::copy(format!("{data}{file}"), place.path(name)).expect("a file");
    }
    place
}

/// The frames of a BVH file.
fn frames(bvh: &str) -> Vec<Vec<f64>> {
    let motion = bvh.split("Frame Time:").nth(1).expect("frames");
    let numbers =
        |line: &str| line.split_whitespace().map(|x| x.parse().expect("a number")).collect();
    motion.lines().skip(1).filter(|line| !line.trim().is_empty()).map(numbers).collect()
}

/// Difference of two angles, degrees.
fn off(a: f64, b: f64) -> f64 {
    ((a - b + 180.0).rem_euclid(360.0) - 180.0).abs()
}

/// Checks that the last frame of a result is its first, moved along the floor.
fn assert_closed(result: &str) {
    let frames = frames(result);
    let [first, last] = [&frames[0], &frames[frames.len() - 1]];
    assert!((first[1] - last[1]).abs() < 1e-4, "height {} {}", first[1], last[1]);
    // The root may turn about the vertical.
    let worst = first[6..].iter().zip(&last[6..]).map(|(a, b)| off(*a, *b)).fold(0.0, f64::max);
    assert!(worst < 0.01, "{worst} degrees");
}

#[test]
fn a_walk_becomes_a_cycle() {
    let place = with_walk();
    let run = place.run("retarget walk.bvh toy.bvh -o a.bvh --report r.json --loop");
    run.succeeds();
    assert!(run.stdout.contains("; loops: frames "), "{}", run.stdout);
    assert!(run.stdout.contains(" cm and "), "{}", run.stdout);
    let report: Value = serde_json::from_str(&place.read("r.json")).unwrap();
    let own = &report["result"]["loop"];
    let frame = |k: usize| own["frames"][k].as_u64().unwrap() as usize;
    let result = place.read("a.bvh");
    assert_eq!(frames(&result).len(), frame(1) - frame(0) + 1);
    assert_closed(&result);
    assert!(own["seam_metres"].as_f64().unwrap() < 0.1, "{own}");
    assert!(own["residual_metres"].as_f64().unwrap() < 0.005, "{own}");
    let all = frames(&result);
    let travel = (all[0][0] - all[all.len() - 1][0]).hypot(all[0][2] - all[all.len() - 1][2]);
    assert!(travel > 0.5, "{travel}");
}

#[test]
fn contacts_of_a_cycle_give_the_same_cycle() {
    let place = with_walk();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/");
    for (name, file) in [("person.glb", "characters/person.glb"), ("reach.bvh", "clips/reach.bvh")]
    {
        std::fs::copy(format!("{data}{file}"), place.path(name)).expect("a file");
    }
    let cases = [
        ("walk.bvh toy.bvh", "--loop", "bvh"),
        ("walk.bvh toy.bvh", "--loop 120..190", "bvh"),
        ("walk.bvh person.glb", "--loop 100..170", "glb"),
        ("reach.bvh person.glb", "--loop 20..80", "glb"),
    ];
    for (files, cycle, kind) in cases {
        let line = format!("retarget {files} --overwrite");
        let write = format!("{line} -o a.{kind} --write-contacts a.json {cycle}");
        place.run(&write).succeeds();
        let read =
            format!("{line} -o b.{kind} --contacts-from a.json --write-contacts b.json {cycle}");
        place.run(&read).succeeds();
        assert!(place.read("a.json").contains("frames"), "{files}");
        assert_eq!(place.read("a.json"), place.read("b.json"), "{files} {cycle}");
        let [one, other] =
            ["a", "b"].map(|name| std::fs::read(place.path(&format!("{name}.{kind}"))));
        assert!(one.expect("a result") == other.expect("a result"), "{files} {cycle}");
    }
}

#[test]
fn frames_of_a_cycle_are_those_of_the_file() {
    let place = with_walk();
    for options in ["--loop 120..190", "--frames 100.. --loop 120..190", "--loop=120..190 --fps 60"]
    {
        place
            .run(&format!("retarget walk.bvh toy.bvh -o a.bvh --report r.json {options}"))
            .succeeds();
        let report: Value = serde_json::from_str(&place.read("r.json")).unwrap();
        assert_eq!(report["result"]["loop"]["frames"], serde_json::json!([120, 190]), "{options}");
        let contacts = report["result"]["contacts"]["contacts"].as_array().unwrap();
        assert!(!contacts.is_empty());
        let inside = |own: &Value| {
            own["frames"]
                .as_array()
                .unwrap()
                .iter()
                .all(|f| (120..=191).contains(&f.as_u64().unwrap()))
        };
        assert!(options.contains("fps") || contacts.iter().all(inside), "{contacts:?}");
        assert_closed(&place.read("a.bvh"));
    }
}

#[test]
fn root_motion_of_a_cycle_repeats() {
    let place = with_walk();
    let line = "retarget walk.bvh toy.bvh -o a.bvh --root-path p.json --loop 120..190";
    place.run(line).succeeds();
    let path: Value = serde_json::from_str(&place.read("p.json")).unwrap();
    let position = |frame: usize| [0, 2].map(|k| path["positions"][frame][k].as_f64().unwrap());
    let step = |frame: usize| {
        let [a, b] = [position(frame), position(frame + 1)];
        (b[0] - a[0]).hypot(b[1] - a[1])
    };
    // The velocity at the end goes on at the begin.
    assert!((step(0) - step(69)).abs() < 0.02 * step(0), "{} {}", step(0), step(69));
}

#[test]
fn what_is_no_cycle_is_refused() {
    let place = with_walk();
    let fails = |options: &str, texts: &[&str]| {
        place.run(&format!("retarget walk.bvh toy.bvh -o a.bvh {options}")).fails(2, texts);
    };
    fails("--loop 300..400", &["walk.bvh has no such cycle", "numbered 0 to 348"]);
    fails("--loop 190..120", &["expected"]);
    fails("--loop 120..349", &["ends at frame 348", "frame 120 does not follow on it"]);
    fails("--frames 0..20 --loop", &["has no cycle", "--loop A..B"]);
    place
        .run("retarget --loop walk.bvh toy.bvh -o a.bvh")
        .fails(2, &["before a file write --loop=auto"]);
    let run = place.run("retarget walk.bvh toy.bvh -o a.bvh --loop 10..60");
    run.succeeds();
    let said = run.stdout.contains("LOOK") && run.stdout.contains("this is hardly a cycle");
    assert!(said, "{}", run.stdout);
    assert_closed(&place.read("a.bvh"));
}

/// Animations in the lines of a manifest, sorted.
fn animations(place: &Place, manifest: &str) -> Vec<String> {
    let lines = place.read(manifest);
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut names: Vec<String> =
        lines.filter_map(|line| line["animation"].as_str().map(str::to_owned)).collect();
    names.sort();
    names
}

#[test]
fn rules_loop_clips_and_name_their_animations() {
    let place = with_walk();
    place.write("rules.toml", "[[clips]]\nfiles = 'walk*'\nloop = true\nname = '{stem}-loop'\n");
    std::fs::copy(place.path("walk.bvh"), place.path("other.bvh")).expect("a copy");
    let line = "batch walk.bvh other.bvh -t toy.bvh -o out --one-file";
    place.run(&format!("{line} --options rules.toml")).succeeds();
    assert_eq!(animations(&place, "out/manifest.jsonl"), ["other", "walk-loop"]);
    place.run("inspect out/toy.glb").succeeds();
    place.run("retarget out/toy.glb toy.bvh -o looped.bvh --clip walk-loop").succeeds();
    let counts = [frames(&place.read("looped.bvh")).len(), frames(&place.read("walk.bvh")).len()];
    assert!(counts[0] < counts[1], "{counts:?}");
    // A rule with false takes back what the command line says.
    place.write("rules.toml", "[[clips]]\nfiles = 'other*'\nloop = false\n");
    place
        .run("batch walk.bvh other.bvh -t toy.bvh -o two --loop=auto --options rules.toml")
        .succeeds();
    let count = |name: &str| frames(&place.read(name)).len();
    assert!(count("two/walk.bvh") < counts[1] && count("two/other.bvh") == counts[1]);
}

#[test]
fn names_hold_for_the_animations_of_merged_files() {
    let place = with_walk();
    place
        .run("batch walk.bvh -t toy.bvh -t hero.bvh -o out --one-file --name {stem}-loop")
        .succeeds();
    assert_eq!(animations(&place, "out/manifest.jsonl"), ["walk-loop", "walk-loop"]);
    for name in ["out/parts/walk-loop-toy.glb", "out/parts/walk-loop-hero.glb"] {
        assert!(place.path(name).is_file(), "{name}");
    }
    place.run("retarget out/hero.glb toy.bvh -o a.bvh --clip walk-loop").succeeds();
    place.run("batch walk.bvh -t toy.bvh -t hero.bvh -o plain --one-file").succeeds();
    assert_eq!(animations(&place, "plain/manifest.jsonl"), ["walk", "walk"]);
}
