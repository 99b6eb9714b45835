//! `rebone inspect`: what is understood of one file or of two, as trees with roles and as a picture.

use crate::args::{Inspect, Which};
use crate::engine::{self, JointLine, Summary, file_name};
use crate::exit_code::Failure;
use crate::paths;
use crate::terminal::{NAME, QUIET, Terminal, styled};
use crate::tree::tree;
use rebone::card::{Card, calibration_summary};
use rebone::{Character, CharacterHints, Options, Selection};
use rebone_view::{SheetSubject, calibration_poses_sheet, calibration_sheet, comparison_sheet};
use serde_json::{Value, json};
use std::path::Path;

/// Reads, understands, draws and tells.
pub(crate) fn run(args: &Inspect, terminal: &Terminal) -> Result<(), Failure> {
    let hints = &args.hints;
    if args.target.is_none() && hints.speak_of_target() {
        let message =
            "--target-card, --map and `target=` speak of a second file: name it as <TARGET>";
        return Err(Failure::usage(message.to_owned()));
    }
    let known = hints.read()?;
    if let Some(preview) = &args.preview {
        let files = [&args.file].into_iter().chain(&args.target).chain(&args.hints.map).cloned();
        let inputs: Vec<_> = known.iter().flat_map(CharacterHints::files).chain(files).collect();
        paths::check_outputs(&inputs, &[preview])?;
    }
    match &args.target {
        None => one(args, &known[0], terminal),
        Some(target) => two(args, target, &known, terminal),
    }
}

fn one(args: &Inspect, known: &CharacterHints, terminal: &Terminal) -> Result<(), Failure> {
    let wanted = Selection { skin: args.hints.of(Which::Source).skin, ..Selection::default() };
    let loaded = engine::read(&args.file, wanted, known, terminal)?;
    let anatomy = match loaded.analyse() {
        Ok(anatomy) => anatomy,
        Err(error) if engine::is_refused(&error) => return refused(&loaded, error, terminal),
        Err(error) => return Err(error.into()),
    };
    if let Some(preview) = &args.preview {
        paths::check_outputs(&loaded.files_beside(), &[preview])?;
        let name = file_name(loaded.path());
        let sure = engine::percent(anatomy.confidence);
        let title = format!("{name}: {}, {sure} sure", calibration_summary(&anatomy));
        let subject = SheetSubject { name: &name, clip: loaded.clip() };
        write(preview, &calibration_sheet(&subject, &anatomy, title))?;
    }
    let summary = Summary::new(&loaded, &anatomy);
    terminal.json(&with_written(json!(summary), args))?;
    tell(&summary, "--card", terminal)?;
    summary.warnings.iter().for_each(|warning| terminal.warn(warning));
    wrote(args, terminal)
}

/// Lists the joints of a file that is no humanoid, with the roles that were found; then fails.
fn refused(
    character: &Character,
    error: rebone::Error,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let joints = JointLine::of_refused(character)?;
    let lines = Card::attaching_roles(character.skeleton(), &character.partial_roles()?);
    let failure = match Failure::from(error) {
        failure if lines.is_empty() => failure,
        failure => failure.with_help(format!(
            "hands and feet that hang elsewhere are attached to forearms and shins once a card names them: save these \
             lines as card.toml, corrected where they are wrong, and give it with --card card.toml (of a target, \
             --target-card)\n{lines}"
        )),
    };
    let file = character.path().display().to_string();
    terminal.json(&json!({ "file": file, "error": failure.message(), "joints": joints }))?;
    for line in tree(&joints, terminal.wants_details()) {
        terminal.say(&line)?;
    }
    Err(failure)
}

fn two(
    args: &Inspect,
    target: &Path,
    known: &[CharacterHints; 2],
    terminal: &Terminal,
) -> Result<(), Failure> {
    let loaded = engine::read_both([&args.file, target], &args.hints, known, terminal)?;
    let analysed = engine::analyse_both(loaded.each_ref(), args.hints.map.as_deref())?;
    let (plan, warnings) = engine::compare(&analysed, &Options::default());
    if let Some(preview) = &args.preview {
        paths::check_outputs(&loaded.each_ref().map(Character::files_beside).concat(), &[preview])?;
        let names = loaded.each_ref().map(|loaded| file_name(loaded.path()));
        let subject = |file: usize| SheetSubject { name: &names[file], clip: loaded[file].clip() };
        let subjects = [subject(0), subject(1)];
        let picture = match args.pose {
            true => calibration_poses_sheet(&subjects, &plan),
            false => comparison_sheet(&subjects, &plan).map_err(anyhow::Error::new)?,
        };
        write(preview, &picture)?;
    }
    let source = Summary::new(&loaded[0], &plan.source);
    let target = Summary::new(&loaded[1], &plan.target);
    let value = json!({ "source": source, "target": target, "warnings": warnings });
    terminal.json(&with_written(value, args))?;
    tell(&source, "--source-card", terminal)?;
    tell(&target, "--target-card", terminal)?;
    warnings.iter().for_each(|warning| terminal.warn(warning));
    wrote(args, terminal)
}

fn write(preview: &Path, picture: &[u8]) -> Result<(), Failure> {
    paths::write(preview, |file| Ok(file.write_all(picture)?))
}

/// The same with the files that were written, where there are any.
fn with_written(mut value: Value, args: &Inspect) -> Value {
    if let Some(preview) = &args.preview {
        value["written"] = json!([preview.display().to_string()]);
    }
    value
}

/// The summary, the tree, and in detail who plays no role. `option` takes its card.
fn tell(summary: &Summary, option: &str, terminal: &Terminal) -> Result<(), Failure> {
    terminal.say(&styled(NAME, summary.line()))?;
    if let Some(hint) = summary.hint(option) {
        terminal.say(&format!("{} {hint}", styled(NAME, "hint")))?;
    }
    for line in tree(&summary.joints, terminal.wants_details()) {
        terminal.say(&line)?;
    }
    if terminal.wants_details() && !summary.absent.is_empty() {
        let absent = format!("no joint plays {}", summary.absent.join(", "));
        terminal.say(&styled(QUIET, absent))?;
    }
    Ok(())
}

fn wrote(args: &Inspect, terminal: &Terminal) -> Result<(), Failure> {
    let Some(preview) = &args.preview else { return Ok(()) };
    Ok(terminal.say(&format!("{}    {}", styled(NAME, "wrote"), preview.display()))?)
}
