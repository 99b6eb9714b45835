//! Real BVH files, in the folder that the environment variable `REBONE_CORPUS` names.

use rebone_skeleton::bvh::ChannelKind;
use rebone_skeleton::bvh::{self, Document, ReadErrorKind, Translations, WriteOptions};
use rebone_skeleton::{Pose, rotation};
use std::path::Path;

fn is(path: &Path, name: &str) -> bool {
    path.file_stem().is_some_and(|stem| stem == name)
}

fn read(path: &Path) -> Result<Document, bvh::ReadError> {
    bvh::parse(&std::fs::read(path).unwrap())
}

#[test]
fn all_but_one_are_read() {
    let Some(files) = crate::common::files(&["bvh"]) else { return };
    for path in &files {
        match read(path) {
            Ok(document) => {
                assert!(!is(path, "nan-values"));
                let frames = document.motion.clip.len();
                let joints = document.hierarchy.skeleton().len();
                eprintln!("{}: {joints} joints, {frames} frames", path.display());
                document.warnings.iter().for_each(|warning| eprintln!("    {warning}"));
                check(path, &document);
            }
            Err(error) if is(path, "nan-values") => {
                assert!(matches!(error.kind, ReadErrorKind::NotFinite { .. }), "{error}");
                assert!(error.line > 100, "{error}");
            }
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    assert!(files.len() >= 68, "the corpus has 68 BVH files, found {}", files.len());
}

fn check(path: &Path, document: &Document) {
    let frames = document.motion.clip.len();
    let add = document.hierarchy.translations() == Translations::Add;
    assert_eq!(add, is(path, "makehuman-default"), "{}", path.display());
    let warned = |words: &str| document.warnings.iter().any(|w| w.message.contains(words));
    let quiet = [
        ("Boxing_Toes", 3070, "declares 3069"),
        ("declares-250-has-1", 1, "declares 250"),
        ("site-as-joint", 1, "Site"),
        ("trailing-keyframe-lines", 100, "behind the motion"),
        ("unbalanced-braces", 61, "brace"),
    ];
    match quiet.iter().find(|(name, ..)| is(path, name)) {
        Some((name, count, words)) => {
            assert_eq!(frames, *count, "{name}");
            assert!(warned(words), "{name}: {:?}", document.warnings);
        }
        None => assert_eq!(document.warnings, [], "{}", path.display()),
    }
}

/// Hierarchies without repairs keep their text but for line ends and blank lines; motions read
/// back are those that were written.
#[test]
fn written_files_read_back() {
    let Some(files) = crate::common::files(&["bvh"]) else { return };
    for path in files.iter().filter(|path| !is(path, "nan-values")) {
        let Document { hierarchy, motion, warnings } = read(path).unwrap();
        let options = WriteOptions::default();
        let text = bvh::write_clip(Vec::new(), &hierarchy, &motion.clip, options).unwrap();
        let again = bvh::parse(&text).unwrap();
        assert_eq!(again.motion.skeleton, motion.skeleton, "{}", path.display());
        assert_eq!(again.hierarchy, hierarchy, "{}", path.display());
        assert_eq!(again.motion.clip.frame_time, motion.clip.frame_time);
        assert_eq!(again.motion.clip.len(), motion.clip.len());
        for (one, other) in motion.clip.poses().zip(again.motion.clip.poses()) {
            assert_same(&one, &other, path);
        }
        let unrepaired = warnings.iter().all(|warning| warning.message.contains(" frames, has "));
        if unrepaired {
            let original = std::fs::read(path).unwrap();
            let original = String::from_utf8_lossy(&original).replace('\r', "\n");
            let start = original.find("HIERARCHY").unwrap();
            let end = original.find("MOTION").unwrap();
            let lines = original[start..end].lines().filter(|line| !line.trim().is_empty());
            let kept = String::from_utf8_lossy(hierarchy.text()).into_owned();
            assert!(kept.lines().eq(lines), "{}", path.display());
        }
    }
}

fn assert_same(one: &Pose, other: &Pose, path: &Path) {
    assert_eq!(one.translations, other.translations, "{}", path.display());
    for (a, b) in one.rotations.iter().zip(&other.rotations) {
        let apart = (a.coords - b.coords).norm().min((a.coords + b.coords).norm());
        assert!(apart < 1e-12, "{}: {apart:e}", path.display());
    }
}

/// The poses against a reading as simple as can be: all numbers behind the frame time.
#[test]
fn poses_are_what_the_numbers_say() {
    let Some(files) = crate::common::files(&["bvh"]) else { return };
    for path in files.iter().filter(|path| !is(path, "nan-values")) {
        let Document { hierarchy, motion, .. } = read(path).unwrap();
        let bytes = std::fs::read(path).unwrap();
        let text = String::from_utf8_lossy(&bytes).to_lowercase().replace('\r', "\n");
        let (_, motion_text) = text.split_once("frame time:").unwrap();
        let mut numbers = motion_text.split_whitespace().map(|word| word.parse::<f64>().unwrap());
        assert_eq!(numbers.next(), Some(motion.clip.frame_time));
        for pose in motion.clip.poses() {
            let mut expected = hierarchy.skeleton().rest_pose();
            for channel in hierarchy.channels() {
                let (joint, value) = (channel.joint.index(), numbers.next().unwrap());
                let turn = rotation::from_euler(&[channel.axis], &[value.to_radians()]);
                match channel.kind {
                    ChannelKind::Rotation => expected.rotations[joint] *= turn,
                    ChannelKind::Translation => {
                        let place = &mut expected.translations[joint][channel.axis.index()];
                        let add = hierarchy.translations() == Translations::Add && joint > 0;
                        *place = if add { *place + value } else { value };
                    }
                }
            }
            assert_same(&expected, &pose, path);
        }
    }
}
