//! A card holds what a clip taught of its skeleton: every other clip is understood the same way.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]
#![allow(clippy::print_stderr, reason = "a test says that it was skipped")]

use rebone::card::Card;
use rebone::skeleton::{Clip, Motion, bvh};
use rebone::understand::{Anatomy, CalibrationSource};
use rebone::{Hints, samples, understand};
use std::path::{Path, PathBuf};

/// The card of what was understood, as a text and read back.
fn card_of(anatomy: &Anatomy) -> Card {
    let mut card = Card::of(&anatomy.skeleton, &anatomy.roles);
    card.take_calibration(anatomy);
    Card::parse(&card.to_toml()).unwrap()
}

/// The same frames from a card and another part of the clip.
fn assert_same_calibration(name: &Path, motion: &Motion) {
    let Ok(whole) = understand(motion, &Hints::default()) else { return };
    let hints = Hints { card: Some(card_of(&whole)), pose: None };
    let third = motion.clip.frames.len() / 3;
    let clip = Clip { frames: motion.clip.frames[third..].to_vec(), ..motion.clip };
    let tail = Motion { skeleton: motion.skeleton.clone(), clip };
    let again = understand(&tail, &hints).unwrap_or_else(|error| panic!("{name:?}: {error}"));
    for id in whole.framed() {
        let (a, b) =
            (whole.joint_from_anatomical[id.index()], again.joint_from_anatomical[id.index()]);
        assert!(a.angle_to(&b) < 1e-9, "{name:?}: {:?} {}", whole.roles.of(id), a.angle_to(&b));
    }
    for id in whole.skeleton.ids() {
        let (a, b) = (whole.t_pose.rotations[id.index()], again.t_pose.rotations[id.index()]);
        assert!(a.angle_to(&b) < 1e-9, "{name:?}: {id:?} in the T pose: {}", a.angle_to(&b));
    }
}

#[test]
fn samples_are_understood_alike_from_their_cards() {
    for sample in samples::clips() {
        assert_same_calibration(Path::new(sample.name), &sample.motion);
    }
}

#[test]
fn clips_of_the_corpus_are_understood_alike_from_their_cards() {
    let Some(folder) = std::env::var_os("REBONE_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: REBONE_CORPUS is not set");
        return;
    };
    let list =
        |folder: &Path| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut by_motion = 0;
    for path in
        list(&folder.join("motions")).filter(|path| path.is_dir()).flat_map(|path| list(&path))
    {
        let Ok(document) = bvh::read(&path) else { continue };
        assert_same_calibration(&path, &document.motion);
        let anatomy = understand(&document.motion, &Hints::default());
        by_motion += usize::from(
            anatomy.is_ok_and(|anatomy| anatomy.calibration == CalibrationSource::Motion),
        );
    }
    assert!(by_motion > 5, "{by_motion}");
}
