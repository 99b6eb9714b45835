//! Libraries: many clips, some of them bad, done once and then kept.

use crate::support::{Place, humanoid, with_leading_pose};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Six clips in two folders, one of them no BVH, one no humanoid, and a text.
pub(crate) fn library() -> Place {
    let place = Place::new();
    for folder in ["lib", "lib/sub"] {
        std::fs::create_dir(place.path(folder)).unwrap();
    }
    for (name, frames) in [("a", 2), ("b", 5), ("sub/c", 9), ("sub/a", 4)] {
        place.write(&format!("lib/{name}.bvh"), &humanoid("", frames));
    }
    place.write("lib/bad.bvh", "HIERARCHY\nROOT x\n{\n  OFFSET 0 0 zero\n");
    // Of the same rig as the others, and broken behind its first frame.
    let text = humanoid("", 3);
    let (begin, end) = text.split_at(text.rfind("0 90 0").unwrap());
    place.write("lib/cut.bvh", &format!("{begin}x{end}"));
    place.write("lib/chain.bvh", "HIERARCHY\nROOT x\n{\n  OFFSET 0 0 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n    OFFSET 0 1 0\n  }\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n");
    place.write("lib/readme.txt", "clips");
    place
}

/// All files below a folder, and what they hold; the manifest without times, sorted.
pub(crate) fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            let bytes = std::fs::read(&path).unwrap();
            let bytes = if name == "manifest.jsonl" { untimed(&bytes) } else { bytes };
            files.insert(name, bytes);
        }
    }
    files
}

fn untimed(manifest: &[u8]) -> Vec<u8> {
    let mut lines: Vec<String> = lines(manifest).iter().map(Value::to_string).collect();
    lines.sort();
    lines.join("\n").into_bytes()
}

fn lines(manifest: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(manifest);
    let line = |line: &str| {
        let mut value: Value = serde_json::from_str(line).unwrap();
        value.as_object_mut().unwrap().remove("seconds").unwrap();
        value
    };
    text.lines().map(line).collect()
}

/// How many results a run says that it made.
pub(crate) fn made(place: &Place, line: &str) -> usize {
    let run = place.run(line);
    let word = run.stdout.split("done     ").nth(1).unwrap().split(' ').next().unwrap();
    word.parse().unwrap()
}

#[test]
fn a_batch_draws_its_results() {
    let place = library();
    let line = "batch lib --target hero.bvh -o out --preview pictures";
    assert_eq!(made(&place, line), 4);
    let pictures = ["a", "sub/c"].map(|name| place.path(&format!("pictures/{name}.png")));
    assert!(pictures.iter().all(|path| crate::support::is_png(path)), "{:?}", place.files());
    std::fs::remove_file(&pictures[0]).unwrap();
    assert_eq!(made(&place, line), 1, "a picture that is missing is drawn again");
    assert_eq!(made(&place, line), 0);
}

#[test]
fn a_folder_is_the_work_of_a_batch() {
    let place = library();
    let run = place.run("retarget lib hero.bvh -o out.bvh");
    run.fails(2, &["lib is a folder", "rebone batch lib --target hero.bvh -o OUT"]);
}

#[test]
fn a_library_is_done_whatever_is_in_it() {
    let place = library();
    let run = place.run("batch lib --target hero.bvh -o out");
    assert_eq!(run.code, 3, "{run:?}");
    assert!(run.stdout.contains("4 made") && run.stdout.contains("not a humanoid: lib/chain.bvh"));
    let out = tree(&place.path("out"));
    let names: Vec<&str> = out.keys().map(String::as_str).collect();
    let expected = [
        "a.bvh",
        "b.bvh",
        "cards/a.bvh",
        "cards/a.toml",
        "cards/hero.bvh",
        "cards/hero.toml",
        "manifest.jsonl",
        "sub/a.bvh",
        "sub/c.bvh",
    ];
    assert_eq!(names, expected);
    let manifest = lines(&std::fs::read(place.path("out/manifest.jsonl")).unwrap());
    let status = |name: &str| {
        let line = manifest.iter().find(|line| line["input"] == name).unwrap();
        (
            line["status"].as_str().unwrap(),
            line["error"]["message"].as_str().unwrap_or("").to_owned(),
        )
    };
    assert_eq!(status("lib/sub/c.bvh").0, "done");
    assert_eq!(status("lib/readme.txt").0, "skipped");
    assert!(
        status("lib/bad.bvh").1.contains("bad.bvh:4: found \"zero\""),
        "{}",
        status("lib/bad.bvh").1
    );
    assert_eq!(manifest.len(), 8);
    let alone = "retarget lib/sub/c.bvh hero.bvh -o c.bvh --source-card out/cards/a.toml --target-card out/cards/hero.toml";
    place.run(alone).succeeds();
    assert_eq!(place.read("c.bvh").into_bytes(), out["sub/c.bvh"]);
}

#[test]
fn threads_and_order_change_no_byte() {
    let place = library();
    place.run("batch lib -t hero.bvh -o one --jobs 1");
    let one = tree(&place.path("one"));
    for (name, line) in [
        ("two", "batch lib -t hero.bvh -o two --jobs 2"),
        ("listed", "batch lib/sub/../b.bvh lib lib/b.bvh -t hero.bvh -o listed --jobs 3"),
    ] {
        place.run(line);
        let other = tree(&place.path(name));
        assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
        for (file, bytes) in
            one.iter().filter(|(file, _)| name == "two" || *file != "manifest.jsonl")
        {
            assert_eq!(bytes, &other[file], "{name}: {file}");
        }
    }
}

#[test]
fn a_second_run_does_what_changed_and_nothing_else() {
    let place = library();
    let made = |line: &str| made(&place, line);
    let line = "batch lib -t hero.bvh -o out";
    assert_eq!(made(line), 4);
    let whole = tree(&place.path("out"));
    assert_eq!(made(line), 0);
    assert_eq!(tree(&place.path("out")), whole);
    // A clip, a result and a card that changed; a line that is half there; a file left by a killed run.
    place.write("lib/b.bvh", &humanoid("", 6));
    assert_eq!(made(line), 1);
    place.write("out/a.bvh", "half");
    assert_eq!(made(line), 1);
    let manifest = place.read("out/manifest.jsonl");
    let result = manifest.find("\"output\":\"sub/a.bvh\"").unwrap();
    place.write("out/manifest.jsonl", &manifest[..result + 40]);
    std::fs::create_dir(place.path("out/.rebone")).unwrap();
    place.write("out/.rebone/.rebone-7", "half");
    // Results that the manifest does not list any more could be of a person.
    assert_eq!(made(line), 0);
    assert_eq!(made(&format!("{line} --overwrite")), 2);
    assert!(!place.path("out/.rebone").exists());
    assert_eq!(made("batch lib -t hero.bvh -o out --ground on"), 4);
    let card = place.read("out/cards/hero.toml");
    place.write("out/cards/hero.toml", &(card + "# looked at\n"));
    assert_eq!(made("batch lib -t hero.bvh -o out --ground on"), 4);
    assert_eq!(made("batch lib -t hero.bvh -o out --ground on --force"), 4);
}

#[test]
fn a_run_that_is_killed_goes_on_to_the_same_end() {
    let place = Place::new();
    std::fs::create_dir(place.path("lib")).unwrap();
    for clip in 0..24 {
        place.write(&format!("lib/{clip}.bvh"), &humanoid("", 300 + clip));
    }
    let line = "batch lib -t hero.bvh -o";
    place.run(&format!("{line} whole")).succeeds();
    let mut halves = 0;
    for lines in [1, 6, 13] {
        let mut run = place.start(&format!("{line} killed"));
        let manifest = place.path("killed/manifest.jsonl");
        let written =
            || std::fs::read(&manifest).map_or(0, |text| text.split(|&b| b == b'\n').count());
        while written() <= lines && run.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        run.kill().unwrap();
        halves += usize::from(!run.wait().unwrap().success());
    }
    assert!(halves > 0, "no run was killed before its end");
    place.run(&format!("{line} killed")).succeeds();
    assert_eq!(tree(&place.path("killed")), tree(&place.path("whole")));
}

#[test]
fn what_would_be_is_said_without_a_file() {
    let place = library();
    let run = place.run("batch lib -t hero.bvh -o out --dry-run");
    // As the run would end.
    assert_eq!(run.code, 3, "{run:?}");
    assert!(
        run.stdout.contains(
            "7 clips onto 1 rig: 7 results, 0 of them up to date, 2 cannot be made; 0 left out"
        ),
        "{run:?}"
    );
    assert!(!place.path("out").exists());
    let run = place
        .run("batch lib lib/sub/a.bvh lib/sub -t hero.bvh -o out --name same-{stem}x --dry-run");
    assert_eq!(run.code, 3, "{run:?}");
    place
        .run("batch lib/a.bvh lib/sub/a.bvh -t hero.bvh -o out")
        .fails(2, &["lib/a.bvh and lib/sub/a.bvh would both be written to a.bvh"]);
    place.run("batch lib -t hero.bvh -o lib").fails(2, &["lib is the output folder"]);
    place.write("list", "lib\n");
    let run = place.run("batch @list -t hero.bvh -o lib");
    run.fails(2, &["lib is the output folder"]);
    place.run("batch nowhere -t hero.bvh -o out").fails(1, &["nowhere: there is no such file"]);
    place.run("batch lib -t hero.bvh -o walk.bvh").fails(2, &["is a file, not a folder"]);
}

#[test]
fn rules_hold_for_the_clips_that_they_name() {
    let place = library();
    place.write(
        "rules.toml",
        "[[clips]]\nfiles = \"sub/**\"\nframes = \"1..3\"\n[[clips]]\nfiles = [\"b.bvh\"]\nskip = true\n",
    );
    place.run("batch lib -t hero.bvh -o out --options rules.toml");
    assert!(place.read("out/sub/c.bvh").contains("Frames: 2"));
    assert!(place.read("out/a.bvh").contains("Frames: 2"));
    assert!(!place.path("out/b.bvh").exists());
    place.write("wrong.toml", "[[clips]]\nfiles = \"*\"\nlimbs = \"both\"\n");
    place
        .run("batch lib -t hero.bvh -o out --options wrong.toml")
        .fails(1, &["wrong.toml:3:", "expected `direction`, `position`"]);
    place.write("wrong.toml", "[[clips]]\nfiles = \"*\"\nlimb = \"direction\"\n");
    place
        .run("batch lib -t hero.bvh -o out --options wrong.toml")
        .fails(1, &["wrong.toml:3:", "limb"]);
}

#[test]
fn a_rule_drops_the_leading_pose_of_all_clips() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("lib/sub")).unwrap();
    for name in ["a", "sub/b"] {
        place.write(&format!("lib/{name}.bvh"), &with_leading_pose(12));
    }
    place.write("rules.toml", "[[clips]]\nfiles = \"**\"\nleading-pose = \"drop\"\n");
    place.run("batch lib -t hero.bvh -o kept").succeeds();
    place.run("batch lib -t hero.bvh -o out --options rules.toml").succeeds();
    for name in ["a", "sub/b"] {
        assert!(place.read(&format!("kept/{name}.bvh")).contains("Frames: 12\n"));
        assert!(place.read(&format!("out/{name}.bvh")).contains("Frames: 11\n"));
    }
}

#[test]
fn clips_without_a_leading_pose_to_drop_are_one_line_and_no_warnings() {
    let place = Place::new();
    std::fs::create_dir(place.path("lib")).unwrap();
    place.write("lib/t.bvh", &with_leading_pose(12));
    for name in ["a", "b"] {
        place.write(&format!("lib/{name}.bvh"), &humanoid("", 5));
    }
    let run = place.run("batch lib -t hero.bvh -t walk.bvh -o out --leading-pose drop");
    run.succeeds();
    let said = "leading      2  clips have no leading pose: they are whole\n";
    assert!(run.stdout.contains(said), "{run:?}");
    assert!(!run.stdout.contains("looks like motion"), "{run:?}");
    assert!(!place.read("out/manifest.jsonl").contains("looks like motion"));
    assert_eq!(place.read("out/manifest.jsonl").matches("\"no_leading_pose\":true").count(), 4);
    let run = place.run("retarget lib/a.bvh hero.bvh -o one.bvh --leading-pose drop");
    assert!(run.stderr.contains("frame 0 of the source looks like motion"), "{run:?}");
}

#[test]
fn warnings_of_the_reader_are_kept() {
    let place = Place::new();
    std::fs::create_dir(place.path("lib")).unwrap();
    place.write("lib/a.bvh", &humanoid("", 3).replace("Frames: 3", "Frames: 99"));
    let run = place.run("batch lib -t hero.bvh -o out");
    run.succeeds();
    assert!(
        place.read("out/manifest.jsonl").contains("99"),
        "{}",
        place.read("out/manifest.jsonl")
    );
    assert!(run.stdout.contains("warning      1  line"), "{run:?}");
}
