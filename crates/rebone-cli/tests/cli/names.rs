//! Names that are no plain text: control characters, other encodings, Unicode in two forms.

use crate::support::{Place, humanoid, report_data};

/// Names of joints and files, texts of cards, words of the command line.
#[test]
fn no_control_character_of_a_name_reaches_the_terminal() {
    let place = Place::new();
    let evil = "\u{1b}[31;5mEVIL\u{7}\u{9b}2J";
    place.write("evil.bvh", &humanoid("", 2).replace("Neck", evil).replace("LeftToeBase", evil));
    place.write("evil.toml", "[roles]\nhead = \"\\u001b[31;5mEVIL\\u0007\\u009b2J\"\n");
    place.write("\u{1b}]0;title\u{7}.bvh", &humanoid("", 2));
    place.write("two\nerror: lines.bvh", "");
    let lines: [&[&str]; 10] = [
        &["inspect", "evil.bvh", "-v"],
        &["inspect", "evil.bvh", "--json"],
        &["retarget", "evil.bvh", "hero.bvh", "-o", "out.bvh", "-v"],
        &["retarget", "walk.bvh", "evil.bvh", "-o", "out.bvh", "-v"],
        &["inspect", "walk.bvh", "--card", "evil.toml"],
        &["inspect", "\u{1b}]0;title\u{7}.bvh"],
        &["doctor", "evil.bvh", "\u{1b}]0;title\u{7}.bvh"],
        &["doctor", "\u{1b}[5mmissing"],
        &["preview", "\u{1b}]0;title\u{7}.bvh", "-o", "\u{1b}c.png"],
        &["inspect", "a", "b", "\u{1b}[5mc"],
    ];
    for words in lines {
        let mut command = place.command();
        let run = command.args(words).env("CLICOLOR_FORCE", "1").output().unwrap();
        let text = [run.stdout, run.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        for code in ["\u{1b}[31;5m", "\u{7}", "\u{9b}", "\u{1b}]", "\u{1b}c", "\u{1b}[5m"] {
            assert!(!text.contains(code), "{words:?}: {text:?}");
        }
        // Readers replace control characters of joints already.
        let shown = ["\\u{1b}", "\\u001b", "\u{fffd}"].iter().any(|code| text.contains(code));
        assert!(shown || text.starts_with("error: unexpected argument"), "{words:?}: {text:?}");
    }
    let run = place.command().args(["inspect", "two\nerror: lines.bvh"]).output().unwrap();
    assert!(!run.status.success());
}

#[cfg(target_os = "linux")]
#[test]
fn sources_and_targets_need_no_text_as_names_and_unicode_has_two_forms() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let [composed, decomposed] = ["caf\u{e9}.bvh", "cafe\u{301}.bvh"].map(OsStr::new);
    let [latin, target] = [b"caf\xe9.bvh", b"h\xe9ro.bvh"].map(|name| OsStr::from_bytes(name));
    std::fs::copy(place.path("walk.bvh"), place.path("").join(latin)).unwrap();
    std::fs::copy(place.path("hero.bvh"), place.path("").join(target)).unwrap();
    std::fs::copy(place.path("walk.bvh"), place.path("").join(composed)).unwrap();
    let run = |words: &[&OsStr]| place.run_words(words);
    let [retarget, output, card, report] =
        ["retarget", "-o", "--target-card", "--report"].map(OsStr::new);
    let names = [b"c\xe9.toml".as_slice(), b"r\xe9.json"].map(OsStr::from_bytes);
    run(&[OsStr::new("card"), target, output, names[0]]).succeeds();
    run(&[retarget, latin, target, output, decomposed, card, names[0], report, names[1]])
        .succeeds();
    run(&[retarget, composed, OsStr::new("hero.bvh"), output, OsStr::new("out.bvh")]).succeeds();
    let read = |name: &OsStr| std::fs::read(place.path("").join(name)).unwrap();
    assert_eq!(read(decomposed), read(OsStr::new("out.bvh")));
    assert_eq!(read(composed), read(latin));
    // A name in the other form is another file, not the input.
    run(&[retarget, decomposed, OsStr::new("hero.bvh"), output, composed]).succeeds();
    run(&[retarget, decomposed, OsStr::new("hero.bvh"), output, decomposed])
        .fails(2, &["an input is never changed"]);
}

/// Clips, rigs and folders whose names are not UTF-8, or differ by their Unicode form only, have results, cards and rows of
/// their own.
#[cfg(target_os = "linux")]
#[test]
fn batches_and_reports_keep_names_apart_byte_by_byte() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let path = |name: &[u8]| place.path("").join(OsStr::from_bytes(name));
    let names: [&[u8]; 5] =
        [b"caf\xc3\xa9", b"cafe\xcc\x81", b"caf\xe9", b"caf\xe8", b"s\xff/caf\xe9"];
    std::fs::create_dir_all(path(b"lib/s\xff")).unwrap();
    for (k, name) in names.iter().enumerate() {
        // The second one is of another rig class.
        let text = humanoid(if k == 1 { "alt:" } else { "" }, 11 + k);
        std::fs::write(path(&[b"lib/", *name, b".bvh"].concat()), text).unwrap();
    }
    std::fs::copy(place.path("hero.bvh"), path(b"h\xe9ro.bvh")).unwrap();
    let run = |words: &[&[u8]]| {
        place.run_words(&words.iter().map(|word| OsStr::from_bytes(word)).collect::<Vec<_>>())
    };
    let batch: [&[u8]; 6] = [b"batch", b"lib", b"-t", b"h\xe9ro.bvh", b"-o", b"out\xff"];
    run(&batch).succeeds();
    let has_results = |folder: &[u8]| {
        names.iter().enumerate().all(|(k, name)| {
            let text = std::fs::read_to_string(path(&[folder, *name, b".bvh"].concat())).unwrap();
            text.contains(&format!("Frames: {}\n", 11 + k))
        })
    };
    assert!(has_results(b"out\xff/"));
    for card in ["caf\u{e9}.toml", "cafe\u{301}.toml"] {
        assert!(path(b"out\xff/cards").join(card).is_file(), "{card}");
    }
    let again = run(&batch);
    again.succeeds();
    assert!(again.stdout.contains("0 made, 5 up to date"), "{again:?}");
    // The page has a row for each, and reads all of their files.
    run(&[b"report", b"out\xff", b"-o", b"page.html"]).succeeds();
    let page = place.read("page.html");
    let data = report_data(&page);
    let rows = data["clips"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["error"].is_null() && row["score"].is_number()), "{rows:?}");
    let mut shown: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    shown.sort();
    let mut expected = ["caf\u{e9}", "cafe\u{301}", "caf%E9", "caf%E8", "s%FF/caf%E9"];
    expected.sort();
    assert_eq!(shown, expected);
    // Patterns, rules, single files and merged files.
    std::fs::write(place.path("rules.toml"), "[[clips]]\nfiles = 's*/*'\nframes = '..2'\n")
        .unwrap();
    run(&[b"batch", b"lib/**/*.bvh", b"-t", b"hero.bvh", b"-o", b"by-pattern"]).succeeds();
    assert!(has_results(b"by-pattern/"));
    run(&[b"batch", b"lib", b"-t", b"hero.bvh", b"-o", b"cut", b"--options", b"rules.toml"])
        .succeeds();
    assert!(
        std::fs::read_to_string(path(b"cut/s\xff/caf\xe9.bvh")).unwrap().contains("Frames: 2\n")
    );
    run(&[b"batch", b"lib/caf\xe9.bvh", b"-t", b"hero.bvh", b"-o", b"one"]).succeeds();
    assert!(path(b"one/caf\xe9.bvh").is_file());
    let merged = run(&[&batch[..4], &[b"-o", b"merged", b"--one-file"]].concat());
    merged.succeeds();
    assert!(merged.stdout.contains("5  animations"), "{merged:?}");
    std::fs::remove_file(path(b"lib/caf\xe9.bvh")).unwrap();
    run(&[&batch[..], &[b"--prune"]].concat()).succeeds();
    assert!(!path(b"out\xff/caf\xe9.bvh").exists() && path(b"out\xff/caf\xe8.bvh").exists());
}

/// Results that differ by case alone are refused on each system: elsewhere they would be one file.
#[cfg(target_os = "linux")]
#[test]
fn names_that_differ_by_case_are_refused_with_both() {
    let place = Place::new();
    std::fs::create_dir(place.path("lib")).unwrap();
    for name in ["A", "a"] {
        place.write(&format!("lib/{name}.bvh"), &humanoid("", 2));
    }
    place
        .run("batch lib -t hero.bvh -o out")
        .fails(2, &["lib/A.bvh and lib/a.bvh", "case does not count"]);
    assert!(!place.path("out").exists());
}

/// glTF, as BVH, may come through a pipe, which is read once; `-` is standard input.
#[cfg(target_os = "linux")]
#[test]
fn each_format_is_read_from_standard_input() {
    let place = Place::new();
    place.run("retarget walk.bvh hero.bvh -o walk.glb --animation walk").succeeds();
    for (file, stdin) in [("walk.bvh", "-"), ("walk.glb", "-"), ("walk.glb", "/dev/stdin")] {
        let input = std::fs::File::open(place.path(file)).unwrap();
        let mut cat = std::process::Command::new("cat");
        let mut cat = cat.stdin(input).stdout(std::process::Stdio::piped()).spawn().unwrap();
        let mut command = place.command();
        command.args(["retarget", stdin, "hero.bvh", "-o", "out.bvh"]);
        let run = command.stdin(cat.stdout.take().unwrap()).output().unwrap();
        assert!(run.status.success(), "{file}: {}", String::from_utf8_lossy(&run.stderr));
        assert!(place.read("out.bvh").contains("Frames: 3\n"), "{file}");
        cat.wait().unwrap();
    }
}
