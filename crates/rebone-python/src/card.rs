//! Texts of rig cards: checked, and changed entry by entry.

use crate::convert::errors::{input_error, raise};
use crate::hints::card;
use pyo3::prelude::*;
use rebone::LineError;
use rebone::body::Role;
use rebone::card::{Card, with_pose, with_role};
use rebone::skeleton::selector::{nearest, shown};
use std::path::{Path, PathBuf};

/// Fails where a text is no card.
#[pyfunction]
pub(crate) fn check_card(text: &str, path: Option<PathBuf>) -> PyResult<()> {
    card(text, path.as_deref()).map(drop)
}

/// The text of a card that states which joints play a role; without a list it states nothing of it.
#[pyfunction]
pub(crate) fn card_with_role(
    text: &str,
    path: Option<PathBuf>,
    role: &str,
    joints: Option<Vec<String>>,
) -> PyResult<String> {
    let Some(own) = Role::from_name(role) else {
        let nearest = nearest(role, Role::all().into_iter().map(Role::name)).join(", ");
        return Err(input_error(&format!("{:?} is no role; nearest: {nearest}", shown(role))));
    };
    let joints: Option<Vec<&str>> =
        joints.as_ref().map(|joints| joints.iter().map(String::as_str).collect());
    checked(path.as_deref(), with_role(text, own, joints.as_deref()))
}

/// The text of a card that states the calibration pose by turns of joints, degrees.
#[pyfunction]
pub(crate) fn card_with_pose(
    text: &str,
    path: Option<PathBuf>,
    turns: Vec<(String, [f64; 3])>,
) -> PyResult<String> {
    let turns = turns.iter().map(|(joint, turn)| (joint.as_str(), *turn));
    checked(path.as_deref(), with_pose(text, turns))
}

/// A text that was edited, where it is a card.
fn checked(path: Option<&Path>, text: Result<String, LineError>) -> PyResult<String> {
    let text = text.and_then(|text| Card::parse(&text).map(|_| text));
    let path = path.unwrap_or(Path::new("the card"));
    text.map_err(|error| raise(rebone::CharacterError::card(path, error)))
}
