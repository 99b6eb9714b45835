//! An Acclaim motion in memory, whose skeleton is asked for.

#![cfg(feature = "files")]

use rebone_skeleton::file::{FileError, WarningPlace};
use rebone_skeleton::{CharacterSelector, Document};
use std::cell::RefCell;
use std::io;

const ASF: &str = ":root\n order TX TY TZ RX RY RZ\n:bonedata\n begin\n name thigh\n direction 0 -1 0\n length 2\n axis 0 0 0 \
                   XYZ\n dof rx l\n end\n:hierarchy\n root thigh\n";
const AMC: &str = ":DEGREES\n1\nroot 0 9 0 0 0 0\nthigh 90 0\n2\nroot 0 9 0 0 0 0\nthigh 80 0\n";

#[test]
fn the_skeleton_is_asked_for_by_name() {
    let asked = RefCell::new(Vec::new());
    let files = |name: &str, _: usize| {
        asked.borrow_mut().push(name.to_owned());
        let found = (name == "02.asf").then(|| ASF.as_bytes().to_vec());
        found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    };
    let read = Document::parse_with("clips/02_01.amc", AMC.into(), None, Some(&files)).unwrap();
    assert_eq!(*asked.borrow(), ["02_01.asf", "02_.asf", "02.asf"]);
    assert_eq!(read.clip_names(), ["0"]);
    assert!(read.hierarchy().is_some() && read.metres_per_unit().is_none());
    let clip = read.clip(None).unwrap();
    assert_eq!((clip.motion.clip.len(), clip.name), (2, None));
    let place = WarningPlace::FileBeside { file: "02.asf".into(), line: 4 };
    assert_eq!(clip.warnings[0].place, place);
    let said = clip.warnings[0].in_file(read.path());
    assert!(
        said.ends_with("02.asf:4: bone \"thigh\" moves along itself (dof l): left out"),
        "{said}"
    );
}

#[test]
fn a_motion_without_a_skeleton_says_which_it_needs() {
    let error = Document::parse("02_01.amc", AMC.into(), None).unwrap_err();
    assert!(matches!(&error, FileError::NoSkeleton { found, .. } if found.is_empty()), "{error}");
    assert!(error.to_string().contains("as 02_01.asf or under a name that"), "{error}");
    let error =
        Document::parse("02_01.amc", AMC.into(), Some(CharacterSelector::Skin(0))).unwrap_err();
    assert!(matches!(error, FileError::Skin { .. }));
}

#[test]
fn a_name_is_not_parted_within_a_number_or_a_word() {
    for (motion, skeleton, is_taken) in [
        ("144_01.amc", "14.asf", false),
        ("144_01.amc", "144.asf", true),
        ("02_01.amc", "0.asf", false),
        ("02_01.amc", "02_.asf", true),
        ("walking.amc", "walk.asf", false),
        ("walk2.amc", "walk.asf", true),
        ("\u{6b69}\u{884c}.amc", "\u{6b69}.asf", false),
    ] {
        let files = |name: &str, _: usize| {
            let found = (name == skeleton).then(|| ASF.as_bytes().to_vec());
            found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
        };
        let read = Document::parse_with(motion, AMC.into(), None, Some(&files));
        assert_eq!(read.is_ok(), is_taken, "{skeleton} for {motion}");
    }
}

#[test]
fn a_skeleton_that_is_too_long_is_refused_and_not_cut() {
    let long = |limit: usize| {
        let mut bytes = ASF.as_bytes().to_vec();
        bytes.resize(limit, b'\n');
        bytes
    };
    let files = |_: &str, limit: usize| Ok(long(limit));
    let beside = Document::parse_with("02.amc", AMC.into(), None, Some(&files)).unwrap_err();
    let alone = Document::parse("02.asf", long((64 << 20) + 1), None).unwrap_err();
    for error in [beside, alone] {
        let said = error.to_string();
        assert!(said.starts_with("02.asf: found more than 64 MiB, expected"), "{said}");
    }
}

#[cfg(feature = "disk")]
#[test]
fn a_file_on_disk_that_is_too_long_is_refused_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let [asf, amc] = ["02.asf", "02_01.amc"].map(|name| folder.path().join(name));
    std::fs::write(&asf, ASF).unwrap();
    std::fs::write(&amc, AMC).unwrap();
    std::fs::File::options().write(true).open(&asf).unwrap().set_len((64 << 20) + 1).unwrap();
    for path in [asf, amc] {
        let error = Document::open(path, None).unwrap_err();
        assert!(matches!(error, FileError::LongSkeleton { .. }), "{error}");
    }
}

#[test]
fn a_skeleton_alone_has_no_clips() {
    let read = Document::parse("02.asf", ASF.into(), None).unwrap();
    assert_eq!((read.clip_names().len(), read.skeleton().len()), (0, 2));
    let clip = read.clip(None).unwrap();
    assert!(clip.index.is_none() && clip.motion.clip.is_empty());
    assert!(read.clip(Some("0".into())).is_err());
}
