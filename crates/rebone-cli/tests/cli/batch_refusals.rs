//! Libraries with what a batch must not do, or not stop at.

use crate::batch::{library, made};
use crate::support::{Place, humanoid};

#[test]
fn results_stay_out_of_what_is_the_batchs_own() {
    let place = library();
    for (line, said) in [
        ("--name .rebone/{stem}", ".rebone of the output folder"),
        ("--name Cards/{stem}", "cards of the output folder"),
        ("--name {stem}/", "expected a name behind the last folder"),
    ] {
        place.run(&format!("batch lib -t hero.bvh -o out {line}")).fails(2, &[said]);
    }
    std::fs::create_dir(place.path("lib/cards")).unwrap();
    place.write("lib/cards/x.bvh", &humanoid("", 2));
    place.run("batch lib -t hero.bvh -o out").fails(2, &["cards/x.bvh of lib/cards/x.bvh"]);
    assert!(!place.path("out").exists());
}

#[test]
fn a_rig_that_cannot_be_used_is_refused_before_the_work() {
    let place = library();
    place.run("batch lib -t lib/chain.bvh -o out").fails(1, &["lib/chain.bvh"]);
    assert!(!place.path("out/cards").exists());
}

/// Inputs, rigs, rules and cards that cannot be used leave no folder.
#[test]
fn a_batch_that_cannot_begin_says_why_and_leaves_no_folder() {
    let place = library();
    place.write("text.bvh", "no motion");
    place.write("rules.toml", "[[clips]]\nfiles = 3\n");
    std::fs::create_dir(place.path("empty")).unwrap();
    for (line, said) in [
        ("lib -t nowhere.bvh", "nowhere.bvh: there is no such file"),
        ("lib -t hero.bvh -t nowhere.bvh", "nowhere.bvh: there is no such file"),
        ("lib -t lib", "lib: it is no regular file"),
        ("lib -t text.bvh", "text.bvh"),
        ("lib -t lib/chain.bvh", "lib/chain.bvh"),
        ("nowhere -t hero.bvh", "nowhere: there is no such file or folder"),
        ("lib/*.glb -t hero.bvh", "lib/*.glb: no file matches"),
        ("empty -t hero.bvh", "there is no clip in the inputs"),
        ("lib -t hero.bvh --options rules.toml", "rules.toml:2:"),
        ("lib -t hero.bvh --options nowhere.toml", "nowhere.toml"),
    ] {
        place.run(&format!("batch {line} -o new/out")).fails(1, &[said]);
        assert!(!place.path("new").exists(), "{line}");
    }
    std::fs::create_dir_all(place.path("out")).unwrap();
    place.run("batch lib -t nowhere.bvh -o out").fails(1, &["nowhere.bvh"]);
    assert!(place.path("out").exists(), "it was there before");
    // A card that cannot be used is of a class of clips, or of a rig.
    place.run("batch walk.bvh -t hero.bvh -o out").succeeds();
    let card = place.read("out/cards/hero.toml");
    place.write("out/cards/hero.toml", "[roles\n");
    place.run("batch walk.bvh -t hero.bvh -o out").fails(1, &["out/cards/hero.toml:1:"]);
    place.write("out/cards/hero.toml", &card);
    place.write("out/cards/walk.toml", "roles = 7\n");
    let run = place.run("batch walk.bvh -t hero.bvh -o out");
    assert!(run.code == 1 && run.stderr.contains("out/cards/walk.toml:1:"), "{run:?}");
    assert!(run.stdout.contains("a card has to be corrected: walk.bvh"), "{run:?}");
}

#[test]
fn rules_that_hold_for_no_clip_are_reported() {
    let place = library();
    place.write(
        "rules.toml",
        "[[clips]]\nfiles = \"c*.bvh\"\nground = 'on'\n[[clips]]\nfiles = \"x*\"\nskip = true\n",
    );
    let run = place.run("batch lib -t hero.bvh -o out --options rules.toml --dry-run");
    assert!(run.stderr.contains("the options for x* hold for no clip"), "{run:?}");
    assert_eq!(run.stderr.matches("hold for no clip").count(), 1);
    place.write("rules.toml", "[[clips]]\nfiles = \"*\"\ntargets = \"her\"\nground = 'on'\n");
    let run = place.run("batch lib -t hero.bvh -o out --options rules.toml --dry-run");
    let said =
        "warning: the options for * hold for no rig: targets = \"her\", but the rig is hero\n";
    assert!(run.stderr.contains(said), "{run:?}");
    assert!(!run.stderr.contains("hold for no clip"), "the clips are there: {run:?}");
    place.write("rules.toml", "[[clips]]\nfiles = \"*\"\ndecimals = 200\n");
    let run = place.run("batch lib -t hero.bvh -o out --options rules.toml --dry-run");
    run.fails(1, &["rules.toml:3: found 200, expected 0 to 17"]);
    for (line, said) in [
        (
            "contacts = false",
            "unknown variant `false`, expected one of `off`, `soft`, `feet`, `all`, `lock`",
        ),
        ("no-self-contact = 'no'", "found \"no\", expected true or false"),
        ("skip = 'no'", "invalid type: string \"no\", expected true or false"),
        ("loop = 'best'", "found \"best\", expected true, false, \"auto\", or \"A..B\""),
        ("name = 'x'", "without {stem} all clips would have one name"),
    ] {
        place.write("rules.toml", &format!("[[clips]]\nfiles = '*'\n{line}\n"));
        let run = place.run("batch lib -t hero.bvh -o out --options rules.toml --dry-run");
        run.fails(1, &[&format!("rules.toml:3: {said}")]);
    }
}

#[cfg(unix)]
#[test]
fn links_and_pipes_stop_nothing() {
    let place = Place::new();
    std::fs::create_dir(place.path("lib")).unwrap();
    place.write("lib/a.bvh", &humanoid("", 2));
    for (link, to) in
        [("loop", "."), ("lost.bvh", "nowhere"), ("stdin.bvh", "/dev/stdin"), ("b.bvh", "a.bvh")]
    {
        std::os::unix::fs::symlink(to, place.path("lib").join(link)).unwrap();
    }
    let run = place.run("batch lib -t hero.bvh -o out");
    assert_eq!(run.code, 3, "{run:?}");
    assert!(
        run.stdout.contains("1 made") && run.stdout.contains("cannot be read: lib/lost.bvh"),
        "{run:?}"
    );
    assert!(place.path("out/a.bvh").is_file());
    assert_eq!(made(&place, "batch lib -t hero.bvh -o out"), 0);
    place.run("batch /dev/null -t hero.bvh -o out").fails(1, &["/dev/null: it is no regular file"]);
    // What another put where files are made is left alone.
    std::fs::create_dir(place.path("precious")).unwrap();
    place.write("precious/1", "kept");
    std::os::unix::fs::symlink("../precious", place.path("out/.rebone")).unwrap();
    place.run("batch lib -t hero.bvh -o out").fails(1, &[".rebone: it is a link"]);
    assert_eq!(place.read("precious/1"), "kept");
}

#[cfg(unix)]
#[test]
fn results_keep_their_permissions_and_read_only_ones_stay() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let set = |mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(place.path("out/walk.bvh"), permissions).unwrap();
    };
    place.run("batch walk.bvh -t hero.bvh -o out").succeeds();
    set(0o640);
    place.run("batch walk.bvh -t hero.bvh -o out --ground on").succeeds();
    let mode = place.path("out/walk.bvh").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    set(0o444);
    let run = place.run("batch walk.bvh -t hero.bvh -o out");
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("cannot be written: walk.bvh"), "{run:?}");
}

#[test]
fn a_reader_that_has_seen_enough_does_not_stop_the_work() {
    let place = library();
    let mut run = place.command();
    run.args("batch lib -t hero.bvh -o out".split(' '));
    let mut run = run
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    drop(run.stdout.take());
    assert_eq!(run.wait().unwrap().code(), Some(3));
    assert!(place.path("out/sub/c.bvh").is_file());
}

#[test]
fn trees_that_are_too_deep_are_refused_by_all() {
    let place = Place::new();
    let deep = 20_000;
    let mut text = String::from(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n",
    );
    text += &"JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n".repeat(deep);
    text += &"}\n".repeat(deep + 1);
    text += "MOTION\nFrames: 1\nFrame Time: 0.1\n";
    place.write("deep.bvh", &(text + &"0 0 0 ".repeat(deep + 1) + "\n"));
    for line in [
        "retarget deep.bvh hero.bvh -o out.bvh",
        "retarget walk.bvh deep.bvh -o out.bvh",
        "inspect deep.bvh",
        "card deep.bvh -o deep.toml",
        "preview deep.bvh -o deep.png",
        "doctor deep.bvh",
        "batch walk.bvh -t deep.bvh -o out",
    ] {
        place.run(line).fails(1, &["deep.bvh:", "1000"]);
    }
    assert_eq!(place.run("batch deep.bvh -t hero.bvh -o out").code, 1);
}

#[test]
fn equal_names_become_different_ones() {
    let place = Place::new();
    let text = humanoid("", 2);
    let names = ["LeftArm", "RightArm", "LeftLeg", "RightLeg"];
    let same = names
        .iter()
        .fold(text, |text, name| text.replace(&format!("JOINT {name}\n"), "JOINT Arm 2\n"));
    place.write("same.bvh", &same);
    place.run("doctor same.bvh --fix -o fixed.bvh").succeeds();
    let fixed = place.read("fixed.bvh");
    let names: Vec<&str> =
        fixed.lines().filter_map(|line| line.trim().strip_prefix("JOINT ")).collect();
    let different: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(different.len(), names.len(), "{names:?}");
    assert!(names.contains(&"Arm_2") && names.contains(&"Arm_2_2"), "{names:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_text_are_no_trouble() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    std::fs::create_dir(place.path("lib")).unwrap();
    for name in [b"lib/w\xff.bvh".as_slice(), b"lib/t\xff.txt"] {
        std::fs::write(place.path("").join(OsStr::from_bytes(name)), humanoid("", 2)).unwrap();
    }
    let output = OsStr::from_bytes(b"out\xff");
    for more in ["--dry-run", "-v"] {
        let words = ["batch", "lib", "-t", "hero.bvh", "--json", more, "-o"].map(OsStr::new);
        let run = place.run_words(&[words.as_slice(), &[output]].concat());
        run.succeeds();
        let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(told["skipped"].is_array() || told["skipped"] == 1, "{told}");
    }
}

/// A link at the place of a result or of the manifest is replaced; what is behind it stays.
#[cfg(unix)]
#[test]
fn links_in_the_output_folder_lead_to_no_other_file() {
    let place = library();
    place.run("batch lib -t hero.bvh -o out");
    let results: Vec<_> = std::fs::read_dir(place.path("out"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    assert!(results.iter().any(|path| path.ends_with("manifest.jsonl")));
    for path in &results {
        std::fs::remove_file(path).unwrap();
        place.write("mine.txt", "mine");
        std::os::unix::fs::symlink(place.path("mine.txt"), path).unwrap();
        place.run("batch lib -t hero.bvh -o out");
        assert_eq!(place.read("mine.txt"), "mine", "{}", path.display());
        assert!(path.is_file() && !path.is_symlink(), "{}", path.display());
    }
}

/// An options file or a list at the place of a result.
#[test]
fn files_that_a_batch_reads_are_not_replaced_by_its_results() {
    let place = Place::new();
    for (name, text, line) in [
        ("walk.bvh", "[[clips]]\nfiles = '*'\nfps = 30\n", "walk.bvh --options out/walk.bvh"),
        ("walk.bvh", "walk.bvh\n", "@out/walk.bvh"),
        ("hero.glb", "walk.bvh\n", "@out/hero.glb --one-file"),
    ] {
        std::fs::create_dir_all(place.path("out")).unwrap();
        place.write(&format!("out/{name}"), text);
        let run = place.run(&format!("batch {line} -t hero.bvh -o out --overwrite"));
        run.fails(2, &[&format!("the output out/{name} is an input")]);
        assert_eq!(place.read(&format!("out/{name}")), text);
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
}

#[test]
fn the_summary_advises_no_prune_that_was_given() {
    let place = library();
    place.run("batch lib -t hero.bvh -o out");
    std::fs::create_dir(place.path("empty")).unwrap();
    let run = place.run("batch walk.bvh empty -t hero.bvh -o out");
    assert!(run.stdout.contains("--prune removes them"), "{run:?}");
    let run = place.run("batch walk.bvh empty -t hero.bvh -o out --prune");
    assert!(run.stdout.contains("results of other clips"), "{run:?}");
    assert!(!run.stdout.contains("--prune removes them"), "{run:?}");
}
