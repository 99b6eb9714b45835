//! What the BVH reader makes of small texts, well-formed and not.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use rebone_skeleton::bvh::{self, Document, ReadErrorKind, Reader, Translations};
use rebone_skeleton::{Axis, bstr::ByteSlice};

const ROOT: &str = "ROOT a\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n";
const HEAD: &str = "MOTION\nFrames: 1\nFrame Time: 0.1\n";

fn parse(text: impl AsRef<[u8]>) -> Document {
    bvh::parse(text.as_ref()).unwrap()
}

/// A file of one joint with three channels, and this motion section.
fn with_motion(motion: &str) -> String {
    format!("HIERARCHY\n{ROOT}{motion}")
}

/// A file with this hierarchy section and one frame of zeros.
fn with_hierarchy(hierarchy: &str) -> String {
    let channels = hierarchy.matches("rotation").count() + hierarchy.matches("position").count();
    format!("{hierarchy}{HEAD}{}\n", "0 ".repeat(channels))
}

fn child(body: &str) -> String {
    let start = ROOT.trim_end().strip_suffix('}').unwrap();
    with_hierarchy(&format!("HIERARCHY\n{start}JOINT b\n{{\n{body}}}\n}}\n"))
}

fn names(document: &Document) -> Vec<String> {
    document.hierarchy.skeleton().joints().iter().map(|joint| joint.name.to_string()).collect()
}

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
fn what_is_mended_is_said() {
    let two = "1 2 3\n4 5 6\n";
    for (what, text, frames, line, message) in [
        ("too few frames", with_motion(&format!("{HEAD}{two}")), 2, 8, "declares 1 frames, has 2"),
        (
            "too many frames",
            with_motion(&format!("{HEAD}{two}").replace("Frames: 1", "Frames: 99999999999")),
            2,
            8,
            "declares 99999999999 frames, has 2",
        ),
        ("a cut frame", with_motion(&format!("{HEAD}{two}7 8")), 2, 12, "another number of values"),
        (
            "a cut number",
            with_motion(&format!("{HEAD}{two}7 -").replace("Frames: 1", "Frames: 3")),
            2,
            12,
            "the last frame is cut, 1 values instead of 3",
        ),
        (
            "key frames",
            with_motion(&format!("{HEAD}1 2 3\n1 4\n1 2 3\n")),
            1,
            11,
            "behind the motion",
        ),
        ("other text", with_motion(&format!("{HEAD}1 2 3\n\x1a\n")), 1, 11, "behind the motion"),
        (
            "no count",
            with_motion(&format!("MOTION\nFrame Time: 1\n{two}")),
            2,
            9,
            "no line \"Frames:\"",
        ),
        (
            "frames on one line",
            with_motion("MOTION\nFrames: 2\nFrame Time: 1\n1 2 3 4 5 6\n"),
            2,
            0,
            "",
        ),
        ("two OFFSETs", child("OFFSET 9 9 9\nOFFSET 1 2 3\n"), 1, 9, "the last one is taken"),
        ("no OFFSET of an end site", child("OFFSET 1 2 3\nEnd Site\n{\n}\n"), 1, 11, "end site"),
        (
            "a leaf called Site",
            child("OFFSET 1 2 3\nJOINT Site\n{\nOFFSET 1 1 1\nCHANNELS 0\n}\n"),
            1,
            9,
            "Site",
        ),
        ("a brace too many", with_hierarchy(&format!("HIERARCHY\n{ROOT}}}\n")), 1, 7, "too many"),
        (
            "a brace too few",
            with_hierarchy(&format!("HIERARCHY\n{}", ROOT.trim_end_matches("}\n"))),
            1,
            6,
            "missing",
        ),
        ("a stray word", child("OFFSET 1 2 3\nz\n"), 1, 9, "stray"),
        ("no HIERARCHY", with_hierarchy(ROOT), 1, 1, "HIERARCHY"),
        (
            "JOINT for ROOT",
            with_hierarchy(&format!("HIERARCHY\n{}", ROOT.replace("ROOT", "JOINT"))),
            1,
            2,
            "root",
        ),
        (
            "no name",
            with_hierarchy(&format!("HIERARCHY\n{}", ROOT.replace("ROOT a", "ROOT"))),
            1,
            2,
            "name",
        ),
    ] {
        let document = parse(&text);
        assert_eq!(document.motion.clip.frames.len(), frames, "{what}");
        let warning = document.warnings.first().map(|w| (w.line, w.message.as_str()));
        let (found_line, found) = warning.unwrap_or((0, ""));
        assert_eq!(found_line, line, "{what}: {found}");
        assert!(found.contains(message), "{what}: {found}");
        // What is written in its place reads without a warning.
        if document.warnings.iter().any(|warning| warning.line < 7) {
            let name = document.hierarchy.text().to_str_lossy().replace("ROOT\n", "ROOT a\n");
            assert_eq!(parse(with_hierarchy(&name)).warnings, [], "{what}");
        }
    }
}

#[test]
fn mended_hierarchies_keep_their_meaning() {
    let doubled = parse(child("OFFSET 9 9 9\nOFFSET 1 2 3\n"));
    assert_eq!(
        doubled.hierarchy.skeleton().joints()[1].rest_translation.as_slice(),
        [1.0, 2.0, 3.0]
    );
    let site = "JOINT Site\n{\nOFFSET 1 1 1\nCHANNELS 0\n}\n";
    let site = parse(child(&format!("OFFSET 1 2 3\n{site}{site}")));
    assert_eq!(names(&site), ["a", "b"]);
    assert_eq!(site.hierarchy.skeleton().end_sites().len(), 2);
    let moving = site.hierarchy.text().to_str_lossy().replace("CHANNELS 0", "CHANNELS 1 Xrotation");
    assert_eq!(names(&parse(with_hierarchy(&moving))), ["a", "b", "Site", "Site"]);
}

#[test]
fn what_is_refused_and_where() {
    let frame = |line: &str| with_motion(&format!("{HEAD}{line}\n"));
    let channels = |line: &str| child(&format!("OFFSET 1 2 3\nCHANNELS {line}\n"));
    for (what, text, line, message) in [
        ("nothing", String::new(), 0, "not a BVH file: found an empty file, expected HIERARCHY"),
        ("blank", "\n \n".into(), 2, "not a BVH file"),
        ("another format", "\u{89}PNG\r\n\u{1a}\n".into(), 1, "not a BVH file"),
        ("no root", "HIERARCHY\nMOTION\n".into(), 2, "expected HIERARCHY and ROOT before it"),
        ("no motion", format!("HIERARCHY\n{ROOT}"), 6, "expected MOTION"),
        ("a cut hierarchy", "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0".into(), 4, "expected MOTION"),
        ("two roots", with_hierarchy(&format!("HIERARCHY\n{ROOT}{ROOT}")), 7, "a second root"),
        ("a root within", child(ROOT), 8, "a second root"),
        (
            "a joint behind",
            with_hierarchy(&format!("HIERARCHY\n{ROOT}JOINT b\n")),
            7,
            "second root",
        ),
        ("text behind MOTION", with_motion("MOTION 3\n"), 7, "found \"3\""),
        ("an unknown word", child("OFFSET 1 2 3\nCHANELS 3 Xrotation\n"), 9, "found \"CHANELS\""),
        ("a brace alone", child("OFFSET 1 2 3\n{\n"), 9, "found \"{\""),
        ("no brace", child("JOINT c\nOFFSET 1 2 3\n"), 9, "expected { behind the name"),
        ("a joint in an end site", child("End Site\n{\nJOINT c\n{\n"), 10, "end site"),
        ("an end of what", child("End Sight\n{\n"), 8, "expected Site behind End"),
        ("no OFFSET", child("CHANNELS 1 Xrotation\n"), 9, "joint b has no OFFSET"),
        ("a short OFFSET", child("OFFSET 1 2\n"), 8, "found the end of the line, expected three"),
        ("a long OFFSET", child("OFFSET 1 2 3 4 5\n"), 8, "found \"4\""),
        ("a word for a number", child("OFFSET 1 x 2\n"), 8, "found \"x\", expected a number"),
        ("a decimal comma", child("OFFSET 1 0,5 2\n"), 8, "found \"0,5\", expected a number"),
        ("an unknown channel", channels("2 Xrotation Wrotation"), 9, "found channel \"Wrotation\""),
        ("a repeated channel", channels("2 Xrotation xRotation"), 9, "for the second time"),
        (
            "channels too few",
            channels("3 Xrotation Yrotation"),
            9,
            "found 2 channel names, expected 3",
        ),
        (
            "channels too many",
            channels("1 Xrotation Yrotation"),
            9,
            "found 2 channel names, expected 1",
        ),
        ("no count of channels", channels("Xrotation"), 9, "expected the number of channels"),
        ("a huge count", channels("99999999999 Xrotation"), 9, "expected 99999999999"),
        ("channels twice", channels("1 Xrotation\nCHANNELS 1 Yrotation"), 10, "CHANNELS once"),
        (
            "no channels at all",
            "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nMOTION\n".into(),
            6,
            "channel",
        ),
        ("no frame time", with_motion("MOTION\nFrames: 1\n1 2 3\n"), 9, "expected \"Frame Time:\""),
        ("a cut head", with_motion("MOTION\nFrames: 1\n"), 8, "found the end of the file"),
        ("a frame time of zero", with_motion("MOTION\nFrames: 1\nFrame Time: 0\n"), 9, "Time: 0"),
        (
            "a negative frame time",
            with_motion("MOTION\nFrames: 1\nFrame Time: -1\n"),
            9,
            "Time: -1",
        ),
        ("an endless frame time", with_motion("MOTION\nFrames: 1\nFrame Time: inf\n"), 9, "inf"),
        ("a negative count", with_motion("MOTION\nFrames: -1\nFrame Time: 1\n"), 8, "found \"-1\""),
        ("no frames", with_motion("MOTION\nFrames: 0\nFrame Time: 1\n"), 9, "no frames"),
        ("no complete frame", frame("1 2"), 10, "no frames"),
        ("nan", frame("1 nan 3"), 10, "found \"nan\", expected a finite number"),
        ("infinity", frame("1 -inf 3"), 10, "found \"-inf\", expected a finite number"),
        ("an overflow", frame("1 1e999 3"), 10, "expected a finite number"),
        ("a word", frame("1 two 3"), 10, "found \"two\", expected a number"),
        ("values too many", frame("1 2 3 4"), 10, "found a frame of 4 values, expected 3"),
        ("values too few", frame("1 2\n3 4"), 10, "found a frame of 2 values, expected 3"),
        (
            "nan later",
            with_motion("MOTION\nFrames: 2\nFrame Time: 1\n1 2 3\n1 2 nan"),
            11,
            "finite",
        ),
    ] {
        let error = bvh::parse(text.as_bytes()).expect_err(what);
        let found = error.to_string();
        assert!(found.starts_with(&format!("line {line}: ")), "{what}: {found}");
        assert!(found.contains(message), "{what}: {found}");
    }
}

#[test]
fn depth_names_and_joints_are_limited() {
    let nested = |depth: usize| {
        let joint =
            |index| format!("{} a {{ OFFSET 0 1 0\n", if index == 0 { "ROOT" } else { "JOINT" });
        let open: String = (0..depth).map(joint).collect();
        let channels = "CHANNELS 1 Xrotation\n";
        with_hierarchy(&format!("HIERARCHY\n{open}{channels}{}\n", "}".repeat(depth)))
    };
    assert_eq!(parse(nested(1000)).hierarchy.skeleton().len(), 1000);
    let wide = |joints| {
        let joints = "JOINT b\n{\nOFFSET 1 2 3\n}\n".repeat(joints);
        with_hierarchy(&format!("HIERARCHY\n{}{joints}}}\n", ROOT.trim_end_matches("}\n")))
    };
    assert_eq!(parse(wide(99_999)).hierarchy.skeleton().len(), 100_000);
    for text in [nested(1001), wide(100_000), child(&format!("JOINT {}\n", "x".repeat(5000)))] {
        let error = bvh::parse(text.as_bytes()).unwrap_err();
        assert!(matches!(error.kind, ReadErrorKind::Limit { .. }), "{error}");
    }
}

#[test]
fn channels_in_any_order_and_number() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS 4 Yrotation Zposition Xrotation Xposition\n\
        JOINT b\n{\nOFFSET 0 5 0\nCHANNELS 2 Zrotation Yposition\n}\n}\n\
        MOTION\nFrames: 1\nFrame Time: 1\n90 30 90 10 -90 50\n";
    let document = parse(text);
    let pose = &document.motion.clip.frames[0];
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
        let pose = &document.motion.clip.frames[0];
        assert_eq!(pose.translations[1].as_slice(), place, "{values}");
        assert_eq!(pose.translations[0].as_slice(), [0.0; 3], "the root's always replace");
    }
}

/// What a file with random damage is made of.
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
        let (clip, count) = (&document.motion.clip, document.motion.clip.frames.len());
        let options = bvh::WriteOptions::default();
        let mut writer =
            bvh::Writer::new(Vec::new(), &document.hierarchy, clip.frame_time, count, options)
                .unwrap();
        clip.frames.iter().for_each(|pose| writer.write_pose(pose).unwrap());
        let again = parse(writer.finish().unwrap());
        prop_assert_eq!(&again.motion.skeleton, &document.motion.skeleton);
        prop_assert_eq!(again.hierarchy.channels(), document.hierarchy.channels());
        for (one, other) in clip.frames.iter().zip(&again.motion.clip.frames) {
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
    for wrong in ["1 2 3 4 5 6 7", "1 2 nan", "1 2\n3 4"] {
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
    let error = bvh::read(&path).unwrap_err().to_string();
    assert!(error.contains("walk.bvh: cannot open: "), "{error}");
    std::fs::write(&path, with_motion(&format!("{HEAD}1 nan 3\n"))).unwrap();
    let error = bvh::read(&path).unwrap_err().to_string();
    assert!(error.contains("walk.bvh:10: found \"nan\", expected a finite"), "{error}");
}
