//! What the user knows of a skeleton, for one file and for a pair.

use super::values::{self, Stated, Which};
use clap::Args;
use rebone::body::SignedAxis;
use rebone::card::PoseFrom;
use rebone::{CharacterError, CharacterHints, Statements};
use std::path::PathBuf;

/// What is known of one file.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What is known of the file")]
pub(crate) struct FileHints {
    /// Its rig card, as `rebone card` writes it.
    #[arg(long, value_name = "CARD")]
    pub(crate) card: Option<PathBuf>,
    /// The axis that points up: `x`, `y`, `z`, `-x`, `-y` or `-z`.
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, value_parser = values::as_in_cards::<SignedAxis>)]
    pub(crate) up: Option<SignedAxis>,
    /// The axis that the body faces along.
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, value_parser = values::as_in_cards::<SignedAxis>)]
    pub(crate) facing: Option<SignedAxis>,
    /// The unit of length: `m`, `dm`, `cm`, `mm`, `inch`, `foot`, or metres a unit.
    #[arg(long, value_name = "UNIT", value_parser = values::unit)]
    pub(crate) unit: Option<f64>,
    /// A pose in which the body stands straight, arms out, ahead or down: a frame of a file, counted
    /// from 0, or without FRAME its rest pose.
    #[arg(long, value_name = "FILE[:FRAME]", value_parser = values::as_in_cards::<PoseFrom>)]
    pub(crate) pose_from: Option<PoseFrom>,
    /// The skin whose joints are the body, where a glTF holds several skeletons; counted from 0.
    #[arg(long, value_name = "N")]
    pub(crate) skin: Option<usize>,
}

impl FileHints {
    /// Reads the card, and takes what else is said.
    pub(crate) fn read(&self) -> Result<CharacterHints, CharacterError> {
        let statements = self.statements();
        match &self.card {
            Some(path) => CharacterHints::read(path, &statements),
            None => CharacterHints::stated(&statements),
        }
    }

    /// All but the card.
    pub(crate) fn statements(&self) -> Statements {
        let Self { up, facing, unit, pose_from, .. } = self.clone();
        Statements { up, facing, unit, pose_from }
    }
}

/// What is known of source and target.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What is known of source and target")]
pub(crate) struct PairHints {
    /// The source's rig card, as `rebone card` writes it.
    #[arg(long, visible_alias = "card", value_name = "CARD")]
    pub(crate) source_card: Option<PathBuf>,
    /// The target's rig card.
    #[arg(long, value_name = "CARD")]
    pub(crate) target_card: Option<PathBuf>,
    /// A file of pairs, a joint of the source and the joint of the target that plays the same role:
    /// lines with a tab between the two, or a JSON object.
    #[arg(long, value_name = "PAIRS")]
    pub(crate) map: Option<PathBuf>,
    /// The axis that points up: `x`, `y`, `z`, `-x`, `-y` or `-z`.
    #[arg(long, value_name = "[target=]AXIS", allow_hyphen_values = true,
          value_parser = values::stated(values::as_in_cards::<SignedAxis>))]
    pub(crate) up: Vec<Stated<SignedAxis>>,
    /// The axis that the body faces along.
    #[arg(long, value_name = "[target=]AXIS", allow_hyphen_values = true,
          value_parser = values::stated(values::as_in_cards::<SignedAxis>))]
    pub(crate) facing: Vec<Stated<SignedAxis>>,
    /// The unit of length: `m`, `dm`, `cm`, `mm`, `inch`, `foot`, or metres a unit.
    #[arg(long, value_name = "[target=]UNIT", value_parser = values::stated(values::unit))]
    pub(crate) unit: Vec<Stated<f64>>,
    /// A pose in which the body stands straight, arms out, ahead or down: a frame of a file, counted
    /// from 0, or without FRAME its rest pose.
    #[arg(long, value_name = "[target=]FILE[:FRAME]",
          value_parser = values::stated(values::as_in_cards::<PoseFrom>))]
    pub(crate) pose_from: Vec<Stated<PoseFrom>>,
    /// The skin whose joints are the body, where a glTF holds several skeletons; counted from 0.
    #[arg(long, value_name = "[target=]N", value_parser = values::stated(values::number))]
    pub(crate) skin: Vec<Stated<usize>>,
}

impl PairHints {
    /// Whether anything is said of a target.
    pub(crate) fn speak_of_target(&self) -> bool {
        let FileHints { card, up, facing, unit, pose_from, skin } = self.of(Which::Target);
        let stated = up.is_some() || facing.is_some() || unit.is_some() || pose_from.is_some();
        stated || skin.is_some() || card.is_some() || self.map.is_some()
    }

    /// Reads the cards of both, and takes what else is said.
    pub(crate) fn read(&self) -> Result<[CharacterHints; 2], CharacterError> {
        Ok([self.of(Which::Source).read()?, self.of(Which::Target).read()?])
    }

    /// What is known of one of the two; the last value counts where one is given twice.
    pub(crate) fn of(&self, which: Which) -> FileHints {
        let card = match which {
            Which::Source => &self.source_card,
            Which::Target => &self.target_card,
        };
        FileHints {
            card: card.clone(),
            up: last(&self.up, which),
            facing: last(&self.facing, which),
            unit: last(&self.unit, which),
            pose_from: last(&self.pose_from, which),
            skin: last(&self.skin, which),
        }
    }
}

fn last<T: Clone>(stated: &[Stated<T>], which: Which) -> Option<T> {
    stated.iter().rev().find(|stated| stated.of == which).map(|stated| stated.value.clone())
}
