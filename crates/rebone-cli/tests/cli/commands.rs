//! What the subcommands write and print when all is well.

use crate::support::{Place, is_png};

/// The JSON on standard output.
fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn retarget_writes_clip_report_and_picture_and_says_so() {
    let place = Place::new();
    place.write("out.bvh", "HIERARCHY of an old result, to be replaced");
    let run = place.run(
        "retarget walk.bvh hero.bvh -o out.bvh --preview out.png --report out.json --decimals 4",
    );
    run.succeeds();
    assert_eq!(run.stderr, "");
    assert!(run.stdout.lines().count() <= 5, "{}", run.stdout);
    for text in ["walk.bvh", "hero.bvh", "out.bvh", "out.png", "out.json"] {
        assert!(run.stdout.contains(text), "no {text} in {}", run.stdout);
    }
    let clip = place.read("out.bvh");
    let hierarchy = |text: &str| text.split("MOTION").next().unwrap().to_owned();
    assert_eq!(hierarchy(&clip), hierarchy(&place.read("hero.bvh")));
    assert!(clip.contains("Frames: 3\n"));
    let last: Vec<&str> = clip.lines().last().unwrap().split(' ').collect();
    assert!(last.iter().all(|number| number.split('.').nth(1).is_none_or(|d| d.len() <= 4)));
    assert!(is_png(&place.path("out.png")));
    assert!(json(&place.read("out.json"))["target"].is_object());
    assert_eq!(place.files(), ["hero.bvh", "out.bvh", "out.json", "out.png", "walk.bvh"]);
}

#[test]
fn frames_are_cut_before_the_retarget() {
    let place = Place::new();
    place.run("retarget walk.bvh hero.bvh -o out.bvh --frames 1..").succeeds();
    assert!(place.read("out.bvh").contains("Frames: 2\n"));
    place.run("retarget walk.bvh hero.bvh -o one.bvh --frames 2..9").succeeds();
    assert_eq!(place.read("one.bvh").lines().last(), place.read("out.bvh").lines().last());
}

#[test]
fn quiet_says_nothing_and_json_says_one_object() {
    let place = Place::new();
    let run = place.run("-q retarget walk.bvh hero.bvh -o out.bvh");
    run.succeeds();
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    for line in [
        "retarget walk.bvh hero.bvh -o out.bvh --json",
        "inspect walk.bvh --json",
        "card walk.bvh --json",
        "preview walk.bvh -o out.png --json",
    ] {
        let run = place.run(line);
        run.succeeds();
        assert!(json(&run.stdout).is_object(), "{line}: {}", run.stdout);
    }
}

#[test]
fn colour_is_for_terminals_and_never_with_no_color() {
    let place = Place::new();
    let coloured = |variables: &[(&str, &str)]| {
        let good = place.run_with("inspect walk.bvh", variables);
        let bad = place.run_with("inspect missing.bvh", variables);
        assert_eq!((good.code, bad.code), (0, 1));
        [good.stdout.contains('\x1b'), bad.stderr.contains('\x1b')]
    };
    assert_eq!(coloured(&[]), [false; 2]);
    assert_eq!(coloured(&[("CLICOLOR_FORCE", "1")]), [true; 2]);
    assert_eq!(coloured(&[("NO_COLOR", "1")]), [false; 2]);
}

#[test]
fn completions_and_help_are_printed() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = place.run(&format!("completions {shell}"));
        run.succeeds();
        assert!(run.stdout.contains("retarget") && run.stdout.contains("pose-from"), "{shell}");
    }
    let help = place.run("retarget --help");
    help.succeeds();
    for text in ["Examples:", "--limbs", "--accept-guesses", "[target=]AXIS"] {
        assert!(help.stdout.contains(text), "no {text} in {}", help.stdout);
    }
    assert!(place.run("--help").stdout.contains("Exit codes:"));
}

#[test]
fn the_demo_leaves_five_files_and_can_be_repeated_by_hand() {
    let place = Place::new();
    let run = place.run("demo here");
    run.succeeds();
    let files = ["result.png", "result.json", "result.bvh", "walk.bvh", "twist-zup-cm.bvh"];
    let files = files.map(|name| format!("here/demo-{name}"));
    for file in &files {
        assert!(place.path(file).is_file(), "{file}");
    }
    let line = run.stdout.lines().find_map(|line| line.strip_prefix("$ rebone ")).unwrap();
    let before = files.each_ref().map(|file| std::fs::read(place.path(file)).unwrap());
    place.run(line).succeeds();
    assert!(before == files.each_ref().map(|file| std::fs::read(place.path(file)).unwrap()));
}
