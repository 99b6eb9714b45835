//! Outputs at paths that hold files of other kinds, or leftovers of killed runs.

use crate::support::{Place, is_png};

/// A command, with the file that it writes, and a file of its kind.
const WRITES: [(&str, &str); 10] = [
    ("retarget walk.bvh hero.bvh -o x.bvh", "x.bvh"),
    ("retarget walk.bvh hero.bvh -o x.glb", "x.glb"),
    ("retarget walk.bvh hero.bvh -o ok.bvh --preview x.png", "x.png"),
    ("retarget walk.bvh hero.bvh -o ok.bvh --report x.json", "x.json"),
    ("card walk.bvh -o x.toml", "x.toml"),
    ("card walk.bvh -o ok.toml --write-pose x.bvh", "x.bvh"),
    ("export walk.bvh hero.bvh -o x.json", "x.json"),
    ("check walk.bvh walk.bvh --csv x.csv", "x.csv"),
    ("preview walk.bvh -o x.png", "x.png"),
    ("doctor walk.bvh --fix -o x.bvh", "x.bvh"),
];

#[test]
fn a_file_of_another_kind_is_replaced_only_with_overwrite() {
    let motion = Place::new().read("hero.bvh");
    let kinds: [(&str, &[u8]); 5] = [
        ("a BVH motion file", motion.as_bytes()),
        ("a binary glTF", b"glTF\x02\0\0\0\x0c\0\0\0"),
        ("an FBX file", b"; FBX 7.4.0 project file\n"),
        ("a PNG picture", b"\x89PNG\r\n\x1a\n"),
        ("a file of another program", b"my thesis\n"),
    ];
    for (line, output) in WRITES {
        let place = Place::new();
        place.run(line).succeeds();
        // An existing file of the same kind is replaced.
        place.run(line).succeeds();
        let own = std::fs::read(place.path(output)).unwrap();
        for (said, bytes) in kinds {
            let is_same = own.starts_with(&bytes[..4]);
            std::fs::write(place.path(output), bytes).unwrap();
            let run = place.run(line);
            if is_same {
                run.succeeds();
                continue;
            }
            run.fails(2, &[&format!("{output} is {said}"), "--overwrite"]);
            assert_eq!(std::fs::read(place.path(output)).unwrap(), bytes, "{line}");
            place.run(&format!("{line} --overwrite")).succeeds();
            assert_eq!(std::fs::read(place.path(output)).unwrap(), own, "{line}");
        }
    }
}

#[test]
fn empty_files_and_cards_of_comments_are_replaced() {
    let place = Place::new();
    place.write("x.png", "");
    place.run("preview walk.bvh -o x.png").succeeds();
    assert!(is_png(&place.path("x.png")));
    place.write("x.toml", "# mine\n");
    place.run("card walk.bvh -o x.toml").succeeds();
    assert!(place.read("x.toml").len() > 100);
}

/// Reports, contacts, paths, tables, manifests and the files of other programs are all JSON.
#[test]
fn json_and_html_of_other_programs_are_kept() {
    let place = Place::new();
    let lines = [
        ("retarget walk.bvh hero.bvh -o ok.bvh --report", "x.json"),
        ("retarget walk.bvh hero.bvh -o ok.bvh --write-contacts", "x.json"),
        ("retarget walk.bvh hero.bvh -o ok.bvh --root-path", "x.json"),
        ("export walk.bvh hero.bvh -o", "x.json"),
    ];
    for (line, output) in lines {
        for foreign in ["{\"name\": \"mine\"}", "{\"input\":\"a.bvh\"}\n", "{\"contacts\": {}}"] {
            place.write(output, foreign);
            place.run(&format!("{line} {output}")).fails(2, &["a JSON file", "--overwrite"]);
            assert_eq!(place.read(output), foreign, "{line}");
        }
        place.run(&format!("{line} {output} --overwrite")).succeeds();
        place.run(&format!("{line} {output}")).succeeds();
    }
    place.run("batch walk.bvh -t hero.bvh -o out").succeeds();
    place.write("page.html", "<!doctype html><title>mine</title>");
    place.run("report out/manifest.jsonl -o page.html").fails(2, &["page.html is", "--overwrite"]);
    place.run("report out/manifest.jsonl -o page.html --overwrite").succeeds();
    place.run("report out/manifest.jsonl -o page.html").succeeds();
}

#[test]
fn contacts_that_were_corrected_by_hand_are_kept() {
    let place = Place::new();
    let line = "retarget walk.bvh hero.bvh -o ok.bvh --write-contacts w.json";
    place.run(line).succeeds();
    place.run(line).succeeds();
    let corrected = place.read("w.json").replacen(']', " ]", 1);
    place.write("w.json", &corrected);
    place.run(line).fails(2, &["w.json holds other contacts", "--contacts-from", "--overwrite"]);
    assert_eq!(place.read("w.json"), corrected);
    place.run(&format!("{line} --overwrite")).succeeds();
}

#[test]
fn the_demo_replaces_no_file_of_another_kind() {
    let place = Place::new();
    place.run("demo").succeeds();
    place.run("demo").succeeds();
    place.write("rebone-demo/demo-result.png", &place.read("hero.bvh"));
    place.run("demo").fails(2, &["demo-result.png is a BVH motion file"]);
    place.run("demo --overwrite").succeeds();
    assert!(is_png(&place.path("rebone-demo/demo-result.png")));
}

#[test]
fn overwrite_without_an_output_is_refused() {
    let place = Place::new();
    for line in [
        "inspect walk.bvh --overwrite",
        "check walk.bvh walk.bvh --overwrite",
        "doctor walk.bvh --overwrite",
        "card walk.bvh --overwrite",
    ] {
        place.run(line).fails(2, &["--"]);
    }
}

/// Temporary files of a killed run are removed by the next run with the same output.
#[cfg(target_os = "linux")]
#[test]
fn leftovers_of_a_killed_run_are_removed() {
    let place = Place::new();
    let long = crate::support::humanoid("", 20_000);
    place.write("long.bvh", &long);
    let mut run = place.start("retarget long.bvh hero.bvh -o out.bvh --contacts off");
    let has_begun = || {
        let mut hidden = place.files().into_iter().filter(|name| name.starts_with(".rebone-"));
        hidden.any(|name| std::fs::metadata(place.path(&name)).is_ok_and(|file| file.len() > 0))
    };
    while !has_begun() {
        assert_eq!(run.try_wait().unwrap(), None, "nothing was left in time");
        std::thread::yield_now();
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let left = place.files();
    assert!(left.iter().any(|name| name.starts_with(".rebone-")), "{left:?}");
    place.run("retarget walk.bvh hero.bvh -o other.bvh").succeeds();
    assert!(place.files().iter().any(|name| name.starts_with(".rebone-")));
    place.run("retarget walk.bvh hero.bvh -o out.bvh").succeeds();
    assert_eq!(place.files(), ["hero.bvh", "long.bvh", "other.bvh", "out.bvh", "walk.bvh"]);
}

#[test]
fn extensions_of_other_kinds_are_refused() {
    let place = Place::new();
    let before = place.files();
    for (line, said) in [
        (
            "retarget walk.bvh hero.bvh -o o.bvh --preview o.jpg",
            "a PNG picture as o.jpg: name it o.png",
        ),
        ("preview walk.bvh -o o.BVH", "name it o.png"),
        ("preview walk.bvh -o o.pdf", "name it o.png"),
        ("retarget walk.bvh hero.bvh -o o.bvh --card target=h.toml", "--target-card h.toml"),
        ("export walk.bvh hero.bvh -o o.bvh", "a rotation table in JSON as o.bvh: name it o.json"),
        ("card walk.bvh -o card.bvh", "name it card.toml"),
        ("card walk.bvh -o card.bvh --overwrite", "name it card.toml"),
        ("retarget walk.bvh hero.bvh -o o.bvh --report o.png", "name it o.json"),
        ("retarget walk.bvh hero.bvh -o o.bvh --preview o.bvh", "both outputs are o.bvh"),
        ("retarget walk.bvh . -o o.bvh", ". is a folder: retarget takes one target"),
    ] {
        place.run(line).fails(2, &[said]);
    }
    assert_eq!(place.files(), before);
    place.run("preview walk.bvh -o walk.picture").succeeds();
}

#[test]
fn an_animation_that_a_result_replaces_is_named() {
    let place = Place::new();
    let run = place.run("retarget walk.bvh hero.bvh -o first.glb");
    run.succeeds();
    assert!(!run.stderr.contains("is not kept"), "{}", run.stderr);
    let run = place.run("retarget walk.bvh first.glb -o second.glb --accept-guesses");
    run.succeeds();
    assert!(
        run.stderr.contains("the animation \"walk\" of first.glb is not kept"),
        "{}",
        run.stderr
    );
    for other in
        ["-o third.glb --animation stroll", "-o third.bvh", "-o alone.glb --animation-only"]
    {
        let run = place.run(&format!("retarget walk.bvh first.glb {other} --accept-guesses"));
        run.succeeds();
        assert!(!run.stderr.contains("is not kept"), "{other}: {}", run.stderr);
    }
}
