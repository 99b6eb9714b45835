//! Verdicts on results: our own, damaged ones, and files that cannot be compared.

use crate::support::{Place, humanoid, report_data};
use serde_json::Value;

fn with_result() -> Place {
    let place = Place::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/");
    for (name, file) in [("clip.bvh", "clips/jump.bvh"), ("rig.bvh", "rigs/seven-spine.bvh")] {
        std::fs::copy(format!("{data}{file}"), place.path(name)).unwrap();
    }
    place.run("retarget clip.bvh rig.bvh -o good.bvh").succeeds();
    place
}

#[test]
fn a_good_result_passes_and_one_in_the_air_fails() {
    let place = with_result();
    let run = place.run("check clip.bvh good.bvh");
    run.succeeds();
    assert!(run.stdout.starts_with("PASS  score 0.9"), "{}", run.stdout);
    let raised = |line: &str| {
        let mut numbers = line.splitn(3, ' ').map(str::to_owned).collect::<Vec<_>>();
        numbers[1] = (numbers[1].parse::<f64>().unwrap() + 15.0).to_string();
        numbers.join(" ")
    };
    let text = place.read("good.bvh");
    let (head, motion) = text.split_at(text.find("Frame Time").unwrap());
    let (time, motion) = motion.split_once('\n').unwrap();
    let lines: Vec<String> = motion.lines().map(raised).collect();
    place.write("bad.bvh", &format!("{head}{time}\n{}\n", lines.join("\n")));
    let run = place.run("check clip.bvh bad.bvh --json");
    run.succeeds();
    assert_eq!(run.stdout.lines().count(), 1);
    let bad: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(bad["verdict"], "FAIL");
    assert!(bad["reasons"][0]["text"].as_str().unwrap().starts_with("the floor is"), "{bad}");
    assert!(bad["score"].as_f64().unwrap() < 0.6);
}

#[test]
fn figures_go_into_a_table_frame_by_frame() {
    let place = with_result();
    place.run("check clip.bvh good.bvh --csv figures.csv").succeeds();
    let text = place.read("figures.csv");
    assert_eq!(text.lines().count(), 1 + 277);
    assert!(text.starts_with("frame,source left foot over the floor [cm],"), "{text}");
    let columns: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
    assert!(columns.iter().all(|count| *count == columns[0]));
    place.run("check clip.bvh good.bvh --csv good.bvh").fails(2, &["good.bvh"]);
}

#[test]
fn a_rig_without_motion_is_no_result() {
    let place = with_result();
    let text = place.read("rig.bvh").replace("Frames: 1", "Frames: 0");
    let (head, rest) = text.split_at(text.find("Frame Time").unwrap());
    place.write("still.bvh", &format!("{head}{}\n", rest.lines().next().unwrap()));
    place.run("check clip.bvh still.bvh").fails(1, &["still.bvh"]);
}

#[test]
fn a_batch_becomes_one_page() {
    let place = Place::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
    let batch = format!("batch {data}/clips -t {data}/rigs/seven-spine.bvh -o out");
    place.run(&batch).succeeds();
    place.write("clips.txt", "no manifest");
    place.run("report clips.txt -o page.html").fails(1, &["no results"]);
    let run = place.run("report out/manifest.jsonl -o page.html");
    run.succeeds();
    assert!(run.stdout.contains("6 PASS"), "{}", run.stdout);
    let data = report_data(&place.read("page.html"));
    let clips = data["clips"].as_array().unwrap();
    assert_eq!(clips.len(), 6);
    for clip in clips {
        let is_good = clip["score"].as_f64().unwrap() > 0.5 && clip["error"].is_null();
        assert!(is_good && clip["place"].is_array(), "{clip}");
    }
}

#[test]
fn defects_of_the_source_are_listed_before_the_result_is_graded() {
    let place = with_result();
    let text = place.read("clip.bvh");
    let (head, motion) = text.split_at(text.find("Frame Time").unwrap());
    let mut lines: Vec<String> = motion.lines().map(str::to_owned).collect();
    // Frame 20 stands two metres aside.
    let (x, rest) = lines[21].split_once(' ').unwrap();
    lines[21] = format!("{} {rest}", x.parse::<f64>().unwrap() + 200.0);
    place.write("odd.bvh", &format!("{head}{}\n", lines.join("\n")));
    let run = place.run("check odd.bvh good.bvh --json");
    run.succeeds();
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let texts: Vec<&str> = found["source_defects"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|defect| defect["text"].as_str())
        .collect();
    assert!(texts.iter().any(|text| text.starts_with("teleport: ")), "{texts:?}");
    let run = place.run("check odd.bvh good.bvh");
    assert!(run.stdout.contains("teleport: Hips by 84 %"), "{}", run.stdout);
}

#[test]
fn results_of_few_and_still_frames_are_as_they_were_written_and_have_no_grade() {
    let place = Place::new();
    place.run("retarget walk.bvh hero.bvh -o hero.glb --frames 0..1").succeeds();
    let still = |frames: usize| {
        let text = humanoid("", 1);
        let (head, pose) = text.split_once("Frame Time: 0.0333333\n").unwrap();
        head.replace("Frames: 1", &format!("Frames: {frames}"))
            + "Frame Time: 0.1\n"
            + &pose.repeat(frames)
    };
    std::fs::create_dir(place.path("lib")).unwrap();
    for (name, frames) in [("two", 2), ("four", 4), ("forty", 40)] {
        place.write(&format!("lib/{name}.bvh"), &still(frames));
    }
    for options in ["", "--one-file"] {
        let _ = std::fs::remove_dir_all(place.path("out"));
        place.run(&format!("batch lib -t hero.glb -o out {options}")).succeeds();
        let run = place.run("report out -o page.html --json");
        run.succeeds();
        let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(
            (&told["clips"], &told["none"]),
            (&3.into(), &3.into()),
            "{told} {}",
            run.stderr
        );
    }
    for (name, frames) in [("two", 2), ("four", 4), ("forty", 40)] {
        let line = format!("retarget lib/{name}.bvh hero.bvh -o {name}");
        place.run(&format!("{line}.glb")).succeeds();
        place.run(&format!("{line}.vrma")).succeeds();
        for end in ["glb", "vrma"] {
            let shown = place.run(&format!("inspect {name}.{end}")).stdout;
            assert!(shown.contains(&format!("{frames} frames at 10/s")), "{shown}");
            let check = place.run(&format!("check lib/{name}.bvh {name}.{end}"));
            assert_eq!((check.code, check.stderr.as_str()), (0, ""), "{check:?}");
            assert!(check.stdout.starts_with("NONE  still"), "{check:?}");
        }
    }
}
