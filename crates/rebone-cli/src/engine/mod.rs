//! Opens, analyses and summarises files for the commands.

mod card;
mod corrections;
mod summary;
mod text_report;

pub(crate) use card::{card_text, learn, remark_on_kept};
pub(crate) use corrections::{Corrections, correct};
pub(crate) use summary::{CERTAIN_CONFIDENCE, clip_list, hint, percent, print_side, summary_line};
pub(crate) use text_report::{
    extras, findings, goals, grade as grade_text, helpers, limits,
    source_defect as source_defect_text, stages, uncertain_contacts, verdict,
};

use crate::args::{PairHints, Which};
use crate::exit_code::Failure;
use crate::paths::Outputs;
use crate::terminal::Terminal;
use rebone::{Character, CharacterHints, FrameRange, Pair, Selection, read_text};
use std::path::Path;

/// Reads a file and prints the warnings of its reader.
pub(crate) fn read(
    path: &Path,
    selection: Selection,
    hints: &CharacterHints,
    terminal: &Terminal,
) -> Result<Character, Failure> {
    let character = open(path, selection, hints)?;
    warn_of_reading(&character, Which::Source, terminal);
    Ok(character)
}

fn open(path: &Path, selection: Selection, hints: &CharacterHints) -> Result<Character, Failure> {
    Ok(Character::open(path, selection)?.with_hints(hints.clone()))
}

/// Prints the warnings of a reader; options that they name are for this file.
fn warn_of_reading(character: &Character, which: Which, terminal: &Terminal) {
    for warning in character.warnings() {
        let warning = match which {
            Which::Source => warning.clone(),
            Which::Target => warning.on_target(),
        };
        terminal.warn(&warning.in_file(character.path()));
    }
}

/// Leaves only a range of frames; warns where there are fewer.
pub(crate) fn cut(
    character: &mut Character,
    range: Option<FrameRange>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let Some(FrameRange { start, end }) = range else { return Ok(()) };
    character.cut((start, end))?.iter().for_each(|warning| terminal.warn(warning));
    Ok(())
}

/// A source and a target, and the clips to take of them.
pub(crate) struct PairFiles<'a> {
    /// Source and target.
    pub(crate) paths: [&'a Path; 2],
    /// Clip of the source, where one is named.
    pub(crate) clip: Option<&'a str>,
    /// Chooses a clip of the target, knowing the source.
    pub(crate) target_clip: &'a dyn Fn(&Character) -> Result<Option<String>, Failure>,
    /// Statements on both.
    pub(crate) hints: &'a PairHints,
    /// Files that will be written.
    pub(crate) outputs: &'a Outputs<'a>,
}

impl PairFiles<'_> {
    /// Reads and analyses both files. Checks first that no output replaces an input.
    pub(crate) fn open(&self, terminal: &Terminal) -> Result<Pair, Failure> {
        let known = self.hints.read()?;
        let map = self.hints.files.map.as_deref();
        let files = self.paths.into_iter().chain(map).map(Path::to_owned);
        let inputs: Vec<_> = files.chain(known.iter().flat_map(CharacterHints::files)).collect();
        self.outputs.check(&inputs)?;
        let read = |side: usize, which, clip: Option<&str>| {
            let choice = self.hints.character.of(which);
            let selection = Selection { clip: clip.map(Into::into), character: choice.selector() };
            let own = open(self.paths[side], selection, &known[side])?;
            warn_of_reading(&own, which, terminal);
            Ok::<Character, Failure>(own)
        };
        let source = read(0, Which::Source, self.clip)?;
        let clip = (self.target_clip)(&source)?;
        let characters = [source, read(1, Which::Target, clip.as_deref())?];
        let beside = characters.each_ref().map(Character::files_beside).concat();
        self.outputs.check(&beside)?;
        self.outputs.check_kinds()?;
        let text = map.map(|path| read_text(path, "map")).transpose()?;
        Ok(Pair::new(characters, map.zip(text.as_deref()))?)
    }
}

/// Name of a character for labels: that of its file, and of its clip where the file has several.
pub(crate) fn label(character: &Character) -> String {
    let file = file_name(character.path());
    match character.clip_names().len() {
        0 | 1 => file,
        _ => format!("{file}: {}", character.clip_name()),
    }
}

/// Warns where meshes of a character cannot be drawn, with the first reason and the number of others.
pub(crate) fn warn_of_sticks(character: &Character, terminal: &Terminal) {
    let skin = character.skin_mesh();
    let Some(reason) = skin.left_out.first() else { return };
    let drawn = if skin.is_empty() { "as sticks" } else { "without a part of its mesh" };
    let more = match skin.left_out.len() - 1 {
        0 => String::new(),
        count => format!(", and {count} more"),
    };
    let file = file_name(character.path());
    terminal.warn(&format!("{file} is drawn {drawn}: {reason}{more}"));
}

/// Last part of a path, for labels.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
