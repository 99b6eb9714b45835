//! Pipes at the places of files, names that are too long, and limits of the system: nothing hangs, errors have names.

use crate::support::{Place, humanoid};
use std::process::{Command, Output};

/// Runs a line of a shell, `$REBONE` being the program; a run that takes half a minute hangs.
fn run(place: &Place, line: &str) -> (Option<i32>, String) {
    let rebone = format!("timeout 30 {}", env!("CARGO_BIN_EXE_rebone"));
    let line = line.replace("$REBONE", &rebone);
    let run = Command::new("bash").args(["-c", &line]).current_dir(place.path("")).output();
    let Output { status, stdout, stderr } = run.unwrap();
    let text = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert_ne!(status.code(), Some(124), "{line} hangs: {text}");
    (status.code(), text)
}

fn make_pipe(place: &Place, name: &str) {
    let path = place.path(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(&path);
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn pipes_at_the_places_of_files_are_refused_and_never_waited_for() {
    for name in [
        "out/walk.bvh",
        "out/manifest.jsonl",
        "out/cards/walk.toml",
        "out/cards/walk.guess.toml",
        "out/cards/walk.bvh",
        "out/.rebone/lock",
        "out/.rebone/.rebone-7",
        "pictures/walk.png",
        "pictures/.rebone/.rebone-7",
    ] {
        for is_later in [false, true] {
            let place = Place::new();
            let line = "$REBONE batch walk.bvh -t hero.bvh -o out --preview pictures --force";
            if is_later {
                assert_eq!(run(&place, line).0, Some(0));
            }
            make_pipe(&place, name);
            let (code, text) = run(&place, line);
            let is_harmless = [".rebone-7", "guess.toml", "cards/walk.bvh"];
            match is_harmless.iter().any(|end| name.ends_with(end))
                || (is_later && name.ends_with("lock"))
            {
                true => assert!(matches!(code, Some(0 | 1)), "{name}: {text}"),
                false => assert!(code == Some(1) || code == Some(2), "{name}: {code:?}, {text}"),
            }
        }
    }
}

#[test]
fn lists_rules_and_manifests_are_regular_files() {
    let place = Place::new();
    make_pipe(&place, "pipe");
    for (line, said) in [
        ("batch walk.bvh -t hero.bvh -o out --options pipe", "pipe: it is no regular file"),
        ("batch @pipe -t hero.bvh -o out", "pipe: it is no regular file: give a file, or - for"),
        ("report pipe -o page.html", "pipe: it is no regular file"),
        ("batch walk.bvh -t pipe -o out", "pipe: it is no regular file"),
    ] {
        let (code, text) = run(&place, &format!("$REBONE {line}"));
        assert!(code == Some(1) && text.contains(said), "{line}: {text}");
    }
    // Results and cards that a manifest names.
    assert_eq!(run(&place, "$REBONE batch walk.bvh -t hero.bvh -o out").0, Some(0));
    for name in ["out/cards/walk.toml", "out/walk.bvh"] {
        make_pipe(&place, name);
        let (code, text) = run(&place, "$REBONE report out -o page.html");
        assert!(code == Some(1) && text.contains("cannot be read"), "{name}: {text}");
    }
    make_pipe(&place, "lib/manifest.jsonl");
    place.write("lib/a.bvh", &humanoid("", 2));
    assert_eq!(run(&place, "$REBONE batch lib -t hero.bvh -o other").0, Some(0));
}

#[test]
fn limits_of_the_system_are_errors_with_names() {
    let place = Place::new();
    place.write("long.bvh", &humanoid("", 3000));
    for files in [4, 5, 6, 8] {
        let (code, text) = run(
            &place,
            &format!("ulimit -n {files}; exec $REBONE batch walk.bvh -t hero.bvh -o few"),
        );
        assert!(
            code == Some(0) || text.contains("(os error 24)"),
            "{files} files: {code:?}, {text}"
        );
    }
    // 16 KB of a file.
    for line in ["retarget long.bvh hero.bvh -o out.bvh", "batch long.bvh -t hero.bvh -o out"] {
        let (code, text) = run(&place, &format!("ulimit -f 16; exec $REBONE {line}"));
        assert!(code == Some(1) && text.contains("(os error 27)"), "{line}: {code:?}, {text}");
    }
    let (code, text) =
        run(&place, "ulimit -v 1000000; exec $REBONE batch walk.bvh -t hero.bvh -o many -j 60000");
    assert!(code == Some(0) && text.contains("4 for each processor, not 60000"), "{text}");
}

#[test]
fn names_that_are_as_long_as_names_can_be_have_results() {
    let place = Place::new();
    std::fs::create_dir(place.path("lib")).unwrap();
    let long = |first: char, length: usize| first.to_string() + &"n".repeat(length - 5) + ".bvh";
    let names = [long('a', 255), long('b', 255), long('\u{e9}', 254)];
    for name in &names {
        place.write(&format!("lib/{name}"), &humanoid("", 2));
    }
    place.write(&format!("lib/{}", long('c', 255)), &humanoid("x:", 2));
    std::fs::copy(place.path("hero.bvh"), place.path("other.bvh")).unwrap();
    let line = "$REBONE batch lib -t hero.bvh -t other.bvh -o out --preview pictures";
    let (code, text) = run(&place, line);
    assert!(code == Some(0) && text.contains("8 made"), "{text}");
    let (code, text) = run(&place, line);
    assert!(code == Some(0) && text.contains("0 made, 8 up to date"), "{text}");
    let (code, text) = run(&place, &format!("{line} --one-file"));
    assert!(code == Some(0) && text.contains("4  animations"), "{text}");
}

/// Two clips in a glTF whose names differ far behind the longest name of a file.
#[test]
fn animations_with_long_names_have_results() {
    let place = Place::new();
    place.run("retarget walk.bvh hero.bvh -o one.gltf --animation first").succeeds();
    let mut scene: serde_json::Value = serde_json::from_str(&place.read("one.gltf")).unwrap();
    let animation = |end: &str| {
        let mut animation = scene["animations"][0].clone();
        animation["name"] = ("long ".repeat(600) + end).into();
        animation
    };
    scene["animations"] = [animation("x"), animation("y")].to_vec().into();
    place.write("two.gltf", &scene.to_string());
    let (code, text) = run(&place, "$REBONE batch two.gltf -t hero.bvh -o out");
    assert!(code == Some(0) && text.contains("2 made"), "{text}");
    let (code, text) = run(&place, "$REBONE batch two.gltf -t hero.bvh -o out --name '{stem}/x'");
    assert!(code == Some(0) && text.contains("2 made"), "{text}");
}

/// A name that is not UTF-8, and one that is its text.
#[test]
fn names_with_one_text_are_told_apart_or_refused_with_both() {
    let place = Place::new();
    std::fs::create_dir(place.path("lib")).unwrap();
    place.write("lib/caf%E9.bvh", &humanoid("", 2));
    assert_eq!(run(&place, "cp walk.bvh $'lib/caf\\xe9.bvh'").0, Some(0));
    let (code, text) = run(&place, "$REBONE batch lib -t hero.bvh -o out");
    assert!(code == Some(0) && text.contains("2 made"), "{text}");
    let (code, text) = run(&place, "$REBONE batch lib -t hero.bvh -o out --one-file");
    assert!(code == Some(2) && !text.contains('\u{fffd}'), "{text}");
    assert!(text.contains("lib/caf%E9.bvh, a name that is not UTF-8,"), "{text}");
}

/// Files that a batch would not replace are named before any work, and replaced where that is wanted.
#[test]
fn files_of_people_are_refused_unless_the_command_line_says_so() {
    let place = Place::new();
    std::fs::create_dir(place.path("out")).unwrap();
    place.write("out/walk.bvh", "my notes");
    let line = "$REBONE batch walk.bvh -t hero.bvh -o out";
    let (code, text) = run(&place, line);
    assert!(
        code == Some(1) && text.contains("out/walk.bvh is a file of another program"),
        "{text}"
    );
    assert_eq!(place.read("out/walk.bvh"), "my notes");
    assert_eq!(run(&place, &format!("{line} --overwrite")).0, Some(0));
    place.write("out/hero.glb", "my rig");
    let (code, text) = run(&place, &format!("{line} --one-file"));
    assert!(code == Some(2) && text.contains("out/hero.glb is a file"), "{text}");
    place.write("out/manifest.jsonl", "my notes");
    let (code, text) = run(&place, line);
    assert!(code == Some(2) && text.contains("is no manifest of a batch"), "{text}");
}

#[test]
fn a_dry_run_names_all_that_would_be_pruned() {
    let place = Place::new();
    std::fs::create_dir(place.path("lib")).unwrap();
    for name in ["a", "b", "c", "d", "e"] {
        place.write(&format!("lib/{name}.bvh"), &humanoid("", 2));
    }
    assert_eq!(run(&place, "$REBONE batch lib -t hero.bvh -o out --preview out").0, Some(0));
    let (code, text) =
        run(&place, "$REBONE batch lib/a.bvh -t hero.bvh -o out --preview out --prune --dry-run");
    let names = ["b", "c", "d", "e"].map(|name| [format!("{name}.bvh"), format!("{name}.png")]);
    let names = names.as_flattened();
    assert!(code == Some(0) && names.iter().all(|name| text.contains(&**name)), "{text}");
}
