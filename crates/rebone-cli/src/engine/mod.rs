//! The one place where the program calls the library.

mod anatomy;

mod card;

mod checkup;

mod compared;

mod guess;

mod hints;

mod outcome;

mod output;

mod pairs;

mod posture;

mod runtime;

mod samples;

mod summary;

mod told;

pub(crate) use anatomy::calibration;
pub(crate) use card::{OldCard, card_text, learn};
pub(crate) use checkup::{Checkup, clean};
pub(crate) use compared::{animation_of, at_one_rate};
pub(crate) use guess::{SURE_ENOUGH, check as check_guesses};
pub(crate) use hints::Known;
pub(crate) use outcome::{Made, Outcome, base, retarget};
pub(crate) use output::{Kind, Output, document, write_alone};
pub(crate) use posture::write_pose;
pub(crate) use runtime::runtime_plan;
pub(crate) use samples::{demo_clip, demo_rig, write_sample};
#[cfg(test)]
pub(crate) use summary::RoleLine;
pub(crate) use summary::{JointLine, Summary, percent};
pub(crate) use told::{level as told_level, reason as told_reason};

use crate::args::{PairHints, Which};
use crate::exit_code::Failure;
use crate::terminal::Terminal;
use rebone::{
    AnalysedPair, Anatomy, Character, FrameRange, Options, Plan, Report, RetargetError, Selection,
    align, analyse_pair,
};
use std::path::Path;

/// Reads a file and prints the warnings of its reader.
pub(crate) fn read(
    path: &Path,
    selection: Selection,
    terminal: &Terminal,
) -> Result<Character, Failure> {
    let character = Character::open(path, selection)?;
    character.warnings().iter().for_each(|warning| terminal.warn(&warning.in_file(path)));
    Ok(character)
}

/// Leaves only the frames that the user wants; gives a warning where there are fewer.
pub(crate) fn cut(
    character: &mut Character,
    range: Option<FrameRange>,
) -> Result<Option<String>, Failure> {
    let Some(FrameRange { start, end }) = range else { return Ok(None) };
    Ok(character.cut((start, end))?)
}

/// Reads a source and a target, of each the skin that is wished.
pub(crate) fn read_both(
    paths: [&Path; 2],
    hints: &PairHints,
    terminal: &Terminal,
) -> Result<[Character; 2], Failure> {
    let one = |path, which| {
        let wanted = Selection { skin: hints.of(which).skin, ..Selection::default() };
        read(path, wanted, terminal)
    };
    Ok([one(paths[0], Which::Source)?, one(paths[1], Which::Target)?])
}

/// Works out which joint plays which role, how the body stands and where it looks.
pub(crate) fn analyse(loaded: &Character, known: &Known) -> Result<Anatomy, Failure> {
    let anatomy = rebone::analyse(loaded.motion(), &known.hints(loaded)?);
    let context = || format!("cannot use {}", loaded.path().display());
    Ok(anatomy.map_err(|error| known.fault(error, context()))?)
}

/// The same for a source and a target, with a map of joints that play the same role.
pub(crate) fn analyse_both(
    files: [&Character; 2],
    known: &[Known; 2],
    map: Option<&Path>,
) -> Result<AnalysedPair, Failure> {
    let hints = [known[0].hints(files[0])?, known[1].hints(files[1])?];
    let (pairs, with) = match map {
        Some(map) => (pairs::read(map, files)?, format!(" with the pairs of {}", map.display())),
        None => (Vec::new(), String::new()),
    };
    let motions = files.map(Character::motion);
    let context = |side: usize| format!("cannot use {}{with}", files[side].path().display());
    let analysed = analyse_pair(motions, hints.each_ref(), &pairs);
    Ok(analysed.map_err(|error| match error {
        RetargetError::Source(error) => known[0].fault(error, context(0)),
        RetargetError::Target(error) => known[1].fault(error, context(1)),
        error @ RetargetError::Stages(_) => anyhow::Error::new(error),
    })?)
}

/// How two bodies correspond, and what of a map is not used.
pub(crate) fn plan(analysed: &AnalysedPair, options: &Options) -> (Plan, Vec<String>) {
    let [source, target] = &analysed.anatomies;
    let mut plan = align(source, target, options);
    let mut warnings = analysed.warnings.clone();
    warnings.extend(plan.follow(&analysed.loose));
    (plan, warnings)
}

/// The same, and what of the first one's motion cannot be carried over.
pub(crate) fn compare(analysed: &AnalysedPair) -> (Plan, Vec<String>) {
    let (plan, unused) = plan(analysed, &Options::default());
    let mut warnings = Report::new(&plan).warnings;
    warnings.extend(unused);
    (plan, warnings)
}

/// The last part of a path, for labels.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
