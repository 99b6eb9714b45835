//! The one place where the program calls the library.

mod anatomy;

mod guess;

mod hints;

mod outcome;

mod portrait;

mod samples;

mod summary;

mod track;

pub(crate) use guess::check as check_guesses;
pub(crate) use hints::inputs as hint_inputs;
pub(crate) use outcome::{Outcome, retarget};
pub(crate) use portrait::{portrait, portraits};
pub(crate) use samples::{demo_clip, demo_rig, write_sample};
#[cfg(test)]
pub(crate) use summary::RoleLine;
pub(crate) use summary::{JointLine, Summary, percent};
pub(crate) use track::{Seen, track};

use crate::args::{FileHints, FrameRange};
use crate::exit_code::Failure;
use crate::terminal::Terminal;
use rebone::card::Card;
use rebone::skeleton::{Clip, Skeleton, bvh};
use rebone::{Anatomy, Options, Plan, Report, UnderstandError};
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

/// Works out which joint plays which role, how the body stands and where it looks.
pub(crate) fn understand(loaded: &Loaded, said: &FileHints) -> Result<Anatomy, Failure> {
    let context = || format!("cannot use {}", loaded.path.display());
    let hints = hints::of(said, loaded)?;
    let anatomy = rebone::understand(&loaded.document.motion, &hints);
    Ok(anatomy.map_err(|error| match (error, &said.card) {
        (UnderstandError::Card(error), Some(path)) => hints::fault(path, &error),
        (error, _) => anyhow::Error::new(error).context(context()),
    })?)
}

/// How two bodies correspond, and what of the first one's motion cannot be carried over.
pub(crate) fn compare([source, target]: &[Anatomy; 2]) -> (Plan, Vec<String>) {
    let plan = rebone::align(source, target, &Options::default());
    let warnings = Report::new(&plan).warnings;
    (plan, warnings)
}

/// The rig card of what was understood, for a file `output`.
pub(crate) fn card_text(
    anatomy: &Anatomy,
    hints: &FileHints,
    output: Option<&Path>,
) -> Result<String, Failure> {
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
    card.limit_examples = rebone::limits::examples(anatomy);
    card.take_calibration(anatomy);
    card.keep_frames(given.frames);
    if let Some(pose) = given.pose_from {
        card.pose.clear();
        card.pose_from = Some(hints::pose_from(hints, pose, output)?);
    }
    Ok(Card { unit: given.unit, limits: given.limits, ..card }.to_toml())
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
