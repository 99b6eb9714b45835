//! The `bvh_anim` crate as a second opinion on real BVH files, in the folder that the environment
//! variable `REBONE_CORPUS` names.

#![cfg(feature = "bvh_anim")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic and print")]

#[path = "all/common/mod.rs"]
mod common;

use rebone_skeleton::Skeleton;
use rebone_skeleton::bvh::anim::{from_bvh_anim, to_bvh_anim};
use rebone_skeleton::bvh::{self, Document, WriteOptions, write_clip};

/// `f32` has 24 bits, and `bvh_anim` may lose a few of them.
const RELATIVE: f64 = 1e-5;

#[test]
fn bvh_anim_agrees() {
    let Some(files) = common::files(&["bvh"]) else { return };
    let mut agree = 0;
    for path in &files {
        let Ok(document) = bvh::parse(&std::fs::read(path).unwrap()) else { continue };
        match disagreement(&document) {
            None => agree += 1,
            Some(what) => eprintln!("{}: {what}", path.display()),
        }
    }
    eprintln!("bvh_anim agrees with {agree} of {} files", files.len());
    assert!(agree >= 48, "bvh_anim agrees with {agree} files only");
}

/// The difference from `bvh_anim`.
fn disagreement(document: &Document) -> Option<String> {
    let Document { hierarchy, motion, .. } = document;
    let bvh = match to_bvh_anim(hierarchy, &motion.clip) {
        Ok(bvh) => bvh,
        Err(error) => return Some(error.to_string()),
    };
    let (theirs, their_motion) = match from_bvh_anim(&bvh) {
        Ok(theirs) => theirs,
        Err(error) => return Some(error.to_string()),
    };
    if let Some(what) = other_joints(hierarchy.skeleton(), theirs.skeleton()) {
        return Some(what);
    }
    if theirs.channels() != hierarchy.channels() {
        return Some("other channels".into());
    }
    if (their_motion.clip.frame_time - motion.clip.frame_time).abs() > 1e-9 {
        return Some("another frame time".into());
    }
    let ours = numbers(document);
    let theirs: Vec<f64> =
        bvh.frames().flat_map(|frame| frame.as_slice().iter().copied().map(f64::from)).collect();
    if ours.len() != theirs.len() {
        return Some(format!("{} numbers, ours are {}", theirs.len(), ours.len()));
    }
    let differs = |ours: f64, theirs: f64| {
        (ours - theirs).abs() > RELATIVE * ours.abs().max(f64::from(f32::MIN_POSITIVE))
    };
    let first = ours.iter().zip(&theirs).position(|(&ours, &theirs)| differs(ours, theirs));
    first.map(|at| format!("number {at} is {}, ours is {}", theirs[at], ours[at]))
}

/// Names and parents must be equal, offsets after rounding to `f32`, and so the end sites of leaves
/// (others `bvh_anim` cannot hold).
fn other_joints(ours: &Skeleton, theirs: &Skeleton) -> Option<String> {
    if ours.len() != theirs.len() {
        return Some(format!("{} joints, ours are {}", theirs.len(), ours.len()));
    }
    for id in ours.ids() {
        let (a, b) = (&ours[id], &theirs[id]);
        let equal = a.name == b.name
            && a.parent == b.parent
            && a.rest_translation.map(|x| f64::from(x as f32)) == b.rest_translation;
        if !equal {
            return Some(format!("{b:?}, ours is {a:?}"));
        }
        let end = |skeleton: &Skeleton| {
            let end = skeleton.end_sites_of(id).next();
            end.map(|end| end.offset.map(|x| f64::from(x as f32)))
        };
        let is_leaf = ours.children(id).next().is_none();
        if is_leaf && end(ours).is_some() && end(ours) != end(theirs) {
            return Some(format!("end site {:?}, ours is {:?}", end(theirs), end(ours)));
        }
    }
    None
}

/// The numbers of our own motion section, read by the standard library.
fn numbers(document: &Document) -> Vec<f64> {
    let clip = &document.motion.clip;
    let options = WriteOptions::default();
    let text = write_clip(Vec::new(), &document.hierarchy, clip, options).unwrap();
    let text = String::from_utf8_lossy(&text).into_owned();
    let (_, motion) = text.split_once("Frame Time: ").unwrap();
    motion.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect()
}
