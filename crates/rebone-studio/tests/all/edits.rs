//! Edits of cards, and what they change.

use crate::kit::{causes, fields, joint, ok, opened, rotation};
use rebone::card::Card;
use rebone_studio::Studio;
use serde_json::{Value, json};

#[test]
fn a_frame_tells_what_an_edit_moved() {
    let mut studio = opened("seven-spine");
    let arm = joint(&mut studio, "leftUpperArm");
    let edit = |studio: &mut Studio, card: &str, turn: Value| {
        let request = json!({
            "do": "edit", "side": "target", "document": { "cards": { "target": card } },
            "edits": [{ "set": "pose", "joint": arm, "turn": turn }],
        });
        ok(studio.ask(&request.to_string(), &[])).0["card"].as_str().unwrap().to_owned()
    };
    let frame = |studio: &mut Studio, card: &str| {
        let request =
            json!({ "do": "frame", "frame": 40, "document": { "cards": { "target": card } } });
        ok(studio.ask(&request.to_string(), &[]))
    };
    let (_, before) = frame(&mut studio, "");
    let card = edit(&mut studio, "", json!([0.0, 30.0, 0.0]));
    let (fields, after) = frame(&mut studio, &card);
    let moved: Vec<usize> = fields["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| own["joint"].as_u64().unwrap() as usize)
        .collect();
    assert!(moved.contains(&arm), "{fields}");
    assert_ne!(rotation(&before, arm), rotation(&after, arm));
    assert_eq!(edit(&mut studio, &card, Value::Null), "");
    let (fields, again) = frame(&mut studio, "");
    assert!(!fields["moves"].as_array().unwrap().is_empty());
    assert_eq!(again, before);
}

#[test]
fn a_hand_whose_turn_is_stated_turns_with_its_fingers() {
    let mut studio = opened("seven-spine");
    let [hand, finger] = ["leftHand", "leftIndex"].map(|role| joint(&mut studio, role));
    let request = json!({
        "do": "edit", "side": "target", "document": {},
        "edits": [{ "set": "pose", "joint": hand, "turn": [0.0, 12.5, 0.0] }],
    });
    let card = ok(studio.ask(&request.to_string(), &[])).0["card"].clone();
    let mut frame = |document: Value| {
        let request = json!({ "do": "frame", "frame": 40, "document": document });
        ok(studio.ask(&request.to_string(), &[])).0
    };
    frame(json!({}));
    let fields = frame(json!({ "cards": { "target": card } }));
    let moves = fields["moves"].as_array().unwrap();
    for joint in [hand, finger] {
        let own = moves.iter().find(|own| own["joint"] == joint).unwrap();
        assert!((own["degrees"].as_f64().unwrap() - 12.5).abs() < 2.0, "{fields}");
    }
}

#[test]
fn turns_are_shown_as_they_were_typed() {
    let mut studio = opened("twist-zup-cm");
    let [arm, head] = ["rightUpperArm", "head"].map(|role| joint(&mut studio, role));
    let typed = [(arm, [12.5, -7.25, 3.0]), (head, [0.0, 170.0, 1.0]), (arm, [1.0, 40.0, -60.0])];
    let mut card = String::new();
    for (joint, turn) in typed {
        let request = json!({
            "do": "edit", "side": "target", "document": { "cards": { "target": card } },
            "edits": [{ "set": "pose", "joint": joint, "turn": turn }],
        });
        card = ok(studio.ask(&request.to_string(), &[])).0["card"].as_str().unwrap().to_owned();
        let request = json!({ "do": "understand", "document": { "cards": { "target": card } } });
        let (fields, _) = ok(studio.ask(&request.to_string(), &[]));
        let turns = fields["sides"]["target"]["turns"].as_array().unwrap().clone();
        let own = turns.iter().find(|own| own[0] == joint).unwrap();
        for (axis, degrees) in turn.into_iter().enumerate() {
            assert!((own[1][axis].as_f64().unwrap() - degrees).abs() < 1e-3, "{turn:?}: {own}");
        }
    }
}

#[test]
fn an_edit_changes_one_line() {
    let mut studio = opened("seven-spine");
    let toes = joint(&mut studio, "leftToes");
    let card = "# mine\nup = \"+Y\" # known\n\n[roles]\nleftToes = [] # none\nhead = \"Head\"\n\n[limits] # few\n";
    let request = |joints: Value| {
        json!({
            "do": "edit", "side": "target", "document": { "cards": { "target": card } },
            "edits": [{ "set": "role", "role": "leftToes", "joints": joints }],
        })
        .to_string()
    };
    let named = ok(studio.ask(&request(json!([toes])), &[])).0["card"].as_str().unwrap().to_owned();
    let changed: Vec<_> = card.lines().zip(named.lines()).filter(|(old, new)| old != new).collect();
    assert_eq!(changed.len(), 1, "{named}");
    assert!(changed[0].1.ends_with("# none") && !changed[0].1.contains("[]"), "{named}");
    let gone = ok(studio.ask(&request(Value::Null), &[])).0["card"].as_str().unwrap().to_owned();
    assert_eq!(gone.lines().count(), card.lines().count() - 1);
}

#[test]
fn a_card_with_a_line_that_is_wrong_says_which() {
    let mut studio = opened("seven-spine");
    let request = json!({ "do": "understand", "document": { "cards": { "target": "up = \"y\"\nfacing = \"north\"\n" } } });
    let answer = studio.ask(&request.to_string(), &[]);
    assert!(causes(&answer).contains("north"));
    assert_eq!(fields(&answer)["line"], 2);
    assert_eq!(fields(&answer)["side"], "target");
}

#[test]
fn cards_that_are_written_give_the_understanding_back() {
    let mut studio = opened("toy-a-pose");
    for t_pose in [false, true] {
        let request = json!({ "do": "card", "side": "target", "document": {}, "t_pose": t_pose });
        let card = ok(studio.ask(&request.to_string(), &[])).0["card"].as_str().unwrap().to_owned();
        assert!(card.contains("[generated.roles]"));
        let document = json!({ "cards": { "target": card } });
        let (fields, _) =
            ok(studio.ask(&json!({ "do": "understand", "document": document }).to_string(), &[]));
        assert_eq!(fields["error"], Value::Null);
    }
    let (fields, bytes) = ok(studio.ask(r#"{ "do": "calibration", "document": {} }"#, &[]));
    let sum = |key: &str| -> u64 {
        fields[key].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum()
    };
    assert_eq!(bytes.len() as u64, 28 * sum("joints") + 32 * sum("frames"));
}

#[test]
fn a_pose_of_a_frame_is_stated_as_turns() {
    let mut studio = opened("seven-spine");
    let edit = |studio: &mut Studio, frame: usize| {
        let edits = json!([{ "set": "pose-of-frame", "frame": frame }]);
        let request = json!({ "do": "edit", "side": "source", "document": {}, "edits": edits });
        studio.ask(&request.to_string(), &[])
    };
    let card = ok(edit(&mut studio, 30)).0["card"].as_str().unwrap().to_owned();
    let motion = rebone_samples::walk().motion;
    let stated = Card::parse(&card).unwrap().posed(&motion.skeleton).unwrap().unwrap();
    let wanted = motion.clip.pose(30).unwrap();
    for (found, wanted) in stated.rotations.iter().zip(&wanted.rotations) {
        assert!(found.angle_to(wanted).to_degrees() < 0.06);
    }
    assert!(causes(&edit(&mut studio, 100_000)).contains("expected 0 to"));
}

#[test]
fn feet_are_levelled_and_sides_mirrored_as_by_the_command_line() {
    let mut studio = opened("seven-spine");
    let mut card = |more: Value| {
        let mut request = json!({ "do": "card", "side": "target", "document": {} });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        studio.ask(&request.to_string(), &[])
    };
    let level = ok(card(json!({ "level_feet": [0, null] }))).0["card"].clone();
    assert!(level.as_str().unwrap().contains("# level in frame 0"), "{level}");
    let mirrored = ok(card(json!({ "mirror": "left" }))).0["card"].clone();
    assert!(mirrored.as_str().unwrap().contains("# mirrored from the left"), "{mirrored}");
    assert!(causes(&card(json!({ "level_feet": [null, 99_999] }))).contains("no frame 99999"));
    assert!(causes(&card(json!({ "mirror": "up" }))).contains("cannot be read"));
}
