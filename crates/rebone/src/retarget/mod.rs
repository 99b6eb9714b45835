//! The main job, from files to a file: [`open`] or [`parse`] both, [`retarget`], and [`Retargeted::save`].

mod added_root;
mod arrays;
mod checks;
mod compare;
mod cycle;
mod job;
mod mask;
mod memory;
mod motion_file;
mod notes;
#[cfg(feature = "disk")]
mod output;
mod pair;
mod result;

pub use added_root::document_with_root;
pub use compare::ComparedPair;
#[cfg(feature = "disk")]
pub use compare::clip_of_result;
pub use job::RetargetJob;
pub use motion_file::write_motion;
pub use notes::NO_LEADING_POSE;
#[cfg(feature = "disk")]
pub use output::{check_kinds, check_outputs, same_file};
pub use pair::Pair;
pub use result::Retargeted;

use crate::error::Error;
use crate::options::Options;
use rebone_body::{Character, Selection};
use rebone_skeleton::FileError;
use std::path::Path;

/// Opens a motion file of any format: BVH, glTF, VRM, VRMA, Acclaim, and FBX with the feature `fbx`. Takes its first clip and the
/// largest body; [`Character::open`] selects others.
///
/// # Errors
/// When it cannot be read; the message holds path, position, found and expected.
#[cfg(feature = "disk")]
pub fn open(path: impl AsRef<Path>) -> Result<Character, FileError> {
    Character::open(path, Selection::default())
}

/// Reads a motion file in memory, which messages call `name`.
///
/// # Errors
/// As [`open`].
pub fn parse(name: impl AsRef<Path>, bytes: Vec<u8>) -> Result<Character, FileError> {
    Character::parse(name, bytes, Selection::default())
}

/// Retargets the clip of `source` onto `target`. The result's files have the bytes that the program writes.
///
/// ```no_run
/// use rebone::Options;
///
/// let source = rebone::open("walk.bvh")?;
/// let target = rebone::open("hero.vrm")?;
/// rebone::retarget(&source, &target, &Options::default())?.save("hero-walk.vrm")?;
/// # Ok::<(), rebone::Error>(())
/// ```
///
/// # Errors
/// When a file is not recognised as a humanoid, a guess is below confidence, or options do not fit.
pub fn retarget(
    source: &Character,
    target: &Character,
    options: &Options,
) -> Result<Retargeted, Error> {
    source.check_motion()?;
    let pair = Pair::new([source.clone(), target.clone()], None)?;
    Retargeted::new(pair.job(options)?)
}
