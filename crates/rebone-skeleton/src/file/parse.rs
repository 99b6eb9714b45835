//! Reads motion files in memory, and from readers; recognises their format.

use super::acclaim::skeleton_in_memory;
use super::characters::CharacterSelector;
use super::clip_selector::ListedClip;
use super::document::{Content, Document};
use super::error::{FileError, Warning};
use super::format::{InputFormat, sniff};
use super::kind::KIND_BYTES;
#[cfg(feature = "fbx")]
use crate::fbx;
use crate::{Clip, Motion, acclaim, bvh, gltf};
use std::io::{BufRead, Read};
use std::path::Path;
use std::sync::Arc;

impl Document {
    /// Reads a file in memory, which messages call `name`. `character` is as in [`open`](Self::open). A glTF may name
    /// no other files, and an AMC has no skeleton: see [`parse_with`](Self::parse_with).
    ///
    /// # Errors
    /// When the bytes cannot be read; the message holds name, position, found and expected.
    pub fn parse(
        name: impl AsRef<Path>,
        bytes: Vec<u8>,
        character: Option<CharacterSelector<'_>>,
    ) -> Result<Self, FileError> {
        Self::parse_with(name, bytes, character, None)
    }

    /// Like [`parse`](Self::parse); `files` gives the bytes of files that a glTF names, and of the skeleton of an AMC: of
    /// `02_01.amc` it is asked for `02_01.asf`, `02_.asf` and `02.asf`, until there is one.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), or when such a file cannot be read.
    pub fn parse_with(
        name: impl AsRef<Path>,
        bytes: Vec<u8>,
        character: Option<CharacterSelector<'_>>,
        files: Option<gltf::SideFiles<'_>>,
    ) -> Result<Self, FileError> {
        let name = name.as_ref();
        match sniff(&bytes) {
            InputFormat::Bvh => Self::of_bvh(name, &bytes[..], character),
            InputFormat::Amc => {
                check_skin(name, character)?;
                let asf = skeleton_in_memory(name, files)?;
                Self::of_amc(name, &bytes[..], &asf, acclaim::Frames::All)?.chosen(character)
            }
            format => Self::of_bytes(name, format, bytes, (character, files)),
        }
    }

    /// Reads the skeleton of a file in memory and, of a BVH, no more than the first frame.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_first_frame(
        name: impl AsRef<Path>,
        bytes: Vec<u8>,
        character: Option<CharacterSelector<'_>>,
    ) -> Result<Self, FileError> {
        match sniff(&bytes) {
            InputFormat::Bvh => Self::first_frame_of_bvh(name.as_ref(), &bytes[..], character),
            _ => Self::parse(name, bytes, character),
        }
    }

    /// The clips of a file that a reader gives, as [`clips`](Self::clips). A BVH or an AMC is only recognised, not read.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), or when the reader fails.
    pub fn clips_in(
        name: impl AsRef<Path>,
        mut reader: impl Read,
        character: Option<CharacterSelector<'_>>,
    ) -> Result<Vec<ListedClip>, FileError> {
        let name = name.as_ref();
        let wrong = |error| FileError::Open { path: name.into(), error };
        let mut bytes = Vec::new();
        reader.by_ref().take(KIND_BYTES as u64).read_to_end(&mut bytes).map_err(wrong)?;
        if matches!(sniff(&bytes), InputFormat::Bvh | InputFormat::Amc) {
            return Ok(vec![ListedClip::only()]);
        }
        reader.read_to_end(&mut bytes).map_err(wrong)?;
        Ok(Self::parse(name, bytes, character)?.clips())
    }

    pub(super) fn first_frame_of_bvh(
        path: &Path,
        reader: impl BufRead,
        character: Option<CharacterSelector<'_>>,
    ) -> Result<Self, FileError> {
        check_skin(path, character)?;
        let wrong = |error| FileError::Bvh { path: path.into(), error };
        let root = character.and_then(CharacterSelector::joint);
        let mut reader = bvh::Reader::of_root(reader, root).map_err(wrong)?;
        let hierarchy = reader.hierarchy().clone();
        let skeleton = hierarchy.skeleton().clone();
        let mut pose = skeleton.rest_pose();
        reader.next_frame(&mut pose).map_err(wrong)?;
        let mut clip = Clip::new(&skeleton, reader.frame_time());
        clip.push_own(&pose);
        let motion = Motion { skeleton, clip };
        Ok(Self::of_joints(path, hierarchy, motion, Vec::new(), true))
    }

    pub(super) fn of_bvh(
        path: &Path,
        reader: impl BufRead,
        character: Option<CharacterSelector<'_>>,
    ) -> Result<Self, FileError> {
        check_skin(path, character)?;
        let wrong = |error| FileError::Bvh { path: path.into(), error };
        let root = character.and_then(CharacterSelector::joint);
        let read = bvh::Reader::of_root(reader, root).and_then(bvh::Reader::into_document);
        let bvh::Document { hierarchy, motion, warnings } = read.map_err(wrong)?;
        let warnings = warnings.iter().map(Warning::from).collect();
        Ok(Self::of_joints(path, hierarchy, motion, warnings, true))
    }

    pub(super) fn of_bytes(
        path: &Path,
        format: InputFormat,
        bytes: Vec<u8>,
        (character, files): (Option<CharacterSelector<'_>>, Option<gltf::SideFiles<'_>>),
    ) -> Result<Self, FileError> {
        let read = match format {
            InputFormat::Asf => Self::of_asf(path, &bytes)?,
            InputFormat::Fbx => Self::of_fbx(path, &bytes)?,
            _ => {
                let skin = character.and_then(CharacterSelector::skin);
                let read = gltf::parse(bytes, files, gltf::ReadOptions { skin });
                let read = read.map_err(|error| FileError::Gltf { path: path.into(), error })?;
                Self::of(path, Content::Gltf(Arc::new(read)))
            }
        };
        read.chosen(character)
    }

    /// The file with the character that is chosen; of skins, a glTF was read with the one that is.
    pub(super) fn chosen(
        self,
        character: Option<CharacterSelector<'_>>,
    ) -> Result<Self, FileError> {
        match character {
            Some(CharacterSelector::Joint(name)) => self.with_root_joint(name),
            Some(CharacterSelector::Skin(_)) if self.gltf().is_none() => {
                Err(FileError::Skin { path: self.path })
            }
            _ => Ok(self),
        }
    }

    #[cfg(feature = "fbx")]
    fn of_fbx(path: &Path, bytes: &[u8]) -> Result<Self, FileError> {
        let read = fbx::parse(bytes);
        let read = read.map_err(|error| FileError::Fbx { path: path.into(), error })?;
        Ok(Self::of(path, Content::Fbx(Arc::new(read))))
    }

    #[cfg(not(feature = "fbx"))]
    fn of_fbx(path: &Path, _: &[u8]) -> Result<Self, FileError> {
        Err(FileError::WithoutFbx { path: path.into() })
    }
}

pub(super) fn check_skin(
    path: &Path,
    character: Option<CharacterSelector<'_>>,
) -> Result<(), FileError> {
    match character.and_then(CharacterSelector::skin) {
        Some(_) => Err(FileError::Skin { path: path.into() }),
        None => Ok(()),
    }
}
