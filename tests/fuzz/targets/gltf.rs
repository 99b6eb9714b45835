//! Bytes as a glTF or a VRM after some edits: clips are finite, and what is written is read back.

#![no_main]

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use rebone::skeleton::gltf::{
    Container, Document, NewAnimation, ReadOptions, Tolerance, WriteError, parse,
};
use rebone_fuzz::{scene, show};
use std::collections::BTreeSet;

/// Transforms of the largest clip that is written.
const MAX_WRITTEN_TRANSFORMS: usize = 50_000;

fuzz_target!(|bytes: &[u8]| {
    let _ = run(&mut Unstructured::new(bytes));
});

fn run(bytes: &mut Unstructured) -> Result<()> {
    let skin = bytes.ratio(1, 8)?.then(|| bytes.int_in_range(0..=2)).transpose()?;
    let file = scene::gltf(bytes)?;
    show("scene.gltf", || file.clone());
    let document = match parse(file, None, ReadOptions { skin }) {
        Ok(document) => document,
        Err(error) => {
            let message = error.to_string();
            assert!(message.len() < 2000, "{message}");
            return Ok(());
        }
    };
    let bind = document.bind_pose().map(|pose| pose.rotations.len());
    assert!(bind.is_none_or(|joints| joints == document.skeleton().len()));
    for index in 0..document.clips().len() {
        check(&document, index);
    }
    // Through a file, which takes its time: seldom, and not where no bytes are left.
    if !bytes.ratio(15, 16)? {
        gather(&document);
    }
    Ok(())
}

/// A part that is made of a document goes into it, and can be read.
fn gather(document: &Document) {
    let Ok(read) = document.clip(0) else { return };
    if read.clip.len() * document.skeleton().len() > MAX_WRITTEN_TRANSFORMS {
        return;
    }
    let mapped = BTreeSet::new();
    let new = NewAnimation { name: "part", clip: &read.clip, mapped: &mapped };
    let Ok(alone) = document.joints_alone() else { return };
    let Ok(part) = alone.with_animations(&[new], Tolerance::default(), Container::Glb) else {
        return;
    };
    let Ok(part) = parse(part, None, ReadOptions::default()) else { return };
    let Ok(mut merger) = document.merge_animations(tempfile::tempfile().expect("a file")) else {
        return;
    };
    merger.add(&part, "gathered").expect("it is made of the document");
    let mut whole = Vec::new();
    merger.write(&mut whole).expect("it can be written");
    let again = parse(whole, None, ReadOptions::default()).expect("it can be read");
    let place = again.clips().position(|own| own.name.as_deref() == Some("gathered"));
    again.clip(place.expect("it is there")).expect("it can be read");
}

/// A clip is finite, and can be written and read.
fn check(document: &Document, index: usize) {
    let Ok(read) = document.clip(index) else { return };
    for pose in read.clip.poses() {
        assert!(pose.rotations.iter().all(|turn| (turn.norm() - 1.0).abs() < 1e-6));
        assert!(pose.translations.iter().flatten().all(|x| !x.is_nan()));
    }
    // One time far from the others makes frames by the ten thousand, which take seconds to write.
    if read.clip.len() * document.skeleton().len() > MAX_WRITTEN_TRANSFORMS {
        return;
    }
    let mapped = BTreeSet::new();
    let new = NewAnimation { name: "again", clip: &read.clip, mapped: &mapped };
    for container in [Container::Glb, Container::Gltf] {
        match document.with_animations(&[new.clone()], Tolerance::default(), container) {
            Ok(bytes) => {
                let again = parse(bytes, None, ReadOptions::default()).expect("it can be read");
                let place = again.clips().position(|own| own.name.as_deref() == Some("again"));
                again.clip(place.expect("it is there")).expect("it can be read");
            }
            // A number beyond all, in a part of the JSON that is not read, but would be written.
            Err(WriteError::Empty | WriteError::NotFinite(_) | WriteError::Source(_)) => {}
            // Far from the origin, or frames of another rate than 32 bit numbers hold.
            Err(WriteError::Precision { .. } | WriteError::Times { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}
