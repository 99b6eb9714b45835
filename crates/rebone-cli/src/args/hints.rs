//! Statements on a skeleton: for one file and for a pair.

use super::values::{self, Stated, Which};
use clap::Args;
use rebone::CharacterHints;
use rebone::body::SignedAxis;
use rebone::card::Card;
use rebone::card::PoseFrom;
use std::path::PathBuf;

/// Statements on one file.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Rig")]
pub(crate) struct FileHints {
    /// Rig card, as `rebone card` writes it.
    #[arg(long, value_name = "CARD")]
    pub(crate) card: Option<PathBuf>,
    /// Axis that points up: `x`, `y`, `z`, `-x`, `-y` or `-z`.
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, value_parser = values::as_in_cards::<SignedAxis>)]
    pub(crate) up: Option<SignedAxis>,
    /// Axis that the body faces along.
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, value_parser = values::as_in_cards::<SignedAxis>)]
    pub(crate) facing: Option<SignedAxis>,
    /// Unit of length: `m`, `dm`, `cm`, `mm`, `inch`, `foot`, or metres per unit.
    #[arg(long, value_name = "UNIT", value_parser = values::unit)]
    pub(crate) unit: Option<f64>,
    /// Calibration pose, in which the body stands straight, arms out, ahead or down: a frame of a file, counted from 0, or
    /// without FRAME its rest pose.
    #[arg(long, value_name = "FILE[:FRAME]", value_parser = values::as_in_cards::<PoseFrom>)]
    pub(crate) pose_from: Option<PoseFrom>,
    /// Skin of a glTF with several skeletons, counted from 0. Default: the largest body.
    #[arg(long, value_name = "N")]
    pub(crate) skin: Option<usize>,
}

impl FileHints {
    /// Reads the card, and adds the other statements.
    pub(crate) fn read(&self) -> Result<CharacterHints, rebone::Error> {
        let statements = self.statements();
        match &self.card {
            Some(path) => CharacterHints::read(path, &statements),
            None => CharacterHints::stated(&statements),
        }
    }

    /// All statements but the card.
    pub(crate) fn statements(&self) -> Card {
        let Self { up, facing, unit, pose_from, .. } = self.clone();
        Card { up, facing, unit, pose_from, ..Card::default() }
    }
}

/// Files that state source and target.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Source and target rigs")]
pub(crate) struct PairFiles {
    /// Rig card of the source, as `rebone card` writes it.
    #[arg(long, visible_alias = "card", value_name = "CARD", value_parser = values::source_card())]
    pub(crate) source_card: Option<PathBuf>,
    /// Rig card of the target.
    #[arg(long, value_name = "CARD")]
    pub(crate) target_card: Option<PathBuf>,
    /// File of joint pairs with the same role: per line a joint of the source, a tab, and a joint of the target; or a JSON
    /// object.
    #[arg(long, value_name = "PAIRS")]
    pub(crate) map: Option<PathBuf>,
}

/// Statements on source and target.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Source and target rigs")]
pub(crate) struct PairHints {
    /// Cards and map.
    #[command(flatten)]
    pub(crate) files: PairFiles,
    /// Axis that points up: `x`, `y`, `z`, `-x`, `-y` or `-z`.
    #[arg(long, value_name = "[target=]AXIS", allow_hyphen_values = true,
          value_parser = values::stated(values::as_in_cards::<SignedAxis>))]
    pub(crate) up: Vec<Stated<SignedAxis>>,
    /// Axis that the body faces along.
    #[arg(long, value_name = "[target=]AXIS", allow_hyphen_values = true,
          value_parser = values::stated(values::as_in_cards::<SignedAxis>))]
    pub(crate) facing: Vec<Stated<SignedAxis>>,
    /// Unit of length: `m`, `dm`, `cm`, `mm`, `inch`, `foot`, or metres per unit.
    #[arg(long, value_name = "[target=]UNIT", value_parser = values::stated(values::unit))]
    pub(crate) unit: Vec<Stated<f64>>,
    /// Calibration pose, in which the body stands straight, arms out, ahead or down: a frame of a file, counted from 0, or
    /// without FRAME its rest pose.
    #[arg(long, value_name = "[target=]FILE[:FRAME]",
          value_parser = values::stated(values::as_in_cards::<PoseFrom>))]
    pub(crate) pose_from: Vec<Stated<PoseFrom>>,
    /// Skin of a glTF with several skeletons, counted from 0. Default: the largest body.
    #[arg(long, value_name = "[target=]N", value_parser = values::stated(values::number))]
    pub(crate) skin: Vec<Stated<usize>>,
}

impl PairHints {
    /// Returns whether anything is stated on a target.
    pub(crate) fn name_target(&self) -> bool {
        let FileHints { card, up, facing, unit, pose_from, skin } = self.of(Which::Target);
        let stated = up.is_some() || facing.is_some() || unit.is_some() || pose_from.is_some();
        stated || skin.is_some() || card.is_some() || self.files.map.is_some()
    }

    /// Reads the cards of both, and adds the other statements.
    ///
    /// # Errors
    /// When an option states something of one file twice, or a card cannot be read.
    pub(crate) fn read(&self) -> Result<[CharacterHints; 2], rebone::Error> {
        let twice = [
            ("up", twice(&self.up)),
            ("facing", twice(&self.facing)),
            ("unit", twice(&self.unit)),
            ("pose-from", twice(&self.pose_from)),
            ("skin", twice(&self.skin)),
        ];
        for (option, which) in twice {
            let Some(which) = which else { continue };
            let (file, other) = match which {
                Which::Source => ("source", "; that of the target is `target=` and a value"),
                Which::Target => ("target", ""),
            };
            return Err(rebone::Error::Conflict(format!(
                "--{option} is given twice for the {file}{other}"
            )));
        }
        Ok([self.of(Which::Source).read()?, self.of(Which::Target).read()?])
    }

    /// Statements on one of the two.
    pub(crate) fn of(&self, which: Which) -> FileHints {
        let card = match which {
            Which::Source => &self.files.source_card,
            Which::Target => &self.files.target_card,
        };
        FileHints {
            card: card.clone(),
            up: of(&self.up, which),
            facing: of(&self.facing, which),
            unit: of(&self.unit, which),
            pose_from: of(&self.pose_from, which),
            skin: of(&self.skin, which),
        }
    }
}

fn of<T: Clone>(stated: &[Stated<T>], which: Which) -> Option<T> {
    stated.iter().find(|stated| stated.of == which).map(|stated| stated.value.clone())
}

/// The file that several values are for.
fn twice<T>(stated: &[Stated<T>]) -> Option<Which> {
    let count = |which: Which| stated.iter().filter(|own| own.of == which).count();
    [Which::Source, Which::Target].into_iter().find(|which| count(*which) > 1)
}
