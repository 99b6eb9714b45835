//! Updates of cards: the user's part stays, the generated part is written anew.

use super::CardFile;
use crate::body::{JointEntry, Role, Side, SignedAxis};
use crate::card::write::RULE;
use crate::card::{Card, PoseFrom, RoleEntry};
use nalgebra::{UnitQuaternion, Vector3};
use proptest::prelude::*;
use rebone_skeleton::Axis;

fn turned(joint: &str, z: f64) -> JointEntry<UnitQuaternion<f64>> {
    let rotation = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), z);
    JointEntry { joint: joint.to_owned(), value: rotation, line: 0 }
}

fn entry(role: Role, joints: &[&str]) -> RoleEntry {
    RoleEntry { role, joints: joints.iter().map(|&joint| joint.to_owned()).collect(), line: 0 }
}

/// A card as the program writes it, all of it generated.
fn generated() -> Card {
    let mut card = Card {
        up: Some(SignedAxis { axis: Axis::Y, negative: false }),
        roles: vec![
            entry(Role::Hips, &["hip"]),
            entry(Role::Head, &["head"]),
            entry(Role::Foot(Side::Left), &["foot"]),
        ],
        pose: vec![turned("arm", 0.5), turned("leg", 0.25)],
        axes: vec![turned("arm", 0.1), turned("leg", 0.2)],
        limit_examples: vec![JointEntry {
            joint: "arm".into(),
            value: vec![("twist".into(), [-1.0, 1.0])],
            line: 0,
        }],
        ..Card::default()
    };
    for key in ["up", "pose.arm", "pose.leg", "axes.arm", "axes.leg"] {
        card.generated.insert(key.into(), "0.5 so".into());
    }
    for entry in &card.roles {
        card.generated.insert(format!("roles.{}", entry.role.name()), "0.9 named".into());
    }
    card
}

/// Generates a card from another clip.
fn other() -> Card {
    let mut card = generated();
    card.roles[0].joints = vec!["pelvis".into()];
    card.pose = vec![turned("arm", 1.0)];
    card.axes = vec![turned("arm", 0.3), turned("hand", 0.3)];
    card.generated.insert("axes.hand".into(), String::new());
    card
}

fn updated(text: &str, card: &Card) -> String {
    CardFile::parse(text).unwrap().update(card).unwrap()
}

/// The text before `[generated]`.
fn user_part(text: &str) -> &str {
    text.split("\n[generated]").next().unwrap()
}

#[test]
fn a_card_without_entries_of_the_user_states_nothing() {
    let text = generated().to_toml();
    assert_eq!(CardFile::parse(&text).unwrap().user_entries(), Card::default());
    assert_eq!(updated(&text, &generated()), text);
    assert_eq!(updated(&text, &other()), other().to_toml());
    let windows = text.replace('\n', "\r\n");
    assert_eq!(updated(&windows, &generated()), windows);
    for empty in ["", "\n\n"] {
        assert_eq!(updated(empty, &generated()), text);
    }
    let without = user_part(&text).to_owned() + "\n";
    assert_eq!(updated(&without, &generated()), text, "a deleted part comes back");
}

#[test]
fn the_part_of_the_user_stays_to_the_byte() {
    let user = "# hero\n\nunit = \"cm\"  # mine\n\n  # my roles\n[roles]  # look\nhead = 'skull'\n\
                spine = [\n  \"a\", # low\n  \"b\",\n]\n\n[limits]\n\n[axes.leg]\nx = \"+X\"\ny = \"+Z\"\n# end\n";
    let text = updated(user, &generated());
    assert!(text.starts_with(user), "{text}");
    let generated_part = text.strip_prefix(user).unwrap();
    assert!(generated_part.starts_with("\n[generated]  # "), "{text}");
    assert!(!generated_part.contains("head =") && !generated_part.contains("leg = {"), "{text}");
    assert!(generated_part.contains("hips = \"hip\"  # 0.9 named\n"), "{text}");
    assert_eq!(updated(&text, &generated()), text);
    let next = updated(&text, &other());
    assert!(next.starts_with(user) && next.contains("hips = \"pelvis\""), "{next}");
    let read = Card::parse(&text).unwrap();
    assert_eq!((read.roles.len(), read.axes.len(), read.pose.len()), (4, 2, 2));
    let stated = CardFile::parse(&text).unwrap().user_entries();
    assert_eq!((stated.roles.len(), stated.axes.len(), stated.pose.len()), (2, 1, 0));
}

#[test]
fn tables_behind_the_generated_part_are_the_users_and_move_before_it() {
    let text = generated().to_toml();
    let late = "# mine\n[limits.arm]\ntwist = [0, 1]\n\n[roles]\nhead = \"skull\"\n# end\n";
    let limits = "\n[limits]  # degrees; take away a # and change what it limits\n\
                  # arm = { twist = [-1.0, 1.0] }\n";
    let text = text.replace(limits, "") + late;
    let first = format!("{}\n\n{late}\n[generated]", RULE.join("\n"));
    let found = updated(&text, &generated());
    assert!(found.starts_with(&first), "{found}");
    assert_eq!(updated(&found, &generated()), found);
    let between = text.replace("[generated.axes]", "[helpers]\nik = \"head\"\n\n[generated.axes]");
    let found = updated(&between, &generated());
    assert!(user_part(&found).contains("[helpers]\nik = \"head\"\n\n# mine\n"), "{found}");
    assert_eq!(updated(&found, &generated()), found);
}

#[test]
fn values_of_the_command_line_go_into_the_part_of_the_user() {
    let card = Card { unit: Some(1.0), ..Card::default() };
    assert_eq!(updated("unit = \"cm\"  # mine\n", &card), "unit = 1.0  # mine\n");
    assert_eq!(updated("unit = 1 # mine\n", &card), "unit = 1 # mine\n");
    assert_eq!(updated("# hero\n[roles]\n", &card), "# hero\nunit = 1.0\n\n[roles]\n");
    assert_eq!(updated("up = 'z'\n\n[roles]\n", &card), "up = 'z'\nunit = 1.0\n\n[roles]\n");
    let mut stated = generated();
    stated.generated.remove("up");
    let text = updated(&generated().to_toml(), &stated);
    assert_eq!(text.matches("up = ").count(), 1);
    assert!(user_part(&text).contains(&format!("{}\nup = \"+Y\"\n\n", RULE[2])), "{text}");
}

#[test]
fn turns_of_the_user_correct_a_pose_that_is_kept() {
    let text = "[pose]\nleg = [0.0, 0.0, 3.0]  # bent\n".to_owned() + &generated().to_toml();
    let text = updated(&text, &generated());
    let file = CardFile::parse(&text).unwrap();
    let stated = file.user_entries();
    assert_eq!((stated.pose.len(), stated.axes.len(), stated.roles.len()), (2, 2, 0));
    assert_eq!(
        (stated.is_generated("pose", "arm"), stated.is_generated("pose", "leg")),
        (true, false)
    );
    let found = updated(&text, &Card { roles: other().roles, ..other() });
    assert!(found.contains("hips = \"pelvis\""), "{found}");
    let pose = |text: &str| text.split("[generated.pose]").nth(1).unwrap().to_owned();
    assert!(pose(&found).starts_with(pose(&text).trim_end()), "{found}");
    let dropped = file.without_pose();
    assert!(dropped.user_entries().pose.is_empty() && dropped.user_entries().axes.is_empty());
    let rest =
        Card { pose_from: Some(PoseFrom::Rest), pose: Vec::new(), axes: Vec::new(), ..generated() };
    let rest = dropped.update(&rest).unwrap();
    assert!(
        !rest.contains("\n[pose]") && !rest.contains("leg =") && !rest.contains("[generated.pose]"),
        "{rest}"
    );
    assert!(user_part(&rest).contains("pose_from = \"rest\"\n"), "{rest}");
}

#[test]
fn a_learned_calibration_is_kept_where_wanted() {
    let mut learned = generated();
    learned.generated.insert(String::new(), "learned from 3 files, 17 frames".into());
    let text = learned.to_toml();
    let file = CardFile::parse(&text).unwrap();
    assert_eq!(file.learned_from(), Some("3 files"));
    let kept = file.clone().keep_calibration();
    assert_eq!(kept.user_entries().axes.len(), 2);
    let mut card = other();
    card.axes.truncate(1);
    let hips = text.replace("hips = \"hip\"", "hips = \"pelvis\"");
    assert_eq!(kept.update(&card).unwrap(), hips);
    assert_eq!(file.keep_all().update(&card).unwrap(), text);
    for pose in ["pose_from = \"rest\"\n", "[pose]\nleg = [0, 0, 3]\n"] {
        assert_eq!(CardFile::parse(&(pose.to_owned() + &text)).unwrap().learned_from(), None);
    }
    assert!(!updated(&text, &other()).contains("learned"));
    let bare = text.split("[generated.pose]").next().unwrap();
    assert_eq!(CardFile::parse(bare).unwrap().learned_from(), None);
}

#[test]
fn all_of_a_kept_card_is_stated() {
    let text = generated().to_toml();
    let kept = CardFile::parse(&text).unwrap().keep_all();
    assert_eq!(kept.user_entries(), Card::parse(&text).unwrap());
    let mut card = other();
    card.axes.truncate(1);
    card.roles.push(entry(Role::Jaw, &["jaw"]));
    card.generated.insert("roles.jaw".into(), "0.9 named".into());
    let jaw =
        text.replace("\n\n[generated.pose]", "\njaw = \"jaw\"  # 0.9 named\n\n[generated.pose]");
    assert_eq!(kept.update(&card).unwrap(), jaw);
}

#[test]
fn what_cannot_be_written_anew_is_refused() {
    let error = CardFile::parse("up = \"y\"\ngenerated = { up = \"y\" }").unwrap_err();
    assert_eq!(error.line, 2);
    assert!(error.to_string().contains("a section [generated]"), "{error}");
    let both = "up = \"+Z\"\nfacing = \"-Z\"\n";
    assert_eq!(
        CardFile::parse(both).unwrap_err().to_string(),
        Card::parse(both).unwrap_err().to_string()
    );
}

/// The place or the last one before it that is no part of a letter.
fn boundary(text: &str, place: usize) -> usize {
    (0..=place).rev().find(|&place| text.is_char_boundary(place)).unwrap()
}

proptest! {
    /// Whatever is cut out of a card: it is refused or updated, and the result can be read and is updated to itself.
    #[test]
    fn damaged_cards_do_no_harm(cuts in prop::collection::vec((0.0f64..1.0, 0usize..40), 1..4)) {
        let mut text = generated().to_toml() + "# hand\n[limits.hand]\nx = [\n -3, 4]\n";
        for (place, length) in cuts {
            let start = boundary(&text, (place * text.len() as f64) as usize);
            let end = boundary(&text, (start + length).min(text.len()));
            text.replace_range(start..end, "");
        }
        if let Ok(found) = CardFile::parse(&text).and_then(|file| file.update(&generated())) {
            prop_assert!(CardFile::parse(&found).is_ok(), "{}", found);
            prop_assert_eq!(updated(&found, &generated()), found);
        }
    }

    /// Entries of the user stay, and the others are as in a new card.
    #[test]
    fn stated_entries_stay(stated in prop::collection::vec(any::<bool>(), 3)) {
        let names = ["hips", "head", "leftFoot"];
        let mine = names.iter().zip(&stated).filter(|(_, is)| **is);
        let mine: String = mine.map(|(name, _)| format!("{name} = \"mine\" # so\n")).collect();
        let text = format!("[roles]\n{mine}");
        let found = updated(&text, &generated());
        prop_assert!(found.starts_with(&text));
        for (name, is) in names.iter().zip(&stated) {
            prop_assert_eq!(found.matches(&format!("{name} = ")).count(), 1);
            prop_assert_eq!(found.contains(&format!("{name} = \"mine\" # so")), *is);
        }
        prop_assert_eq!(updated(&found, &generated()), found);
    }
}

#[test]
fn dotted_keys_of_the_user_are_his_lines() {
    let user = "roles.spine = [\n  \"a\", # low\n  \"b\",\n] # two\npose.arm = [\n 0, 0, 1]\npose.leg = [0, 0, 2]\n\n[limits]\n";
    let text = updated(user, &Card { unit: Some(1.0), ..generated() });
    let expected = user.replace("2]\n", "2]\nunit = 1.0\n");
    assert!(text.starts_with(&expected), "{text}");
    let file = CardFile::parse(user).unwrap().without_pose();
    let text = file.update(&generated()).unwrap();
    assert!(!user_part(&text).contains("pose"), "{text}");
    assert!(text.starts_with("roles.spine = [\n  \"a\", # low\n  \"b\",\n] # two\n"), "{text}");
}
