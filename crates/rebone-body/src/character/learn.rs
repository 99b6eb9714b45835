//! The anatomy of a rig, learned from several files.

use super::Character;
use crate::analyse::Learner;
use crate::body::Anatomy;
use crate::error::CharacterError;

impl Character {
    /// Learns the anatomy of this rig from itself and from clips of it, which are read one after the other; its hints hold
    /// for all of them. `refuse` takes why a clip adds nothing: it cannot be read or recognised, or is of another rig.
    ///
    /// ```no_run
    /// # use rebone_body::{Character, Selection};
    /// # fn main() -> Result<(), rebone_body::CharacterError> {
    /// let open = |path| Character::open(path, Selection::default());
    /// let hero = open("hero.bvh")?;
    /// let clips = ["walk.bvh", "run.bvh"].map(|clip| Ok(open(clip)?));
    /// let anatomy = hero.learn(clips, |error| eprintln!("{error}"))?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When this file is not recognised, or its hints give the calibration pose, so that there is nothing to learn.
    pub fn learn(
        &self,
        clips: impl IntoIterator<Item = Result<Self, CharacterError>>,
        mut refuse: impl FnMut(CharacterError),
    ) -> Result<Anatomy, CharacterError> {
        let hints = self.hints.of(self)?;
        let context = || format!("cannot use {}", self.path().display());
        let fault = |error| self.hints.fault(error, context());
        let mut learner =
            Learner::new(&self.motion, &hints).map_err(fault)?.named(self.file_name());
        for clip in clips {
            let added = clip.and_then(|clip| {
                let context = || format!("cannot learn from {}", clip.path().display());
                let of_file = clip.hints.of(&clip)?;
                let added = learner.add_with(&clip.motion, of_file, clip.file_name());
                added.map_err(|error| CharacterError::Analysis {
                    context: context(),
                    error: Box::new(error),
                })
            });
            added.unwrap_or_else(&mut refuse);
        }
        learner.anatomy().map_err(fault)
    }

    /// The name of the file without its folder, for messages on several of them.
    fn file_name(&self) -> String {
        let name = self.path().file_name().unwrap_or(self.path().as_os_str());
        name.to_string_lossy().into_owned()
    }
}
