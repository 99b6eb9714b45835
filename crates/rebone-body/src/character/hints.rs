//! Card of a character, and statements that override it.

use super::{Character, Selection};
use crate::analyse::Hints;
#[cfg(feature = "disk")]
use crate::body::Anatomy;
use crate::body::SignedAxis;
use crate::card::{Card, PoseFrom};
use crate::error::{AnalysisError, CharacterError};
#[cfg(feature = "disk")]
use crate::poses;
#[cfg(feature = "disk")]
use rebone_skeleton::{Document, FileError};
use rebone_skeleton::{Pose, Skeleton};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Card of a character, and statements that override it.
///
/// ```
/// use rebone_body::card::Card;
/// use rebone_body::CharacterHints;
///
/// let card = Card::parse("up = \"z\"")?;
/// let hints = CharacterHints::new(card, None, &Card::default())?;
/// assert!(hints.card().up.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CharacterHints {
    /// The card, with the statements in its place.
    card: Card,
    card_path: Option<PathBuf>,
    /// File of the calibration pose, where card or statements name one.
    pose_path: Option<PathBuf>,
    /// Card and line that name it.
    pose_line: Option<String>,
    /// Whether the statements name it.
    states_pose: bool,
}

impl CharacterHints {
    /// Takes statements without a card.
    ///
    /// # Errors
    /// When up and facing lie on one axis.
    pub fn stated(statements: &Card) -> Result<Self, CharacterError> {
        Self::new(Card::default(), None, statements)
    }

    /// Takes a card that was read from `path`, and statements. Files that the card names are looked for beside it.
    ///
    /// # Errors
    /// When up and facing lie on one axis.
    pub fn new(
        mut card: Card,
        path: Option<&Path>,
        statements: &Card,
    ) -> Result<Self, CharacterError> {
        let pose_path = pose_path(statements, &card, path);
        let naming = path.filter(|_| statements.pose_from.is_none());
        let pose_line = naming.map(|path| format!("{}:{}", path.display(), card.pose_from_line));
        card.up = statements.up.or(card.up);
        card.facing = statements.facing.or(card.facing);
        card.unit = statements.unit.or(card.unit);
        card.root_scale = statements.root_scale.or(card.root_scale);
        card.confidence = card.confidence.filter(|_| statements.pose_from.is_none());
        card.pose_from = statements.pose_from.clone().or(card.pose_from);
        for (key, is_stated) in [
            ("up", statements.up.is_some()),
            ("facing", statements.facing.is_some()),
            ("pose_from", statements.pose_from.is_some()),
        ] {
            if is_stated {
                card.generated.remove(key);
            }
        }
        if let (Some(up), Some(facing)) = (card.up, card.facing)
            && up.axis == facing.axis
        {
            return Err(CharacterError::Conflict(format!(
                "up {up} and facing {facing} cannot both be: they lie on one axis"
            )));
        }
        let states_pose = statements.pose_from.is_some();
        Ok(Self { card, card_path: path.map(Path::to_owned), pose_path, pose_line, states_pose })
    }

    /// Reads the card at `path`, and takes statements.
    ///
    /// # Errors
    /// When the card cannot be read, or up and facing lie on one axis.
    #[cfg(feature = "disk")]
    pub fn read(path: &Path, statements: &Card) -> Result<Self, CharacterError> {
        let card = Card::parse(&crate::text::read_text(path, "card")?)
            .map_err(|error| CharacterError::card(path, error))?;
        Self::new(card, Some(path), statements)
    }

    /// The card, with the statements in its place.
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// The files that the hints were and will be read from: the card and the calibration pose.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.card_path.iter().chain(&self.pose_path).cloned()
    }

    /// All files whose bytes the hints depend on: the card, and the calibration pose with the data beside it.
    ///
    /// # Errors
    /// When the file of the calibration pose cannot be read.
    #[cfg(feature = "disk")]
    pub fn files_read(&self) -> Result<Vec<PathBuf>, FileError> {
        let mut files = Vec::from_iter(self.card_path.clone());
        if let Some(path) = &self.pose_path {
            let pose = Document::open_first_frame(path, None)?;
            files.extend(pose.files_read().map(Path::to_owned));
        }
        Ok(files)
    }

    /// The file of the calibration pose, where one is named.
    pub fn pose_file(&self) -> Option<&Path> {
        self.pose_path.as_deref()
    }

    /// The card's path, for messages; `the command line` without one.
    pub fn name(&self) -> String {
        let path = self.card_path.as_ref().map(|path| path.display().to_string());
        path.unwrap_or_else(|| "the command line".to_owned())
    }

    /// Collects the hints of the library for a character that was read.
    ///
    /// # Errors
    /// When the calibration pose cannot be read.
    pub fn of(&self, character: &Character) -> Result<Hints, CharacterError> {
        let pose =
            match (&self.card.pose_from, &self.pose_path) {
                (Some(PoseFrom::File(_, frame)), Some(path)) => {
                    let pose = read_pose(path, *frame, character.skeleton());
                    let card_line = self.pose_line.clone();
                    Some(pose.map_err(|error| CharacterError::Pose {
                        card_line,
                        error: Box::new(error),
                    })?)
                }
                (Some(PoseFrom::Rest), None) if self.states_pose => {
                    Some(character.skeleton().rest_pose())
                }
                _ => None,
            };
        let skin = character.skin();
        let (axis, fixes_up) = character.document().up();
        Ok(Hints {
            card: Some(self.card.clone()),
            pose,
            bound: character.document().bind_pose().cloned(),
            roles: character.stated_roles(),
            skin: Arc::clone(&skin.points),
            skin_left_out: skin.left_out.clone(),
            skin_lost: skin.lost.clone(),
            unit: character.document().metres_per_unit(),
            up: Some(SignedAxis { axis, negative: false }),
            fixes_up,
        })
    }

    /// The calibration pose as a card in the folder of `output` names it: relative to that folder where it lies there,
    /// else by its absolute path.
    ///
    /// # Errors
    /// When there is no current folder.
    #[cfg(feature = "disk")]
    pub fn pose_from(&self, output: Option<&Path>) -> std::io::Result<Option<PoseFrom>> {
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

    /// Makes the card of an anatomy that was analysed with these hints, for a file at `output`; with `t_pose` its pose is
    /// the T pose, whatever the hints state of the pose.
    ///
    /// # Errors
    /// When the hints name a joint that is not there, or there is no current folder.
    #[cfg(feature = "disk")]
    pub fn card_of(
        &self,
        anatomy: &Anatomy,
        output: Option<&Path>,
        t_pose: bool,
    ) -> Result<Card, CharacterError> {
        let pose_from = self.pose_from(output).map_err(|error| CharacterError::Text {
            name: "pose_from".to_owned(),
            what: "current folder".to_owned(),
            error,
        })?;
        let stated = Card { pose_from, ..self.card().clone() };
        let card = match t_pose {
            true => Card::from_anatomy_in_t_pose(anatomy, &stated),
            false => Card::from_anatomy(anatomy, &stated),
        };
        card.map_err(|error| CharacterError::card(Path::new(&self.name()), error))
    }

    /// Names the line of the card, or the file, that an analysis failed for; `context` names the file.
    pub fn fault(&self, error: AnalysisError, context: String) -> CharacterError {
        match (error, &self.card_path) {
            (AnalysisError::Card(error), Some(path)) => CharacterError::card(path, error),
            (error, Some(path)) if error.is_no_humanoid() && !self.card.roles.is_empty() => {
                let card = self.line_of_role(path, &error);
                let context = format!("{context} with the roles of {card}");
                CharacterError::Analysis { context, error: Box::new(error) }
            }
            (error, _) => CharacterError::Analysis { context, error: Box::new(error) },
        }
    }

    /// The card, with the line of the role that an error names.
    fn line_of_role(&self, path: &Path, error: &AnalysisError) -> String {
        let named = match error {
            AnalysisError::Follows { role, .. } => {
                self.card.roles.iter().find(|entry| entry.role.name() == *role)
            }
            _ => None,
        };
        let line = named.map(|entry| format!(":{}", entry.line)).unwrap_or_default();
        format!("{}{line}", path.display())
    }
}

/// The file of the calibration pose. One that a card names is looked for beside the card.
fn pose_path(statements: &Card, card: &Card, path: Option<&Path>) -> Option<PathBuf> {
    match (&statements.pose_from, &card.pose_from, path) {
        (Some(PoseFrom::File(file, _)), _, _) => Some(PathBuf::from(file)),
        (None, Some(PoseFrom::File(file, _)), Some(path)) => {
            Some(path.with_file_name("").join(file))
        }
        _ => None,
    }
}

/// Reads a frame of a file, or its rest pose; the file must have the joints of the skeleton.
#[cfg(feature = "disk")]
fn read_pose(
    path: &Path,
    frame: Option<usize>,
    skeleton: &Skeleton,
) -> Result<Pose, CharacterError> {
    let character = Character::open(path, Selection::default())?;
    let motion = character.motion();
    let names = |skeleton: &Skeleton| -> Vec<_> {
        skeleton.joints().iter().map(|joint| joint.name.clone()).collect()
    };
    let path = path.to_owned();
    if names(&motion.skeleton) != names(skeleton) {
        return Err(CharacterError::OtherSkeleton { path });
    }
    let Some(frame) = frame else { return Ok(motion.skeleton.rest_pose()) };
    let count = motion.clip.len();
    match frame < count {
        true => Ok(poses::pose(&motion.clip, frame)),
        false => Err(CharacterError::NoFrame { path, frame, count }),
    }
}

/// Refuses: there are no files to read.
#[cfg(not(feature = "disk"))]
fn read_pose(path: &Path, _: Option<usize>, _: &Skeleton) -> Result<Pose, CharacterError> {
    let _ = Selection::default();
    Err(CharacterError::NoDisk { path: path.to_owned() })
}
