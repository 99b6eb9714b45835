//! Files with several characters, and root bones above a skin.

use crate::support::Place;
use serde_json::{Value, json};

fn read_json(place: &Place, name: &str) -> Value {
    serde_json::from_str(&place.read(name)).unwrap()
}

/// `two.gltf`: the walk on two characters, the second called `B:` in place of `mixamorig:`; returns the nodes of one.
fn two_in_gltf(place: &Place) -> usize {
    place.run("retarget walk.bvh hero.bvh -o rig.gltf").succeeds();
    let mut json = read_json(place, "rig.gltf");
    let nodes = json["nodes"].as_array().unwrap().clone();
    let count = nodes.len();
    let moved = |list: &Value| -> Value {
        let own = list.as_array().unwrap().iter();
        own.map(|node| node.as_u64().unwrap() as usize + count).collect()
    };
    for node in &nodes {
        let mut copy = node.clone();
        copy["name"] = node["name"].as_str().unwrap().replace("mixamorig:", "B:").into();
        if node["children"].is_array() {
            copy["children"] = moved(&node["children"]);
        }
        json["nodes"].as_array_mut().unwrap().push(copy);
    }
    let joints = json["skins"][0]["joints"].clone();
    json["skins"] = json!([{ "joints": joints }, { "joints": moved(&joints) }]);
    json["scenes"][0]["nodes"] = json!([count - 1, 2 * count - 1]);
    let channels = json["animations"][0]["channels"].as_array_mut().unwrap();
    for channel in channels.clone() {
        let mut copy = channel.clone();
        copy["target"]["node"] =
            json!(channel["target"]["node"].as_u64().unwrap() as usize + count);
        channels.push(copy);
    }
    place.write("two.gltf", &json.to_string());
    count
}

/// `two.bvh`: the walk, and beside it the hero, which stands.
fn two_in_bvh(place: &Place) {
    let [walk, hero] = ["walk.bvh", "hero.bvh"].map(|name| place.read(name));
    let [(walk, motion), (hero, still)] =
        [&walk, &hero].map(|text| text.split_once("MOTION").unwrap());
    let still = still.trim_end().lines().last().unwrap();
    let hero = hero.strip_prefix("HIERARCHY\n").unwrap();
    let is_row = |line: &&str| line.split_whitespace().count() > 10;
    let row = |line: &str| {
        if is_row(&line) { format!("{line} {still}\n") } else { line.to_owned() + "\n" }
    };
    let motion: String = motion.lines().map(row).collect();
    place.write("two.bvh", &format!("{walk}{hero}MOTION{motion}"));
}

/// Nodes that the last animation moves.
fn moved_nodes(place: &Place, name: &str) -> Vec<usize> {
    let json = read_json(place, name);
    let last = json["animations"].as_array().unwrap().last().unwrap().clone();
    let channels = last["channels"].as_array().unwrap().iter();
    channels.map(|own| own["target"]["node"].as_u64().unwrap() as usize).collect()
}

#[test]
fn two_characters_of_a_gltf_are_named_and_chosen() {
    let place = Place::new();
    let count = two_in_gltf(&place);
    let run = place.run("inspect two.gltf");
    run.succeeds();
    for said in [
        "found 2 characters, \"mixamorig:Hips\" (--skin 0,",
        "and \"B:Hips\" (--skin 1,",
        "--skin 0 is read",
    ] {
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    let [skin, joint] = ["--skin 1", "--joint B:Hips"].map(|choice| {
        let run = place.run(&format!("inspect two.gltf {choice}"));
        run.succeeds();
        assert!(!run.stderr.contains("characters"), "{}", run.stderr);
        run.stdout
    });
    assert!(skin.contains("B:Hips") && skin == joint, "{skin}");
    let plain = place.run("retarget walk.bvh two.gltf -o plain.gltf --animation again");
    plain.succeeds();
    assert!(plain.stderr.contains("(--skin target=1,"), "{}", plain.stderr);
    assert!(moved_nodes(&place, "plain.gltf").iter().all(|node| *node < count));
    for choice in ["--skin target=1", "--joint target=B:Hips"] {
        let line = "retarget walk.bvh two.gltf -o out.gltf --animation again";
        place.run(&format!("{line} {choice}")).succeeds();
        assert!(moved_nodes(&place, "out.gltf").iter().all(|node| *node >= count));
        place.run(&format!("check walk.bvh out.gltf --animation again {choice}")).succeeds();
        assert_eq!(read_json(&place, "out.gltf")["nodes"], read_json(&place, "two.gltf")["nodes"]);
    }
    place.run("retarget two.gltf hero.bvh -o a.bvh --joint B:Hips").succeeds();
    place.run("retarget two.gltf hero.bvh -o b.bvh").succeeds();
    assert_eq!(place.read("a.bvh"), place.read("b.bvh"), "both walk");
    assert!(place.run("card two.gltf --joint B:Hips").stdout.contains("\"B:Hips\""));
}

#[test]
fn a_choice_that_is_none_is_refused() {
    let place = Place::new();
    two_in_gltf(&place);
    let both = "--skin and --joint both choose the character of the target";
    place
        .run("retarget walk.bvh two.gltf -o out.gltf --skin target=1 --joint target=B:Hips")
        .fails(2, &[both]);
    place.run("card two.gltf --skin 1 --joint B:Hips").fails(2, &["--joint"]);
    let twice = "retarget walk.bvh two.gltf -o out.gltf --joint a --joint b";
    place.run(twice).fails(2, &["--joint is given twice for the source"]);
    let expected = "two.gltf: --joint: found no root joint \"C:Hips\", expected that of one character: \
         --skin 0, --skin 1";
    place.run("inspect two.gltf --joint C:Hips").fails(1, &[expected]);
    place.run("inspect two.gltf --joint Armature").fails(1, &["found 2 joints \"Armature\""]);
    place
        .run("inspect hero.bvh --joint Hips")
        .fails(1, &["no ROOT \"Hips\"", "--joint mixamorig:Hips"]);
    place.run("inspect hero.bvh --joint mixamorig:Hips").succeeds();
    assert!(!place.path("out.gltf").exists());
}

#[test]
fn pictures_show_the_character_that_is_chosen() {
    let place = Place::new();
    two_in_gltf(&place);
    let run = place.run("preview two.gltf -o a.png");
    assert!(run.code == 0 && run.stderr.contains("found 2 characters"), "{}", run.stderr);
    for line in
        ["preview two.gltf --joint B:Hips -o b.png", "preview walk.bvh two.gltf --skin 1 -o c.png"]
    {
        let run = place.run(line);
        assert!(run.code == 0 && !run.stderr.contains("characters"), "{}", run.stderr);
    }
    place
        .run("preview walk.bvh hero.bvh --skin 1 -o d.png")
        .fails(2, &["no file has such a character"]);
}

#[test]
fn two_roots_of_a_bvh_are_named_and_chosen() {
    let place = Place::new();
    two_in_bvh(&place);
    let run = place.run("retarget two.bvh hero.bvh -o out.bvh");
    run.succeeds();
    let said = "found 2 characters, \"Hips\" (--joint Hips,";
    assert!(
        run.stderr.contains(said) && run.stderr.contains("--joint mixamorig:Hips,"),
        "{}",
        run.stderr
    );
    place.run("retarget walk.bvh hero.bvh -o walk-out.bvh").succeeds();
    assert_eq!(place.read("out.bvh"), place.read("walk-out.bvh"));
    place.run("retarget two.bvh hero.bvh -o still.bvh --joint mixamorig:Hips").succeeds();
    assert_ne!(place.read("still.bvh"), place.read("walk-out.bvh"));
    // A result for one of two has that one alone.
    place.run("retarget walk.bvh two.bvh -o rig.bvh --joint target=mixamorig:Hips").succeeds();
    assert!(place.read("rig.bvh").starts_with("HIERARCHY\nROOT mixamorig:Hips\n"));
    assert_eq!(place.read("rig.bvh").matches("ROOT").count(), 1);
}

#[cfg(feature = "fbx")]
#[path = "../../../rebone-skeleton/tests/all/two_in_fbx.rs"]
mod two_in_fbx;

#[cfg(feature = "fbx")]
#[test]
fn two_skeletons_of_an_fbx_are_named_and_chosen() {
    let place = Place::new();
    place.write("one.fbx", include_str!("../../../../tests/fuzz/seeds/fbx/arm.fbx"));
    place.write("two.fbx", &two_in_fbx::two_in_fbx("B:"));
    let run = place.run("retarget two.fbx hero.bvh -o two.bvh --accept-guesses");
    run.succeeds();
    let said = "found 2 characters, \"Hips\" (--joint Hips, 15 joints) and \"B:Hips\" (--joint B:Hips, 15 joints)";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    place.run("retarget one.fbx hero.bvh -o one.bvh --accept-guesses").succeeds();
    assert_eq!(place.read("one.bvh"), place.read("two.bvh"));
    let run = place.run("inspect two.fbx --joint B:Hips");
    assert!(run.stdout.contains("B:Hips") && !run.stderr.contains("characters"), "{run:?}");
    let line = "retarget walk.bvh two.fbx -o out.bvh --accept-guesses --joint target=B:Hips";
    place.run(line).succeeds();
    assert!(place.read("out.bvh").starts_with("HIERARCHY\nROOT B:Hips\n"));
    place.run("inspect two.fbx --skin 1").fails(1, &["--skin chooses in glTF files"]);
}

#[test]
fn a_batch_chooses_characters_for_all_files_or_by_rules() {
    let place = Place::new();
    two_in_gltf(&place);
    two_in_bvh(&place);
    std::fs::create_dir(place.path("in")).unwrap();
    for name in ["two.gltf", "two.bvh"] {
        std::fs::rename(place.path(name), place.path("in").join(name)).unwrap();
    }
    std::fs::rename(place.path("in/two.gltf"), place.path("in/both.gltf")).unwrap();
    let line = "batch in -t hero.bvh -o out --accept-guesses";
    place.run(line).succeeds();
    let plain = place.read("out/manifest.jsonl");
    assert!(plain.contains("found 2 characters") && !plain.contains("source_character"), "{plain}");
    place.write(
        "rules.toml",
        "[[clips]]\nfiles = '*.bvh'\njoint = 'mixamorig:Hips'\n[[clips]]\nfiles = '*.gltf'\nskin = 1\n",
    );
    let line = format!("{line} --options rules.toml");
    place.run(&line).succeeds();
    let chosen = place.read("out/manifest.jsonl");
    for said in
        [r#""source_character":{"joint":"mixamorig:Hips"}"#, r#""source_character":{"skin":1}"#]
    {
        assert!(chosen.contains(said), "{chosen}");
    }
    assert!(!chosen.contains("found 2 characters"), "{chosen}");
    place.run(&line).succeeds();
    assert_eq!(place.read("out/manifest.jsonl"), chosen, "nothing is done again");
    place.run("report out -o report.html").succeeds();
    let wrong = [
        ("joint = 'a'\nskin = 1", "joint has no effect"),
        ("joint = 'a'\ntargets = 'hero'", "have no effect with targets"),
    ];
    for (text, said) in wrong {
        place.write("rules.toml", &format!("[[clips]]\nfiles = '*'\n{text}\n"));
        place.run(&line).fails(1, &[said]);
    }
    std::fs::copy(place.path("in/both.gltf"), place.path("rig.gltf")).unwrap();
    let line = "batch walk.bvh -t rig.gltf -o rigs --accept-guesses --joint target=B:Hips";
    place.run(line).succeeds();
    assert!(place.read("rigs/manifest.jsonl").contains(r#""target_character":{"joint":"B:Hips"}"#));
    place.run("report rigs -o rigs.html").succeeds();
}

/// The rig of the walk, with another name of the node above its skin, or without a turn there.
fn with_node_above(place: &Place, name: &str, node: Value) {
    place.run("retarget walk.bvh hero.bvh -o rig.gltf").succeeds();
    let mut json = read_json(place, "rig.gltf");
    let top = json["nodes"].as_array().unwrap().len() - 1;
    let children = json["nodes"][top]["children"].clone();
    json["nodes"][top] = node;
    json["nodes"][top]["children"] = children;
    place.write(name, &json.to_string());
}

#[test]
fn a_node_above_the_skin_is_the_root_bone() {
    let place = Place::new();
    let scale = json!({ "name": "Armature", "scale": [0.5, 0.5, 0.5], "translation": [1, 0, 0] });
    with_node_above(&place, "above.gltf", scale);
    place
        .run("retarget walk.bvh above.gltf -o out.gltf --root root-bone --animation again")
        .succeeds();
    let [before, after] = ["above.gltf", "out.gltf"].map(|name| read_json(&place, name));
    assert_eq!(before["nodes"], after["nodes"]);
    let top = before["nodes"].as_array().unwrap().len() - 1;
    assert!(moved_nodes(&place, "out.gltf").contains(&top));
    place.run("check walk.bvh out.gltf --animation again").succeeds();
    let mirrored = json!({ "name": "Armature", "scale": [-0.5, -0.5, -0.5] });
    with_node_above(&place, "mirrored.gltf", mirrored);
    let run = place.run("retarget walk.bvh mirrored.gltf -o no.gltf --root root-bone");
    run.fails(2, &["has no root bone above it", "--add-root adds one"]);
}

#[test]
fn an_added_root_bone_is_found_again() {
    let place = Place::new();
    place.run("retarget walk.bvh hero.bvh -o rig.gltf").succeeds();
    let line = "--root root-bone --add-root --animation";
    place.run(&format!("retarget walk.bvh rig.gltf -o once.gltf {line} one")).succeeds();
    place.run(&format!("retarget walk.bvh once.gltf -o twice.gltf {line} two")).succeeds();
    let [rig, once, twice] = ["rig.gltf", "once.gltf", "twice.gltf"]
        .map(|name| read_json(&place, name)["nodes"].clone());
    assert_eq!(once.as_array().unwrap().len(), rig.as_array().unwrap().len() + 1);
    assert_eq!(once, twice);
    assert_eq!(moved_nodes(&place, "once.gltf"), moved_nodes(&place, "twice.gltf"));
    let twice = read_json(&place, "twice.gltf");
    let count = |index: usize| {
        let data = &twice["animations"][index]["samplers"];
        let times = |own: &Value| {
            twice["accessors"][own["input"].as_u64().unwrap() as usize]["count"].clone()
        };
        data.as_array().unwrap().iter().map(times).collect::<Vec<_>>()
    };
    assert_eq!(count(1), count(2), "one and two have the same keys");
}

#[test]
fn added_root_bones_are_merged_into_one_file() {
    let place = Place::new();
    place.run("retarget walk.bvh hero.bvh -o rig.glb").succeeds();
    std::fs::create_dir(place.path("in")).unwrap();
    for name in ["walk.bvh", "run.bvh"] {
        std::fs::copy(place.path("walk.bvh"), place.path("in").join(name)).unwrap();
    }
    let line = "batch in -t rig.glb -t hero.bvh -o out --accept-guesses --one-file";
    place.run(&format!("{line} --root root-bone --add-root")).succeeds();
    for rig in ["rig", "hero"] {
        let file = format!("out/{rig}.glb");
        let bytes = std::fs::read(place.path(&file)).unwrap();
        let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let json: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
        assert_eq!(json["animations"].as_array().unwrap().len(), 2, "{rig}: walk and run");
        let roots = json["nodes"].as_array().unwrap().iter().filter(|own| own["name"] == "root");
        assert_eq!(roots.count(), 1, "{rig}");
        place.run(&format!("retarget {file} hero.bvh --clip run -o again.bvh")).succeeds();
    }
    place.write("rules.toml", "[[clips]]\nfiles = 'run.bvh'\nadd-root = false\nroot = 'world'\n");
    let some = format!("{line} --root root-bone --add-root --options rules.toml");
    place.run(&some.replace("-t hero.bvh ", "")).succeeds();
}
