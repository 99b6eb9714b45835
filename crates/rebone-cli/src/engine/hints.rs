//! What the user knows of a file: its card, and over it the command line.

use crate::args::FileHints;
use crate::exit_code::Failure;
use crate::paths::read_text;
use anyhow::{Context, anyhow, bail};
use rebone::card::{Card, CardError, PoseFrom};
use rebone::roles::RolesError;
use rebone::skeleton::{Pose, Skeleton};
use rebone::{AnalysisError, Character, Hints, Selection};
use std::path::{Path, PathBuf};

/// What the user knows of a file, its card read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// The card, with what the command line says in its place.
    pub(super) card: Card,
    /// Where the card was read.
    card_path: Option<PathBuf>,
    /// Where the pose is that the card or the command line names.
    pose_path: Option<PathBuf>,
    /// The line of the card that names it, where it does.
    pose_line: Option<String>,
    /// Whether the command line names it.
    says_pose: bool,
}

impl Known {
    /// Reads the card, if there is one.
    pub(crate) fn read(said: &FileHints) -> Result<Self, Failure> {
        let card = match &said.card {
            Some(path) => read(path)?,
            None => Card::default(),
        };
        Self::new(said, card)
    }

    /// The same with what a card says that was read already, in the place that the hints name.
    pub(crate) fn new(said: &FileHints, mut card: Card) -> Result<Self, Failure> {
        let pose_path = pose_path(said, &card);
        let path = said.card.as_ref().filter(|_| said.pose_from.is_none());
        let pose_line = path.map(|path| format!("{}:{}", path.display(), card.pose_from_line));
        card.up = said.up.or(card.up);
        card.facing = said.facing.or(card.facing);
        card.unit = said.unit.or(card.unit);
        card.sure = card.sure.filter(|_| said.pose_from.is_none());
        card.pose_from = said.pose_from.clone().or(card.pose_from);
        if let (Some(up), Some(facing)) = (card.up, card.facing)
            && up.axis == facing.axis
        {
            let message =
                format!("up {up} and facing {facing} cannot both be: they lie on one axis");
            return Err(Failure::usage(message));
        }
        let says_pose = said.pose_from.is_some();
        Ok(Self { card, card_path: said.card.clone(), pose_path, pose_line, says_pose })
    }

    /// The files that it was and will be read from.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = PathBuf> {
        self.card_path.iter().chain(&self.pose_path).cloned()
    }

    /// The file of the calibration pose, where the card or the command line names one.
    pub(crate) fn pose_input(&self) -> impl Iterator<Item = PathBuf> {
        self.pose_path.iter().cloned()
    }

    /// The card, or in its place the command line.
    pub(super) fn name(&self) -> String {
        let path = self.card_path.as_ref().map(|path| path.display().to_string());
        path.unwrap_or_else(|| "the command line".to_owned())
    }

    /// What the library wants to know, of the file that was read.
    pub(crate) fn hints(&self, loaded: &Character) -> anyhow::Result<Hints> {
        let pose = match (&self.card.pose_from, &self.pose_path) {
            (Some(PoseFrom::File(_, frame)), Some(path)) => {
                let pose = pose(path, *frame, loaded.skeleton());
                Some(match &self.pose_line {
                    Some(line) => pose.with_context(|| line.clone())?,
                    None => pose?,
                })
            }
            (Some(PoseFrom::Rest), None) if self.says_pose => Some(loaded.skeleton().rest_pose()),
            _ => None,
        };
        let card = Some(self.card.clone());
        Ok(Hints {
            card,
            pose,
            bound: loaded.document().bind_pose().cloned(),
            roles: loaded.stated_roles(),
            unit: (!loaded.document().is_bvh()).then_some(1.0),
        })
    }

    /// Where the calibration pose is, as a card in the folder of `output` says it.
    pub(super) fn pose_from(&self, output: Option<&Path>) -> anyhow::Result<Option<PoseFrom>> {
        let (Some(PoseFrom::File(file, frame)), Some(path)) =
            (&self.card.pose_from, &self.pose_path)
        else {
            return Ok(self.card.pose_from.clone());
        };
        if output.is_some_and(|output| output.with_file_name("").join(file) == *path) {
            return Ok(self.card.pose_from.clone());
        }
        let is_beside =
            output.and_then(Path::parent).is_none_or(|folder| folder.as_os_str().is_empty());
        let path = if is_beside { path.clone() } else { std::path::absolute(path)? };
        Ok(Some(PoseFrom::File(path.to_string_lossy().into_owned(), *frame)))
    }

    /// Why a file cannot be used: the line of the card, or what was not found in the file.
    pub(crate) fn fault(&self, error: AnalysisError, context: String) -> anyhow::Error {
        match (error, &self.card_path) {
            (AnalysisError::Card(error), Some(path)) => fault(path, &error),
            (error @ (AnalysisError::Roles(_) | AnalysisError::Body(_)), Some(path))
                if !self.card.roles.is_empty() =>
            {
                let card = self.place_of(path, &error);
                anyhow::Error::new(error).context(format!("{context} with the roles of {card}"))
            }
            (error, _) => anyhow::Error::new(error).context(context),
        }
    }
}

impl Known {
    /// The card, with the line of the role that an error names.
    fn place_of(&self, path: &Path, error: &AnalysisError) -> String {
        let named = match error {
            AnalysisError::Roles(RolesError::Follows { role, .. }) => {
                self.card.roles.iter().find(|casting| casting.role.name() == *role)
            }
            _ => None,
        };
        let line = named.map(|casting| format!(":{}", casting.line)).unwrap_or_default();
        format!("{}{line}", path.display())
    }
}

/// The file of the calibration pose. One that a card names is looked for beside the card.
fn pose_path(said: &FileHints, card: &Card) -> Option<PathBuf> {
    match (&said.pose_from, &card.pose_from, &said.card) {
        (Some(PoseFrom::File(file, _)), _, _) => Some(PathBuf::from(file)),
        (None, Some(PoseFrom::File(file, _)), Some(path)) => {
            Some(path.with_file_name("").join(file))
        }
        _ => None,
    }
}

/// A frame of a file, or its rest pose; the file must have the joints of the skeleton.
fn pose(path: &Path, frame: Option<usize>, skeleton: &Skeleton) -> anyhow::Result<Pose> {
    let character = Character::open(path, Selection::default())?;
    let motion = character.motion();
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
    let count = motion.clip.len();
    let pose = (frame < count).then(|| motion.clip.pose(frame));
    pose.with_context(|| format!("{}: no frame {frame}, it has {count}", path.display()))
}

fn read(path: &Path) -> Result<Card, Failure> {
    Ok(Card::parse(&read_text(path, "card")?).map_err(|error| fault(path, &error))?)
}

/// `hero.toml:3: there is no joint "Hip"; nearest: Hips`.
pub(super) fn fault(path: &Path, error: &CardError) -> anyhow::Error {
    anyhow!("{}:{}: {}", path.display(), error.line, error.fault)
}
