//! Rig cards that exist: read, and written again with the user's entries.

use super::hints::CharacterHints;
use super::text::read_text;
use crate::body::Anatomy;
use crate::card::{Card, CardFile};
use crate::error::Error;
use std::path::{Path, PathBuf};

/// A rig card that exists. An update keeps the user's entries and writes all others anew.
#[derive(Clone, Debug)]
pub struct ExistingCard {
    path: PathBuf,
    file: CardFile,
}

impl ExistingCard {
    /// Reads the card at `path`.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let file = CardFile::parse(&read_text(path, "card")?);
        let file = file.map_err(|error| Error::card(path, error))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Its text.
    pub fn file(&self) -> &CardFile {
        &self.file
    }

    /// The card with another choice of what an update keeps.
    #[must_use]
    pub fn with_file(self, file: CardFile) -> Self {
        Self { file, ..self }
    }

    /// The user's entries, with statements in their place.
    ///
    /// # Errors
    /// When up and facing lie on one axis.
    pub fn hints(&self, statements: &Card) -> Result<CharacterHints, Error> {
        CharacterHints::new(self.file.user_entries(), Some(&self.path), statements)
    }

    /// The text of the card with the entries of a new one.
    ///
    /// # Errors
    /// When an entry does not fit the text.
    pub fn update(&self, card: &Card) -> Result<String, Error> {
        self.file.update(card).map_err(|error| Error::card(&self.path, error))
    }
}

impl CharacterHints {
    /// Makes the card of an anatomy that was analysed with these hints, for a file at `output`; with `t_pose` its pose is
    /// the T pose, whatever the hints state of the pose.
    ///
    /// # Errors
    /// When the hints name a joint that is not there, or there is no current folder.
    pub fn card_of(
        &self,
        anatomy: &Anatomy,
        output: Option<&Path>,
        t_pose: bool,
    ) -> Result<Card, Error> {
        let pose_from = self.pose_from(output).map_err(|error| Error::Text {
            name: "pose_from".to_owned(),
            what: "current folder".to_owned(),
            error,
        })?;
        let stated = Card { pose_from, ..self.card().clone() };
        let card = match t_pose {
            true => Card::from_anatomy_in_t_pose(anatomy, &stated),
            false => Card::from_anatomy(anatomy, &stated),
        };
        card.map_err(|error| Error::card(Path::new(&self.name()), error))
    }
}
