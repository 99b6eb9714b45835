//! Edits of texts as people write them: the new value is there, and all else stays to the byte.

use super::{CardText, with_key, without_turns};
use crate::body::{Role, Side};
use crate::card::Card;
use crate::error::LineError;
use proptest::prelude::*;

const TOES: Role = Role::Toes(Side::Left);

fn finish(own: CardText) -> Result<String, LineError> {
    let text = own.into_text();
    Card::parse(&text).map(|_| text)
}

fn edited(text: &str, edit: impl FnOnce(&mut CardText)) -> String {
    let mut own = CardText::parse(text).unwrap();
    edit(&mut own);
    finish(own).unwrap()
}

fn with_role(text: &str, role: Role, joints: &[&str]) -> String {
    edited(text, |own| own.set_role(role, Some(joints)).unwrap())
}

fn with_pose(text: &str, turns: &[(&str, [f64; 3])]) -> String {
    edited(text, |own| own.set_pose(turns.iter().copied()).unwrap())
}

fn joints_of(text: &str, role: Role) -> Option<Vec<String>> {
    let card = Card::parse(text).unwrap();
    let entry = card.roles.into_iter().find(|entry| entry.role == role);
    entry.map(|entry| entry.joints)
}

/// Cards as people write them, with the text that stands in place of `"old"` and after the entry of the hips.
const STATED: [&str; 12] = [
    "[roles]\nhips = \"old\"\n",
    "[roles]\n\"hips\" = \"old\" # mine\nhead = \"h\"\n",
    "[roles]\n  'hips'   =   \"old\"",
    "roles.hips = \"old\"\nup = \"+Y\"\nroles.head = \"h\"\n[limits]\n",
    "\"roles\".\"hips\" = \"old\"\n",
    "roles = {hips=\"old\"}\n[limits]\n",
    "roles = { head = \"h\", \"hips\" = \"old\" } # mine\n",
    "[\"roles\"]\nhips = \"old\"\n[limits]\n",
    "\u{feff}[roles]\nhips = \"old\"\n",
    "[roles]\r\nhips = \"old\" # mine\r\nhead = \"h\"\r\n",
    "[ roles ] # head\n# \u{85}\u{2028} hips = \"other\"\nhips = \"old\"\n",
    "unit = '''m'''\n[roles]\nspine = [\n  \"a\", # [roles]\n  \"b\",\n]\nhips = \"old\"\n",
];

#[test]
fn an_entry_that_is_there_is_replaced_in_its_place() {
    for text in STATED {
        let found = with_role(text, Role::Hips, &["new"]);
        assert_eq!(found, text.replace("\"old\"", "\"new\""), "{text}");
        assert_eq!(joints_of(&found, Role::Hips).unwrap(), ["new"]);
    }
    let lists = "[roles]\nspine = [\n  \"a\", # one\n  \"b\",\n] # two\nhead = \"h\"\n";
    let found = with_role(lists, Role::Spine, &["c"]);
    assert_eq!(found, "[roles]\nspine = [\"c\"] # two\nhead = \"h\"\n");
}

/// A text without its byte-order mark, split where `found` has more.
fn added<'a>(text: &str, found: &'a str) -> &'a str {
    let [start, end] = [
        text.bytes().zip(found.bytes()).take_while(|(a, b)| a == b).count(),
        text.bytes().rev().zip(found.bytes().rev()).take_while(|(a, b)| a == b).count(),
    ];
    assert!(start + end >= text.len(), "{text:?} became {found:?}");
    let more = found.len() - text.len();
    &found[start.min(found.len() - more)..][..more]
}

#[test]
fn a_new_entry_stands_in_its_table_and_all_else_stays() {
    for text in STATED {
        let found = with_role(text, TOES, &[]);
        let new = added(text, &found);
        assert!(new.contains("leftToes = []"), "{text:?} became {found:?}");
        assert_eq!(joints_of(&found, TOES).unwrap(), Vec::<String>::new());
        assert_eq!(joints_of(&found, Role::Hips).unwrap(), ["old"]);
        assert_eq!(new.contains("\r\n"), text.contains("\r\n"));
    }
}

#[test]
fn an_entry_that_is_taken_back_leaves_the_others() {
    for text in STATED {
        let found = edited(text, |own| own.set_role(Role::Hips, None).unwrap());
        assert_eq!(joints_of(&found, Role::Hips), None, "{found}");
        let [before, after] = [text, &found].map(|text| joints_of(text, Role::Head));
        assert_eq!(before, after);
        let again = edited(&found, |own| own.set_role(Role::Hips, None).unwrap());
        assert_eq!(again, found);
    }
    let braces = "roles = { hips = \"a\", head = \"b\", jaw = \"c\" }\n";
    for (role, expected) in [
        (Role::Hips, "roles = { head = \"b\", jaw = \"c\" }\n"),
        (Role::Head, "roles = { hips = \"a\", jaw = \"c\" }\n"),
        (Role::Jaw, "roles = { hips = \"a\", head = \"b\" }\n"),
    ] {
        assert_eq!(edited(braces, |own| own.set_role(role, None).unwrap()), expected);
    }
}

#[test]
fn a_table_that_is_missing_is_made_before_the_generated_part() {
    let table = "[roles]\nhips = \"a\"\n";
    for (text, expected) in [
        ("", table.to_owned()),
        ("# mine", format!("# mine\n\n{table}")),
        ("up = \"+Y\"\n\n", format!("up = \"+Y\"\n\n{table}")),
        ("[limits]\n", format!("[limits]\n\n{table}")),
        ("[generated]\nup = \"+Y\"\n", format!("{table}\n[generated]\nup = \"+Y\"\n")),
        ("# a\n\n[generated.roles]\n", format!("# a\n\n{table}\n[generated.roles]\n")),
        ("roles = {}\n", "roles = { hips = \"a\" }\n".to_owned()),
        ("[roles]\n# none\n[limits]\n", "[roles]\nhips = \"a\"\n# none\n[limits]\n".to_owned()),
    ] {
        let found = with_role(text, Role::Hips, &["a"]);
        assert_eq!(found, expected);
        let back = edited(&found, |own| own.set_role(Role::Hips, None).unwrap());
        assert!(text.contains("roles") || back.trim() == text.trim(), "{text:?}: {back:?}");
    }
}

#[test]
fn texts_that_look_like_tables_are_no_tables() {
    let text =
        "unit = \"m\" # [roles]\n[helpers]\n\"a b\" = \"\"\"\n[roles]\nhips = \"x\"\n\"\"\"\n";
    let found = with_role(text, Role::Hips, &["a"]);
    assert_eq!(found, format!("{text}\n[roles]\nhips = \"a\"\n"));
}

#[test]
fn a_pose_replaces_any_other() {
    let turns = [("arm", [0.0, 0.0, 45.000_04]), ("a.b \u{7f}", [1.0, 2.0, 3.0])];
    let entries = "arm = [0.0, 0.0, 45.0]\n\"a.b \\u007F\" = [1.0, 2.0, 3.0]\n";
    for (text, expected) in [
        ("", format!("[pose]\n{entries}")),
        ("pose_from = \"rest\" # so\nconfidence = 1\nunit = \"m\"\n", {
            format!("unit = \"m\"\n\n[pose]\n{entries}")
        }),
        (
            "[pose] # by hand\n# mine\narm = [0, 0, 1] # up\nleg = [\n 0, 0, 1]\n[[limits]]\n",
            String::new(),
        ),
        ("[pose] # by hand\n# mine\narm = [0, 0, 1] # up\nleg = [\n 0, 0, 1]\n[limits]\n", {
            let entries = entries.replace("45.0]", "45.0] # up");
            format!("[pose] # by hand\n# mine\n{entries}[limits]\n")
        }),
        ("pose = { leg = [0, 0, 1] }\n[roles]\n", {
            let entries = entries.trim_end().replace('\n', ", ");
            format!("pose = {{ {entries} }}\n[roles]\n")
        }),
        ("pose.leg = [0, 0, 1]\nup = \"+Y\"\n", {
            let entries: String = entries.lines().map(|line| format!("pose.{line}\n")).collect();
            format!("{entries}up = \"+Y\"\n")
        }),
        (
            "[generated]\nfacing = \"+Z\"\nconfidence = 0.5\n[generated.pose]\nleg = [0, 0, 1]\n\n[generated.axes]\nleg = { x = \"+Z\", y = \"+X\" }\n",
            { format!("[pose]\n{entries}\n[generated]\nfacing = \"+Z\"\n") },
        ),
        ("generated = { pose = { leg = [0, 0, 1] }, up = \"+Y\" }\n", {
            format!("generated = {{ up = \"+Y\" }}\n\n[pose]\n{entries}")
        }),
    ] {
        if expected.is_empty() {
            let mut own = CardText::parse(text).unwrap();
            own.set_pose(turns).unwrap();
            assert!(finish(own).is_err(), "cards have no such limits");
            continue;
        }
        let found = with_pose(text, &turns);
        assert_eq!(found, expected);
        assert_eq!(with_pose(&found, &turns), expected);
        assert_eq!(Card::parse(&found).unwrap().pose.len(), 2);
        let cleared = without_turns(&found).unwrap();
        assert!(Card::parse(&cleared).unwrap().pose.is_empty(), "{cleared}");
        let rest = with_pose(&found, &[]);
        assert!(rest.contains("pose_from = \"rest\"\n") && !rest.contains("45.0"), "{rest}");
    }
}

#[test]
fn keys_of_the_top_stand_above_all_tables() {
    let facing = |text: &str| with_key(text, "facing", Some("+Z")).unwrap();
    for (text, expected) in [
        ("", "facing = \"+Z\"\n"),
        ("# my rig\n[roles]\n", "# my rig\nfacing = \"+Z\"\n\n[roles]\n"),
        ("\u{feff}[roles]\n", "\u{feff}facing = \"+Z\"\n\n[roles]\n"),
        ("roles.spine = [\n\"a\"\n] # two\n[limits]\n", {
            "roles.spine = [\n\"a\"\n] # two\nfacing = \"+Z\"\n[limits]\n"
        }),
        ("up = \"+Y\"\n# end", "up = \"+Y\"\nfacing = \"+Z\"\n# end"),
        ("\"facing\" = '-X' # so", "\"facing\" = \"+Z\" # so"),
    ] {
        assert_eq!(facing(text), expected);
    }
    let gone = with_key("facing = \"+Z\"\nup = \"+Y\"\n", "facing", None).unwrap();
    assert_eq!(gone, "up = \"+Y\"\n");
}

#[test]
fn what_cannot_be_edited_says_its_line() {
    let error = CardText::parse("up = \"+Y\"\n[roles\n").unwrap_err();
    assert_eq!(error.line, 2);
    for text in ["# a\nroles = 1\n", "# a\n[[roles]]\n", "\n[roles.hips]\na = 1\n"] {
        let mut own = CardText::parse(text).unwrap();
        let error = own.set_role(Role::Hips, Some(&["a"])).unwrap_err();
        assert_eq!(error.line, 2, "{text}: {error}");
    }
    let mut own = CardText::parse("# a\n[roles]\nhips = 1\n").unwrap();
    own.set_role(Role::Head, Some(&["a"])).unwrap();
    assert_eq!(finish(own.clone()).unwrap_err().line, 3);
    own.set_role(Role::Hips, Some(&["a"])).unwrap();
    finish(own).unwrap();
}

proptest! {
    /// Names of joints and turns of any kind are read back as they were stated.
    #[test]
    fn any_name_is_read_back(text in 0_usize..STATED.len(), name in ".{0,12}", more in "[\u{0}-\u{a0}\u{2028}\"'\\\\]{0,4}", angle in -360.0..360.0) {
        let (text, name) = (STATED[text], name + &more);
        let found = with_role(text, Role::Hips, &[&name]);
        prop_assert_eq!(joints_of(&found, Role::Hips).unwrap(), [name.clone()]);
        prop_assert_eq!(with_role(&found, Role::Hips, &["old"]), text);
        let found = with_pose(text, &[(&name, [angle, 0.0, 0.0])]);
        let pose = Card::parse(&found).unwrap().pose;
        prop_assert_eq!(&pose[0].joint, &name);
        prop_assert_eq!(with_pose(&found, &[(&name, [angle, 0.0, 0.0])]), found);
    }
}
