//! What the user knows of a file: its card, and over it the command line.

use crate::args::{self, FileHints};
use crate::exit_code::Failure;
use anyhow::{Context, anyhow};
use rebone::card::{Card, CardError, PoseFrom, SignedAxis};
use rebone::skeleton::Axis;
use std::path::Path;

/// The card with what the command line says in its place.
pub(crate) fn card(hints: &FileHints) -> Result<Card, Failure> {
    let mut card = match &hints.card {
        Some(path) => read(path)?,
        None => Card::default(),
    };
    let axis = |axis: args::SignedAxis| SignedAxis {
        axis: Axis::ALL[axis.index],
        negative: axis.negative,
    };
    card.up = hints.up.map(axis).or(card.up);
    card.facing = hints.facing.map(axis).or(card.facing);
    card.unit = hints.unit.map(|unit| unit.0).or(card.unit);
    if let Some(pose) = &hints.pose_from {
        let file = pose.file.to_string_lossy().into_owned();
        card.pose_from = Some(PoseFrom::File(file, pose.frame));
    }
    Ok(card)
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
