//! The report of a batch: what it reads, and what it says of files that changed.

use crate::support::{Place, humanoid, report_data, with_leading_pose};

/// Three results, so that a line that is refused leaves others.
fn batch() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path("lib")).unwrap();
    for (name, frames) in [("a", 30), ("b", 40), ("c", 50)] {
        place.write(&format!("lib/{name}.bvh"), &humanoid("", frames));
    }
    place.run("batch lib -t hero.bvh -o out").succeeds();
    place
}

#[test]
fn files_that_changed_since_are_named() {
    let place = batch();
    place.run("report out -o page.html").succeeds();
    assert!(!place.read("page.html").contains("changed since the batch:"));
    place.write("lib/a.bvh", &humanoid("", 31));
    let result = place.read("out/b.bvh");
    place.write("out/b.bvh", &(result + "\n"));
    let run = place.run("report out -o page.html");
    run.succeeds();
    assert!(run.stderr.contains("2 of 3 results cannot be compared"), "{run:?}");
    let page = place.read("page.html");
    assert!(page.contains("changed since the batch: lib/a.bvh;"));
    assert!(page.contains("changed since the batch: out/b.bvh;"));
    let card = place.read("out/cards/hero.toml");
    place.write("out/cards/hero.toml", &(card + "# looked at\n"));
    let run = place.run("report out -o page.html");
    run.fails(1, &["changed since the batch:", "out/cards/hero.toml"]);
}

#[test]
fn nothing_outside_the_folders_of_the_batch_is_read() {
    let place = batch();
    let manifest = place.read("out/manifest.jsonl");
    let secret = tempfile::tempdir().unwrap();
    let secret = secret.path().join("passwd");
    std::fs::write(&secret, "root:x:0").unwrap();
    let secret = secret.to_str().unwrap();
    let up = "../../../../../../../../..";
    for (named, evil) in [
        ("lib/a.bvh", format!("{up}{secret}")),
        ("lib/a.bvh", secret.to_owned()),
        ("\"a.bvh", format!("\"{up}{secret}")),
        ("cards/a.toml", format!("{up}{secret}")),
    ] {
        let mut lines: Vec<String> = manifest.lines().map(str::to_owned).collect();
        lines[0] = lines[0].replacen(named, &evil, 1);
        place.write("out/manifest.jsonl", &(lines.join("\n") + "\n"));
        let run = place.run("report out -o page.html");
        run.succeeds();
        let page = place.read("page.html");
        assert!(page.contains("not read"), "{named}: {run:?}");
        assert!(!page.contains("root:x"));
    }
}

/// Grades are those of the manifest: no file is compared.
#[test]
fn results_are_listed_by_grade_as_paths_or_a_table() {
    let place = batch();
    place.write("lib/bad, \"odd\".bvh", "HIERARCHY\nROOT x\n{\n  OFFSET 0 0 zero\n");
    place.run("batch lib -t hero.bvh -o out");
    let run = place.run("report out --list PASS,LOOK,FAIL");
    run.succeeds();
    assert_eq!(run.stdout, "out/a.bvh\nout/b.bvh\nout/c.bvh\n");
    let grades: Vec<&str> = ["pass", "look", "fail"]
        .into_iter()
        .filter(|word| {
            place.run(&format!("report out --list {word}")).stdout.contains("out/a.bvh\n")
        })
        .collect();
    assert_eq!(grades.len(), 1, "a result has one grade: {grades:?}");
    let run = place.run("report out/manifest.jsonl --list NONE");
    run.succeeds();
    assert_eq!(run.stdout, "lib/bad, \"odd\".bvh\n");
    place.write(
        "out/review.jsonl",
        "{\"name\":\"b.bvh\",\"mark\":\"flagged\",\"note\":\"arm, left\"}\n",
    );
    std::fs::remove_file(place.path("out/c.bvh")).unwrap();
    place.run("report out --csv all.csv").succeeds();
    let table = place.read("all.csv");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(
        rows[0],
        "path,clip,part,target,grade,score,frames,reason,defects,confidence,error,mark,note"
    );
    assert_eq!(rows.len(), 5);
    assert!(rows[1].starts_with("out/a.bvh,lib/a.bvh,,hero.bvh,"), "{}", rows[1]);
    assert!(rows[2].ends_with(",flagged,\"arm, left\""), "{}", rows[2]);
    let bad = "\"lib/bad, \"\"odd\"\".bvh\",\"lib/bad, \"\"odd\"\".bvh\",,hero.bvh,NONE,,,,,,\"line 4: found \"\"zero\"\", expected a number\",,";
    assert_eq!(rows[3], bad);
    assert!(
        rows[4].starts_with("lib/c.bvh,lib/c.bvh,,hero.bvh,NONE,,,,,,out/c.bvh is missing"),
        "{}",
        rows[4]
    );
    place.run("report out --list none --csv none.csv").succeeds();
    assert_eq!(place.read("none.csv").lines().count(), 3);
    place.run("batch lib -t hero.bvh -t walk.bvh -o two");
    assert_eq!(place.run("report two --list NONE").stdout, "lib/bad, \"odd\".bvh\n");
    place.run("report out --list GOOD").fails(2, &["PASS, LOOK, FAIL, NONE"]);
    place.run("report out").fails(2, &["--output"]);
    place.run("report out --list PASS -o page.html").fails(2, &["cannot be used with"]);
    place.run("report out --csv new.bvh").fails(2, &["name it new.csv"]);
    place.run("report out --csv lib/a.bvh").fails(2, &["an input is never changed"]);
}

#[test]
fn a_page_has_marks_of_the_review_durations_and_leading_poses() {
    let place = batch();
    place.write("lib/t.bvh", &with_leading_pose(40));
    place.write("lib/bad.bvh", "HIERARCHY\nROOT x\n{\n  OFFSET 0 0 zero\n");
    place.run("batch lib -t hero.bvh -o out");
    place.write("out/review.jsonl", "{\"name\":\"a.bvh\",\"mark\":\"accepted\"}\n");
    place.run("report out -o page.html").succeeds();
    let data = report_data(&place.read("page.html"));
    assert_eq!(data["page"]["folder"], "out");
    let of = |name: &str| {
        let clips = data["clips"].as_array().unwrap();
        clips.iter().find(|clip| clip["name"] == name).unwrap().clone()
    };
    assert_eq!(of("a")["mark"], "accepted");
    assert!(of("b")["mark"].is_null());
    assert!((of("a")["seconds"].as_f64().unwrap() - 1.0).abs() < 0.01, "{}", of("a"));
    assert_eq!(of("t")["leading_pose"], true);
    assert!(of("a")["leading_pose"].is_null());
    assert_eq!(of("bad")["error"], "line 4: found \"zero\", expected a number");
    place.write("out/review.jsonl", "no review\n");
    let run = place.run("report out -o page.html");
    run.succeeds();
    assert!(run.stderr.contains("review.jsonl: line 1: "), "{run:?}");
}

#[test]
fn a_page_details_all_results_in_less_than_30_kilobytes_each() {
    let place = Place::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
    place.write("long.bvh", &humanoid("", 3000));
    let rigs = format!("-t {data}/rigs/toy-a-pose.bvh -t {data}/rigs/seven-spine.bvh");
    place.run(&format!("batch {data}/clips long.bvh {rigs} -o out")).succeeds();
    place.run("report out -o page.html").succeeds();
    let page = place.read("page.html");
    assert!(page.len() < 14 * 30_000, "{} bytes", page.len());
    let data = report_data(&page);
    let clips = data["clips"].as_array().unwrap();
    assert_eq!(clips.len(), 14);
    let (_, blocks) = page.split_once("id=\"block-0\">").unwrap();
    let lines: Vec<&str> = blocks.split_once('<').unwrap().0.lines().collect();
    assert!(lines.len() == 14 && lines.iter().all(|line| line.len() < 30_000));
    for (index, clip) in clips.iter().enumerate() {
        assert_eq!(clip["place"], serde_json::json!([0, index]));
        let metrics = data["page"]["metrics"].as_array().unwrap().len();
        assert_eq!(clip["values"].as_array().unwrap().len(), metrics);
        assert!(clip["score"].is_number());
    }
    let run = place.run_with("report out -o again.html", &[("RAYON_NUM_THREADS", "1")]);
    run.succeeds();
    assert_eq!(place.read("again.html"), page);
}

#[test]
fn a_page_holds_the_mesh_of_each_rig_once_and_results_stay_small() {
    let place = Place::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
    let rigs =
        format!("-t {data}/characters/person.glb -t {data}/characters/avatar.vrm -t hero.bvh");
    place
        .run(&format!("batch {data}/clips/walk.bvh {data}/clips/wave.bvh {rigs} -o out"))
        .succeeds();
    place
        .run(&format!(
            "batch out/walk-person.glb -t {data}/characters/person.glb -o bvh --format bvh"
        ))
        .succeeds();
    place.run("report out -o page.html").succeeds();
    let page = place.read("page.html");
    let clips = report_data(&page)["clips"].clone();
    let (_, blocks) = page.split_once("id=\"block-0\">").unwrap();
    let lines: Vec<&str> = blocks.split_once('<').unwrap().0.lines().collect();
    assert_eq!(lines.len(), 6 + 2, "results and meshes");
    let mut rigs = std::collections::BTreeMap::new();
    for clip in clips.as_array().unwrap() {
        let target = clip["target"].as_str().unwrap();
        let line = clip["place"][1].as_u64().unwrap() as usize;
        assert!(lines[line].len() < 30_000, "{} characters of {clip}", lines[line].len());
        if target.ends_with(".bvh") {
            assert!(clip["meshes"].is_null(), "{clip}");
            continue;
        }
        assert!(clip["meshes"][0].is_null(), "the source is a BVH");
        let mesh = clip["meshes"][1][1].as_u64().unwrap() as usize;
        assert!((1_000..150_000).contains(&lines[mesh].len()));
        assert_eq!(*rigs.entry(target.to_owned()).or_insert(mesh), mesh, "one for all its results");
    }
    assert_eq!(rigs.len(), 2);
    let run = place.run_with("report out -o again.html", &[("RAYON_NUM_THREADS", "1")]);
    run.succeeds();
    assert_eq!(place.read("again.html"), page);
    // A result without mesh takes that of its rig; source and result of one character share theirs.
    place.run("report bvh -o bvh.html").succeeds();
    let meshes = report_data(&place.read("bvh.html"))["clips"][0]["meshes"].clone();
    assert!(meshes[0] == meshes[1] && meshes[0].is_array(), "{meshes}");
}
