//! Statements on a character, as texts of the command line.

use crate::convert::errors::{input_error, raise};
use pyo3::prelude::*;
use rebone::CharacterHints;
use rebone::body::SignedAxis;
use rebone::card::{Card, PoseFrom, RootScale, metres};
use std::path::{Path, PathBuf};

/// A card and statements on a character, as they were given: they can be given again.
#[derive(Clone, Debug, Default, PartialEq, FromPyObject, IntoPyObject)]
pub(crate) struct Statements {
    /// Text of the card.
    #[pyo3(item)]
    pub(crate) card: Option<String>,
    /// Path of the card, for messages and files beside it.
    #[pyo3(item)]
    pub(crate) card_path: Option<PathBuf>,
    /// Axis that points up.
    #[pyo3(item)]
    pub(crate) up: Option<String>,
    /// Axis that the body faces along.
    #[pyo3(item)]
    pub(crate) facing: Option<String>,
    /// Unit of length.
    #[pyo3(item)]
    pub(crate) unit: Option<String>,
    /// Factor on the positions of the root.
    #[pyo3(item)]
    pub(crate) root_scale: Option<String>,
    /// Calibration pose.
    #[pyo3(item)]
    pub(crate) pose_from: Option<String>,
}

impl Statements {
    /// Reads them.
    pub(crate) fn hints(&self) -> PyResult<CharacterHints> {
        fn parsed<T, E: std::fmt::Display>(
            name: &str,
            text: Option<&String>,
            parse: impl Fn(&str) -> Result<T, E>,
        ) -> PyResult<Option<T>> {
            let parse = |text: &String| {
                parse(text).map_err(|error| input_error(&format!("{name}: {error}")))
            };
            text.map(parse).transpose()
        }
        let statements = Card {
            up: parsed("up", self.up.as_ref(), str::parse::<SignedAxis>)?,
            facing: parsed("facing", self.facing.as_ref(), str::parse::<SignedAxis>)?,
            unit: parsed("unit", self.unit.as_ref(), metres)?,
            root_scale: parsed("root_scale", self.root_scale.as_ref(), str::parse::<RootScale>)?,
            pose_from: parsed("pose_from", self.pose_from.as_ref(), str::parse::<PoseFrom>)?,
            ..Card::default()
        };
        let path = self.card_path.as_deref();
        let card = self.card.as_deref().map_or(Ok(Card::default()), |text| card(text, path))?;
        CharacterHints::new(card, path, &statements).map_err(raise)
    }
}

/// Reads the text of a card.
pub(crate) fn card(text: &str, path: Option<&Path>) -> PyResult<Card> {
    let path = path.unwrap_or(Path::new("the card"));
    Card::parse(text).map_err(|error| raise(rebone::CharacterError::card(path, error)))
}
