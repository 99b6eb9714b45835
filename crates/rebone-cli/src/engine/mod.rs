//! The one place where the program calls the library.

mod card;

mod checkup;

mod compared;

mod outcome;

mod rotation_table;

mod samples;

mod summary;

mod text_report;

pub(crate) use card::{OldCard, card_text, learn};
pub(crate) use checkup::Checkup;
pub(crate) use compared::{animation_of, at_one_rate};
pub(crate) use outcome::Outcome;
pub(crate) use rotation_table::rotation_table;
pub(crate) use samples::{demo_clip, demo_rig, write_sample};
#[cfg(test)]
pub(crate) use summary::RoleLine;
pub(crate) use summary::{JointLine, Summary, percent};
pub(crate) use text_report::{finding as finding_text, findings, grade as grade_text};

use crate::args::{PairHints, Which};
use crate::exit_code::Failure;
use crate::terminal::Terminal;
use rebone::{
    AnalysedPair, Character, CharacterHints, FrameRange, Options, Plan, Report, Selection, align,
    analyse_characters, parse_map, read_text,
};
use std::path::Path;

/// Reads a file and prints the warnings of its reader.
pub(crate) fn read(
    path: &Path,
    selection: Selection,
    hints: &CharacterHints,
    terminal: &Terminal,
) -> Result<Character, Failure> {
    let character = Character::open(path, selection)?.with_hints(hints.clone());
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
    known: &[CharacterHints; 2],
    terminal: &Terminal,
) -> Result<[Character; 2], Failure> {
    let one = |path, which| {
        let wanted = Selection { skin: hints.of(which).skin, ..Selection::default() };
        read(path, wanted, &known[which as usize], terminal)
    };
    Ok([one(paths[0], Which::Source)?, one(paths[1], Which::Target)?])
}

/// Whether roles or body are not recognised.
pub(crate) fn is_refused(error: &rebone::Error) -> bool {
    let rebone::Error::Analysis { error, .. } = error else { return false };
    error.is_no_humanoid()
}

/// Analyses a source and a target, with a map of joints that play the same role.
pub(crate) fn analyse_both(
    files: [&Character; 2],
    map: Option<&Path>,
) -> Result<AnalysedPair, Failure> {
    let pairs = match map {
        Some(path) => parse_map(path, &read_text(path, "map")?, files)?,
        None => Vec::new(),
    };
    Ok(analyse_characters(files, &pairs, map)?)
}

/// How two bodies correspond, and what of the first one's motion cannot be carried over.
pub(crate) fn compare(analysed: &AnalysedPair, options: &Options) -> (Plan, Vec<String>) {
    let [source, target] = &analysed.anatomies;
    let mut plan = align(source, target, options);
    let unused = plan.follow(&analysed.loose);
    let mut warnings = Report::new(&plan).warnings;
    warnings.extend(analysed.warnings.iter().cloned().chain(unused));
    (plan, warnings)
}

/// The last part of a path, for labels.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
