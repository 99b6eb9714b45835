//! Characters: a skeleton of a motion file, with one of the file's clips.

mod choice;
mod clip;
mod confidence;
mod hints;
mod learn;
mod pair;
mod root_scale;
mod select;

pub use choice::CharacterChoice;
pub use confidence::{
    MIN_CALIBRATION_CONFIDENCE, MIN_ROLE_CONFIDENCE, accepts_calibration, check_confidence,
};
pub use hints::CharacterHints;
pub use pair::analyse_characters;

use crate::body::{Anatomy, Role, Roles};
#[cfg(feature = "disk")]
use crate::card::Card;
use crate::error::CharacterError;
use crate::poses;
use crate::roles::{bones, detached_ends};
use rebone_skeleton::file::{SelectedClip, Warning};
use rebone_skeleton::{
    CharacterSelector, Clip, ClipSelector, Document, FileError, JointId, Motion, Skeleton,
    SkinMesh, SkinPoint,
};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A choice among the characters and the clips of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection<'a> {
    /// A clip by its name or its number; [`Character::clip_names`] lists them. Default: the first in which a joint moves.
    pub clip: Option<ClipSelector<'a>>,
    /// A character by its skin or its root joint. Default: the largest one that is a body, with a warning where there are
    /// several.
    pub character: Option<CharacterSelector<'a>>,
}

/// A skeleton of a motion file, with one of the file's clips. Copies share their data.
///
/// All clips of a file:
///
/// ```no_run
/// # fn main() -> Result<(), rebone_body::CharacterError> {
/// use rebone_body::{Character, Selection};
///
/// let moves = Character::open("moves.glb", Selection::default())?;
/// for name in moves.clip_names() {
///     println!("{name}: {} frames", moves.with_clip(name.as_str())?.clip().len());
/// }
/// # Ok(())
/// # }
/// ```
///
/// From memory:
///
/// ```
/// # use rebone_body::skeleton::bvh::{Hierarchy, WriteOptions, write_clip};
/// # let sample = rebone_samples::walk().motion;
/// # let hierarchy = Hierarchy::from_skeleton(&sample.skeleton);
/// # let bytes = write_clip(Vec::new(), &hierarchy, &sample.clip, WriteOptions::default())?;
/// use rebone_body::{Character, Selection};
/// let walk = Character::parse("walk.bvh", bytes, Selection::default())?;
/// assert_eq!(walk.clip_name(), "walk");
/// assert!(walk.clip().len() > 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Character {
    document: Document,
    clip_index: Option<usize>,
    clip_name: Option<String>,
    motion: Arc<Motion>,
    /// Factor on the positions of the root that the motion has.
    root_factor: f64,
    /// True if the clip is another one than that of the file.
    has_other_motion: bool,
    warnings: Vec<Warning>,
    hints: Arc<CharacterHints>,
    skin: Arc<OnceLock<Skin>>,
    skin_mesh: Arc<OnceLock<Arc<SkinMesh>>>,
}

/// The meshes of a character as points, and those that are left out.
#[derive(Debug)]
struct Skin {
    points: Arc<[SkinPoint]>,
    left_out: Vec<String>,
    lost: Vec<String>,
}

impl Character {
    /// Reads the file at `path` and the files that it names; needs feature `disk`. The content decides the format, not the
    /// extension.
    ///
    /// # Errors
    /// When the file cannot be read, or has no such clip or character; the message holds path, position, found and expected.
    #[cfg(feature = "disk")]
    pub fn open(path: impl AsRef<Path>, selection: Selection) -> Result<Self, FileError> {
        let document = Document::open(path, selection.character)?;
        Self::of_document(document, selection)
    }

    /// Reads the skeleton of the file at `path`, and of its clip the first frame alone.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    #[cfg(feature = "disk")]
    pub fn open_first_frame(
        path: impl AsRef<Path>,
        character: Option<CharacterSelector>,
    ) -> Result<Self, FileError> {
        let document = Document::open_first_frame(path.as_ref(), character)?;
        let mut character = Self::of_document(document, Selection { clip: None, character })?;
        character.keep_frames(0..1);
        Ok(character)
    }

    /// Reads the skeleton of a file in memory, and of its clip the first frame alone.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_first_frame(
        name: impl AsRef<Path>,
        bytes: Vec<u8>,
        character: Option<CharacterSelector>,
    ) -> Result<Self, FileError> {
        let document = Document::parse_first_frame(name, bytes, character)?;
        let mut character = Self::of_document(document, Selection { clip: None, character })?;
        character.keep_frames(0..1);
        Ok(character)
    }

    /// Reads a file in memory, which messages call `name`.
    ///
    /// # Errors
    /// As [`open`](Self::open), with the name in place of the path.
    pub fn parse(
        name: impl AsRef<Path>,
        bytes: Vec<u8>,
        selection: Selection,
    ) -> Result<Self, FileError> {
        let document = Document::parse(name, bytes, selection.character)?;
        Self::of_document(document, selection)
    }

    /// Takes a clip and, where no character is selected, the largest body of a file that was read; of one that was read with
    /// the selection, that character.
    ///
    /// # Errors
    /// When the file has no such clip, or it cannot be read.
    pub fn of_document(document: Document, selection: Selection) -> Result<Self, FileError> {
        let (document, several) = match selection.character {
            Some(_) => (document, None),
            None => select::body(document),
        };
        let mut own = Self::of_clip(document, selection.clip)?;
        several.into_iter().for_each(|warning| own.warnings.insert(0, warning));
        Ok(own)
    }

    fn of_clip(document: Document, clip: Option<ClipSelector>) -> Result<Self, FileError> {
        let SelectedClip { index, name, motion, warnings } = document.clip(clip)?;
        let (hints, skin, skin_mesh) = Default::default();
        let (clip_index, clip_name) = (index, name);
        Ok(Self {
            document,
            clip_index,
            clip_name,
            motion,
            root_factor: 1.0,
            has_other_motion: false,
            warnings,
            hints,
            skin,
            skin_mesh,
        })
    }

    /// The character with another clip of its file: [`Selection::clip`].
    ///
    /// # Errors
    /// When there is no such clip, or it cannot be read.
    pub fn with_clip<'a>(&self, clip: impl Into<ClipSelector<'a>>) -> Result<Self, FileError> {
        let other = Self::of_clip(self.document.clone(), Some(clip.into()))?;
        Ok(Self { hints: Arc::clone(&self.hints), ..other }.with_scaled_root())
    }

    /// The character with another motion of its skeleton.
    ///
    /// # Errors
    /// When the clip is no motion of the skeleton.
    pub fn with_motion(&self, clip: Clip) -> Result<Self, CharacterError> {
        clip.check_for(self.skeleton())?;
        let mut other = self.clone();
        other.set_clip(clip);
        other.has_other_motion = true;
        Ok(other)
    }

    /// The character whose clip has another name.
    #[must_use]
    pub fn with_clip_name(self, name: String) -> Self {
        Self { clip_name: Some(name), ..self }
    }

    /// Takes what is known of the character besides its file. Feet and hands that the card names, and that do not hang
    /// on the shins and forearms, are attached to them, but in a BVH. Positions of the root are scaled as the card says.
    #[must_use]
    pub fn with_hints(self, hints: CharacterHints) -> Self {
        let own = Self { hints: Arc::new(hints), ..self };
        own.with_reparented_ends().unwrap_or(own).with_scaled_root()
    }

    fn with_reparented_ends(&self) -> Option<Self> {
        let entries = &self.hints.card().roles;
        let is_stated =
            |role: Role| entries.iter().any(|own| own.role == role && !own.joints.is_empty());
        let is_end = |role: Role| matches!(role, Role::Foot(_) | Role::Hand(_)) && is_stated(role);
        if !entries.iter().any(|own| is_end(own.role)) {
            return None;
        }
        let mut ends = detached_ends(self.skeleton(), &self.partial_roles().ok()?);
        ends.retain(|[(role, _), _]| is_end(*role));
        if ends.is_empty() {
            return None;
        }
        let pairs: Vec<_> = ends.iter().map(|pair| pair.map(|(_, joint)| joint)).collect();
        let document = self.document.with_reparented(&pairs)?;
        let mut other = Self::of_clip(document, self.clip_index.map(ClipSelector::Index)).ok()?;
        other.hints = Arc::clone(&self.hints);
        other.keep_frames(0..self.clip().len());
        Some(other)
    }

    /// Takes the rig card at `path`.
    ///
    /// # Errors
    /// When it cannot be read.
    #[cfg(feature = "disk")]
    pub fn with_card(self, path: impl AsRef<Path>) -> Result<Self, CharacterError> {
        let hints = CharacterHints::read(path.as_ref(), &Card::default())?;
        Ok(self.with_hints(hints))
    }

    /// The card and the statements on it.
    pub fn hints(&self) -> &CharacterHints {
        &self.hints
    }

    /// Finds roles, axes, size and calibration of the skeleton.
    ///
    /// # Errors
    /// When it is not recognised as a humanoid, or the card does not fit the skeleton.
    pub fn analyse(&self) -> Result<Anatomy, CharacterError> {
        let anatomy = crate::analyse::analyse(&self.motion, &self.hints.of(self)?);
        let context = || format!("cannot use {}", self.path().display());
        anatomy.map_err(|error| self.hints.fault(error, context()))
    }

    /// Returns the roles that can be found where [`analyse`](Self::analyse) refuses the skeleton.
    ///
    /// # Errors
    /// When the card names a joint that does not exist.
    pub fn partial_roles(&self) -> Result<Roles, CharacterError> {
        let roles = crate::analyse::partial_roles(self.skeleton(), &self.hints.of(self)?);
        let context = || format!("cannot use {}", self.path().display());
        roles.map_err(|error| self.hints.fault(error, context()))
    }

    /// Checks that roles and calibration are certain enough to use without asking.
    ///
    /// # Errors
    /// When a guess is too uncertain; holds the lines of a card that settle it.
    pub fn check_confidence(&self, anatomy: &Anatomy) -> Result<(), CharacterError> {
        check_confidence(self.path(), anatomy)
    }

    /// The file.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The path or the name of the file.
    pub fn path(&self) -> &Path {
        self.document.path()
    }

    /// The files beside it that its file names.
    pub fn files_beside(&self) -> Vec<std::path::PathBuf> {
        self.document.files_beside()
    }

    /// All files whose bytes an analysis depends on: the file with its data beside it, the card, and the calibration pose
    /// with its data.
    ///
    /// # Errors
    /// When the file of the calibration pose cannot be read.
    #[cfg(feature = "disk")]
    pub fn files_read(&self) -> Result<Vec<std::path::PathBuf>, FileError> {
        let own = self.document.files_read().map(Path::to_owned);
        Ok(own.chain(self.hints.files_read()?).collect())
    }

    /// Skeleton and clip.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// The skeleton.
    pub fn skeleton(&self) -> &Skeleton {
        &self.motion.skeleton
    }

    /// The clip; without frames where the file has none.
    pub fn clip(&self) -> &Clip {
        &self.motion.clip
    }

    /// Names of all clips of the file, in its order; a clip without a name is called by its number. A BVH has one, `0`; a
    /// skeleton alone has none.
    pub fn clip_names(&self) -> Vec<String> {
        self.document.clip_names()
    }

    /// Numbers of the clips in which no joint moves, counted from 0.
    pub fn empty_clips(&self) -> Vec<usize> {
        let clips = self.document.clips().into_iter().enumerate();
        clips.filter(|(_, clip)| clip.is_empty).map(|(index, _)| index).collect()
    }

    /// Returns whether the file has clips, none of which moves a joint, and none was selected.
    pub(crate) fn is_rig(&self) -> bool {
        self.clip_index.is_none() && !self.has_other_motion && !self.clip_names().is_empty()
    }

    /// Returns whether a joint moves in a clip of the file, taken or not. A BVH or Acclaim motion has to be looked at.
    #[doc(hidden)]
    pub fn file_moves(&self) -> bool {
        let is_listed = self.document.hierarchy().is_none() && !self.has_other_motion;
        is_listed && self.document.clips().iter().any(|clip| !clip.is_empty)
    }

    /// The number of the clip among those of the file, counted from 0; `None` where the file has none that moves.
    pub fn clip_index(&self) -> Option<usize> {
        self.clip_index
    }

    /// The name of the clip, or of the file without its extension where the clip has none.
    pub fn clip_name(&self) -> String {
        let stem = || self.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.clip_name.clone().unwrap_or_else(stem)
    }

    /// Repairs of the reader, and skipped parts.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The meshes, read on first use and shared by copies.
    fn skin(&self) -> &Skin {
        self.skin.get_or_init(|| {
            let skin = self.document.skin_points();
            Skin { points: skin.points.into(), left_out: skin.left_out, lost: skin.lost }
        })
    }

    /// The triangles of the meshes with all joints that move them, to draw the character; read on first use and shared by
    /// copies.
    pub fn skin_mesh(&self) -> Arc<SkinMesh> {
        Arc::clone(self.skin_mesh.get_or_init(|| Arc::new(self.document.skin_mesh())))
    }

    /// Returns whether the file has a mesh that no result has: that of an FBX.
    #[doc(hidden)]
    pub fn loses_mesh(&self) -> bool {
        self.document.gltf().is_none() && !self.skin().points.is_empty()
    }

    /// The roles that a VRM states itself.
    pub fn stated_roles(&self) -> Vec<(Role, Vec<JointId>)> {
        let bones_of_file = self.document.humanoid().iter();
        bones(bones_of_file.map(|(name, joint)| (name.as_str(), *joint)))
    }

    /// Leaves only some frames of the clip, as far as it has them.
    pub fn keep_frames(&mut self, frames: std::ops::Range<usize>) {
        let count = self.clip().len();
        if frames.start > 0 || frames.end < count {
            let end = frames.end.min(count);
            let frames = frames.start.min(end)..end;
            poses::keep(&mut Arc::make_mut(&mut self.motion).clip, frames);
        }
    }

    /// Replaces the clip.
    #[doc(hidden)]
    pub fn set_clip(&mut self, clip: Clip) {
        self.motion = Arc::new(Motion { skeleton: self.skeleton().clone(), clip });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Card;
    use rebone_skeleton::bvh::{Hierarchy, WriteOptions, write_clip};

    #[test]
    fn copies_share_the_points_of_their_meshes() {
        let sample = rebone_samples::walk().motion;
        let hierarchy = Hierarchy::from_skeleton(&sample.skeleton);
        let bytes = write_clip(Vec::new(), &hierarchy, &sample.clip, WriteOptions::default());
        let one = Character::parse("walk.bvh", bytes.unwrap(), Selection::default()).unwrap();
        let card = Card::parse("up = \"+Y\"").unwrap();
        let hints = CharacterHints::new(card, None, &Card::default()).unwrap();
        let other = one.clone().with_hints(hints);
        let [one, other] = [one, other].map(|own| own.analyse().unwrap());
        assert!(Arc::ptr_eq(&one.skin, &other.skin));
    }
}
