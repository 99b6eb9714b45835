//! Files with several characters: which one is read.

#[cfg(feature = "fbx")]
use crate::two_in_fbx::two_in_fbx;
use rebone_skeleton::{CharacterSelector, Document, FileError};

/// A root with some joints in a chain, and its channels.
fn root(name: &str, joints: usize) -> String {
    let open = |name: &str, word: &str| {
        format!("{word} {name}\n{{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n")
    };
    let chain = (1..joints).map(|k| open(&format!("{name}{k}"), "JOINT"));
    let end = "End Site\n{\nOFFSET 0 1 0\n}\n";
    open(name, "ROOT") + &chain.collect::<String>() + end + &"}\n".repeat(joints)
}

/// Figures by name and number of joints, with a value of its own in each place of a row.
fn figures(all: &[(&str, usize)], first: [usize; 2]) -> String {
    let hierarchy: String = all.iter().map(|(name, joints)| root(name, *joints)).collect();
    let values = 3 * all.iter().map(|own| own.1).sum::<usize>();
    let row = |first: usize| (first..first + values).map(|k| format!("{k} ")).collect::<String>();
    let rows = format!("{}\n{}\n", row(first[0]), row(first[1]));
    format!("HIERARCHY\n{hierarchy}MOTION\nFrames: 2\nFrame Time: 0.1\n{rows}")
}

fn two_roots(names: [&str; 2]) -> String {
    figures(&[(names[0], 2), (names[1], 3)], [0, 20])
}

fn chosen(text: &str, name: &str) -> Result<Document, FileError> {
    Document::parse("two.bvh", text.into(), Some(CharacterSelector::Joint(name)))
}

/// Checks that a document is that of a figure alone.
#[track_caller]
fn assert_is(document: &Document, figure: (&str, usize), first: [usize; 2]) {
    let alone = Document::parse("one.bvh", figures(&[figure], first).into(), None).unwrap();
    let [own, expected] = [document, &alone].map(|own| own.clip(None).unwrap().motion);
    assert_eq!(own, expected);
    assert_eq!(document.hierarchy().unwrap().channels(), alone.hierarchy().unwrap().channels());
    let text = String::from_utf8(document.hierarchy().unwrap().text().to_vec()).unwrap();
    assert!(text.starts_with(&format!("HIERARCHY\nROOT {}\n", figure.0)), "{text}");
    assert_eq!(text.matches("ROOT").count(), 1);
}

#[test]
fn of_two_roots_the_one_with_more_joints_is_read_with_a_warning() {
    let document = Document::parse("two.bvh", two_roots(["A", "B"]).into(), None).unwrap();
    assert_is(&document, ("B", 3), [6, 26]);
    let warnings = document.clip(None).unwrap().warnings;
    let expected = "two.bvh:16: found 2 characters, \"A\" (--joint A, 2 joints) and \"B\" (--joint B, 3 joints): \
         --joint B is read, the largest; choose with these options";
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].in_file("two.bvh".as_ref()), expected);
}

#[test]
fn a_root_is_chosen_by_name_or_by_number_where_names_are_equal() {
    let text = two_roots(["A", "B"]);
    for (name, figure, first) in [("A", ("A", 2), [0, 20]), ("B", ("B", 3), [6, 26])] {
        let document = chosen(&text, name).unwrap();
        assert_is(&document, figure, first);
        assert!(document.clip(None).unwrap().warnings.is_empty());
    }
    let choice = Some(CharacterSelector::Joint("A"));
    let first = Document::parse_first_frame("two.bvh", text.clone().into(), choice).unwrap();
    assert_eq!(first.skeleton(), chosen(&text, "A").unwrap().skeleton());
    let error = chosen(&text, "C").unwrap_err().to_string();
    assert!(error.ends_with("no ROOT \"C\" of its own, expected --joint A, --joint B"), "{error}");
    let same = two_roots(["A", "A"]);
    assert_is(&chosen(&same, "#0").unwrap(), ("A", 2), [0, 20]);
    let error = chosen(&same, "A").unwrap_err().to_string();
    assert!(error.ends_with("expected --joint #0, --joint #1"), "{error}");
    let skin = Document::parse("two.bvh", text.into(), Some(CharacterSelector::Skin(0)));
    let error = skin.unwrap_err().to_string();
    assert!(error.contains("--skin chooses in glTF files, in others --joint"), "{error}");
    let many = figures(&vec![("A", 1); 65], [0, 0]);
    assert!(Document::parse("many.bvh", many.into(), None).is_err());
}

#[cfg(feature = "fbx")]
#[test]
fn characters_of_an_fbx_are_chosen_by_their_root_joint() {
    let text = two_in_fbx("B_");
    let document = Document::parse("two.fbx", text.clone().into(), None).unwrap();
    let found: Vec<(String, usize)> =
        document.characters().into_iter().map(|own| (own.choice, own.joints)).collect();
    assert_eq!(found, [("--joint Hips".to_owned(), 15), ("--joint B_Hips".to_owned(), 15)]);
    let alone = include_str!("../../../../tests/fuzz/seeds/fbx/arm.fbx");
    let alone = Document::parse("arm.fbx", alone.into(), None).unwrap();
    assert!(alone.characters().is_empty());
    let of = |name: &str| {
        let choice = Some(CharacterSelector::Joint(name));
        Document::parse("two.fbx", text.clone().into(), choice)
    };
    let first = of("Hips").unwrap();
    assert_eq!(first.skeleton(), alone.skeleton());
    assert_eq!(first.clip(None).unwrap().motion, alone.clip(None).unwrap().motion);
    assert_eq!(first.skin_points().left_out, alone.skin_points().left_out);
    let second = of("B_Hips").unwrap();
    assert_eq!(second.skeleton().joints()[0].name, "B_Hips");
    assert_eq!(second.skeleton().len(), 15);
    let error = of("Hip").unwrap_err().to_string();
    let expected =
        "found no root joint \"Hip\", expected that of one character: --joint Hips, --joint B_Hips";
    assert!(error.ends_with(expected), "{error}");
    let same = Document::parse("two.fbx", two_in_fbx("").into(), None).unwrap();
    let choices: Vec<String> = same.characters().into_iter().map(|own| own.choice).collect();
    assert_eq!(choices, ["--joint #0", "--joint #1"]);
}
