//! One grade of one result, by `retarget`, `check` and `report`.

use crate::support::{Place, humanoid, report_data};
use serde_json::Value;

/// Largest difference of two scores of one result.
const MAX_DIFFERENCE: f64 = 0.005;

/// Grade, score, and frames of reasons.
type Grade = (String, f64);

fn grade(verdict: &Value) -> Grade {
    (verdict["verdict"].as_str().unwrap().to_owned(), verdict["score"].as_f64().unwrap())
}

fn assert_equal(one: &Grade, other: &Grade, what: &str) {
    let is_equal = one.0 == other.0 && (one.1 - other.1).abs() < MAX_DIFFERENCE;
    assert!(is_equal, "{what}: {one:?} and {other:?}");
}

fn data(name: &str) -> String {
    format!("{}/../../data/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A place with three clips and a character with a mesh.
fn place() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path("clips")).unwrap();
    for clip in ["walk", "climb", "jump"] {
        let name = format!("{clip}.bvh");
        std::fs::copy(data(&format!("clips/{name}")), place.path("clips").join(&name)).unwrap();
    }
    std::fs::copy(data("characters/toy.glb"), place.path("toy.glb")).unwrap();
    place
}

/// Grades of `retarget` and of `check` on its result.
fn of_retarget(place: &Place, clip: &str, output: &str, options: &str, check: &str) -> [Grade; 2] {
    let source = format!("clips/{clip}.bvh");
    let run =
        place.run(&format!("retarget {source} toy.glb -o {output} --json --overwrite {options}"));
    run.succeeds();
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let run = place.run(&format!("check {source} {output} --json {check}"));
    run.succeeds();
    [grade(&report["result"]["verdict"]), grade(&serde_json::from_str(&run.stdout).unwrap())]
}

#[test]
fn check_grades_a_result_as_retarget_does() {
    let place = place();
    let mut grades = Vec::new();
    for (clip, method) in [("walk", ""), ("climb", ""), ("walk", "--method copy")] {
        for (output, options, check) in [
            ("whole.glb", "", ""),
            ("card.glb", "", "--rig toy.glb --target-card toy.toml"),
            ("joints.bvh", "", "--rig toy.glb"),
            ("alone.glb", "--animation-only", "--rig toy.glb"),
            ("added.glb", "--root root-bone --add-root", ""),
            ("added.bvh", "--root root-bone --add-root", "--rig toy.glb"),
            ("part.glb", "--frames 40..240", "--frames 40..240"),
            ("cycle.glb", "--loop=120..190", "--loop=120..190"),
            ("wide.glb", "--loop=40..160", "--loop=40..160"),
            ("fast.bvh", "--loop=40..160 --fps 60", "--rig toy.glb --loop=40..160"),
            ("faster.glb", "--frames 40..240 --fps 144", "--frames 40..240"),
        ] {
            if check.contains("--target-card") && !place.path("toy.toml").exists() {
                place.run("card toy.glb -o toy.toml").succeeds();
            }
            let [one, other] =
                of_retarget(&place, clip, output, &format!("{options} {method}"), check);
            assert_equal(&one, &other, &format!("{clip} {method} {options} {output}"));
            grades.push(one.0);
        }
    }
    let count = |word: &str| grades.iter().filter(|own| *own == word).count();
    assert!(count("LOOK") >= 3 && count("FAIL") >= 3, "{grades:?}");
}

#[test]
fn a_report_grades_results_as_their_batch_did_and_as_check_does() {
    let place = place();
    let plain = "batch clips -t toy.glb --accept-guesses -o";
    for (folder, options) in [
        ("whole", ""),
        ("one", "--one-file"),
        ("alone", "--animation-only"),
        ("joints", "--format bvh"),
        ("copied", "--method copy"),
        ("added", "--root root-bone --add-root"),
        ("cycle", "--loop=40..160"),
        ("part", "--frames 40..240"),
        ("slow", "--frames 40..240 --fps 30"),
        ("slower", "--loop=13..97 --fps 24"),
        ("fast", "--loop=40..160 --fps 60"),
    ] {
        place.run(&format!("{plain} {folder} {options}")).succeeds();
        let manifest = format!("{folder}/manifest.jsonl");
        let lines: Vec<Value> =
            place.read(&manifest).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let graded: Vec<(String, Grade)> = lines
            .iter()
            .filter(|line| line["status"] == "done")
            .map(|line| (line["input"].as_str().unwrap().to_owned(), grade(&line["result"])))
            .collect();
        assert_eq!(graded.len(), 3);
        // A report reads no grade of the manifest.
        let mut bare = String::new();
        for mut line in lines {
            if let Some(result) = line.get_mut("result").and_then(Value::as_object_mut) {
                for key in ["verdict", "score", "reason"] {
                    result.remove(key);
                }
            }
            bare += &format!("{line}\n");
        }
        place.write(&manifest, &bare);
        place.run(&format!("report {folder} -o {folder}.html")).succeeds();
        let page = report_data(&place.read(&format!("{folder}.html")));
        let entries = page["clips"].as_array().unwrap();
        for (input, wanted) in &graded {
            let entry = entries.iter().find(|entry| entry["source"] == input.as_str()).unwrap();
            assert_equal(&grade(entry), wanted, &format!("{folder} {input}"));
        }
    }
}

#[test]
fn the_card_of_a_rig_is_refused_on_a_bvh_of_it_which_has_no_rest_rotations() {
    let place = Place::new();
    let turned = data("characters/person.glb");
    place.run(&format!("retarget walk.bvh {turned} -o r.bvh")).succeeds();
    place.run(&format!("card {turned} -o rig.toml")).succeeds();
    let run = place.run("check walk.bvh r.bvh --target-card rig.toml");
    if run.code != 0 {
        run.fails(1, &["it is the card of another file", "--rig"]);
    }
}

#[test]
fn poses_and_absurd_rates_have_no_grade() {
    let place = Place::new();
    for (options, said) in [("--frames 0..2", "still"), ("--frames 1..2", "still")] {
        let run = place.run(&format!("retarget walk.bvh hero.bvh -o o.bvh --overwrite {options}"));
        run.succeeds();
        assert!(run.stdout.contains("verdict  NONE") && run.stdout.contains(said), "{run:?}");
        let run = place.run(&format!("check walk.bvh o.bvh {options}"));
        assert!(run.code == 0 && run.stdout.starts_with("NONE  still"), "{run:?}");
    }
    std::fs::create_dir(place.path("poses")).unwrap();
    place.write("poses/two.bvh", &humanoid("", 2));
    let run = place.run("batch poses -t hero.bvh -o two --accept-guesses");
    assert!(run.stdout.contains("0 PASS, 0 LOOK, 0 FAIL, 1 NONE"), "{run:?}");
    let listed = place.run("report two --csv two.csv");
    listed.succeeds();
    assert!(place.read("two.csv").contains("NONE,,2,\"still: "), "{}", place.read("two.csv"));
    let text = place.read("walk.bvh");
    let fast = text.lines().map(|line| match line.starts_with("Frame Time:") {
        true => "Frame Time: 0.000000000001\n".to_owned(),
        false => format!("{line}\n"),
    });
    place.write("fast.bvh", &fast.collect::<String>());
    let said = "1.000e12 frames a second are no motion to see";
    let run = place.run("check fast.bvh fast.bvh");
    assert!(run.code == 0 && run.stdout.starts_with(&format!("NONE  {said}")), "{run:?}");
    let run = place.run("retarget fast.bvh hero.bvh -o f.bvh");
    assert!(run.stderr.contains(said), "{run:?}");
}

#[test]
fn a_source_whose_root_teleports_is_never_passed() {
    let place = Place::new();
    let mut walk = rebone_samples::walk().motion;
    let jump = |frame: usize, pose: &mut rebone::skeleton::Pose| {
        pose.translations[0].x += if frame < 100 { 0.0 } else { 300.0 };
    };
    walk.clip.edit(jump).unwrap();
    let hierarchy = rebone::skeleton::bvh::Hierarchy::from_skeleton(&walk.skeleton);
    let options = rebone::skeleton::bvh::WriteOptions::default();
    let bytes = rebone::skeleton::bvh::write_clip(Vec::new(), &hierarchy, &walk.clip, options);
    std::fs::create_dir(place.path("in")).unwrap();
    std::fs::write(place.path("in/far.bvh"), bytes.unwrap()).unwrap();
    let run = place.run("retarget in/far.bvh hero.bvh -o o.bvh --json");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_ne!(report["result"]["verdict"]["verdict"], "PASS");
    assert!(!report["result"]["verdict"]["source_defects"].as_array().unwrap().is_empty());
    place.run("batch in -t hero.bvh -o out --accept-guesses").succeeds();
    let line: Value = serde_json::from_str(place.read("out/manifest.jsonl").trim()).unwrap();
    assert_ne!(line["result"]["verdict"], "PASS");
    let defects = line["result"]["source_defects"].as_array().unwrap();
    assert!(defects[0].as_str().unwrap().contains("(frame 100)"), "{defects:?}");
}
