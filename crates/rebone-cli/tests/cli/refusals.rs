//! What cannot be used is refused: the exit code, one clear line, and no output file.

use crate::support::{Place, humanoid};

#[test]
fn what_is_no_humanoid_bvh_ends_with_1_and_leaves_no_file() {
    let place = Place::new();
    let whole = humanoid("", 2);
    place.write("text.bvh", "once upon a time\n");
    place.write("empty.bvh", "");
    place.write("cut.bvh", &whole[..whole.len() / 3]);
    place.write("frameless.bvh", &humanoid("", 0));
    place.write("nan.bvh", &whole.replacen("0 90 0", "0 nan 0", 1));
    place.write(
        "two.bvh",
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT b\n{\n\
         OFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n\
         }\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0\n",
    );
    let before = place.files();
    for (name, said) in [
        ("text.bvh", "text.bvh:1: this is not a BVH file"),
        ("empty.bvh", "empty.bvh"),
        ("cut.bvh", "cut.bvh"),
        ("frameless.bvh", "frameless.bvh"),
        ("nan.bvh", "found \"nan\""),
        ("two.bvh", "no humanoid"),
        ("missing.bvh", "missing.bvh: cannot open"),
    ] {
        for line in [
            format!("retarget {name} hero.bvh -o out.bvh --preview out.png --report out.json"),
            format!("retarget walk.bvh {name} -o out.bvh"),
            format!("card {name} -o out.toml"),
            format!("inspect {name}"),
        ] {
            let run = place.run(&line);
            run.fails(1, &[said]);
            let errors = run.stderr.lines().filter(|line| !line.starts_with("help: "));
            assert_eq!(errors.count(), 1, "{line}: {}", run.stderr);
            // The joints of a file that can be read are listed.
            assert!(run.stdout.is_empty() || line == "inspect two.bvh", "{line}");
        }
    }
    assert_eq!(place.files(), before);
}

#[test]
fn files_of_another_kind_are_named() {
    let place = Place::new();
    place.write("notes.txt", "hello there");
    place.run("card hero.bvh -o hero.toml").succeeds();
    let target = "retarget walk.bvh hero.bvh -o out.bvh";
    for (line, said) in [
        (
            "inspect notes.txt".to_owned(),
            "motions and rigs are read from BVH, glTF (GLB, VRM, VRMA), FBX and Acclaim (ASF, AMC)",
        ),
        (
            format!("{target} --target-card walk.bvh"),
            "walk.bvh: found a BVH motion file, expected a rig card",
        ),
        (format!("{target} --source-card hero.toml"), "it is the card of another rig"),
        (format!("{target} --clip Run"), "walk.bvh: no clip \"Run\": its only clip is 0"),
    ] {
        place.run(&line).fails(1, &[said]);
    }
}

#[test]
fn an_input_is_never_an_output() {
    let place = Place::new();
    place.write("card.toml", "");
    std::fs::hard_link(place.path("walk.bvh"), place.path("hard.bvh")).unwrap();
    let before = place.read("walk.bvh");
    for line in [
        "retarget walk.bvh hero.bvh -o walk.bvh",
        "retarget walk.bvh hero.bvh -o ./hero.bvh",
        "retarget walk.bvh hero.bvh -o hard.bvh",
        "retarget walk.bvh hero.bvh -o out.bvh --preview hero.bvh",
        "retarget walk.bvh hero.bvh -o out.bvh --report walk.bvh",
        "retarget walk.bvh hero.bvh -o out.bvh --report card.toml --target-card card.toml",
        "card walk.bvh -o walk.bvh",
        "preview walk.bvh hero.bvh -o hero.bvh",
    ] {
        place.run(line).fails(2, &["an input is never changed"]);
    }
    place.run("retarget walk.bvh hero.bvh -o a --report a").fails(2, &["both outputs are a"]);
    assert_eq!(place.read("walk.bvh"), before);
    assert_eq!(place.files(), ["card.toml", "hard.bvh", "hero.bvh", "walk.bvh"]);
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_to_an_input_is_the_input() {
    let place = Place::new();
    std::os::unix::fs::symlink(place.path("walk.bvh"), place.path("soft.bvh")).unwrap();
    place.run("retarget walk.bvh hero.bvh -o soft.bvh").fails(2, &["soft.bvh", "walk.bvh"]);
}

#[cfg(unix)]
#[test]
fn links_to_files_that_are_not_there_yet_are_followed() {
    let place = Place::new();
    std::os::unix::fs::symlink("new.bvh", place.path("soft.bvh")).unwrap();
    let both = "retarget walk.bvh hero.bvh -o new.bvh --report soft.bvh";
    place.run(both).fails(2, &["are one file"]);
    place.run("retarget walk.bvh hero.bvh -o soft.bvh").succeeds();
    assert!(place.path("soft.bvh").is_symlink() && place.path("new.bvh").is_file());
}

#[test]
fn the_calibration_pose_of_a_card_is_an_input() {
    let place = Place::new();
    place.write("pose.bvh", &place.read("hero.bvh"));
    place.write("card.toml", "pose_from = \"pose.bvh\"");
    let line = "retarget walk.bvh hero.bvh -o pose.bvh --target-card card.toml";
    place.run(line).fails(2, &["an input is never changed"]);
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_where_one_file_of_several_fails() {
    let place = Place::new();
    let before = place.files();
    let line = "retarget walk.bvh hero.bvh --report r.json --preview p.png -o";
    for output in ["/dev/full".to_owned(), "new/".to_owned(), "a".repeat(300)] {
        place.run(&format!("{line} {output}")).fails(1, &["cannot write"]);
        assert_eq!(place.files(), before, "{output}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let name = std::ffi::OsStr::from_bytes(b"\xff.bvh");
    let mut words: Vec<&std::ffi::OsStr> =
        ["retarget", "walk.bvh", "hero.bvh", "--json", "-o"].map(AsRef::as_ref).to_vec();
    words.push(name);
    place.run_words(&words).succeeds();
    assert!(place.path("").join(name).is_file());
}

#[test]
fn a_place_that_cannot_be_written_is_named_before_any_work() {
    let place = Place::new();
    std::fs::create_dir(place.path("folder")).unwrap();
    for (output, said) in [
        ("no/such/out.bvh", "there is no folder no/such"),
        ("walk.bvh/out.bvh", "there is no folder walk.bvh"),
        ("folder", "it is a folder"),
    ] {
        let line = format!("retarget walk.bvh hero.bvh -o {output}");
        place.run(&line).fails(1, &[&format!("cannot write {output}"), said]);
    }
}

#[test]
fn a_name_of_another_format_is_refused() {
    let place = Place::new();
    for (output, instead) in [
        ("k.fbx", "name it k.bvh"),
        ("a.b/take.USD", "name it a.b/take.bvh"),
        ("out.txt", "name it out.bvh, or .glb, .gltf, .vrm, .vrma or .npz"),
    ] {
        std::fs::create_dir_all(place.path("a.b")).unwrap();
        let run = place.run(&format!("retarget walk.bvh hero.bvh -o {output}"));
        run.fails(2, &[&format!("cannot write {output} as"), instead]);
        assert!(!place.path(output).exists());
    }
    for output in ["a.b/plain", "OUT.BVH", "take.1.bvh"] {
        place.run(&format!("retarget walk.bvh hero.bvh -o {output}")).succeeds();
        assert!(place.path(output).is_file());
    }
}

#[test]
fn frames_behind_the_end_are_told() {
    let place = Place::new();
    for line in ["retarget walk.bvh hero.bvh -o out.bvh", "preview walk.bvh -o out.png"] {
        let run = place.run(&format!("{line} --frames 1..9"));
        run.succeeds();
        let said = "warning: the frames that are wanted end before 9, but walk.bvh has 3 frames: all to the last are taken";
        assert!(run.stderr.contains(said), "{}", run.stderr);
        assert_eq!(place.run(&format!("{line} --frames 1..3")).stderr, "");
        place.run(&format!("{line} --frames 3..9")).fails(2, &["but walk.bvh has 3 frames"]);
    }
    assert!(place.read("out.bvh").contains("Frames: 2\n"));
}

#[test]
fn wrong_usage_ends_with_2() {
    let place = Place::new();
    for line in [
        "",
        "dance",
        "retarget walk.bvh",
        "retarget walk.bvh hero.bvh",
        "retarget walk.bvh hero.bvh -o out.bvh --limbs sideways",
        "retarget walk.bvh hero.bvh -o out.bvh --legs 1.5",
        "retarget walk.bvh hero.bvh -o out.bvh --frames 9..3",
        "retarget walk.bvh hero.bvh -o out.bvh --up w",
        "retarget walk.bvh hero.bvh -o out.bvh --decimals 40",
        "retarget walk.bvh hero.bvh -o out.bvh -v -q",
        "retarget walk.bvh hero.bvh -o out.bvh --frames 7..",
        "completions tcl",
    ] {
        let run = place.run(line);
        assert_eq!(run.code, 2, "{line}: {run:?}");
        assert_eq!(run.stdout, "", "{line}");
    }
    assert_eq!(place.files(), ["hero.bvh", "walk.bvh"]);
}

/// No command walks down a skeleton by recursion.
#[test]
fn a_tail_of_nine_hundred_joints_is_no_trouble() {
    let place = Place::new();
    let walk = humanoid("", 2);
    let (tail, end) = (" JOINT tail { OFFSET 0 0 -1".repeat(900), "}".repeat(900));
    let at = walk[..walk.find("MOTION").unwrap()].rfind('}').unwrap();
    place.write("tail.bvh", &format!("{}{tail}{end}\n{}", &walk[..at], &walk[at..]));
    for line in [
        "inspect tail.bvh -v --preview tail.png",
        "inspect tail.bvh walk.bvh",
        "preview tail.bvh -o preview.png",
        "card tail.bvh -o tail.toml",
        "retarget tail.bvh hero.bvh -o a.bvh --preview a.png --ground on",
        "retarget walk.bvh tail.bvh -o b.bvh --target-card tail.toml --report b.json",
    ] {
        place.run(line).succeeds();
    }
}

#[test]
fn a_message_shows_the_beginning_of_a_long_text() {
    let place = Place::new();
    let long = "x".repeat(1 << 20);
    place.write("joint.toml", &format!("[roles]\nhead = \"{long}\"\n"));
    place.write("key.toml", &format!("{long} = 1\n"));
    place.write("value.toml", &format!("up = \"{long}\"\n"));
    place.write("line.map", &long);
    place.write("joint.map", &format!("{long}\tHead\n"));
    for line in ["--source-card joint.toml", "--source-card key.toml", "--source-card value.toml"]
        .into_iter()
        .chain(["--map line.map", "--map joint.map"])
    {
        let run = place.run(&format!("retarget walk.bvh hero.bvh -o out.bvh {line}"));
        run.fails(1, &["xxx…"]);
        assert!(run.stderr.len() < 500, "{line}: {}", run.stderr.len());
    }
}

#[test]
fn a_file_that_is_refused_shows_its_joints_and_a_card_names_what_is_missing() {
    let place = Place::new();
    let rig = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/rigs/toy-a-pose.bvh");
    let text = std::fs::read_to_string(rig).unwrap();
    let text = text.replace("lShin", "IK_A").replace("lFoot", "IK_B").replace("lToe", "IK_C");
    place.write("rig.bvh", &text);
    let missing = "no left shin below a left thigh (lThigh)";
    let run = place.run("inspect rig.bvh");
    run.fails(1, &[missing, "rebone card FILE"]);
    assert!(run.stdout.contains("IK_A") && run.stdout.contains("rightLowerLeg"), "{}", run.stdout);
    let run = place.run("inspect rig.bvh --json");
    run.fails(1, &[missing]);
    let found: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(found["joints"].as_array().unwrap().len(), 33);
    place.run("card rig.bvh -o card.toml").fails(1, &[missing, "in card.toml"]);
    let card = place.read("card.toml");
    assert!(card.contains("# leftLowerLeg = \"\"\n") && card.contains("# head = \"head\"\n"));
    let card = card
        .replace("# leftLowerLeg = \"\"", "leftLowerLeg = \"IK_A\"")
        .replace("# leftFoot = \"\"", "leftFoot = \"IK_B\"");
    place.write("card.toml", &card);
    place.run("inspect rig.bvh --card card.toml").succeeds();
    place.run("retarget walk.bvh rig.bvh --target-card card.toml -o out.bvh").succeeds();
}

#[test]
fn a_repaired_copy_is_named_as_a_bvh() {
    let place = Place::new();
    for (output, said) in [("a.glb", "name it a.bvh"), ("a.txt", "cannot write a.txt as txt")] {
        place.run(&format!("doctor walk.bvh --fix -o {output}")).fails(2, &[said]);
        assert!(!place.path(output).exists());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_printed_is_an_error() {
    let place = Place::new();
    for word in ["--help", "--version"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = place.command().arg(word).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{word}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot print"), "{output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn lists_that_are_not_text_say_what_to_do() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    std::fs::write(place.path("list.txt"), b"walk.bvh\ncaf\xe9.bvh\n").unwrap();
    for (input, code, said) in [
        (&b"@caf\xe9.txt"[..], 2, "the name of a list must be UTF-8"),
        (b"@list.txt", 1, "a pattern"),
        (b"caf\xe9*.bvh", 1, "write ? or *"),
    ] {
        let [batch, t, rig, o, out] = ["batch", "-t", "hero.bvh", "-o", "out"].map(OsStr::new);
        let run = place.run_words(&[batch, OsStr::from_bytes(input), t, rig, o, out]);
        run.fails(code, &[said]);
    }
}
