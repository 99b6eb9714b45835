//! Statements on a skeleton: for one file and for a pair.

use super::values::{self, Stated, Which};
use clap::Args;
use rebone::body::SignedAxis;
use rebone::card::Card;
use rebone::card::{PoseFrom, RootScale};
use rebone::{CharacterChoice, CharacterError, CharacterHints};
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
    /// Factor on the positions of the root, where they are not in the unit of the bones; or `auto`, to estimate it.
    #[arg(long, value_name = "N|auto", value_parser = values::as_in_cards::<RootScale>)]
    pub(crate) root_scale: Option<RootScale>,
    /// Calibration pose, in which the body stands straight, arms out, ahead or down: a frame of a file, counted from 0, or
    /// without FRAME its rest pose.
    #[arg(long, value_name = "FILE[:FRAME]", value_parser = values::as_in_cards::<PoseFrom>)]
    pub(crate) pose_from: Option<PoseFrom>,
    /// Choice among its characters.
    #[command(flatten)]
    pub(crate) character: CharacterChoice,
}

/// Choices among the characters of source and target.
#[derive(Args, Clone, Debug)]
pub(crate) struct PairChoice {
    /// Character of a glTF with several, by one of its skins, counted from 0. Default: the largest body.
    #[arg(long, value_name = "[target=]N", value_parser = values::stated(values::number))]
    pub(crate) skin: Vec<Stated<usize>>,
    /// Character of a file with several, by the name of its root joint. Default: the largest body.
    #[arg(long, value_name = "[target=]NAME", value_parser = values::stated(values::text))]
    pub(crate) joint: Vec<Stated<String>>,
}

impl PairChoice {
    /// The choice in one of the two.
    pub(crate) fn of(&self, which: Which) -> CharacterChoice {
        CharacterChoice { skin: of(&self.skin, which), joint: of(&self.joint, which) }
    }

    /// Checks that no file has two choices.
    pub(crate) fn check(&self) -> Result<(), CharacterError> {
        check_once("skin", twice(&self.skin))?;
        check_once("joint", twice(&self.joint))?;
        let both = |which: &Which| {
            let CharacterChoice { skin, joint } = self.of(*which);
            skin.is_some() && joint.is_some()
        };
        match [Which::Source, Which::Target].iter().find(|which| both(which)) {
            Some(which) => Err(CharacterError::Conflict(format!(
                "--skin and --joint both choose the character of the {}",
                which.name()
            ))),
            None => Ok(()),
        }
    }
}

impl FileHints {
    /// Reads the card, and adds the other statements.
    pub(crate) fn read(&self) -> Result<CharacterHints, CharacterError> {
        let statements = self.statements();
        match &self.card {
            Some(path) => CharacterHints::read(path, &statements),
            None => CharacterHints::stated(&statements),
        }
    }

    /// All statements but the card.
    pub(crate) fn statements(&self) -> Card {
        let Self { up, facing, unit, root_scale, pose_from, .. } = self.clone();
        Card { up, facing, unit, root_scale, pose_from, ..Card::default() }
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
    /// Factor on the positions of the source's root, where they are not in the unit of the bones; or `auto`, to estimate it.
    #[arg(long, value_name = "N|auto", value_parser = values::as_in_cards::<RootScale>)]
    pub(crate) root_scale: Option<RootScale>,
    /// Calibration pose, in which the body stands straight, arms out, ahead or down: a frame of a file, counted from 0, or
    /// without FRAME its rest pose.
    #[arg(long, value_name = "[target=]FILE[:FRAME]",
          value_parser = values::stated(values::as_in_cards::<PoseFrom>))]
    pub(crate) pose_from: Vec<Stated<PoseFrom>>,
    /// Choices among their characters.
    #[command(flatten)]
    pub(crate) character: PairChoice,
}

impl PairHints {
    /// Returns whether anything is stated on a target.
    pub(crate) fn name_target(&self) -> bool {
        let FileHints { card, up, facing, unit, pose_from, character, root_scale: _ } =
            self.of(Which::Target);
        let stated = up.is_some() || facing.is_some() || unit.is_some() || pose_from.is_some();
        stated || character.selector().is_some() || card.is_some() || self.files.map.is_some()
    }

    /// Reads the cards of both, and adds the other statements.
    ///
    /// # Errors
    /// When an option states something of one file twice, or a card cannot be read.
    pub(crate) fn read(&self) -> Result<[CharacterHints; 2], CharacterError> {
        let twice = [
            ("up", twice(&self.up)),
            ("facing", twice(&self.facing)),
            ("unit", twice(&self.unit)),
            ("pose-from", twice(&self.pose_from)),
        ];
        twice.into_iter().try_for_each(|(option, which)| check_once(option, which))?;
        self.character.check()?;
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
            root_scale: self.root_scale.filter(|_| which == Which::Source),
            pose_from: of(&self.pose_from, which),
            character: self.character.of(which),
        }
    }
}

/// Refuses an option that states something of one file twice.
fn check_once(option: &str, twice: Option<Which>) -> Result<(), CharacterError> {
    let Some(which) = twice else { return Ok(()) };
    let other = match which {
        Which::Source => "; that of the target is `target=` and a value",
        Which::Target => "",
    };
    let file = which.name();
    Err(CharacterError::Conflict(format!("--{option} is given twice for the {file}{other}")))
}

fn of<T: Clone>(stated: &[Stated<T>], which: Which) -> Option<T> {
    stated.iter().find(|stated| stated.of == which).map(|stated| stated.value.clone())
}

/// The file that several values are for.
fn twice<T>(stated: &[Stated<T>]) -> Option<Which> {
    let count = |which: Which| stated.iter().filter(|own| own.of == which).count();
    [Which::Source, Which::Target].into_iter().find(|which| count(*which) > 1)
}
