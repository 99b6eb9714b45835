//! The BVH reader on small texts, well-formed and not.

use crate::texts::{HEAD, child, names, parse, with_hierarchy, with_motion};
use proptest::prelude::*;
use rebone_skeleton::bvh::{self, Reader, Translations};
use rebone_skeleton::{Axis, Document, bstr::ByteSlice};

#[test]
fn well_formed() {
    let text = child("OFFSET 1 2 3\nCHANNELS 0\nEnd Site\n{\nOFFSET 4 5 6\n}\n");
    let document = parse(&text);
    assert_eq!(document.warnings, []);
    let skeleton = document.hierarchy.skeleton();
    assert_eq!(names(&document), ["a", "b"]);
    assert_eq!(skeleton.joints()[0].rotation_axes, [Axis::Z, Axis::X, Axis::Y]);
    assert_eq!(skeleton.joints()[1].rest_translation.as_slice(), [1.0, 2.0, 3.0]);
    assert_eq!(skeleton.end_sites()[0].offset.as_slice(), [4.0, 5.0, 6.0]);
    assert_eq!(document.motion.clip.frame_time, 0.1);
    let end = text.find("MOTION").unwrap();
    assert_eq!(document.hierarchy.text(), &text.as_bytes()[..end]);
}

#[test]
fn the_same_in_other_clothes() {
    let plain = parse(child("OFFSET 1 2 3\nCHANNELS 1 Xposition\nEnd Site\n{\nOFFSET 4 5 6\n}\n"));
    let text = child("OFFSET 1 2 3\nCHANNELS 1 Xposition\nEnd Site\n{\nOFFSET 4 5 6\n}\n");
    for (what, other) in [
        ("CR LF", text.replace('\n', "\r\n")),
        ("CR", text.replace('\n', "\r")),
        ("mixed line ends", text.replacen('\n', "\r\n", 7).replacen("}\n", "}\r", 1)),
        ("blank lines", text.replace('\n', "\n\n \t\n")),
        ("a byte order mark", format!("\u{feff}{text}")),
        ("tabs", text.replace(' ', "\t").replace('\n', " \n\t")),
        ("braces behind the name", text.replace("\n{", " {")),
        ("no blank before the brace", text.replace("\n{", "{")),
        ("closing braces on one line", text.replace("6\n}\n}\n}", "6}}}")),
        ("lower case", text.to_lowercase()),
        ("a named end site", text.replace("End Site", "End Site b_end")),
        ("no colons", text.replace(':', "")),
        (
            "frame time first",
            text.replace("Frames: 1\nFrame Time: 0.1", "Frame Time: .1\nFrames:1"),
        ),
        ("other numbers", text.replace("1 2 3", "1. 0.2e1 +3.00")),
        ("no last line end", text.trim_end().into()),
        ("split frames", text.replace("0 0 0 0", "0 0\n0\n\n0")),
    ] {
        let document = parse(&other);
        assert_eq!(document.motion, plain.motion, "{what}");
        assert_eq!(document.hierarchy.channels(), plain.hierarchy.channels(), "{what}");
        assert_eq!(document.warnings, [], "{what}");
    }
}

#[test]
fn names_are_bytes_to_the_end_of_the_line() {
    // Katakana BO in Shift-JIS ends with the byte of an opening brace.
    for name in [&b"mixamorig:Hips"[..], b"Left arm 2", b"\x83\x7b\x81\x5b\x83\x93", b"\xff", b"#1"]
    {
        for brace in ["\n{", " {"] {
            let text =
                with_hierarchy("HIERARCHY\nROOT ?\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n");
            let text = text.as_bytes().replace("?\n{", [name, brace.as_bytes()].concat());
            let document = parse(&text);
            assert_eq!(document.hierarchy.skeleton().joints()[0].name, name);
            assert_eq!(document.warnings, []);
        }
    }
}

#[test]
fn channels_in_any_order_and_number() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS 4 Yrotation Zposition Xrotation Xposition\n\
        JOINT b\n{\nOFFSET 0 5 0\nCHANNELS 2 Zrotation Yposition\n}\n}\n\
        MOTION\nFrames: 1\nFrame Time: 1\n90 30 90 10 -90 50\n";
    let document = parse(text);
    let pose = document.motion.clip.pose(0).unwrap();
    assert_eq!(pose.translations[0].as_slice(), [10.0, 2.0, 30.0]);
    assert_eq!(pose.translations[1].as_slice(), [0.0, 50.0, 0.0]);
    // Y(90) X(90) takes Z to X(90) Z = -Y, which Y(90) leaves.
    let turned = pose.rotations[0] * Axis::Z.unit().into_inner();
    assert!((turned + Axis::Y.unit().into_inner()).norm() < 1e-15);
    let turned = pose.rotations[1] * Axis::X.unit().into_inner();
    assert!((turned + Axis::Y.unit().into_inner()).norm() < 1e-15);
}

#[test]
fn positions_replace_or_are_added() {
    let text = |values: &str| {
        let joint = |name: &str| {
            format!(
                "JOINT {name}\n{{\nOFFSET 0 5 0\nCHANNELS 3 Xposition Yposition Zposition\n}}\n"
            )
        };
        let root = "ROOT a\n{\nOFFSET 0 9 0\nCHANNELS 3 Xposition Yposition Zposition\n";
        format!("HIERARCHY\n{root}{}{}}}\n{HEAD}0 0 0 {values}\n", joint("b"), joint("c"))
    };
    for (values, translations, place) in [
        ("0 5 0 0 5 0", Translations::Replace, [0.0, 5.0, 0.0]),
        ("0 0 0 0 0 0", Translations::Add, [0.0, 5.0, 0.0]),
        ("0 0.1 0 0 0 0", Translations::Add, [0.0, 5.1, 0.0]),
        // One that carries the trajectory and is at zero now does not outvote the others.
        ("0 0 0 0 5 0", Translations::Replace, [0.0, 0.0, 0.0]),
        ("7 5 -200 0 5.1 0", Translations::Replace, [7.0, 5.0, -200.0]),
    ] {
        let document = parse(text(values));
        assert_eq!(document.hierarchy.translations(), translations, "{values}");
        let pose = document.motion.clip.pose(0).unwrap();
        assert_eq!(pose.translations[1].as_slice(), place, "{values}");
        assert_eq!(pose.translations[0].as_slice(), [0.0; 3], "the root's always replace");
    }
}

/// Fragments of files with random damage.
const SCRAPS: [&[u8]; 16] = [
    b"{",
    b"}",
    b"\n",
    b"\r",
    b" ",
    b"0",
    b"-1.5",
    b"nan",
    b"OFFSET 1 2 3",
    b"CHANNELS 1 Xposition",
    b"JOINT Site",
    b"End Site",
    b"ROOT",
    b"MOTION",
    b"Frames: 2",
    b"\x83\x7b",
];

proptest! {
    /// Whatever stands in a file, it is read or refused; what is read can be written and read again.
    #[test]
    fn damage_is_read_or_refused(
        damage in prop::collection::vec(
            (any::<prop::sample::Index>(), 0..9_usize, prop::sample::select(SCRAPS.to_vec())),
            1..5,
        ),
    ) {
        let mut text = child("OFFSET 1 2 3\nCHANNELS 1 Xposition\nEnd Site\n{\nOFFSET 4 5 6\n}\n")
            .into_bytes();
        for (place, removed, scrap) in damage {
            let start = place.index(text.len() + 1);
            let end = text.len().min(start + removed);
            text.splice(start..end, scrap.iter().copied());
        }
        let Ok(document) = bvh::parse(&text) else { return Ok(()) };
        let clip = &document.motion.clip;
        let options = bvh::WriteOptions::default();
        let again = parse(bvh::write_clip(Vec::new(), &document.hierarchy, clip, options).unwrap());
        prop_assert_eq!(&again.motion.skeleton, &document.motion.skeleton);
        prop_assert_eq!(again.hierarchy.channels(), document.hierarchy.channels());
        for (one, other) in clip.poses().zip(again.motion.clip.poses()) {
            prop_assert_eq!(&one.translations, &other.translations);
        }
    }
}

/// Gives one byte at a time and then an error: what stands before it is given out first.
struct Dripping<'a>(&'a [u8]);

impl std::io::Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let (first, rest) = self.0.split_first().ok_or_else(|| std::io::Error::other("gone"))?;
        buffer[0] = *first;
        self.0 = rest;
        Ok(1)
    }
}

#[test]
fn frames_come_one_by_one() {
    let text = with_motion("MOTION\nFrames: 9\nFrame Time: 1\n1 2 3\n4 5 6\n");
    let file = std::io::BufReader::new(Dripping(text.as_bytes()));
    let mut reader = Reader::new(file).unwrap();
    let mut pose = reader.hierarchy().skeleton().rest_pose();
    assert!(reader.next_frame(&mut pose).unwrap());
    assert!(reader.next_frame(&mut pose).unwrap());
    let error = reader.next_frame(&mut pose).unwrap_err();
    assert_eq!(error.to_string(), "line 12: cannot read: gone");
}

#[test]
fn there_are_no_frames_behind_an_error() {
    for wrong in ["1 2 3 4 5 6 7", "1 2 nan"] {
        let motion = format!("MOTION\nFrames: 9\nFrame Time: 1\n1 2 3\n{wrong}\n4 5 6\n");
        let text = with_motion(&motion);
        let mut reader = Reader::new(text.as_bytes()).unwrap();
        let mut pose = reader.hierarchy().skeleton().rest_pose();
        assert!(reader.next_frame(&mut pose).unwrap());
        reader.next_frame(&mut pose).unwrap_err();
        assert!(!reader.next_frame(&mut pose).unwrap());
    }
}

#[test]
fn errors_of_files_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.bvh");
    let error = Document::open(&path, None).unwrap_err().to_string();
    assert!(error.contains("walk.bvh: cannot open: "), "{error}");
    std::fs::write(&path, with_motion(&format!("{HEAD}1 nan 3\n"))).unwrap();
    let error = Document::open(&path, None).unwrap_err().to_string();
    assert!(error.contains("walk.bvh:10: found \"nan\", expected a finite"), "{error}");
}

#[test]
fn counts_beyond_all_bounds_are_read_as_what_is_there() {
    let text = |frames: &str, channels: &str| {
        format!(
            "HIERARCHY ROOT a {{ OFFSET 0 0 0 CHANNELS {channels} Xrotation Yrotation Zrotation }}
             MOTION\nFrames: {frames}\nFrame Time: 0.1\n1 2 3\n"
        )
    };
    for frames in ["1e12", "999999999999"] {
        assert_eq!(bvh::parse(text(frames, "3").as_bytes()).unwrap().motion.clip.len(), 1);
    }
    for frames in ["1e18", "18446744073709551615", "-1", "0.5"] {
        assert!(bvh::parse(text(frames, "3").as_bytes()).is_err(), "{frames}");
    }
    for channels in ["1e18", "18446744073709551615", "18446744073709551616", "4294967299"] {
        assert!(bvh::parse(text("1", channels).as_bytes()).is_err(), "{channels}");
    }
}
