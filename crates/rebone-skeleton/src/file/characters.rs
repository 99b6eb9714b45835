//! Characters of a file: which of them is read.

use super::document::{Content, Document};
use super::error::FileError;
use crate::scene::ListedCharacter;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A choice among the characters of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharacterSelector<'a> {
    /// The skin of a glTF whose joints are the skeleton, counted from 0.
    Skin(usize),
    /// The root joint by its name: it and the joints below it are the skeleton. In a scene, any node above the joints of one
    /// character; `#1` is the second of [`Document::characters`].
    Joint(&'a str),
}

impl<'a> CharacterSelector<'a> {
    /// The skin that is chosen.
    pub(super) fn skin(self) -> Option<usize> {
        match self {
            Self::Skin(skin) => Some(skin),
            Self::Joint(_) => None,
        }
    }

    /// The root joint that is chosen.
    pub(super) fn joint(self) -> Option<&'a str> {
        match self {
            Self::Skin(_) => None,
            Self::Joint(name) => Some(name),
        }
    }
}

impl Document {
    /// The trees of joints of a scene that can each be a character, the largest first: one for each skin that shares no
    /// joints with others, or that stand apart in the scene. None where there is one alone, and of a BVH or Acclaim. A file
    /// that was read with a choice has those of the whole file.
    pub fn characters(&self) -> Vec<ListedCharacter> {
        match &self.content {
            Content::Joints { .. } => Vec::new(),
            Content::Gltf(document) => document.characters(),
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => document.characters(),
        }
    }

    /// The file with the skeleton of one of its [`characters`](Self::characters).
    ///
    /// # Errors
    /// When its joints form no skeleton.
    pub fn with_character(&self, character: &ListedCharacter) -> Result<Self, FileError> {
        self.with_joints(&character.nodes)
    }

    /// The file with the skeleton at and below a joint.
    ///
    /// # Errors
    /// When there is no such joint, or more than one.
    pub(super) fn with_root_joint(self, name: &str) -> Result<Self, FileError> {
        let found = match &self.content {
            Content::Joints { motion, .. } => {
                let root = &motion.skeleton.joints()[0].name;
                return if root == name { Ok(self) } else { Err(self.no_joint(name, 0)) };
            }
            Content::Gltf(document) => document.joints_below(name),
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => document.joints_below(name),
        };
        let number = || name.strip_prefix('#')?.parse::<usize>().ok();
        let numbered = || self.characters().into_iter().nth(number()?);
        match (found, numbered()) {
            (Ok(joints), _) => self.with_joints(&joints),
            (Err(0), Some(character)) => self.with_character(&character),
            (Err(count), _) => Err(self.no_joint(name, count)),
        }
    }

    fn with_joints(&self, joints: &BTreeSet<usize>) -> Result<Self, FileError> {
        let path = || self.path().to_owned();
        let content = match &self.content {
            Content::Joints { .. } => return Ok(self.clone()),
            Content::Gltf(document) => {
                let read = document.with_joints(joints);
                Content::Gltf(Arc::new(
                    read.map_err(|error| FileError::Gltf { path: path(), error })?,
                ))
            }
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => {
                let read = document.with_joints(joints);
                Content::Fbx(Arc::new(
                    read.map_err(|error| FileError::Fbx { path: path(), error })?,
                ))
            }
        };
        Ok(self.with_content(content))
    }

    fn no_joint(&self, name: &str, count: usize) -> FileError {
        let characters = self.characters();
        let choices = match &characters[..] {
            [] => vec![format!("--joint {}", self.skeleton().joints()[0].name)],
            all => all.iter().map(|own| own.choice.clone()).collect(),
        };
        FileError::Joint { path: self.path().to_owned(), name: name.to_owned(), count, choices }
    }
}
