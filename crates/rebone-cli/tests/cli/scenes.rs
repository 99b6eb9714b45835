//! glTF, VRM and FBX files as rigs, as sources and as results.

use crate::support::Place;
use serde_json::Value;

/// The JSON of a GLB.
fn json(place: &Place, name: &str) -> Value {
    let bytes = std::fs::read(place.path(name)).unwrap();
    if !bytes.starts_with(b"glTF") {
        return serde_json::from_slice(&bytes).unwrap();
    }
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

fn animations(place: &Place, name: &str) -> Vec<String> {
    let json = json(place, name);
    let names = json["animations"].as_array().unwrap().iter();
    names.map(|own| own["name"].as_str().unwrap().to_owned()).collect()
}

/// A rig with one animation, `walk`.
fn rig(place: &Place) {
    place.run("retarget walk.bvh hero.bvh -o rig.glb").succeeds();
}

#[test]
fn results_are_added_to_what_a_rig_holds() {
    let place = Place::new();
    rig(&place);
    assert_eq!(animations(&place, "rig.glb"), ["walk"]);
    place.run("retarget walk.bvh rig.glb -o both.glb --animation again").succeeds();
    assert_eq!(animations(&place, "both.glb"), ["walk", "again"]);
    place.run("retarget walk.bvh both.glb -o one.gltf --animation walk").succeeds();
    assert_eq!(animations(&place, "one.gltf"), ["walk", "again"]);
    let nodes = |name| json(&place, name)["nodes"].clone();
    assert_eq!(nodes("both.glb"), nodes("rig.glb"));
    place.run("retarget walk.bvh rig.glb -o back.bvh").succeeds();
    assert!(place.read("back.bvh").starts_with("HIERARCHY\nROOT mixamorig:Hips\n"));
}

#[test]
fn joints_and_motion_alone_are_written_with_fewer_keys() {
    let place = Place::new();
    rig(&place);
    place.run("retarget walk.bvh rig.glb -o all.glb --animation a --tolerance 0,0").succeeds();
    let line = "retarget walk.bvh rig.glb -o alone.glb --animation a --animation-only";
    place.run(&format!("{line} --tolerance 180,9999")).succeeds();
    assert_eq!(animations(&place, "alone.glb"), ["a"]);
    let keys = |name| -> u64 {
        let json = json(&place, name);
        json["accessors"].as_array().unwrap().iter().map(|own| own["count"].as_u64().unwrap()).sum()
    };
    assert!(keys("alone.glb") < keys("all.glb"));
    place.run("retarget alone.glb hero.bvh -o out.bvh --clip a").succeeds();
}

#[test]
fn clips_inside_a_file_are_named_or_numbered() {
    let place = Place::new();
    rig(&place);
    place.run("retarget walk.bvh rig.glb -o both.glb --animation again").succeeds();
    for clip in ["again", "1", "walk"] {
        place.run(&format!("retarget both.glb hero.bvh --clip {clip} -o out.bvh")).succeeds();
    }
    let run = place.run("retarget both.glb hero.bvh --clip run -o out.bvh");
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("no clip \"run\", but walk, again"), "{}", run.stderr);
}

#[test]
fn a_skeleton_without_a_clip_is_no_source() {
    let place = Place::new();
    rig(&place);
    let mut json = json(&place, "rig.glb");
    for key in ["animations", "accessors", "bufferViews", "buffers"] {
        json.as_object_mut().unwrap().remove(key);
    }
    place.write("still.gltf", &json.to_string());
    place.run("inspect still.gltf").succeeds();
    place.run("retarget walk.bvh still.gltf -o out.gltf").succeeds();
    let run = place.run("retarget still.gltf hero.bvh -o out.bvh");
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("still.gltf: there is no clip in it"), "{}", run.stderr);
}

#[test]
fn of_several_skeletons_the_one_that_is_a_body_is_taken() {
    let place = Place::new();
    rig(&place);
    let mut json = json(&place, "rig.glb");
    let nodes = json["nodes"].as_array_mut().unwrap();
    let body: Vec<usize> = (0..nodes.len() - 1).collect();
    // A chain of a hundred links, in a skin of its own before that of the body.
    let first = nodes.len();
    let link =
        |k: usize| serde_json::json!({ "name": format!("link{k}"), "translation": [0, 1, 0] });
    nodes.extend((0..100).map(link));
    (first..first + 99).for_each(|k| nodes[k]["children"] = serde_json::json!([k + 1]));
    json["scenes"][0]["nodes"].as_array_mut().unwrap().push(first.into());
    let chain: Vec<usize> = (first..first + 100).collect();
    json["skins"] = serde_json::json!([{ "joints": chain }, { "joints": body }]);
    for key in ["animations", "accessors", "bufferViews", "buffers"] {
        json.as_object_mut().unwrap().remove(key);
    }
    place.write("two.gltf", &json.to_string());
    for line in ["inspect two.gltf", "inspect two.gltf --skin 1", "card two.gltf --skin 1"] {
        let run = place.run(line);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("mixamorig:Hips"), "{}", run.stdout);
    }
    place.run("retarget walk.bvh two.gltf --skin target=1 -o out.gltf").succeeds();
    let wrong = [("0", "no humanoid"), ("7", "found skin 7, expected one of"), ("x", "a number")];
    for (skin, why) in wrong {
        let run = place.run(&format!("inspect two.gltf --skin {skin}"));
        assert!(run.code != 0 && run.stderr.contains(why), "{}", run.stderr);
    }
    let run = place.run("inspect hero.bvh --skin 0");
    assert!(run.stderr.contains("--skin chooses in glTF files"), "{}", run.stderr);
}

#[test]
fn a_part_moves_over_the_rigs_own_animation() {
    let place = Place::new();
    rig(&place);
    let line = "retarget walk.bvh rig.glb -o out.glb --animation wave --only upper";
    place.run(&format!("{line} --base walk")).succeeds();
    assert_eq!(animations(&place, "out.glb"), ["walk", "wave"]);
    let said = "rig.glb: no clip \"run\": its only clip is walk";
    place.run(&format!("{line} --base run")).fails(1, &[said]);
    let run = place.run("retarget walk.bvh hero.bvh -o out.bvh --only tail");
    assert_eq!(run.code, 2);
    // Over a base that stands still, a leg bends with the legs and not with the arms.
    place.run("retarget hero.bvh rig.glb -o still.glb --animation still").succeeds();
    let knee = |options: &str, frame: usize| {
        place.run(&format!("retarget walk.bvh still.glb {options} -o out.bvh")).succeeds();
        let bytes = std::fs::read(place.path("out.bvh")).unwrap();
        let motion = rebone::skeleton::bvh::parse(&bytes).unwrap().motion;
        let id = motion.skeleton.find("mixamorig:LeftLeg".into()).unwrap();
        motion.clip.pose(frame).unwrap().rotations[id.index()]
    };
    let (whole, still) = (knee("", 2), knee("", 0));
    assert!(whole.angle_to(&still) > 0.3);
    assert!(knee("--only legs --base still", 2).angle_to(&whole) < 1e-6);
    assert!(knee("--only arms,head --base still", 2).angle_to(&still) < 1e-3);
    let run = place.run("retarget walk.bvh rig.glb -o out.bvh --only arms --ground on");
    assert!(run.code == 2 && run.stderr.contains("--ground on moves the hips"), "{}", run.stderr);
}

#[test]
fn a_vrm_animation_has_the_bones_of_vrm() {
    let place = Place::new();
    place.run("retarget walk.bvh hero.bvh -o walk.vrma").succeeds();
    let json = json(&place, "walk.vrma");
    let own = &json["extensions"]["VRMC_vrm_animation"];
    assert_eq!(
        (&own["specVersion"], &json["extensionsUsed"][0]),
        (&"1.0".into(), &"VRMC_vrm_animation".into())
    );
    let bones = own["humanoid"]["humanBones"].as_object().unwrap();
    for bone in ["hips", "leftUpperLeg", "rightHand", "head"] {
        let node = bones[bone]["node"].as_u64().unwrap() as usize;
        assert_eq!(json["nodes"][node]["name"], bone);
    }
    let paths: Vec<&Value> = json["animations"][0]["channels"].as_array().unwrap().iter().collect();
    let moved = paths.iter().filter(|own| own["target"]["path"] == "translation");
    assert!(moved.clone().all(|own| own["target"]["node"] == bones["hips"]["node"]));
}

#[test]
fn errors_name_the_place_in_the_json() {
    let place = Place::new();
    rig(&place);
    let mut wrong = json(&place, "rig.glb");
    wrong["nodes"][0]["scale"] = serde_json::json!([1.0, 0.0, 1.0]);
    wrong["buffers"] = serde_json::json!([]);
    place.write("wrong.gltf", &wrong.to_string());
    let run = place.run("inspect wrong.gltf");
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("wrong.gltf: nodes: found the scale 1 0 1 at node 0"),
        "{}",
        run.stderr
    );
    wrong["nodes"][0]["scale"] = Value::Null;
    place.write("wrong.gltf", &wrong.to_string());
    let run = place.run("retarget wrong.gltf hero.bvh -o out.bvh");
    assert!(
        run.stderr.contains("bufferViews[0]: found buffer 0, expected one of"),
        "{}",
        run.stderr
    );
}

#[cfg(feature = "fbx")]
#[test]
fn an_fbx_is_a_rig_and_a_source() {
    let place = Place::new();
    let text = include_str!("../../../../tests/fuzz/seeds/fbx/arm.fbx");
    place.write("arm.fbx", text);
    place.run("retarget walk.bvh arm.fbx -o out.glb --accept-guesses").succeeds();
    place.run("retarget arm.fbx hero.bvh -o out.bvh --accept-guesses").succeeds();
    assert!(place.read("out.bvh").contains("Frames: 16"));
    let run = place.run("retarget walk.bvh arm.fbx -o out.fbx --accept-guesses");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("name it out.bvh, or .glb"), "{}", run.stderr);
}

#[test]
fn a_batch_takes_every_clip_of_every_file() {
    let place = Place::new();
    rig(&place);
    std::fs::create_dir(place.path("in")).unwrap();
    place.run("retarget walk.bvh rig.glb -o in/both.glb --animation again").succeeds();
    std::fs::copy(place.path("walk.bvh"), place.path("in/plain.bvh")).unwrap();
    let line = "batch in -t hero.bvh -t rig.glb -o out --accept-guesses";
    place.run(line).succeeds();
    let results = ["both-walk", "both-again", "plain"];
    for name in
        results.iter().flat_map(|name| [format!("{name}-hero.bvh"), format!("{name}-rig.glb")])
    {
        assert!(place.path("out").join(&name).is_file(), "{name}");
    }
    let before = place.read("out/manifest.jsonl");
    assert!(before.contains(r#""part":{"index":1,"name":"again"}"#), "{before}");
    place.run(line).succeeds();
    assert_eq!(place.read("out/manifest.jsonl"), before, "nothing is done again");
}

#[test]
fn a_batch_gathers_its_results_in_one_file() {
    let place = Place::new();
    rig(&place);
    std::fs::create_dir_all(place.path("in/slow")).unwrap();
    std::fs::copy(place.path("walk.bvh"), place.path("in/slow/walk.bvh")).unwrap();
    std::fs::copy(place.path("walk.bvh"), place.path("in/run.bvh")).unwrap();
    place.write("in/broken.bvh", "HIERARCHY\nROOT");
    let line = "batch in -t rig.glb -t hero.bvh -o out --accept-guesses --one-file";
    let run = place.run(line);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stdout.contains("2  animations in out/rig.glb"), "{}", run.stdout);
    assert_eq!(animations(&place, "out/rig.glb"), ["walk", "run", "slow/walk"]);
    assert_eq!(animations(&place, "out/hero.glb"), ["run", "slow/walk"]);
    assert_eq!(animations(&place, "out/parts/slow/walk-rig.glb"), ["walk"]);
    let before = std::fs::read(place.path("out/rig.glb")).unwrap();
    place.run(line);
    assert_eq!(std::fs::read(place.path("out/rig.glb")).unwrap(), before);
    place.run("retarget out/rig.glb hero.bvh --clip slow/walk -o again.bvh").succeeds();
}

#[test]
fn names_say_what_is_written() {
    let place = Place::new();
    rig(&place);
    let wrong = [
        ("retarget walk.bvh rig.glb -o out.vrm", "the target is no VRM"),
        ("card rig.glb -o out.toml --write-pose out.vrma", "a pose is no VRM animation"),
        ("card rig.glb -o out.toml --write-pose out.fbx", "name it out.bvh"),
        ("card rig.glb -o out.toml --write-pose ./pose.toml", "as toml"),
        ("card rig.glb -o out.glb --write-pose ./in/../out.glb", "are one file"),
    ];
    std::fs::create_dir(place.path("in")).unwrap();
    for (line, why) in wrong {
        let run = place.run(line);
        assert!(run.code == 2 && run.stderr.contains(why), "{line}: {}", run.stderr);
    }
    place.run("card rig.glb -o out.toml --write-pose pose.bvh --t-pose").succeeds();
    assert!(place.read("out.toml").contains("correct_bind = true"));
    // A pose that somebody corrects keeps it.
    place.run("card hero.bvh -o hero.toml --t-pose").succeeds();
    let text = place.read("hero.toml");
    let kept: String = text
        .lines()
        .filter(|line| !line.starts_with("pose_from"))
        .map(|line| format!("{line}\n"))
        .collect();
    place.write("hero.toml", &(kept + "\n[pose]\n\"mixamorig:Head\" = [5.0, 0.0, 0.0]\n"));
    place.run("card hero.bvh -o hero.toml").succeeds();
    assert!(place.read("hero.toml").contains("correct_bind = true"));
    // Whatever a card says of the pose, it gives way.
    place.write("rest.toml", "pose_from = \"rest\"\n");
    place.run("card hero.bvh -o rest.toml --t-pose").succeeds();
    place.run("card hero.bvh -o plain.toml").succeeds();
    place.run("card hero.bvh --card plain.toml -o new.toml --t-pose").succeeds();
    assert!(place.read("new.toml").contains("correct_bind = true"));
    assert!(place.read("pose.bvh").contains("Frames: 1\n"));
}

/// A rig whose data are in a file beside it.
fn rig_in_two_files(place: &Place) {
    rig(place);
    let bytes = std::fs::read(place.path("rig.glb")).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut json = json(place, "rig.glb");
    json["buffers"][0]["uri"] = "rig.bin".into();
    std::fs::create_dir(place.path("rigs")).unwrap();
    std::fs::write(place.path("rigs/rig.bin"), &bytes[28 + length..]).unwrap();
    place.write("rigs/rig.gltf", &json.to_string());
}

#[test]
fn files_beside_a_rig_stay_there_and_are_not_replaced() {
    let place = Place::new();
    rig_in_two_files(&place);
    place.run("retarget walk.bvh rigs/rig.gltf -o rigs/out.gltf").succeeds();
    place.run("inspect rigs/out.gltf").succeeds();
    let run = place.run("retarget walk.bvh rigs/rig.gltf -o out.gltf");
    assert!(run.code == 1 && run.stderr.contains("into the same folder"), "{}", run.stderr);
    place.run("retarget walk.bvh rigs/rig.gltf -o out.glb --animation-only").succeeds();
    place.run("batch walk.bvh -t rigs/rig.gltf -o m --animation-only --accept-guesses").succeeds();
    let data = std::fs::read(place.path("rigs/rig.bin")).unwrap();
    for line in [
        "retarget walk.bvh rigs/rig.gltf -o out.bvh --report rigs/rig.bin",
        "inspect rigs/rig.gltf --preview rigs/rig.bin",
        "export walk.bvh rigs/rig.gltf -o rigs/rig.bin",
        "preview rigs/rig.gltf -o rigs/rig.bin",
        "report m/manifest.jsonl -o rigs/rig.bin --overwrite",
    ] {
        let run = place.run(line);
        assert!(run.code == 2 && run.stderr.contains("an input is never changed"), "{line}");
    }
    assert_eq!(std::fs::read(place.path("rigs/rig.bin")).unwrap(), data);
    let run = place.run("batch walk.bvh -t rigs/rig.gltf -o one --one-file --accept-guesses");
    assert!(run.code == 1 && run.stderr.contains("save the file as such"), "{}", run.stderr);
    assert!(!place.path("one/parts").exists());
}
