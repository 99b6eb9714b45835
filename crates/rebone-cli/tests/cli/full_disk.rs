//! A batch onto a disk that becomes full, and under a limit of file sizes.

use crate::batch::tree;
use crate::support::{Place, humanoid};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

/// Exit code of a script that cannot mount a disk.
const SKIPPED: i32 = 77;

/// Runs a script in the folder, with `$REBONE` as the program.
fn script(place: &Place, unshared: bool, text: &str) -> Option<i32> {
    let mut command = Command::new(if unshared { "unshare" } else { "sh" });
    if unshared {
        command.args(["--mount", "sh"]);
    }
    command.args(["-c", text]).current_dir(place.path(""));
    let run = command.env("REBONE", env!("CARGO_BIN_EXE_rebone")).status();
    run.ok().and_then(|status| status.code())
}

fn library() -> Place {
    let place = Place::new();
    for folder in ["few", "lib", "out"] {
        std::fs::create_dir(place.path(folder)).unwrap();
    }
    for clip in 0..12 {
        place.write(&format!("lib/{clip:02}.bvh"), &humanoid("", 400 + clip));
    }
    place.write("few/small.bvh", &humanoid("", 5));
    place
}

/// Statuses of the results of a manifest, all of whose lines are whole.
fn statuses(place: &Place, folder: &str) -> BTreeMap<String, String> {
    let text = place.read(&format!("{folder}/manifest.jsonl"));
    assert!(text.ends_with('\n'));
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| line[key].as_str().unwrap().to_owned();
        (text("output"), text("status"))
    };
    text.lines().map(line).collect()
}

#[test]
#[allow(clippy::print_stderr, reason = "a test says that it was skipped")]
fn a_full_disk_ends_the_run_and_leaves_what_is_done() {
    let place = library();
    let text = "mount -t tmpfs -o size=700k none out 2>/dev/null || exit 77
        $REBONE batch few -t hero.bvh -o out > few.txt 2>&1 || exit 1
        cp -a out before
        $REBONE batch lib -t hero.bvh -o out -j 1 > full.txt 2>&1
        echo $? > code
        cp -a out after";
    match script(&place, true, text) {
        Some(0) => {}
        None | Some(SKIPPED | 1) if !place.path("few.txt").exists() => {
            eprintln!("skipped: no disk can be mounted here");
            return;
        }
        code => panic!("{code:?}: {}", place.read("few.txt")),
    }
    let said = place.read("full.txt");
    assert_eq!(place.read("code"), "1\n", "{said}");
    assert!(said.contains("error: the disk is full: cannot write out/"), "{said}");
    let (before, after) = (tree(&place.path("before")), tree(&place.path("after")));
    for (name, bytes) in before.iter().filter(|(name, _)| *name != "manifest.jsonl") {
        assert!(after.get(name) == Some(bytes), "{name}");
    }
    assert!(!place.path("after/.rebone").exists());
    let statuses = statuses(&place, "after");
    let made = after.keys().filter(|name| name.ends_with(".bvh") && !name.starts_with("cards"));
    let made: Vec<&String> = made.collect();
    assert!((2..12).contains(&made.len()), "{made:?}");
    // Nothing was tried behind the first result that did not fit.
    let done = statuses.iter().filter(|(_, status)| *status == "done");
    assert_eq!(done.map(|(name, _)| name).collect::<Vec<_>>(), made, "{said}");
    // With space it goes on.
    place.run("batch few lib -t hero.bvh -o after").succeeds();
    let cards = "mkdir fresh && cp -a after/cards fresh";
    assert_eq!(script(&place, false, cards), Some(0));
    place.run("batch few lib -t hero.bvh -o fresh").succeeds();
    assert!(tree(&place.path("after")) == tree(&place.path("fresh")));
}

/// The limit of a user's files is none of the disk: only the results beyond it fail.
#[test]
fn a_result_beyond_the_largest_file_fails_alone() {
    let place = library();
    place.write("few/large.bvh", &humanoid("", 3000));
    let text = "trap '' XFSZ; ulimit -f 600
        $REBONE batch few -t hero.bvh -o out > out.txt 2>&1; echo $? > code";
    assert_eq!(script(&place, false, text), Some(0));
    let said = place.read("out.txt");
    assert_eq!(place.read("code"), "3\n", "{said}");
    assert!(said.contains("cannot be written: few/large.bvh"), "{said}");
    assert!(place.path("out/small.bvh").is_file() && !place.path("out/large.bvh").exists());
    assert!(!place.path("out/.rebone").exists());
}
