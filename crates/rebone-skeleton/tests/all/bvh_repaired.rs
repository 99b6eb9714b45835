//! Repairs of the BVH reader, with a warning, and refusals, with a line.

use crate::texts::{HEAD, ROOT, child, names, parse, with_hierarchy, with_motion};
use rebone_skeleton::bstr::ByteSlice;
use rebone_skeleton::bvh::{self, ReadErrorKind};

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
        (
            "ends with names",
            child("OFFSET 1 2 3\nEnd b_end\n{\nOFFSET 0 1 0\n}\nEnd Site7\n{\nOFFSET 0 1 0\n}\n"),
            1,
            9,
            "ends with other names than Site are read as end sites: 2",
        ),
        (
            "no MOTION",
            with_motion(&HEAD.replace("MOTION\n", "1 2 3\n")).replace("1 2 3\nFrames", "Frames")
                + "1 2 3\n",
            1,
            7,
            "expected MOTION before this line",
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
        assert_eq!(document.motion.clip.len(), frames, "{what}");
        let warning = document.warnings.first().map(|w| (w.line, w.message.as_str()));
        let (found_line, found) = warning.unwrap_or((0, ""));
        assert_eq!(found_line, line, "{what}: {found}");
        assert!(found.contains(message), "{what}: {found}");
        // The generated text reads without a warning.
        if document.warnings.iter().any(|warning| warning.line < 7) {
            let name = document.hierarchy.text().to_str_lossy().replace("ROOT\n", "ROOT a\n");
            assert_eq!(parse(with_hierarchy(&name)).warnings, [], "{what}");
        }
    }
}

#[test]
fn repaired_hierarchies_keep_their_meaning() {
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
        ("a root within", child(ROOT), 8, "at a place where no joint can be"),
        (
            "a joint behind",
            with_hierarchy(&format!("HIERARCHY\n{ROOT}JOINT b\n")),
            7,
            "at a place where no joint can be",
        ),
        ("text behind MOTION", with_motion("MOTION 3\n"), 7, "found \"3\""),
        ("an unknown word", child("OFFSET 1 2 3\nCHANELS 3 Xrotation\n"), 9, "found \"CHANELS\""),
        ("a brace alone", child("OFFSET 1 2 3\n{\n"), 9, "found \"{\""),
        ("no brace", child("JOINT c\nOFFSET 1 2 3\n"), 9, "expected { behind the name"),
        ("a joint in an end site", child("End Site\n{\nJOINT c\n{\n"), 10, "end site"),
        ("no OFFSET", child("CHANNELS 1 Xrotation\n"), 9, "joint \"b\" has no OFFSET"),
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
        (
            "a frame time of zero",
            with_motion("MOTION\nFrames: 1\nFrame Time: 0\n"),
            9,
            "more than 0",
        ),
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
fn few_bytes_ask_for_no_memory() {
    let sites = |count| {
        let sites = "End Site{OFFSET 0 1 0}\n".repeat(count);
        with_hierarchy(&format!("HIERARCHY\n{}{sites}}}\n", ROOT.trim_end_matches("}\n")))
    };
    assert_eq!(parse(sites(99_999)).hierarchy.skeleton().end_sites().len(), 99_999);
    let error = bvh::parse(sites(100_000).as_bytes()).unwrap_err();
    assert!(error.to_string().contains("more joints and end sites"), "{error}");

    // One channel and 50,000 joints: a frame of two bytes is one of megabytes in memory.
    let still = "JOINT b{OFFSET 0 1 0}".repeat(49_999);
    let head = format!("HIERARCHY ROOT a{{OFFSET 0 0 0 CHANNELS 1 Xrotation {still}}}\nMOTION\n");
    let frames = "0\n".repeat(1000);
    let text = format!("{head}Frames: 1000\nFrame Time: 0.1\n{frames}");
    let error = bvh::parse(text.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("no channels, expected at most 335"), "{error}");

    // Joints a thousand deep, of a text that is written anew.
    let open: String = (0..999).map(|k| format!("JOINT b{k}{{OFFSET 0 1 0 ")).collect();
    let leaves = "JOINT c{OFFSET 0 1 0}\n".repeat(50_000);
    let close = "}".repeat(1001);
    let text = format!(
        "HIERARCHY ROOT a{{OFFSET 0 0 0 CHANNELS 1 Xrotation {open}{leaves}{close}\n\
         MOTION\nFrames: 1\nFrame Time: 0.1\n0\n"
    );
    let document = bvh::parse(text.as_bytes());
    let error = document.unwrap_err();
    assert!(matches!(error.kind, ReadErrorKind::Limit { .. }), "{error}");
    let text = text.replacen("JOINT b0{OFFSET 0 1 0 ", "", 1);
    let document = parse(text);
    assert!(document.hierarchy.text().len() < 32 << 20);
}

#[test]
fn names_in_messages_are_short_and_printable() {
    let name = format!("\x1b[2J{}", "x".repeat(4000));
    let text = child(&format!("JOINT {name}\n{{\nCHANNELS 1 Xrotation\n}}\n"));
    let error = bvh::parse(text.as_bytes()).unwrap_err().to_string();
    assert!(error.len() < 300 && error.contains("has no OFFSET"), "{error:?}");
    assert!(!error.contains('\x1b'), "{error:?}");
}
