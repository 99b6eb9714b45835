//! Choice among the characters of a file, as plain data.

use rebone_skeleton::CharacterSelector;
use serde::{Deserialize, Serialize};

/// Choice among the characters of a file: the arguments of the program, and what a batch notes.
///
/// ```
/// use rebone_body::CharacterChoice;
/// use rebone_body::skeleton::CharacterSelector;
///
/// let choice = CharacterChoice { joint: Some("Hips".to_owned()), ..CharacterChoice::default() };
/// assert_eq!(choice.selector(), Some(CharacterSelector::Joint("Hips")));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct CharacterChoice {
    /// Character of a glTF with several, by one of its skins, counted from 0. Default: the largest body.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", conflicts_with = "joint"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<usize>,
    /// Character of a file with several, by the name of its root joint. Default: the largest body.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joint: Option<String>,
}

impl CharacterChoice {
    /// The character that is chosen; the skin where both are stated.
    pub fn selector(&self) -> Option<CharacterSelector<'_>> {
        let joint = self.joint.as_deref().map(CharacterSelector::Joint);
        self.skin.map(CharacterSelector::Skin).or(joint)
    }

    /// Returns whether nothing is chosen.
    pub fn is_none(&self) -> bool {
        self.selector().is_none()
    }
}
