//! The one place where the program calls the library.

mod anatomy;

mod guess;

mod hints;

mod outcome;

mod samples;

mod summary;

mod track;

pub(crate) use guess::check as check_guesses;
pub(crate) use outcome::{Outcome, retarget};
pub(crate) use samples::{demo_clip, demo_rig, write_sample};
pub(crate) use summary::{JointLine, Summary, percent};
pub(crate) use track::{Seen, track};

use crate::args::{FileHints, FrameRange};
use crate::exit_code::Failure;
use crate::terminal::Terminal;
use anyhow::{Context, anyhow};
use rebone::card::{Card, PoseFrom};
use rebone::skeleton::{Clip, Skeleton, WorldPose, bvh, forward_kinematics};
use rebone::understand::{Anatomy, assign_other_roles};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file that was read.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// What it says.
    pub(crate) document: bvh::Document,
}

impl Loaded {
    /// The skeleton.
    pub(crate) fn skeleton(&self) -> &Skeleton {
        &self.document.motion.skeleton
    }

    /// The clip.
    pub(crate) fn clip(&self) -> &Clip {
        &self.document.motion.clip
    }

    /// Leaves only the frames that the user wants.
    pub(crate) fn cut(&mut self, range: Option<FrameRange>) -> Result<(), Failure> {
        let Some(FrameRange { start, end }) = range else { return Ok(()) };
        let frames = &mut self.document.motion.clip.frames;
        if start >= frames.len() {
            let (path, count) = (self.path.display(), frames.len());
            let message = format!("--frames begins at {start}, but {path} has {count} frames");
            return Err(Failure::usage(message));
        }
        frames.truncate(end.unwrap_or(usize::MAX));
        frames.drain(..start);
        Ok(())
    }
}

/// Reads a file and says what was mended.
pub(crate) fn read(path: &Path, terminal: &Terminal) -> Result<Loaded, Failure> {
    let document = bvh::read(path).map_err(anyhow::Error::new)?;
    for warning in &document.warnings {
        terminal.warn(&format!("{}:{}: {}", path.display(), warning.line, warning.message));
    }
    Ok(Loaded { path: path.to_owned(), document })
}

/// Refuses what can be said on the command line but the library cannot do.
pub(crate) fn refuse_missing(said: &[(&str, bool)]) -> Result<(), Failure> {
    match said.iter().find(|(_, said)| *said) {
        Some((what, _)) => Err(Failure::usage(format!("{what} is not supported yet"))),
        None => Ok(()),
    }
}

/// Works out which joint plays which role, how the body stands and where it looks.
pub(crate) fn understand(loaded: &Loaded, hints: &FileHints) -> Result<Anatomy, Failure> {
    let context = || format!("cannot use {}", loaded.path.display());
    let (skeleton, clip) = (loaded.skeleton(), loaded.clip());
    let card = hints::card(hints)?;
    let given = card.cast(skeleton).map_err(|error| match &hints.card {
        Some(path) => hints::fault(path, &error),
        None => error.into(),
    })?;
    refuse_missing(&[
        ("--pose-from", card.pose_from.as_ref().is_some_and(|pose| *pose != PoseFrom::Rest)),
        ("[limits] in a card", !card.limits.is_empty()),
    ])?;
    let step = clip.frames.len().div_ceil(40).max(1);
    let poses: Vec<WorldPose> =
        clip.frames.iter().step_by(step).map(|pose| forward_kinematics(skeleton, pose)).collect();
    let roles = assign_other_roles(skeleton, &poses, &given).with_context(context)?;
    let up = card.up.map(|up| if up.negative { -up.axis.unit() } else { up.axis.unit() });
    let anatomy = Anatomy::new(skeleton, roles, clip, up);
    Ok(anatomy.map_err(|role| anyhow!("no {}", role.name())).with_context(context)?)
}

/// The rig card of what was understood.
pub(crate) fn card_text(anatomy: &Anatomy, hints: &FileHints) -> Result<String, Failure> {
    let given = hints::card(hints)?;
    let mut card = Card::of(&anatomy.skeleton, &anatomy.roles);
    let [up, facing] = anatomy::signed_axes(anatomy);
    let remark = format!("{:.2} {}", anatomy.confidence, anatomy::calibration(anatomy));
    for (key, said) in [("up", given.up), ("facing", given.facing)] {
        if said.is_none() {
            card.remarks.insert(key.to_owned(), remark.clone());
        }
    }
    card.up = given.up.or(up);
    card.facing = given.facing.or(facing);
    Ok(Card { unit: given.unit, pose_from: given.pose_from, limits: given.limits, ..card }
        .to_toml())
}

/// Writes a clip under a hierarchy.
pub(crate) fn write_clip(
    hierarchy: &bvh::Hierarchy,
    clip: &Clip,
    decimals: Option<u8>,
    file: &mut dyn Write,
) -> anyhow::Result<()> {
    let options = bvh::WriteOptions { decimals };
    let count = clip.frames.len();
    let mut writer = bvh::Writer::new(file, hierarchy, clip.frame_time, count, options)?;
    clip.frames.iter().try_for_each(|pose| writer.write_pose(pose))?;
    writer.finish()?;
    Ok(())
}

/// The last part of a path, for labels.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
