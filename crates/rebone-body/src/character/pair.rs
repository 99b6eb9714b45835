//! A source and a target, analysed together.

use super::Character;
use crate::analyse::{AnalysedPair, Hints, analyse_pair};
use crate::card::map;
use crate::error::{AnalysisError, CharacterError};
use rebone_skeleton::JointId;
use std::path::Path;

/// Analyses a source and a target: each alone, then with the pairs of joints of a map, which is its name for messages and its
/// text.
///
/// ```
/// # use rebone_body::skeleton::bvh::{Hierarchy, WriteOptions, write_clip};
/// # let bytes = |motion: &rebone_body::skeleton::Motion| {
/// #     let hierarchy = Hierarchy::from_skeleton(&motion.skeleton);
/// #     write_clip(Vec::new(), &hierarchy, &motion.clip, WriteOptions::default())
/// # };
/// # let (walk, rig) = (bytes(&rebone_samples::walk().motion)?, bytes(&rebone_samples::rigs()[0].motion)?);
/// use rebone_body::{Character, Selection};
///
/// let source = Character::parse("walk.bvh", walk, Selection::default())?;
/// let target = Character::parse("rig.bvh", rig, Selection::default())?;
/// let pair = rebone_body::analyse_characters([&source, &target], None)?;
/// assert!(pair.anatomies[1].stature > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When one of the two is not recognised as a humanoid, a card does not fit, or a line of the map is wrong.
pub fn analyse_characters(
    characters: [&Character; 2],
    map: Option<(&Path, &str)>,
) -> Result<AnalysedPair, CharacterError> {
    let pairs = match map {
        Some((path, text)) => parse_map(path, text, characters)?,
        None => Vec::new(),
    };
    let hints: [Hints; 2] =
        [characters[0].hints().of(characters[0])?, characters[1].hints().of(characters[1])?];
    let with =
        map.map_or(String::new(), |(path, _)| format!(" with the pairs of {}", path.display()));
    let fault = |side: usize, error| {
        let context = format!("cannot use {}{with}", characters[side].path().display());
        characters[side].hints().fault(error, context)
    };
    let analysed = analyse_pair(characters.map(Character::motion), hints.each_ref(), &pairs);
    analysed.map_err(|error| match error {
        AnalysisError::Source(error) => fault(0, *error),
        AnalysisError::Target(error) => fault(1, *error),
        error => unreachable!("an analysis of two names the side: {error}"),
    })
}

/// Reads a map and finds its joints in source and target.
fn parse_map(
    path: &Path,
    text: &str,
    characters: [&Character; 2],
) -> Result<Vec<[JointId; 2]>, CharacterError> {
    let file_name =
        |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let names = characters.map(|character| file_name(character.path()));
    let pairs = map::parse(text, [0, 1].map(|side| (&*names[side], characters[side].skeleton())));
    pairs.map_err(|error| CharacterError::Map { path: path.to_owned(), error })
}
