//! The clips of a motion file.

use super::clip_selector::{ClipSelector, ListedClip, SelectedClip};
use super::document::{Content, Document};
use super::error::{FileError, Warning};
use crate::{Clip, Motion, gltf};
use std::sync::Arc;

/// Frame time of a clip without frames, in seconds.
const EMPTY_FRAME_SECONDS: f64 = 1.0 / 30.0;

impl Document {
    /// The names of the clips; a clip without a name is called by its number. A BVH and an AMC have one, `0`, an ASF has
    /// none.
    pub fn clip_names(&self) -> Vec<String> {
        match &self.content {
            Content::Joints { has_clip, .. } => match has_clip {
                true => vec!["0".to_owned()],
                false => Vec::new(),
            },
            Content::Gltf(document) => {
                let name = |own: gltf::ClipName| own.name.unwrap_or_else(|| own.index.to_string());
                document.clips().map(name).collect()
            }
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => document.clips().map(str::to_owned).collect(),
        }
    }

    /// The clips, in the order of the file. A BVH and an AMC have one, which counts as motion; an ASF has none.
    pub fn clips(&self) -> Vec<ListedClip> {
        let moving = match &self.content {
            Content::Joints { .. } => Vec::new(),
            Content::Gltf(document) => document.moving_clips(),
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => document.moving_clips(),
        };
        ListedClip::all(self.clip_names(), &moving)
    }

    /// A clip by its name or its number. Default: the first one in which a joint moves.
    ///
    /// # Errors
    /// When there is no such clip, or it cannot be read.
    pub fn clip(&self, wanted: Option<ClipSelector>) -> Result<SelectedClip, FileError> {
        let names = self.clip_names();
        let index = self.index(&names, wanted)?;
        if let Content::Joints { motion, warnings, .. } = &self.content {
            let (motion, warnings) = (Arc::clone(motion), warnings.to_vec());
            return Ok(SelectedClip { index, name: None, motion, warnings });
        }
        let skeleton = self.skeleton();
        // Frames without motion are still a pose, from which a rig can be learned.
        let (clip, warnings) = match index.or((!names.is_empty()).then_some(0)) {
            None => (Clip::new(skeleton, EMPTY_FRAME_SECONDS), Vec::new()),
            Some(index) => self.clip_at(index)?,
        };
        let motion = Arc::new(Motion { skeleton: skeleton.clone(), clip });
        let name = index.and_then(|index| names.into_iter().nth(index));
        Ok(SelectedClip { index, name, motion, warnings })
    }

    fn clip_at(&self, index: usize) -> Result<(Clip, Vec<Warning>), FileError> {
        let path = || self.path.clone();
        match &self.content {
            Content::Joints { motion, .. } => Ok((motion.clip.clone(), Vec::new())),
            Content::Gltf(document) => {
                let read = document.clip(index);
                let read = read.map_err(|error| FileError::Gltf { path: path(), error })?;
                Ok((read.clip, read.warnings.into_iter().map(Warning::from).collect()))
            }
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => {
                let wrong = |error| FileError::Fbx { path: path(), error };
                let (clip, warning) = document.clip(index).map_err(wrong)?;
                let name = document.clips().nth(index).unwrap_or_default().to_owned();
                let warning = warning.map(|message| Warning::in_take(name, message));
                Ok((clip, warning.into_iter().collect()))
            }
        }
    }

    /// The clip that is wanted, else the first that moves; `None` where there is none.
    fn index(
        &self,
        names: &[String],
        wanted: Option<ClipSelector>,
    ) -> Result<Option<usize>, FileError> {
        let Some(wanted) = wanted else {
            return Ok(self.clips().iter().position(|clip| !clip.is_empty));
        };
        wanted.find(names).map(Some).ok_or_else(|| FileError::NoClip {
            path: self.path.clone(),
            wanted: wanted.to_string(),
            names: names.to_vec(),
        })
    }
}
