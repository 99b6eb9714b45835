//! Rows of a BVH that have another number of values than the hierarchy has channels.

use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::bvh::{self, Document};

fn parse(text: impl AsRef<[u8]>) -> Document {
    bvh::parse(text.as_ref()).unwrap()
}

const POSITIONS: &str = "Xposition Yposition Zposition";
const ROTATIONS: &str = "Zrotation Xrotation Yrotation";

/// Three joints in a row, with these channels of the root and of the others, and rows with these values.
fn file([root, others]: [&str; 2], rows: &[Vec<i32>]) -> String {
    let channels = |names: &str| format!("CHANNELS {} {names}", names.split(' ').count());
    let joint = |name: &str| format!("JOINT {name}\n{{\nOFFSET 1 2 3\n{}\n", channels(others));
    let line = |row: &Vec<i32>| row.iter().map(|x| format!("{x} ")).collect::<String>() + "\n";
    format!(
        "HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\n{}\n{}{}}}\n}}\n}}\nMOTION\nFrames: {}\nFrame Time: 0.1\n{}",
        channels(root),
        joint("b"),
        joint("c"),
        rows.len(),
        rows.iter().map(line).collect::<String>()
    )
}

fn full(names: &str) -> String {
    format!("{POSITIONS} {names}")
}

/// The rotation about Z and the place of each joint in a frame.
fn frame(document: &Document, frame: usize) -> Vec<(f64, [f64; 3])> {
    let pose = document.motion.clip.pose(frame).unwrap();
    let angle = |turn: &UnitQuaternion<f64>| (turn * Vector3::x()).y.atan2((turn * Vector3::x()).x);
    let degrees = pose.rotations.iter().map(|turn| angle(turn).to_degrees().round());
    degrees.zip(pose.translations.iter().map(|place| (*place).into())).collect()
}

fn warnings(document: &Document) -> Vec<&str> {
    document.warnings.iter().map(|warning| warning.message.as_str()).collect()
}

#[test]
fn six_values_a_joint_are_positions_and_rotations() {
    let rows = |first: i32| {
        vec![7, 8, 9, first, 0, 0, 40, 41, 42, first + 1, 0, 0, 50, 51, 52, first + 2, 0, 0]
    };
    let text = file([&full(ROTATIONS), ROTATIONS], &[rows(10), rows(20)]);
    let document = parse(&text);
    let places = [[7.0, 8.0, 9.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]];
    for (index, first) in [10.0, 20.0].into_iter().enumerate() {
        let turns = [first, first + 1.0, first + 2.0];
        assert_eq!(frame(&document, index), Vec::from_iter(turns.into_iter().zip(places)));
    }
    let said = "found rows of 18 values, expected 12: read as six a joint, of which positions without a channel are left out";
    assert_eq!(warnings(&document), [said]);
    assert_eq!(document.warnings[0].line, 20);
    // Rotations come first where the root has them first.
    let rows = vec![10, 0, 0, 7, 8, 9, 11, 0, 0, 40, 41, 42, 12, 0, 0, 50, 51, 52];
    let document = parse(file([&format!("{ROTATIONS} {POSITIONS}"), ROTATIONS], &[rows]));
    assert_eq!(frame(&document, 0), [(10.0, places[0]), (11.0, places[1]), (12.0, places[2])]);
    // A later row as declared, other widths and other channels have no single reading.
    let mixed = [rows_of(18), rows_of(12), rows_of(18)];
    for (channels, rows) in [
        ([&*full(ROTATIONS), ROTATIONS], &mixed[..]),
        ([&*full(ROTATIONS), ROTATIONS], &[rows_of(15)]),
        ([&*full(ROTATIONS), ROTATIONS], &[rows_of(24)]),
        ([ROTATIONS, ROTATIONS], &[rows_of(18)]),
        ([&*full(ROTATIONS), "Zrotation Xrotation"], &[rows_of(18)]),
    ] {
        let error = bvh::parse(file(channels, rows).as_bytes()).unwrap_err();
        assert!(error.to_string().contains("found a frame of"), "{channels:?} {error}");
    }
}

fn rows_of(width: i32) -> Vec<i32> {
    (0..width).collect()
}

#[test]
fn rows_without_positions_below_the_root_keep_the_offsets() {
    let row = |first: i32| vec![7, 8, 9, first, 0, 0, first + 1, 0, 0, first + 2, 0, 0];
    let places = [[7.0, 8.0, 9.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]];
    for count in 1..4 {
        let rows: Vec<Vec<i32>> = (0..count).map(|frame| row(10 * frame)).collect();
        let document = parse(file([&full(ROTATIONS), &full(ROTATIONS)], &rows));
        assert_eq!(document.motion.clip.len(), rows.len());
        for (index, row) in rows.iter().enumerate() {
            let first = f64::from(row[3]);
            let turns = [first, first + 1.0, first + 2.0];
            assert_eq!(frame(&document, index), Vec::from_iter(turns.into_iter().zip(places)));
        }
        let said = "found rows of 12 values, expected 18: read as without positions below the root, which are those of OFFSET";
        assert_eq!(warnings(&document), [said]);
    }
    // Frames over several lines are what they were.
    let split = [rows_of(12), rows_of(6), rows_of(12), rows_of(6)];
    let text = file([&full(ROTATIONS), &full(ROTATIONS)], &split).replace("Frames: 4", "Frames: 2");
    let document = parse(&text);
    assert_eq!((document.motion.clip.len(), document.warnings.len()), (2, 0));
    for rows in [vec![rows_of(11), rows_of(11)], vec![rows_of(12), rows_of(11)]] {
        assert!(bvh::parse(file([&full(ROTATIONS), &full(ROTATIONS)], &rows).as_bytes()).is_err());
    }
}

#[test]
fn a_row_that_is_cut_keeps_the_frame_before() {
    let channels = [&*full(ROTATIONS), ROTATIONS];
    let row = |first: i32| vec![first; 12];
    let cut = |first: i32, length: usize| vec![first; length];
    let rows = [row(1), row(2), cut(3, 11), cut(4, 5), row(5), row(6), cut(7, 11)];
    let document = parse(file(channels, &rows));
    let of = |frame: usize| document.motion.clip.pose(frame).unwrap().translations[0].x;
    assert_eq!((0..6).map(of).collect::<Vec<_>>(), [1.0, 2.0, 2.0, 2.0, 5.0, 6.0]);
    let said = warnings(&document);
    assert_eq!(said.len(), 3, "{said:?}");
    assert_eq!(said[0], "the last frame is cut, 11 values instead of 12: it is left out");
    assert_eq!(said[1], "2 rows have fewer values than 12: the frame before is kept");
    assert_eq!(document.warnings[1].line, 22);
    assert_eq!(said[2], "declares 7 frames, has 6: what is there is read");
    // A file most of whose rows are cut is not as it declares.
    let rows = [row(1), cut(2, 11), cut(3, 11), row(4)];
    let error = bvh::parse(file(channels, &rows).as_bytes()).unwrap_err().to_string();
    assert!(error.contains("found a frame of 11 values, expected 12"), "{error}");
    // A short line is no row if frames are spread over lines.
    let rows = [cut(1, 6), cut(1, 6), cut(2, 6), cut(2, 7), row(3)];
    assert!(bvh::parse(file(channels, &rows).as_bytes()).is_err());
}
