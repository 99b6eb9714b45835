//! Cards: made, corrected, given back; and the guesses that ask for one.

use crate::support::{Place, humanoid};
use serde_json::Value;

#[test]
fn a_card_says_what_was_understood_and_can_be_given_back() {
    let place = Place::new();
    place.run("card hero.bvh -o hero.toml").succeeds();
    let card = place.read("hero.toml");
    for line in ["up = \"+Y\"", "facing = \"+Z\"", "leftHand = \"mixamorig:LeftHand\""] {
        assert!(card.lines().any(|found| found.starts_with(line)), "no {line} in {card}");
    }
    assert_eq!(place.run("card hero.bvh").stdout, card);
    place.run("retarget walk.bvh hero.bvh -o with.bvh --target-card hero.toml").succeeds();
    place.run("retarget walk.bvh hero.bvh -o without.bvh").succeeds();
    assert_eq!(place.read("with.bvh"), place.read("without.bvh"));
}

#[test]
fn a_card_overrules_and_the_command_line_overrules_the_card() {
    let place = Place::new();
    place.write("card.toml", "unit = \"cm\"\n\n[roles]\nleftToes = []\n");
    let run = place.run("inspect walk.bvh --card card.toml");
    run.succeeds();
    assert!(!run.stdout.contains("leftToes") && run.stdout.contains("rightToes"));
    let card = place.run("card walk.bvh --card card.toml --unit inch").stdout;
    assert!(card.contains("unit = 0.0254"), "{card}");
}

#[test]
fn a_faulty_card_is_named_with_its_line() {
    let place = Place::new();
    for (text, said) in [
        ("[roles]\nleftHand = \"LeftHnad\"\n", &["card.toml:2: ", "LeftHnad", "LeftHand"][..]),
        ("[roles]\nleftHnad = \"LeftHand\"\n", &["card.toml:2: ", "leftHnad", "leftHand"]),
        ("up = 3\n", &["card.toml:1: ", "expected"]),
        ("up = \n", &["card.toml:1: "]),
        ("up = \"y\"\npose_from = \"none.bvh:3\"\n", &["card.toml:2: none.bvh: cannot open"]),
        ("\npose_from = \"walk.bvh:7\"\n", &["card.toml:2: walk.bvh: no frame 7, it has 3"]),
    ] {
        place.write("card.toml", text);
        let run = place.run("retarget walk.bvh hero.bvh -o out.bvh --source-card card.toml");
        run.fails(1, said);
    }
    let run = place.run("inspect walk.bvh --card none.toml");
    run.fails(1, &["none.toml: cannot read the card"]);
    assert!(!place.path("out.bvh").exists());
}

#[test]
fn a_card_or_map_that_is_no_text_is_told_with_its_line() {
    let place = Place::new();
    std::fs::write(place.path("bad"), b"# one\nup = \"\xFC\"\n").unwrap();
    std::fs::write(place.path("huge"), vec![b'\n'; 5 << 20]).unwrap();
    for (option, what) in [("--source-card", "card"), ("--target-card", "card"), ("--map", "map")] {
        let line = format!("retarget walk.bvh hero.bvh -o out.bvh {option}");
        let said = format!("bad:2: found the byte 0xFC, expected text in UTF-8: save the {what}");
        place.run(&format!("{line} bad")).fails(1, &[&said]);
        let said = format!("huge: cannot read the {what}: it is larger than 4 MB");
        place.run(&format!("{line} huge")).fails(1, &[&said]);
    }
    place.run("card hero.bvh -o bad").fails(1, &["bad:2: found the byte 0xFC"]);
}

#[test]
fn a_pose_to_calibrate_on_is_a_frame_of_a_file_with_the_same_joints() {
    let place = Place::new();
    let run = place.run("inspect walk.bvh --pose-from walk.bvh:0");
    run.succeeds();
    assert!(run.stdout.contains("calibrated on the given pose"), "{}", run.stdout);
    place.run("inspect walk.bvh --pose-from walk.bvh").succeeds();
    place.run("inspect walk.bvh --pose-from walk.bvh:7").fails(1, &["no frame 7, it has 3"]);
    place.run("inspect walk.bvh --pose-from hero.bvh").fails(1, &["the joints are others"]);
    place.run("inspect walk.bvh --pose-from none.bvh").fails(1, &["none.bvh: cannot open"]);
    let line = "retarget walk.bvh hero.bvh -o out.bvh --pose-from target=hero.bvh:0";
    let run = place.run(line);
    run.succeeds();
    let given: Vec<bool> = run.stdout.lines().map(|line| line.contains("given pose")).collect();
    assert_eq!(given[..2], [false, true], "{}", run.stdout);
}

/// The same figure with its arms straight ahead in all frames.
fn with_arms_ahead(text: &str) -> String {
    let (head, motion) = text.split_once("Frame Time: 0.0333333\n").unwrap();
    let joints: Vec<&str> = head.lines().filter_map(|line| line.strip_prefix("JOINT ")).collect();
    let place = |name: &str| 3 + 3 * (1 + joints.iter().position(|joint| *joint == name).unwrap());
    let ahead = |line: &str| {
        let mut values: Vec<&str> = line.split(' ').collect();
        (values[place("LeftArm") + 2], values[place("RightArm") + 2]) = ("-90", "90");
        values.join(" ") + "\n"
    };
    let frames: String = motion.lines().map(ahead).collect();
    format!("{head}Frame Time: 0.0333333\n{frames}")
}

#[test]
fn a_pose_in_which_nobody_stands_is_told() {
    let place = Place::new();
    place.write("walk.bvh", &humanoid("", 10));
    place.write("ahead.bvh", &with_arms_ahead(&humanoid("", 1)));
    for (pose, stands) in [("walk.bvh:0", true), ("ahead.bvh:0", true), ("walk.bvh:9", false)] {
        let run = place.run(&format!("inspect walk.bvh --pose-from {pose}"));
        run.succeeds();
        assert_eq!(run.stdout.contains("least of the calibration"), !stands, "{}", run.stdout);
        assert_eq!(run.stderr.contains("warning: nobody stands straight"), !stands, "{pose}");
        let line = format!("retarget walk.bvh hero.bvh -o out.bvh --pose-from {pose}");
        let run = place.run(&line);
        run.succeeds();
        assert_eq!(run.stderr.contains("warning: the source: nobody stands"), !stands, "{pose}");
        let card = place.run(&format!("card walk.bvh --pose-from {pose}")).stdout;
        assert_eq!(card.contains("\nconfidence = 0.0"), !stands, "{card}");
    }
    place.write("bent.bvh", &humanoid("", 2).replace("OFFSET 0 -40 0", "OFFSET 30 10 25"));
    let run = place.run("inspect bent.bvh --pose-from rest");
    assert!(run.stderr.contains("warning: nobody stands straight"), "{}", run.stderr);
}

#[test]
fn up_and_facing_can_be_said() {
    let place = Place::new();
    let turned = place.run("inspect walk.bvh --facing x");
    assert!(turned.stdout.contains("up +Y, facing +X"), "{}", turned.stdout);
    let run = place.run("retarget walk.bvh hero.bvh -o out.bvh --facing target=-x --up +y");
    run.succeeds();
    assert!(run.stdout.contains("facing +Z") && run.stdout.contains("facing -X"));
}

#[test]
fn a_weak_guess_stops_with_4_and_the_line_to_add() {
    let place = Place::new();
    place.write("odd.bvh", &humanoid("", 1).replace("OFFSET 0 -40 0", "OFFSET 30 10 25"));
    let before = place.files();
    let run = place.run("retarget odd.bvh hero.bvh -o out.bvh --preview out.png");
    run.fails(4, &["odd.bvh: not sure", "help: ", "--source-card", "pose_from = "]);
    place.run("retarget walk.bvh odd.bvh -o out.bvh").fails(4, &["--target-card"]);
    assert_eq!(place.files(), before);
    let line = run.stderr.lines().find(|line| line.trim().starts_with("pose_from = ")).unwrap();
    place.write("odd.toml", line.trim());
    place.run("retarget odd.bvh hero.bvh -o out.bvh --source-card odd.toml").succeeds();
    let run = place.run("retarget odd.bvh hero.bvh -o out.bvh --accept-guesses");
    run.succeeds();
    let hint = "hint     learn from more clips (`rebone card odd.bvh --learn CLIP... -o odd.toml`, then \
                `--source-card odd.toml`)";
    assert!(run.stdout.contains(hint) && run.stdout.matches("hint").count() == 1, "{}", run.stdout);
    let run = place.run("inspect walk.bvh odd.bvh");
    assert!(run.stdout.contains("`--pose-from target=FILE:FRAME`"), "{}", run.stdout);
    assert!(!place.run("inspect walk.bvh").stdout.contains("hint"));
}

/// The place of the left knee among the joints.
const KNEE: usize = 14;

#[test]
fn limits_of_a_card_hold_and_its_examples_change_nothing() {
    let place = Place::new();
    place.run("card hero.bvh -o hero.toml").succeeds();
    let card = place.read("hero.toml");
    let example = card.lines().find(|line| line.starts_with("# \"mixamorig:LeftLeg\"")).unwrap();
    let limits = "\"mixamorig:LeftLeg\" = { swing_x = [-12, 5], swing_z = [0, 0], twist = [0, 0] }";
    place.write("stiff.toml", &card.replace(example, limits));
    for mode in ["source", "human", "strict"] {
        let line = "retarget walk.bvh hero.bvh -o out.bvh --decimals 6 --limits";
        place.run(&format!("{line} {mode} --target-card stiff.toml")).succeeds();
        // Behind the place: Z, X and Y of the joints before, then the knee, which the source bends by 20.
        let last = place.read("out.bvh").lines().last().unwrap().to_owned();
        let numbers: Vec<f64> = last.split(' ').map(|number| number.parse().unwrap()).collect();
        let knee = &numbers[3 + 3 * KNEE..][..3];
        assert!(
            knee[0] == 0.0 && knee[2] == 0.0 && (knee[1] - 5.0).abs() < 1e-5,
            "{mode}: {knee:?}"
        );
    }
    let line = "retarget walk.bvh hero.bvh -o out.bvh --target-card stiff.toml --report out.json";
    let run = place.run(line);
    let told = run.stdout.lines().find(|line| line.starts_with("limits   leftLowerLeg"));
    assert!(told.is_some_and(|line| line.contains("bend at 5°")), "{}", run.stdout);
    let report: serde_json::Value = serde_json::from_str(&place.read("out.json")).unwrap();
    let limit = &report["result"]["limits"][0];
    assert_eq!((&limit["variable"], &limit["end"]), (&"swing_x".into(), &"upper".into()));
    let run = place.run("inspect hero.bvh --card stiff.toml --unit cm");
    assert!(run.stdout.contains("swing_x -12 to 5\u{b0}"), "{}", run.stdout);
    assert!(run.stdout.contains(" m tall"), "{}", run.stdout);
    place.write("bad.toml", "[limits]\nLeftLeg = { elbow = [0, 1] }\n");
    place.run("inspect walk.bvh --card bad.toml").fails(1, &["bad.toml:2: ", "swing_x"]);
}

#[test]
fn limits_of_channels_hold_in_what_is_written() {
    let place = Place::new();
    place.write(
        "odd.toml",
        "[limits]\n\"mixamorig:LeftLeg\" = { z = [200, 201.5], x = [-3, -3] }\n",
    );
    for decimals in ["", " --decimals 0"] {
        let line = "retarget walk.bvh hero.bvh -o out.bvh --target-card odd.toml";
        place.run(&format!("{line}{decimals}")).succeeds();
        let out = place.read("out.bvh");
        for frame in out.lines().rev().take(3) {
            let numbers: Vec<f64> =
                frame.split(' ').map(|number| number.parse().unwrap()).collect();
            let knee = &numbers[3 + 3 * KNEE..][..3];
            assert!((200.0..=201.5).contains(&knee[0]) && knee[1] == -3.0, "{knee:?}");
        }
    }
}

/// A figure whose names say nothing and which looks the same from the front and from behind.
fn nameless() -> String {
    let figure = humanoid("", 1).replace("OFFSET 0 10 2", "OFFSET 0 10 0");
    let figure = figure.replace("OFFSET 0 -6 12", "OFFSET 0 -6 0");
    let figure =
        figure.replace("OFFSET 0 -3 6", "OFFSET 0 -3 0").replace("OFFSET 0 5 1", "OFFSET 0 5 0");
    let mut count = 0;
    let rename = |line: &str| match line.split_once(' ') {
        Some((kind @ ("ROOT" | "JOINT"), _)) => {
            count += 1;
            format!("{kind} j{count:02}\n")
        }
        _ => format!("{line}\n"),
    };
    figure.lines().map(rename).collect()
}

#[test]
fn sides_that_cannot_be_told_stop_with_4_and_the_lines_settle_them() {
    let place = Place::new();
    place.write("odd.bvh", &nameless());
    let run = place.run("retarget walk.bvh odd.bvh -o out.bvh");
    run.fails(4, &["odd.bvh: not sure", "--target-card", "[roles]", "leftUpperArm = \"j"]);
    assert!(!place.path("out.bvh").exists());
    let help = run.stderr.split_once("--accept-guesses:\n").unwrap().1;
    place.write("odd.toml", help);
    place.run("retarget walk.bvh odd.bvh -o out.bvh --target-card odd.toml").succeeds();
    place.run("retarget walk.bvh odd.bvh -o guess.bvh --accept-guesses").succeeds();
    assert_eq!(place.read("out.bvh"), place.read("guess.bvh"));
}

/// The figure as a glTF whose feet hang on the armature beside the legs, as in a control rig.
fn control_rig(place: &Place) -> Value {
    place.run("retarget walk.bvh hero.bvh -o rig.gltf").succeeds();
    let mut json: Value = serde_json::from_str(&place.read("rig.gltf")).unwrap();
    for key in ["animations", "accessors", "bufferViews", "buffers"] {
        json.as_object_mut().unwrap().remove(key);
    }
    place.write("plain.gltf", &json.to_string());
    let nodes = json["nodes"].as_array_mut().unwrap();
    let children = |nodes: &[Value], node: usize| -> Vec<usize> {
        let own = nodes[node]["children"].as_array().cloned().unwrap_or_default();
        own.iter().map(|child| child.as_u64().unwrap() as usize).collect()
    };
    let place_of = |nodes: &[Value], node: usize, k: usize| {
        nodes[node]["translation"].get(k).and_then(Value::as_f64).unwrap_or(0.0)
    };
    let find = |nodes: &[Value], name: &str| {
        nodes.iter().position(|node| node["name"].as_str().unwrap().ends_with(name)).unwrap()
    };
    let armature = find(nodes, "Armature");
    for side in ["Left", "Right"] {
        let foot = find(nodes, &format!("{side}Foot"));
        let mut place = [0, 1, 2].map(|k| place_of(nodes, foot, k));
        let mut above = foot;
        while let Some(parent) = (0..nodes.len()).find(|&own| children(nodes, own).contains(&above))
        {
            (0..3).for_each(|k| place[k] += place_of(nodes, parent, k));
            let others: Vec<usize> =
                children(nodes, parent).into_iter().filter(|own| *own != foot).collect();
            nodes[parent]["children"] = serde_json::json!(others);
            if others.is_empty() {
                nodes[parent].as_object_mut().unwrap().remove("children");
            }
            above = parent;
        }
        nodes[foot]["translation"] = serde_json::json!(place);
        let mut all = children(nodes, armature);
        all.push(foot);
        nodes[armature]["children"] = serde_json::json!(all);
    }
    json
}

#[test]
fn a_card_attaches_feet_that_hang_beside_the_legs() {
    let place = Place::new();
    place.write("control.gltf", &control_rig(&place).to_string());
    let run = place.run("inspect control.gltf");
    run.fails(1, &["no left foot below a left shin", "--card card.toml"]);
    let (_, lines) = run.stderr.split_once("\n[roles]\n").unwrap();
    assert!(lines.contains("leftFoot = \"mixamorig:LeftFoot\""), "{lines}");
    place.write("card.toml", &format!("[roles]\n{lines}"));
    let run = place.run("inspect control.gltf --card card.toml");
    run.succeeds();
    assert!(run.stdout.contains("mixamorig:LeftFoot"), "{}", run.stdout);
    // A draft with its guesses taken over says as much.
    place.run("card control.gltf -o draft.toml").fails(1, &["no left foot"]);
    let draft = place.read("draft.toml");
    assert!(draft.contains("# Hands and feet that hang elsewhere are attached"), "{draft}");
    let taken = draft.replace("\n# left", "\nleft").replace("\n# right", "\nright");
    place.write("draft.toml", &taken);
    place.run("inspect control.gltf --card draft.toml").succeeds();
    place.run("card control.gltf --card card.toml -o whole.toml").succeeds();
    for card in ["card.toml", "whole.toml"] {
        let line = "retarget walk.bvh control.gltf -o out.glb --animation walk --target-card";
        place.run(&format!("{line} {card}")).succeeds();
        let check = |name: &str, card: &str| {
            let run = place.run(&format!("check walk.bvh {name} --json{card}"));
            run.succeeds();
            let verdict: Value = serde_json::from_str(&run.stdout).unwrap();
            verdict["score"].as_f64().unwrap()
        };
        place.run("retarget walk.bvh plain.gltf -o plain.glb --animation walk").succeeds();
        let own = check("out.glb", &format!(" --target-card {card}"));
        let plain = check("plain.glb", "");
        assert!((own - plain).abs() < 0.01, "{own} {plain}");
    }
}
