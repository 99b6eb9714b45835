//! `rebone inspect`: roles, axes and calibration of one file or two, as trees and as a picture.

use crate::args::{InspectArgs, Which};
use crate::engine::{self, PairFiles};
use crate::exit_code::Failure;
use crate::paths::{self, Outputs};
use crate::terminal::{NAME, QUIET, Terminal, styled};
use crate::tree::tree;
use rebone::card::{Card, calibration_summary};
use rebone::skeleton::file::FileKind;
use rebone::{Character, Options, Selection};
use rebone_studio::{CharacterSummary, JointSummary};
use rebone_view::{
    SheetSubject, calibration_poses_sheet, calibration_sheet, comparison_sheet, surface_sheet,
};
use serde_json::{Value, json};
use std::path::Path;

/// Reads, analyses, draws and prints.
pub(crate) fn run(args: &InspectArgs, terminal: &Terminal) -> Result<(), Failure> {
    let hints = &args.hints;
    if args.target.is_none() && hints.name_target() {
        let message = "--target-card, --map and `target=` need a second file: name it as <TARGET>";
        return Err(Failure::usage(message.to_owned()));
    }
    let outputs = Outputs::new(args.replace).with(args.preview.as_ref(), FileKind::Png);
    match &args.target {
        None => one(args, &outputs, terminal),
        Some(target) => two(args, target, &outputs, terminal),
    }
}

fn one(args: &InspectArgs, outputs: &Outputs, terminal: &Terminal) -> Result<(), Failure> {
    let hints = args.hints.of(Which::Source);
    let known = hints.read()?;
    let inputs: Vec<_> = known.files().chain([args.file.clone()]).collect();
    outputs.check(&inputs)?;
    let selection = Selection { clip: None, character: hints.character.selector() };
    let loaded = engine::read(&args.file, selection, &known, terminal)?;
    let anatomy = match loaded.analyse() {
        Ok(anatomy) => anatomy,
        Err(error) if error.is_unrecognised() => return refused(&loaded, error, terminal),
        Err(error) => return Err(error.into()),
    };
    if let Some(preview) = &args.preview {
        outputs.check(&loaded.files_beside())?;
        outputs.check_kinds()?;
        let name = engine::label(&loaded);
        let sure = engine::percent(anatomy.confidence);
        let title = format!("{name}: {}, {sure} sure", calibration_summary(&anatomy));
        engine::warn_of_sticks(&loaded, terminal);
        let skin = loaded.skin_mesh();
        let subject = SheetSubject { name: &name, clip: loaded.clip(), skin: Some(&skin) };
        let picture = match args.surface {
            true => surface_sheet(&subject, &anatomy, format!("Surface of {name}"))?,
            false => calibration_sheet(&subject, &anatomy, title)?,
        };
        write(preview, &picture)?;
    }
    let mut summary = CharacterSummary::new(&loaded, &anatomy);
    let mut value = json!(summary);
    let surface = args.surface.then(|| anatomy.surface_summary());
    if let Some((segments, warnings)) = &surface {
        summary.warnings.extend_from_slice(warnings);
        value["warnings"] = json!(summary.warnings);
        value["surface"] = json!(segments);
    }
    terminal.json(&with_written(value, args))?;
    match surface {
        None => print(&summary, "--card", terminal)?,
        Some((segments, _)) => {
            terminal.say(&styled(NAME, engine::summary_line(&summary)))?;
            terminal.say(&styled(QUIET, "surface of each segment, in cm of a body 1.7 m tall"))?;
            segments.iter().try_for_each(|segment| terminal.say(&segment.to_string()))?;
        }
    }
    summary.warnings.iter().for_each(|warning| terminal.warn(warning));
    wrote(args, terminal)
}

/// Lists the joints of a file that is not recognised, with the roles that were found; then fails.
fn refused(
    character: &Character,
    error: rebone::CharacterError,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let joints = JointSummary::of_unrecognised(character)?;
    let lines = Card::attaching_roles(character.skeleton(), &character.partial_roles()?);
    let needs_roles = error.help().is_some() && joints.iter().any(|joint| joint.role.is_some());
    let failure = match Failure::from(error) {
        failure if lines.is_empty() => Failure {
            help: needs_roles.then(|| {
                "`rebone card FILE -o CARD` writes a card in which to name the missing roles".to_owned()
            }),
            ..failure
        },
        failure => failure.with_help(format!(
            "hands and feet whose parent is a control are reparented to forearms and shins once a card names them: save these \
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
    args: &InspectArgs,
    target: &Path,
    outputs: &Outputs,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let files = PairFiles {
        paths: [&args.file, target],
        clip: None,
        target_clip: &|_| Ok(None),
        hints: &args.hints,
        outputs,
    };
    let pair = files.open(terminal)?;
    let (plan, warnings) = pair.plan(&Options::default());
    let loaded = &pair.characters;
    if let Some(preview) = &args.preview {
        let names = loaded.each_ref().map(engine::label);
        loaded.iter().for_each(|character| engine::warn_of_sticks(character, terminal));
        let skins = loaded.each_ref().map(Character::skin_mesh);
        let subject = |file: usize| SheetSubject {
            name: &names[file],
            clip: loaded[file].clip(),
            skin: Some(&skins[file]),
        };
        let subjects = [subject(0), subject(1)];
        let picture = match args.pose {
            true => calibration_poses_sheet(&subjects, &plan)?,
            false => comparison_sheet(&subjects, &plan)?,
        };
        write(preview, &picture)?;
    }
    let source = CharacterSummary::new(&loaded[0], &plan.source);
    let target = CharacterSummary::new(&loaded[1], &plan.target);
    let value = json!({ "source": source, "target": target, "warnings": warnings });
    terminal.json(&with_written(value, args))?;
    print(&source, "--source-card", terminal)?;
    print(&target, "--target-card", terminal)?;
    warnings.iter().for_each(|warning| terminal.warn(warning));
    wrote(args, terminal)
}

fn write(preview: &Path, picture: &[u8]) -> Result<(), Failure> {
    paths::write(preview, |file| Ok(file.write_all(picture)?))
}

/// Adds the files that were written, where there are any.
fn with_written(mut value: Value, args: &InspectArgs) -> Value {
    if let Some(preview) = &args.preview {
        value["written"] = json!([preview.display().to_string()]);
    }
    value
}

/// Prints the summary, the tree, and in detail the roles without a joint. `option` is the one that takes its card.
fn print(summary: &CharacterSummary, option: &str, terminal: &Terminal) -> Result<(), Failure> {
    terminal.say(&styled(NAME, engine::summary_line(summary)))?;
    if let Some(clips) = engine::clip_list(summary) {
        terminal.line("clips", clips)?;
    }
    if let Some(hint) = engine::hint(summary, option) {
        terminal.line("hint", hint)?;
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

fn wrote(args: &InspectArgs, terminal: &Terminal) -> Result<(), Failure> {
    let Some(preview) = &args.preview else { return Ok(()) };
    Ok(terminal.line("wrote", preview.display())?)
}
