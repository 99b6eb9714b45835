//! Cards that are written again: what is whose, and what stays.

use super::CardFile;
use crate::body::{JointLimits, SignedAxis};
use crate::body::{Role, Side};
use crate::card::calibration::JointRotation;
use crate::card::{Card, PoseFrom, RoleEntry};
use nalgebra::{UnitQuaternion, Vector3};
use proptest::prelude::*;
use rebone_skeleton::Axis;

fn turned(joint: &str, z: f64) -> JointRotation {
    let rotation = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), z);
    JointRotation { joint: joint.to_owned(), rotation, line: 0 }
}

fn entry(role: Role, joints: &[&str]) -> RoleEntry {
    RoleEntry { role, joints: joints.iter().map(|&joint| joint.to_owned()).collect(), line: 0 }
}

/// A card as the program writes it, all of it guessed.
fn guessed() -> Card {
    let mut card = Card {
        up: Some(SignedAxis { axis: Axis::Y, negative: false }),
        roles: vec![
            entry(Role::Hips, &["hip"]),
            entry(Role::Head, &["head"]),
            entry(Role::Foot(Side::Left), &["foot"]),
        ],
        pose: vec![turned("arm", 0.5), turned("leg", 0.25)],
        axes: vec![turned("arm", 0.1), turned("leg", 0.2)],
        limit_examples: vec![JointLimits {
            joint: "arm".into(),
            ranges: vec![("twist".into(), [-1.0, 1.0])],
            line: 0,
        }],
        ..Card::default()
    };
    for key in ["", "up", "pose", "axes.arm", "axes.leg"] {
        card.remarks.insert(key.into(), "0.5 so".into());
    }
    for entry in &card.roles {
        card.remarks.insert(format!("roles.{}", entry.role.name()), "0.9 named".into());
    }
    card
}

fn renewed(text: &str, card: &Card) -> String {
    CardFile::parse(text).unwrap().update(card).unwrap()
}

#[test]
fn nothing_is_said_in_a_card_that_nobody_touched() {
    let text = guessed().to_toml();
    assert_eq!(CardFile::parse(&text).unwrap().user_entries(), Card::default());
    assert_eq!(renewed(&text, &guessed()), text);
    let windows = text.replace('\n', "\r\n");
    assert_eq!(renewed(&windows, &guessed()), windows);
    assert_eq!(renewed("", &guessed()).lines().last(), text.lines().last());
}

#[test]
fn a_changed_value_is_said_with_its_comment_left_in_place() {
    let text = guessed().to_toml().replace("head = \"head\"", "head = \"skull\"");
    let text = text.replace("leg = { x = ", "leg = { x = [1, 2, 3], y = \"+X\" } # ");
    let user_entries = CardFile::parse(&text).unwrap().user_entries();
    assert_eq!(user_entries.roles.len(), 1);
    assert_eq!(user_entries.roles[0].joints, ["skull"]);
    assert_eq!(user_entries.axes.len(), 1);
    assert_eq!(renewed(&text, &guessed()), text);
}

#[test]
fn comments_order_and_own_lines_stay_and_guesses_change() {
    let text = guessed().to_toml();
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap().to_owned();
    let (hips, head) = (line("hips"), line("head"));
    let text = text.replace(&format!("{hips}\n{head}\n"), &format!("{head}\n# mine\n{hips}\n"));
    let text = text.replace("[roles]", "# my roles\n[roles]  # look") + "# the end\n";
    let text =
        text.replace("\n[axes]", "\nleftToes = []\n[axes]").replacen("\nleftToes = []", "", 1);
    let mut card = guessed();
    card.roles[0].joints = vec!["pelvis".into()];
    card.roles[2] = entry(Role::Jaw, &["jaw"]);
    let card = renewed(&text, &card);
    let at = |text: &str| card.find(text).unwrap_or_else(|| panic!("no {text:?} in {card}"));
    assert!(at("# my roles") < at("[roles]  # look") && at("[roles]  # look") < at("head = "));
    assert!(at("head = ") < at("# mine") && at("# mine") < at("hips = \"pelvis\""));
    assert!(at("hips = ") < at("jaw = \"jaw\"") && at("jaw = ") < at("[limits]"));
    assert!(!card.contains("leftFoot") && card.ends_with("# the end\n"), "{card}");
    assert!(at("# arm = { twist") < at("[pose]") && at("[pose]") < at("[axes]"));
}

#[test]
fn a_pose_is_one_thing() {
    let text = guessed().to_toml();
    let leg = text.lines().find(|line| line.starts_with("leg = [")).unwrap();
    let changes = [
        text.replace(leg, "leg = [0.0, 0.0, 3.0]"),
        text.replace(&format!("{leg}\n"), ""),
        text.replace(leg, &format!("{leg}\nhand = [0.0, 0.0, 3.0]")),
    ];
    for text in changes {
        let user_entries = CardFile::parse(&text).unwrap().user_entries();
        assert_eq!(user_entries.pose, Card::parse(&text).unwrap().pose);
        assert_eq!(user_entries.axes.len(), 2, "frames that stand beside somebody's pose stay");
        assert_eq!(renewed(&text, &guessed()), text);
    }
    let mut other = guessed();
    other.pose.clear();
    other.pose_from = Some(PoseFrom::Rest);
    other.remarks.insert("pose_from".into(), "0.9 so".into());
    let rest = renewed(&text, &other);
    assert!(
        !rest.contains("[pose]") && rest.contains("pose_from = \"rest\"  # 0.9 so ~"),
        "{rest}"
    );
    let back = Card::parse(&renewed(&rest, &guessed())).unwrap();
    assert_eq!((back.pose.len(), back.pose_from), (2, None));
}

#[test]
fn comments_inside_a_pose_stay_where_they_are() {
    let text = guessed().to_toml();
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap();
    let (head, arm, leg) = (line("[pose]"), line("arm = ["), line("leg = ["));
    let mine = format!("{head}\n# an A pose\n{arm}\n# bent\n{leg}\n# so far\n");
    let text = text.replace(&format!("{head}\n{arm}\n{leg}\n"), &mine);
    assert_eq!(renewed(&text, &guessed()), text);
    let mut other = guessed();
    other.pose = vec![turned("hand", 0.1), turned("leg", 0.75), turned("arm", 1.0)];
    let found = renewed(&text, &other);
    let pose = found.split_once("[pose]").unwrap().1.split_once("\n\n").unwrap().0;
    let starts = ["# an A pose", "arm = [", "# bent", "leg = [", "hand = [", "# so far"];
    assert!(
        pose.lines().skip(1).zip(starts).all(|(line, start)| line.starts_with(start)),
        "{found}"
    );
    assert!(pose.lines().count() == 7 && pose.contains("57.29"), "{found}");
    assert_eq!(renewed(&found, &other), found);
    assert_eq!(CardFile::parse(&found).unwrap().user_entries(), Card::default());
    other.pose.clear();
    other.pose_from = Some(PoseFrom::Rest);
    assert!(renewed(&found, &other).contains("# an A pose\n# bent\n# so far\n"));
}

#[test]
fn cards_by_hand_are_completed() {
    let text = "\u{feff}# hero\nunit = \"cm\"\n[roles]\nspine = [\n  \"a\", # low\n  \"b\",\n]\n\n[axes.leg]\nx = \"+X\"\ny = \"+Z\"\n";
    let card = renewed(text, &guessed());
    let read = Card::parse(&card).unwrap();
    assert!(card.starts_with("# hero\n# 0.5 so ~"), "{card}");
    assert!(card.contains("\nunit = \"cm\"\nup = \"+Y\""), "{card}");
    assert!(card.contains("  \"b\",\n]\nhips = "), "{card}");
    assert_eq!((read.roles.len(), read.axes.len(), read.pose.len()), (4, 2, 2), "{card}");
    assert_eq!(renewed(&card, &guessed()), card);
    let other = Card { unit: Some(1.0), ..Card::default() };
    assert!(renewed("unit = \"cm\"  # mine\n", &other).starts_with("unit = 1.0  # mine\n"));
    let error = CardFile::parse("up = \"y\"\nroles = { head = \"a\" }").unwrap_err();
    assert_eq!(error.line, 2);
    assert!(error.to_string().contains("a section such as [roles]"), "{error}");
}

#[test]
fn all_of_a_kept_card_is_said() {
    let text = guessed().to_toml();
    let keep_all = CardFile::parse(&text).unwrap().keep_all();
    assert_eq!(keep_all.user_entries(), Card::parse(&text).unwrap());
    let mut other = guessed();
    other.roles[0].joints = vec!["pelvis".into()];
    other.roles.push(entry(Role::Jaw, &["jaw"]));
    let jaw = renewed(&text, &guessed()).replace("\n\n[limits]", "\njaw = \"jaw\"\n\n[limits]");
    assert_eq!(keep_all.update(&other).unwrap(), jaw);
}

/// The place or the last one before it that is no part of a letter.
fn boundary(text: &str, place: usize) -> usize {
    (0..=place).rev().find(|&place| text.is_char_boundary(place)).unwrap()
}

proptest! {
    /// Whatever is cut out of a card: it is refused or written again, and what is written can be read.
    #[test]
    fn damaged_cards_do_no_harm(cuts in prop::collection::vec((0.0f64..1.0, 0usize..40), 1..4)) {
        let mut text = guessed().to_toml() + "[limits.hand]\nx = [\n -3, 4]\n";
        for (place, length) in cuts {
            let start = boundary(&text, (place * text.len() as f64) as usize);
            let end = boundary(&text, (start + length).min(text.len()));
            text.replace_range(start..end, "");
        }
        if let Ok(found) = CardFile::parse(&text).and_then(|written| written.update(&guessed())) {
            prop_assert!(CardFile::parse(&found).is_ok(), "{}", found);
        }
    }

    /// Whatever lines are touched: those stay, the others are as in a new card.
    #[test]
    fn touched_lines_stay(touched in prop::collection::vec(any::<bool>(), 16)) {
        let text = guessed().to_toml();
        let marked = |line: &str| line.contains("  # 0.") && !line.starts_with('#');
        let mut count = 0;
        let touch = |line: &str| {
            let touch = marked(line) && { count += 1; touched[count % 16] };
            if touch { line.replace("  # 0.", "  # mine 0.") } else { line.to_owned() }
        };
        let mine: Vec<String> = text.lines().map(touch).collect();
        let mine = mine.join("\n") + "\n";
        let mut other = guessed();
        other.roles.iter_mut().for_each(|entry| entry.joints[0] += "2");
        let found = renewed(&mine, &other);
        prop_assert_eq!(found.lines().count(), text.lines().count());
        for (old, new) in mine.lines().zip(found.lines()) {
            let is_role = ["hips", "head", "leftFoot"].iter().any(|role| old.starts_with(role));
            prop_assert_eq!(old == new, !is_role || old.contains("mine"), "{} {}", old, new);
        }
        prop_assert_eq!(renewed(&found, &other), found);
    }
}

#[test]
fn an_up_that_people_wrote_goes_before_a_facing_that_the_program_wrote() {
    let axis = |axis| Some(SignedAxis { axis, negative: false });
    let mut card = Card { facing: axis(Axis::Z), ..guessed() };
    card.remarks.insert("facing".into(), "0.9 so".into());
    let text = card.to_toml();
    let edited = text.replace("up = \"+Y\"", "up = \"+Z\"");
    let user_entries = CardFile::parse(&edited).unwrap().user_entries();
    assert_eq!((user_entries.up, user_entries.facing), (axis(Axis::Z), None));
    let both = "up = \"+Z\"\nfacing = \"-Z\"\n";
    assert_eq!(
        CardFile::parse(both).unwrap_err().to_string(),
        Card::parse(both).unwrap_err().to_string()
    );
}
