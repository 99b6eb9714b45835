//! Real files, right or nonsense, with their axis up: `bodies.tsv`, filled in by hand.
//!
//! Reads the folders beside the one that `REBONE_CORPUS` names, or says that it was skipped.

#![cfg(feature = "disk")]

use rebone::body::{Anatomy, Role, Side};
use rebone::skeleton::{Joint, JointId, Motion, Skeleton};
use rebone::{Character, Hints, Selection, analyse, check_confidence};
use std::path::{Path, PathBuf};

const TABLE: &str = include_str!("bodies.tsv");

/// A file, by its path beside the corpus.
struct Row {
    file: &'static str,
    /// Verdict on what is found, with the names of joints and without any.
    verdicts: [Verdict; 2],
    /// Axis up; `-` where it is refused, `?` where nobody can tell.
    up: &'static str,
}

/// Verdict on what is found in a file.
#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Right,
    /// Accepted with a limb that is another than with names.
    Other,
    /// A body of which too little is found.
    Asked,
    Nonsense,
}

impl Verdict {
    fn is_accepted(self) -> bool {
        matches!(self, Self::Right | Self::Other)
    }
}

fn rows() -> impl Iterator<Item = Row> {
    TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [file, with_names, without_names, up] = cells[..] else { panic!("{line}") };
        let verdicts = [with_names, without_names].map(|word| match word {
            "right" => Verdict::Right,
            "other" => Verdict::Other,
            "asked" => Verdict::Asked,
            "nonsense" => Verdict::Nonsense,
            _ => panic!("{line}: found {word:?}, expected right, other, asked or nonsense"),
        });
        Row { file, verdicts, up }
    })
}

fn folder() -> Option<PathBuf> {
    let corpus = std::env::var_os("REBONE_CORPUS").map(PathBuf::from);
    if corpus.is_none() {
        eprintln!("skipped: REBONE_CORPUS is not set");
    }
    corpus.and_then(|corpus| Some(corpus.parent()?.to_owned()))
}

fn without_names(skeleton: &Skeleton) -> Skeleton {
    let joint = |joint: &Joint| Joint { name: "x".into(), ..joint.clone() };
    let joints = skeleton.joints().iter().map(joint).collect();
    Skeleton::new(joints, skeleton.end_sites().to_vec()).unwrap()
}

/// The joints that a body needs, left and right as they are.
fn limbs(anatomy: &Anatomy) -> Vec<Option<JointId>> {
    let parts = Side::BOTH.map(|side| {
        [
            Role::UpperArm(side),
            Role::LowerArm(side),
            Role::Hand(side),
            Role::UpperLeg(side),
            Role::LowerLeg(side),
            Role::Foot(side),
        ]
    });
    parts.as_flattened().iter().map(|&role| anatomy.roles.joint(role)).collect()
}

/// Fault of a file that was or was not accepted, against its row.
fn fault(path: &Path, found: Result<&Anatomy, String>, accepted: bool, up: &str) -> Option<String> {
    let found = found.and_then(|anatomy| {
        let checked = check_confidence(path, anatomy).map(|()| anatomy);
        checked.map_err(|error| error.to_string())
    });
    match (found, accepted) {
        (Err(error), true) => Some(format!("refused: {error}")),
        (Ok(anatomy), false) => Some(format!("accepted, {:.0} % sure", 1e2 * anatomy.confidence)),
        (Ok(anatomy), true) => {
            let axis = anatomy.signed_axes()[0].map_or("none".to_owned(), |axis| axis.to_string());
            (axis != up && up != "?").then(|| format!("up {axis}, expected {up}"))
        }
        (Err(_), false) => None,
    }
}

fn check(folder: &Path, row: &Row, faults: &mut Vec<String>) {
    let path = folder.join(row.file);
    let character = Character::open(&path, Selection::default());
    let character = character.unwrap_or_else(|error| panic!("{}: {error}", row.file));
    let hints = character.hints().of(&character).unwrap();
    let named = analyse(character.motion(), &hints).map_err(|error| error.to_string());
    let motion =
        Motion { skeleton: without_names(character.skeleton()), clip: character.clip().clone() };
    let hints = Hints { roles: Vec::new(), ..hints };
    let bare = analyse(&motion, &hints).map_err(|error| error.to_string());
    for (found, (verdict, names)) in
        [&named, &bare].into_iter().zip(row.verdicts.into_iter().zip(["names", "no names"]))
    {
        let of = found.as_ref().map_err(Clone::clone);
        let fault = fault(&path, of, verdict.is_accepted(), row.up);
        faults.extend(fault.map(|fault| format!("{}, {names}: {fault}", row.file)));
    }
    if let (Ok(named), Ok(bare), [Verdict::Right, Verdict::Right]) = (&named, &bare, row.verdicts)
        && limbs(named) != limbs(bare)
    {
        faults.push(format!("{}: other limbs without names", row.file));
    }
}

#[test]
fn bodies_are_accepted_upright_and_others_refused() {
    let Some(folder) = folder() else { return };
    let is_read = |row: &Row| cfg!(feature = "fbx") || !row.file.ends_with(".fbx");
    if !cfg!(feature = "fbx") {
        eprintln!("skipped: files of FBX, for the feature `fbx` is off");
    }
    let mut faults = Vec::new();
    for row in rows().filter(is_read) {
        check(&folder, &row, &mut faults);
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn each_file_of_the_table_stands_once() {
    let mut files: Vec<&str> = rows().map(|row| row.file).collect();
    let all = files.len();
    assert!(files.is_sorted());
    files.dedup();
    assert!(all > 200 && files.len() == all);
    assert!(rows().all(|row| row.verdicts[0].is_accepted() || row.up == "-"));
}
