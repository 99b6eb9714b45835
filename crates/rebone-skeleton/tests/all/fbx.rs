//! A small FBX text.

#![cfg(feature = "fbx")]

use nalgebra::Vector3;
use rebone_skeleton::{ClipSelector, Document, Pose, fbx, forward_kinematics};

/// Three joints, one above the other in the file's Z, in inches; the second one is turned by its
/// pre-rotation, and turns by another quarter about its own X within half a second.
const ARM: &str = include_str!("data/arm.fbx");

#[test]
fn units_axes_and_keys_are_those_of_the_file() {
    let document = fbx::parse(ARM.as_bytes()).unwrap();
    let skeleton = document.skeleton();
    let names: Vec<String> = skeleton.joints().iter().map(|joint| joint.name.to_string()).collect();
    assert_eq!(names, ["Root", "Upper", "Lower"]);
    assert_eq!(document.clips().collect::<Vec<_>>(), ["Turn"]);
    let (clip, warning) = document.clip(0).unwrap();
    assert_eq!(warning, None);
    assert_eq!((clip.len(), clip.frame_time), (16, 1.0 / 30.0));
    let tip = |pose: &Pose| forward_kinematics(skeleton, pose).unwrap().positions[2];
    let inch = 0.0254;
    // Up is +Z in the file and +Y here; X stays.
    let near = |place: Vector3<f64>, x: f64, y: f64, z: f64| {
        (place - Vector3::new(x, y, z) * inch).norm() < 1e-6
    };
    let (first, last) = (tip(&clip.pose(0).unwrap()), tip(&clip.pose(15).unwrap()));
    assert!(near(first, 10.0, 30.0, 0.0), "{}", first / inch);
    assert!(near(last, 0.0, 30.0, 10.0), "{}", last / inch);
}

#[test]
fn what_is_no_fbx_says_so() {
    for text in ["", "; FBX 7.4.0 project file", "Kaydara FBX Binary  \0\x1a\0", "HIERARCHY"] {
        let error = fbx::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("found no "), "{error}");
    }
    let without = ARM.replace("LimbNode", "Null");
    let error = fbx::parse(without.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("found no joints"), "{error}");
}

/// Ticks of a second.
const SECOND: i64 = 46_186_158_000;

/// The arm with a take before its own, which states a span and has no keys, and a stated span of its own take.
fn with_takes(stated: Option<[f64; 2]>) -> String {
    let stack = |id: u32, name: &str, span: Option<[f64; 2]>| {
        let [start, stop] = span.unwrap_or_default().map(|time| (time * SECOND as f64) as i64);
        let properties = format!(
            "Properties70:  {{\nP: \"LocalStart\", \"KTime\", \"Time\", \"\",{start}\nP: \"LocalStop\", \"KTime\", \"Time\", \"\",{stop}\n}}"
        );
        let properties = if span.is_some() { properties } else { String::new() };
        format!("AnimationStack: {id}, \"AnimStack::{name}\", \"\" {{\n{properties}\n}}\n")
    };
    let own = "\tAnimationStack: 300, \"AnimStack::Turn\", \"\" {\n\t}\n";
    assert!(ARM.contains(own));
    let layer = "AnimationLayer: 311, \"AnimLayer::Base\", \"\" {\n}\n";
    let takes = stack(310, "Take 001", Some([0.0, 2.0])) + layer + &stack(300, "Turn", stated);
    let text = ARM.replace(own, &takes);
    text.replace("\tC: \"OO\",301,300\n", "\tC: \"OO\",311,310\n\tC: \"OO\",301,300\n")
}

/// The arm with other times of the keys of its take, and other values.
fn with_keys(text: &str, times: [f64; 2], degrees: f64) -> String {
    let ticks = times.map(|time| (time * SECOND as f64).round() as i64);
    text.replace("a: 0,23093079000", &format!("a: {},{}", ticks[0], ticks[1]))
        .replace("a: 0,90", &format!("a: 0,{degrees}"))
}

fn opened(text: &str) -> Document {
    Document::parse("arm.fbx", text.into(), None).unwrap()
}

#[test]
fn a_take_without_moving_keys_is_empty_and_never_the_default() {
    let document = opened(&with_takes(None));
    let clips: Vec<(String, bool)> =
        document.clips().into_iter().map(|own| (own.name, own.is_empty)).collect();
    assert_eq!(clips, [("Take 001".to_owned(), true), ("Turn".to_owned(), false)]);
    let read = document.clip(None).unwrap();
    assert_eq!((read.index, read.motion.clip.len()), (Some(1), 16));
    let read = document.clip(Some(ClipSelector::Index(0))).unwrap();
    assert_eq!((read.index, read.motion.clip.len()), (Some(0), 61));
    // Equal keys, and keys that differ by less than a written file keeps, hold a pose.
    for degrees in [0.0, 0.009] {
        let document = opened(&with_keys(&with_takes(None), [0.0, 0.5], degrees));
        assert!(document.clips().iter().all(|clip| clip.is_empty), "{degrees}");
        let read = document.clip(None).unwrap();
        assert_eq!((read.index, read.motion.clip.len()), (None, 61));
    }
    // Keys of nodes that carry no joint move nothing.
    let other =
        ARM.replace("C: \"OP\",302,101, \"Lcl Rotation\"", "C: \"OP\",302,101, \"Visibility\"");
    assert!(opened(&other).clips()[0].is_empty);
}

#[test]
fn the_span_of_a_take_is_that_of_its_keys_where_the_stated_one_disagrees() {
    // Stated span, span of the keys, begin and number of frames, warning.
    for (stated, keys, (begin, count), warns) in [
        // Within a frame, the stated span is right.
        ([0.0, 0.5], [0.0, 0.5], (0.0, 16), false),
        ([0.0, 0.52], [0.01, 0.49], (0.0, 17), false),
        // Beyond the keys nothing moves.
        ([0.0, 3.3], [0.0, 0.5], (0.0, 16), false),
        ([-1.0, 3.3], [1.0, 1.5], (1.0, 16), false),
        // A part that holds half of the keys is meant.
        ([0.0, 0.2], [0.0, 0.5], (0.0, 7), false),
        // No key is where the file says.
        ([0.03, 0.8], [4.0, 6.0], (4.0, 61), true),
        ([10.0, 12.0], [4.0, 6.0], (4.0, 61), true),
        ([4.5, 5.5], [4.0, 6.0], (4.0, 61), true),
    ] {
        let document = opened(&with_keys(&with_takes(Some(stated)), keys, 90.0));
        let read = document.clip(Some(ClipSelector::Index(1))).unwrap();
        let (skeleton, clip) = (&read.motion.skeleton, &read.motion.clip);
        assert_eq!((clip.len(), !read.warnings.is_empty()), (count, warns), "{stated:?} {keys:?}");
        if let Some(warning) = read.warnings.first() {
            let text = warning.in_file("arm.fbx".as_ref());
            let spans = format!(
                "states {:.3} to {:.3} s, its keys are from {:.3} to {:.3} s",
                stated[0], stated[1], keys[0], keys[1]
            );
            assert_eq!(text, format!("arm.fbx: take \"Turn\" {spans}: all keys were read"));
        }
        let rest = forward_kinematics(skeleton, &clip.pose(0).unwrap()).unwrap().positions[2];
        let part = ((begin - keys[0]) / (keys[1] - keys[0])).clamp(0.0, 1.0);
        let (sine, cosine) = (90.0 * part).to_radians().sin_cos();
        let place = Vector3::new(10.0 * cosine, 30.0, 10.0 * sine) * 0.0254;
        assert!((rest - place).norm() < 2e-2, "{stated:?} {keys:?} {}", rest / 0.0254);
    }
}
