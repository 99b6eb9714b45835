//! Files with clips in which no joint moves: a take of the rest pose before the motion, poses, rigs.

use crate::support::{Place, humanoid};
use serde_json::Value;

/// A figure that keeps its first pose for all frames.
fn still(frames: usize) -> String {
    let text = humanoid("", frames);
    let (head, motion) = text.split_once("Frame Time: 0.0333333\n").unwrap();
    let first = motion.lines().next().unwrap().to_owned() + "\n";
    format!("{head}Frame Time: 0.0333333\n{}", first.repeat(frames))
}

/// `moves.glb` with the empty take `Take 001` and after it the motion `mixamo.com`; `pose.glb` with the empty one alone.
fn takes(place: &Place) {
    place.write("still.bvh", &still(20));
    place.write("long.bvh", &humanoid("", 8));
    for line in [
        "retarget still.bvh hero.bvh -o take.glb",
        "retarget still.bvh hero.bvh -o pose.glb",
        "retarget long.bvh take.glb -o moves.glb --animation mixamo.com",
    ] {
        place.run(line).succeeds();
    }
}

#[test]
fn an_empty_clip_is_listed_as_such_and_never_the_default() {
    let place = Place::new();
    takes(&place);
    let run = place.run("inspect moves.glb");
    assert!(run.stdout.contains("0 still (empty), 1 mixamo.com"), "{run:?}");
    let run = place.run("inspect pose.glb");
    assert!(run.stdout.contains("0 still (empty)"), "{run:?}");
    let json: Value = serde_json::from_str(&place.run("inspect moves.glb --json").stdout).unwrap();
    assert_eq!((&json["empty_clips"], &json["clip"]), (&serde_json::json!([0]), &1.into()));
    let run = place.run("retarget moves.glb hero.bvh -o out.bvh");
    run.succeeds();
    let said =
        "clip 1 \"mixamo.com\" of 2 (still (empty), mixamo.com; --clip takes another), 8 frames";
    assert!(run.stdout.contains(said), "{run:?}");
    assert!(place.read("out.bvh").contains("Frames: 8\n"));
}

#[test]
fn a_result_in_which_nothing_moves_fails_where_the_file_has_motion() {
    let place = Place::new();
    takes(&place);
    let run = place.run("retarget moves.glb hero.bvh -o out.bvh --clip still");
    run.succeeds();
    let found = "nothing moves in the result, though the source's file has other motion";
    assert!(run.stdout.contains("FAIL") && run.stdout.contains(found), "{run:?}");
    let said = "no joint moves in the clip 0 \"still\"; --clip 1 takes \"mixamo.com\"";
    assert!(run.stderr.contains(said), "{run:?}");
    // A pose is all that this file has, and all that is asked for.
    for line in [
        "retarget pose.glb hero.bvh -o a.bvh --clip 0",
        "retarget still.bvh hero.bvh -o b.bvh",
        "retarget moves.glb hero.bvh -o c.bvh --frames 3..4",
    ] {
        let run = place.run(line);
        run.succeeds();
        assert!(!run.stdout.contains("nothing moves"), "{run:?}");
    }
    let run = place.run("check long.bvh b.bvh");
    assert!(run.stdout.contains("nothing moves in the result, though the source moves"), "{run:?}");
}

#[test]
fn a_file_of_empty_clips_is_a_rig() {
    let place = Place::new();
    takes(&place);
    let run = place.run("retarget pose.glb hero.bvh -o out.bvh");
    run.fails(1, &["pose.glb: no joint moves in it: still is empty", "it is a rig", "--clip NAME"]);
    place.run("retarget walk.bvh pose.glb -o out.glb").succeeds();
    std::fs::create_dir(place.path("lib")).unwrap();
    for name in ["moves.glb", "pose.glb", "take.glb"] {
        std::fs::rename(place.path(name), place.path("lib").join(name)).unwrap();
    }
    let run = place.run("batch lib --target hero.bvh -o made");
    run.succeeds();
    let mut results: Vec<String> = std::fs::read_dir(place.path("made"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".bvh"))
        .collect();
    results.sort();
    assert_eq!(results, ["moves.bvh"], "{run:?}");
    let lines = place.read("made/manifest.jsonl");
    assert_eq!(lines.matches("\"skipped\"").count(), 2, "{lines}");
}
