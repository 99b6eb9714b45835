//! Root motion, travel, rates, and the verdicts of runs.

use crate::support::Place;
use serde_json::Value;

/// A walk and two rigs: one whose root lies on the floor, one without.
fn with_rigs() -> Place {
    let place = Place::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/");
    let files = [
        ("walk.bvh", "clips/walk.bvh"),
        ("ground.bvh", "rigs/ground-root.bvh"),
        ("toy.bvh", "rigs/toy-a-pose.bvh"),
    ];
    for (name, file) in files {
        std::fs::copy(format!("{data}{file}"), place.path(name)).unwrap();
    }
    place
}

fn score(run: &str) -> f64 {
    let verdict: Value = serde_json::from_str(run).unwrap();
    verdict["score"].as_f64().unwrap()
}

#[test]
fn only_a_rig_with_a_root_bone_carries_its_way_there() {
    let place = with_rigs();
    let run = place.run("retarget walk.bvh ground.bvh -o a.bvh --root root-bone");
    run.succeeds();
    assert!(run.stdout.contains("verdict  PASS, score 0.9"), "{}", run.stdout);
    assert!(score(&place.run("check walk.bvh a.bvh --json").stdout) > 0.9);
    let run = place.run("retarget walk.bvh toy.bvh -o b.bvh --root root-bone");
    run.fails(
        2,
        &[
            "toy.bvh, hip, which moves the body, has no root bone above it",
            "--add-root adds one",
            "--root-path writes the path of any rig",
        ],
    );
    assert!(!place.path("b.bvh").exists());
    place.run("retarget walk.bvh toy.bvh -o b.bvh --root in-place").succeeds();
    let run = place.run("check walk.bvh b.bvh");
    assert!(run.stdout.contains("stays in place"), "{}", run.stdout);
}

#[test]
fn a_root_bone_is_added_where_a_rig_has_none() {
    let place = with_rigs();
    place.run("retarget walk.bvh toy.bvh -o rig.glb").succeeds();
    let plain = score(&place.run("check walk.bvh rig.glb --json").stdout);
    for (rig, result) in [("toy.bvh", "a.bvh"), ("toy.bvh", "a.glb"), ("rig.glb", "b.glb")] {
        let line = format!("retarget walk.bvh {rig} -o {result} --root root-bone --add-root");
        let name = if result.ends_with(".bvh") { "" } else { " --animation walk" };
        place.run(&format!("{line}{name}")).succeeds();
        let own = score(&place.run(&format!("check walk.bvh {result} --json")).stdout);
        assert!((own - plain).abs() < 0.02, "{rig} {result}: {own}, without a root bone {plain}");
    }
    let text = place.read("a.bvh");
    assert!(text.starts_with("HIERARCHY\nROOT root\n"), "{}", &text[..200]);
    assert!(text.contains("\tJOINT hip\n"), "{}", &text[..400]);
    let line = "retarget walk.bvh rig.glb -o walk.vrma --root root-bone --add-root";
    place.run(line).fails(2, &["a .vrma has no joint above the hips"]);
    let text =
        place.read("toy.bvh").replacen("CHANNELS 6 Xposition Yposition Zposition", "CHANNELS 3", 1);
    let (hierarchy, _) = text.split_once("MOTION").unwrap();
    let numbers = "0 ".repeat(3 * hierarchy.matches("CHANNELS").count());
    place
        .write("fixed.bvh", &format!("{hierarchy}MOTION\nFrames: 1\nFrame Time: 0.1\n{numbers}\n"));
    let run = place.run("retarget walk.bvh fixed.bvh -o c.bvh --root root-bone --add-root");
    run.fails(2, &["fixed.bvh, hip, which moves the body, cannot be moved and turned freely"]);
    std::fs::create_dir(place.path("lib")).unwrap();
    place.write("lib/walk.bvh", &place.read("walk.bvh"));
    let line = "batch lib -t rig.glb -o out --root root-bone --add-root";
    place.run(line).succeeds();
    place.run(&format!("{} --one-file", line.replace("out", "merged"))).succeeds();
}

#[test]
fn the_root_path_is_written_for_any_rig() {
    let place = with_rigs();
    for root in ["world", "in-place"] {
        let line =
            format!("retarget walk.bvh toy.bvh -o a.bvh --root {root} --root-path path.json");
        place.run(&line).succeeds();
        let path: Value = serde_json::from_str(&place.read("path.json")).unwrap();
        let positions = path["positions"].as_array().unwrap();
        assert_eq!(positions.len(), 349);
        assert_eq!(path["headings_degrees"].as_array().unwrap().len(), 349);
        let at = |frame: usize, k: usize| positions[frame][k].as_f64().unwrap();
        let travel = (at(348, 0) - at(0, 0)).hypot(at(348, 2) - at(0, 2));
        assert!(travel > 1.0, "{travel}");
        assert_eq!(path["up"], serde_json::json!([0.0, 1.0, 0.0]));
    }
    place.run("retarget walk.bvh toy.bvh -o walk.bvh --root-path walk.bvh").fails(2, &[]);
    place
        .run("retarget walk.bvh toy.bvh -o a.bvh --root-smoothing 20")
        .fails(2, &["expected 0 to 10 seconds"]);
}

#[test]
fn another_rate_keeps_time_and_contacts() {
    let place = with_rigs();
    place.run("retarget walk.bvh toy.bvh -o a.bvh --write-contacts a.json").succeeds();
    let line = "retarget walk.bvh toy.bvh --fps 120 --frames 100..300";
    place.run(&format!("{line} -o b.bvh --contacts-from a.json --report b.json")).succeeds();
    let text = place.read("b.bvh");
    assert!(
        text.contains("Frames: 399"),
        "{}",
        text.lines().find(|l| l.starts_with("Fr")).unwrap()
    );
    assert!(text.contains("Frame Time: 0.008333"));
    let report: Value = serde_json::from_str(&place.read("b.json")).unwrap();
    let frames = |text: &Value| -> Vec<[u64; 2]> {
        let all = text["contacts"].as_array().unwrap().iter();
        let own = all.filter(|own| own["part"] == "left foot");
        own.map(|own| [0, 1].map(|k| own["frames"][k].as_u64().unwrap())).collect()
    };
    // Contacts are given by frames of the file, of which each is two now.
    let given: Value = serde_json::from_str(&place.read("a.json")).unwrap();
    let wanted: Vec<[u64; 2]> = frames(&given)
        .iter()
        .map(|own| own.map(|frame| (2 * frame).clamp(200, 599)))
        .filter(|own| own[0] < own[1])
        .collect();
    assert_eq!(frames(&report["result"]["contacts"]), wanted);
    place.run("retarget walk.bvh toy.bvh -o c.bvh --fps 0").fails(2, &["expected 4 to 1000"]);
}

#[test]
fn a_clip_that_takes_for_ever_is_not_brought_to_another_rate() {
    let place = with_rigs();
    let text = place.read("walk.bvh");
    let time = text.lines().find(|line| line.starts_with("Frame Time")).unwrap();
    place.write("slow.bvh", &text.replace(time, "Frame Time: 1e9"));
    place.run("retarget slow.bvh toy.bvh -o a.bvh --fps 30").fails(
        1,
        &["slow.bvh: 349 frames, one each 1000000000 s, are too long a time for 30 a second"],
    );
    place.run("retarget walk.bvh toy.bvh -o a.bvh").succeeds();
    place.run("check slow.bvh a.bvh").succeeds();
}

#[test]
fn a_batch_ends_with_what_to_look_at() {
    let place = with_rigs();
    std::fs::create_dir(place.path("lib")).unwrap();
    place.write("lib/walk.bvh", &place.read("walk.bvh"));
    place.write(
        "rules.toml",
        "[[clips]]\nfiles = 'walk.bvh'\ntargets = 'toy'\nmethod = 'copy'\ntravel = 'metric'\nfps = 30\nroot = 'in-place'\n",
    );
    let run = place.run("batch lib -t toy.bvh -t ground.bvh -o out --options rules.toml --json");
    run.succeeds();
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    let ranked = told["ranked"].as_array().unwrap();
    let names: Vec<&str> = ranked.iter().map(|own| own["output"].as_str().unwrap()).collect();
    assert_eq!(names, ["walk-toy.bvh", "walk-ground.bvh"]);
    assert_eq!(ranked[1]["verdict"], "PASS");
    assert!(place.read("out/walk-toy.bvh").contains("Frame Time: 0.0333"));
    place.run("report out/manifest.jsonl -o page.html").succeeds();
}

#[test]
fn a_report_keeps_what_it_reads_and_says_what_it_cannot_compare() {
    let place = with_rigs();
    std::fs::create_dir(place.path("lib")).unwrap();
    place.write("lib/walk.bvh", &place.read("walk.bvh"));
    place.run("batch lib -t toy.bvh -o out --only arms").succeeds();
    for output in
        ["lib/walk.bvh", "toy.bvh", "out/walk.bvh", "out/cards/walk.toml", "out/manifest.jsonl"]
    {
        let name = if place.path(output).exists() { output } else { "out/walk.bvh" };
        place.run(&format!("report out -o {name}")).fails(2, &["an input is never changed"]);
    }
    // The verdict is that of the batch, and the page says what the file itself comes to.
    let run = place.run("report out -o page.html --json");
    run.succeeds();
    let told: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((told["clips"].as_u64(), told["none"].as_u64()), (Some(1), Some(0)));
    let manifest: Value = serde_json::from_str(&place.read("out/manifest.jsonl")).unwrap();
    let verdict = manifest["result"]["verdict"].as_str().unwrap().to_lowercase();
    assert_eq!(told[verdict].as_u64(), Some(1), "{told}");
    assert!(place.read("page.html").contains("The file as it is"));
    std::fs::remove_file(place.path("lib/walk.bvh")).unwrap();
    place.run("report out -o page.html").fails(
        1,
        &["1 of 1 result cannot be compared", "run it in the folder where the batch was run"],
    );
}

#[test]
fn a_report_does_not_believe_a_grade_that_no_batch_writes() {
    let place = with_rigs();
    std::fs::create_dir(place.path("lib")).unwrap();
    place.write("lib/walk.bvh", &place.read("walk.bvh"));
    place.run("batch lib -t ground.bvh -o out").succeeds();
    let manifest: Value = serde_json::from_str(&place.read("out/manifest.jsonl")).unwrap();
    assert_eq!(manifest["result"]["verdict"], "PASS");
    for (word, score) in [("GREAT", 1.0), ("FAIL", 1.0), ("LOOK", 7.0), ("PASS", 0.01)] {
        let mut edited = manifest.clone();
        edited["result"]["verdict"] = word.into();
        edited["result"]["score"] = score.into();
        place.write("out/manifest.jsonl", &format!("{edited}\n"));
        let run = place.run("report out -o page.html --json");
        run.succeeds();
        let told: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(told["pass"], 1, "{word}: {told}");
        assert!(place.read("page.html").contains("which no batch writes"), "{word}");
    }
}

#[test]
fn parts_of_another_length_are_looked_at() {
    let place = with_rigs();
    place.run("retarget walk.bvh toy.bvh -o a.bvh --frames 100..300").succeeds();
    let whole = place.run("check walk.bvh a.bvh");
    whole.succeeds();
    assert!(whole.stdout.contains("it has 200 frames for the source's 349"), "{}", whole.stdout);
    let part = place.run("check walk.bvh a.bvh --frames 100..300");
    assert!(!part.stdout.contains("frames for the source's"), "{}", part.stdout);
    let run = place.run("retarget walk.bvh toy.bvh -o b.bvh --travel metric --unit 1e6");
    run.fails(2, &["--travel metric", "--unit"]);
    place
        .run("retarget walk.bvh ground.bvh -o b.bvh --root in-place --only arms")
        .fails(2, &["--root moves the hips"]);
}
