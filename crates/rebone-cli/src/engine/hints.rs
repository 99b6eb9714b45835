//! What the user knows of a file: its card, and over it the command line.

use super::Loaded;
use crate::args::FileHints;
use crate::exit_code::Failure;
use anyhow::{Context, anyhow, bail};
use rebone::Hints;
use rebone::card::{Card, CardError, PoseFrom};
use rebone::skeleton::{Pose, Skeleton, bvh};
use std::path::{Path, PathBuf};

/// What the library wants to know, of the file that was read.
pub(crate) fn of(said: &FileHints, loaded: &Loaded) -> Result<Hints, Failure> {
    let card = card(said)?;
    let pose = match &card.pose_from {
        Some(PoseFrom::File(file, frame)) => {
            Some(pose(&beside_card(said, file), *frame, loaded.skeleton())?)
        }
        Some(PoseFrom::Rest) | None => None,
    };
    Ok(Hints { card: Some(card), pose })
}

/// The card, with what the command line says in its place.
pub(crate) fn card(said: &FileHints) -> Result<Card, Failure> {
    let mut card = match &said.card {
        Some(path) => read(path)?,
        None => Card::default(),
    };
    card.up = said.up.or(card.up);
    card.facing = said.facing.or(card.facing);
    card.unit = said.unit.or(card.unit);
    card.pose_from = said.pose_from.clone().or(card.pose_from);
    if let (Some(up), Some(facing)) = (card.up, card.facing)
        && up.axis == facing.axis
    {
        let message = format!("up {up} and facing {facing} cannot both be: they lie on one axis");
        return Err(Failure::usage(message));
    }
    Ok(card)
}

/// The files that the hints about one file are read from.
pub(crate) fn inputs(said: &FileHints) -> Result<Vec<PathBuf>, Failure> {
    let mut inputs: Vec<PathBuf> = said.card.iter().map(PathBuf::from).collect();
    if let Some(PoseFrom::File(file, _)) = card(said)?.pose_from {
        inputs.push(beside_card(said, &file));
    }
    Ok(inputs)
}

/// Where a calibration pose is, as a card in the folder of `output` says it.
pub(super) fn pose_from(
    said: &FileHints,
    pose: PoseFrom,
    output: Option<&Path>,
) -> anyhow::Result<PoseFrom> {
    let PoseFrom::File(file, frame) = pose else { return Ok(pose) };
    let file = beside_card(said, &file);
    let is_beside =
        output.and_then(Path::parent).is_none_or(|folder| folder.as_os_str().is_empty());
    let file = if is_beside { file } else { std::path::absolute(file)? };
    Ok(PoseFrom::File(file.to_string_lossy().into_owned(), frame))
}

/// A file that a card names is looked for beside the card.
fn beside_card(said: &FileHints, file: &str) -> PathBuf {
    match (&said.card, &said.pose_from) {
        (Some(card), None) => card.with_file_name("").join(file),
        _ => PathBuf::from(file),
    }
}

/// A frame of a file, or its rest pose; the file must have the joints of the skeleton.
fn pose(path: &Path, frame: Option<usize>, skeleton: &Skeleton) -> anyhow::Result<Pose> {
    let motion = bvh::read(path)?.motion;
    let names = |skeleton: &Skeleton| -> Vec<_> {
        skeleton.joints().iter().map(|joint| joint.name.clone()).collect()
    };
    if names(&motion.skeleton) != names(skeleton) {
        bail!(
            "{}: no pose for it here, for the joints are others: give a file of the same skeleton",
            path.display()
        );
    }
    let Some(frame) = frame else { return Ok(motion.skeleton.rest_pose()) };
    let count = motion.clip.frames.len();
    let pose = motion.clip.frames.into_iter().nth(frame);
    pose.with_context(|| format!("{}: no frame {frame}, it has {count}", path.display()))
}

fn read(path: &Path) -> Result<Card, Failure> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{}: cannot read the card", path.display()))?;
    Ok(Card::parse(&text).map_err(|error| fault(path, &error))?)
}

/// `hero.toml:3: there is no joint "Hip"; nearest: Hips`.
pub(crate) fn fault(path: &Path, error: &CardError) -> anyhow::Error {
    anyhow!("{}:{}: {}", path.display(), error.line, error.fault)
}
