//! Requests of a page and their answers, on the samples.

use crate::kit::{bytes_of, causes, ok, opened, rig};
use rebone::skeleton::{Clip, Format};
use rebone::{Options, retarget};
use rebone_studio::Studio;
use serde_json::{Value, json};

#[test]
fn a_result_has_the_bytes_of_a_retarget() {
    let mut studio = opened("seven-spine");
    let (solved, _) = ok(studio.ask(r#"{ "do": "solve", "document": {} }"#, &[]));
    assert_eq!(solved["report"]["verdict"]["verdict"], "PASS");
    assert_eq!(solved["frames"], rebone_samples::walk().motion.clip.len());
    assert!(!solved["contacts"]["result"].as_array().unwrap().is_empty());
    let characters = [("walk.bvh", rebone_samples::walk()), ("rig.bvh", rig("seven-spine"))]
        .map(|(name, sample)| rebone::parse(name, bytes_of(&sample)).unwrap());
    let result = retarget(&characters[0], &characters[1], &Options::default()).unwrap();
    for (name, format) in [("bvh", Format::Bvh), ("glb", Format::Glb)] {
        let (_, bytes) = ok(studio.ask(&json!({ "do": "write", "format": name }).to_string(), &[]));
        assert_eq!(bytes, result.write(format).unwrap(), "{name}");
    }
    assert!(causes(&studio.ask(r#"{ "do": "write", "format": "vrm" }"#, &[])).contains("VRM"));
}

#[test]
fn a_result_after_edits_has_the_bytes_of_one_without() {
    let solved = |studio: &mut Studio, document: &Value| {
        let request = json!({ "do": "solve", "document": document });
        ok(studio.ask(&request.to_string(), &[]));
        ok(studio.ask(r#"{ "do": "write", "format": "bvh" }"#, &[])).1
    };
    let documents = [
        json!({}),
        json!({ "options": { "arms": "position" } }),
        json!({ "cards": { "source": "", "target": "up = \"+Y\"\n" } }),
        json!({ "map": "LeftHand\tBip01_L_Hand\n", "options": { "contacts": "off" } }),
    ];
    let mut studio = opened("seven-spine");
    for document in documents.iter().chain(documents.iter().rev()) {
        let alone = solved(&mut opened("seven-spine"), document);
        assert_eq!(solved(&mut studio, document), alone, "{document}");
    }
}

#[test]
fn poses_stand_on_the_floor_in_metres() {
    let mut studio = opened("twist-zup-cm");
    ok(studio.ask(r#"{ "do": "solve", "document": {} }"#, &[]));
    for side in ["source", "target"] {
        let request = json!({ "do": "poses", "side": side, "start": 10, "count": 5 });
        let (fields, bytes) = ok(studio.ask(&request.to_string(), &[]));
        let joints = fields["joints"].as_u64().unwrap() as usize;
        assert_eq!(bytes.len(), 5 * 28 * joints);
        let heights = (0..joints).map(|joint| {
            f32::from_le_bytes(bytes[28 * joint + 4..28 * joint + 8].try_into().unwrap())
        });
        let (low, high) =
            heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
        assert!(low > -0.1 && low < 0.2 && high > 1.3 && high < 2.0, "{side}: {low} to {high}");
    }
    let request = r#"{ "do": "poses", "side": "source", "start": 100000, "count": 5 }"#;
    assert_eq!(ok(studio.ask(request, &[])).1.len(), 0);
}

#[test]
fn a_skeleton_that_is_not_understood_still_has_its_joints() {
    let mut studio = opened("seven-spine");
    let stick = b"HIERARCHY ROOT Hips { OFFSET 0 0 0 CHANNELS 3 Xrotation Yrotation Zrotation JOINT Arm { OFFSET 1 0 0 \
        CHANNELS 3 Xrotation Yrotation Zrotation End Site { OFFSET 1 0 0 } } }\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0\n";
    ok(studio.ask(r#"{ "do": "open", "side": "target", "name": "stick.bvh" }"#, stick));
    let (fields, _) = ok(studio.ask(r#"{ "do": "understand", "document": {} }"#, &[]));
    assert_eq!(fields["sides"]["target"]["joints"].as_array().unwrap().len(), 2);
    assert!(!fields["sides"]["target"]["error"].as_array().unwrap().is_empty());
    assert!(fields["sides"]["source"]["joints"].as_array().unwrap().len() > 20);
    assert!(!causes(&studio.ask(r#"{ "do": "solve", "document": {} }"#, &[])).is_empty());
}

#[test]
fn an_fbx_is_read_where_the_formats_name_it() {
    let mut studio = opened("seven-spine");
    let (fields, _) = ok(studio.ask(r#"{ "do": "formats" }"#, &[]));
    let formats = fields["formats"].as_str().unwrap();
    assert!(formats.contains("BVH") && formats.contains("VRMA"), "{formats}");
    let arm = include_bytes!("../../../../tests/fuzz/seeds/fbx/arm.fbx");
    let answer = studio.ask(r#"{ "do": "open", "side": "target", "name": "arm.fbx" }"#, arm);
    if formats.contains("FBX") {
        let (fields, _) = ok(answer);
        assert_eq!((&fields["is_gltf"], &fields["has_other_mesh"]), (&json!(false), &json!(true)));
        assert_eq!(fields["clips"], json!(["Turn"]));
    } else {
        assert!(causes(&answer).contains("without FBX"), "{}", answer.json);
        assert_eq!(crate::kit::fields(&answer)["help"].as_str(), Some(formats));
    }
}

#[test]
fn an_error_is_an_answer() {
    let mut studio = Studio::default();
    for request in [
        "",
        "{",
        "[]",
        r#"{ "do": "fly" }"#,
        r#"{ "do": "solve", "document": {} }"#,
        r#"{ "do": "poses", "side": "target", "start": 0, "count": 1 }"#,
        r#"{ "do": "open", "side": "source", "name": "x.bvh" }"#,
        r#"{ "do": "frame", "document": { "options": { "fps": 1 } }, "frame": 3 }"#,
        r#"{ "do": "write", "format": "glb" }"#,
        r#"{ "do": "card", "side": "target", "document": {} }"#,
    ] {
        assert!(!causes(&studio.ask(request, b"no motion")).is_empty());
    }
    let mut studio = opened("one-spine");
    for request in [
        r#"{ "do": "frame", "document": {}, "frame": 18446744073709551615 }"#,
        r#"{ "do": "edit", "side": "target", "document": {}, "edits": [{ "set": "pose", "joint": 999, "turn": [0, 0, 1] }] }"#,
        r#"{ "do": "edit", "side": "target", "document": {}, "edits": [{ "set": "pose", "joint": 1, "turn": [0, 0, 1e300] }] }"#,
        r#"{ "do": "edit", "side": "target", "document": {}, "edits": [{ "set": "role", "role": "wing", "joints": [1] }] }"#,
        r#"{ "do": "edit", "side": "target", "document": {}, "edits": [{ "set": "key", "key": "unit", "value": "m" }] }"#,
        r#"{ "do": "edit", "side": "target", "document": { "cards": { "target": "pose = 1" } }, "edits": [{ "set": "pose", "joint": 1, "turn": [0, 0, 1] }] }"#,
        r#"{ "do": "solve", "document": { "contacts": "[{" } }"#,
        r#"{ "do": "solve", "document": { "map": "Nobody\tHead" } }"#,
    ] {
        assert!(!causes(&studio.ask(request, &[])).is_empty());
    }
}

#[test]
fn frames_of_source_and_result_belong_together_where_a_leading_pose_is_dropped() {
    let mut walk = rebone_samples::walk();
    let (skeleton, plain) = (&walk.motion.skeleton, walk.motion.clip.clone());
    let mut first = skeleton.rest_pose();
    first.translations[0] = plain.pose(0).unwrap().translations[0];
    let poses = [first].into_iter().chain(plain.poses());
    walk.motion.clip = Clip::from_poses(skeleton, plain.frame_time, poses).unwrap();
    let mut studio = opened("seven-spine");
    let poses = |studio: &mut Studio, document: &str| {
        ok(studio.ask(&format!(r#"{{ "do": "solve", "document": {document} }}"#), &[]));
        ["source", "target"].map(|side| {
            let request = json!({ "do": "poses", "side": side, "start": 40, "count": 1 });
            ok(studio.ask(&request.to_string(), &[])).1
        })
    };
    let of_plain = poses(&mut studio, "{}");
    let open = r#"{ "do": "open", "side": "source", "name": "walk.bvh" }"#;
    ok(studio.ask(open, &bytes_of(&walk)));
    let drop = r#"{ "options": { "leading-pose": "drop" } }"#;
    for (found, wanted) in poses(&mut studio, drop).iter().zip(&of_plain) {
        let numbers = |bytes: &[u8]| {
            let number = |four: &[u8]| f32::from_le_bytes(four.try_into().unwrap());
            bytes.chunks_exact(4).map(number).collect::<Vec<f32>>()
        };
        let pairs = numbers(found).into_iter().zip(numbers(wanted));
        assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-4));
    }
    // The pose of a frame is that of the same frame, too.
    let card = |studio: &mut Studio, document: serde_json::Value| {
        let edits = json!([{ "set": "pose-of-frame", "frame": 40 }]);
        let request =
            json!({ "do": "edit", "side": "source", "document": document, "edits": edits });
        ok(studio.ask(&request.to_string(), &[])).0["card"].clone()
    };
    let dropped = card(&mut studio, serde_json::from_str(drop).unwrap());
    // A document that fails between does not change which frame that is.
    let broken = json!({ "do": "understand", "document": { "cards": { "source": "", "target": "[roles]\nhead = \"Bip01_L_Foot\"\n" } } });
    assert!(!ok(studio.ask(&broken.to_string(), &[])).0["error"].is_null());
    assert_eq!(dropped, card(&mut studio, serde_json::from_str(drop).unwrap()));
    ok(studio.ask(open, &bytes_of(&rebone_samples::walk())));
    assert_eq!(dropped, card(&mut studio, json!({})));
}
