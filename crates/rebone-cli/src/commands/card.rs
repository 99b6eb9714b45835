//! `rebone card`: the rig card of a skeleton.

use crate::args::{CardArgs, StandingFoot};
use crate::engine::{self, Corrections};
use crate::exit_code::Failure;
use crate::paths::{self, Outputs};
use crate::terminal::{NAME, Terminal, styled};
use rebone::card::CardFile;
use rebone::export::write_calibration_pose;
use rebone::skeleton::Format;
use rebone::skeleton::file::FileKind;
use rebone::{Anatomy, Character, CharacterHints, Selection};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Writes the card, or prints it.
pub(crate) fn run(args: &CardArgs, terminal: &Terminal) -> Result<(), Failure> {
    let standing = StandingFoot::frames(&args.level_feet).map_err(Failure::usage)?;
    let pose = PoseFile::of(args)?;
    let outputs = Outputs::new(args.replace)
        .with(args.output.as_ref(), FileKind::Toml)
        .with(pose.map(|pose| pose.path), pose.map_or(FileKind::Bvh, |pose| pose.format.into()));
    let clips = args.learn.iter().chain(&args.hints.card).chain([&args.file]);
    outputs.check(&clips.cloned().collect::<Vec<_>>())?;
    outputs.check_kinds()?;
    let (old, learned) = read_old_card(args)?.unzip();
    let known = match &old {
        Some(old) => CharacterHints::new(old.user_entries(), old.path(), &args.hints.statements())?,
        None => args.hints.read()?,
    };
    outputs.check(&known.pose_file().map(Path::to_owned).into_iter().collect::<Vec<_>>())?;
    let clip = args.clip.as_deref().map(Into::into);
    let wanted = Selection { clip, character: args.hints.character.selector() };
    let character = engine::read(&args.file, wanted, &known, terminal)?;
    outputs.check(&character.files_beside())?;
    pose.map_or(Ok(()), |pose| pose.check(&character))?;
    let (mut anatomy, remark) = analyse(&character, old.is_some(), args, terminal)?;
    let corrections = Corrections { standing, mirror: args.mirror };
    let corrected = engine::correct(&mut anatomy, &character, &corrections)?;
    if args.t_pose {
        anatomy.calibration_rotations = anatomy.t_pose_locals();
    }
    anatomy.warnings.iter().for_each(|warning| terminal.warn(warning));
    let place = (args.output.as_deref(), args.t_pose);
    let card = engine::card_text(&anatomy, &known, remark.clone(), old, place)?;
    pose.map_or(Ok(()), |pose| pose.write(&character, &anatomy))?;
    let remark = remark.or_else(|| Some(engine::remark_on_kept(&learned??)));
    write(args, &card, remark.into_iter().chain(corrected), terminal)
}

/// Analyses the character, or learns it from clips; also returns a remark on what was learned. Writes a draft where roles are
/// not found and there is no card to update.
fn analyse(
    character: &Character,
    is_update: bool,
    args: &CardArgs,
    terminal: &Terminal,
) -> Result<(Anatomy, Option<String>), Failure> {
    if !args.learn.is_empty() {
        let (anatomy, remark) = engine::learn(character, &args.learn, terminal)?;
        return Ok((anatomy, Some(remark)));
    }
    match character.analyse() {
        Ok(anatomy) => Ok((anatomy, None)),
        Err(error) if error.is_unrecognised() && !is_update => {
            Err(draft(character, error, args, terminal)?)
        }
        Err(error) => Err(error.into()),
    }
}

/// The file for the calibration pose.
#[derive(Clone, Copy)]
struct PoseFile<'a> {
    path: &'a PathBuf,
    format: Format,
}

impl<'a> PoseFile<'a> {
    /// The file that is wanted; its format must hold a pose.
    fn of(args: &'a CardArgs) -> Result<Option<Self>, Failure> {
        let Some(path) = &args.write_pose else { return Ok(None) };
        let format = Format::of_name(path).map_err(rebone::Error::from)?;
        if matches!(format, Format::Vrma | Format::Npz) {
            let path = path.display();
            let what = if format == Format::Vrma { "VRM animation" } else { ".npz" };
            let message = format!("{path}: a pose is no {what}: name it .glb or .bvh");
            return Err(Failure::usage(message));
        }
        Ok(Some(Self { path, format }))
    }

    /// Checks that the format can hold the character.
    fn check(self, character: &Character) -> Result<(), Failure> {
        if self.format != Format::Vrm || character.document().is_vrm() {
            return Ok(());
        }
        let [path, file] = [self.path, character.path()].map(Path::display);
        Err(Failure::usage(format!("{path}: {file} is no VRM: name it .glb")))
    }

    fn write(self, character: &Character, anatomy: &Anatomy) -> Result<(), Failure> {
        paths::write(self.path, |file| {
            Ok(write_calibration_pose(character, anatomy, self.format, file)?)
        })
    }
}

/// Writes or prints a card, and what was written.
fn write(
    args: &CardArgs,
    card: &str,
    remarks: impl IntoIterator<Item = String>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let shown = |path: &PathBuf| path.display().to_string();
    let Some(output) = &args.output else {
        let written: Vec<String> = args.write_pose.iter().map(shown).collect();
        terminal.json(&json!({ "card": card, "written": written }))?;
        return if terminal.wants_json() { Ok(()) } else { Ok(terminal.card(card)?) };
    };
    for remark in remarks {
        terminal.say(&styled(NAME, remark))?;
    }
    paths::write(output, |file| Ok(file.write_all(card.as_bytes())?))?;
    let written: Vec<String> = [output].into_iter().chain(&args.write_pose).map(shown).collect();
    terminal.json(&json!({ "written": written }))?;
    Ok(terminal.line("wrote", written.join(", "))?)
}

/// Reads the card to begin with: the output, if it exists; else the given one, of which all is kept but what is learned.
/// Also returns from what its calibration was learned, where it is kept.
fn read_old_card(args: &CardArgs) -> Result<Option<(CardFile, Option<String>)>, Failure> {
    let is_card = |output: &&Path| match FileKind::of_file(output) {
        Some(kind) => !args.replace.overwrite || kind == FileKind::Toml,
        None => output.is_file(),
    };
    let existing = args.output.as_deref().filter(is_card);
    let path = match (existing, &args.hints.card) {
        (Some(output), Some(card)) => {
            let (output, card) = (output.display(), card.display());
            let message = format!("{output} exists already, and --card gives {card} as well");
            return Err(Failure::usage(message).with_help(
                "user entries of an existing card stay: omit --card, or name a new file with -o",
            ));
        }
        (Some(path), None) => path,
        (None, Some(path)) => path,
        (None, None) => return Ok(None),
    };
    let file = CardFile::read(path)?;
    let is_stated = args.hints.pose_from.is_some();
    let learned = file.learned_from().map(str::to_owned);
    let learned = learned.filter(|_| args.learn.is_empty() && !is_stated);
    let keeps_all = existing.is_none() && args.learn.is_empty();
    let file = if keeps_all { file.keep_all() } else { file };
    let file = match learned {
        _ if is_stated => file.without_pose(),
        Some(_) => file.keep_calibration(),
        None => file,
    };
    Ok(Some((file, learned)))
}

/// Writes a card with the roles that were found in a file that is not recognised; returns the failure that it ends with.
fn draft(
    character: &Character,
    error: rebone::CharacterError,
    args: &CardArgs,
    terminal: &Terminal,
) -> Result<Failure, Failure> {
    let roles = character.partial_roles()?;
    let failure = Failure::from(error);
    if roles.by_joint.iter().all(Option::is_none) {
        return Ok(failure);
    }
    let card = rebone::card::Card::draft(character.skeleton(), &roles, &failure.message());
    let Some(output) = &args.output else {
        terminal.json(&json!({ "card": card, "error": failure.message(), "written": [] }))?;
        if !terminal.wants_json() {
            terminal.card(&card)?;
        }
        return Ok(failure);
    };
    paths::write(output, |file| Ok(file.write_all(card.as_bytes())?))?;
    let written = [output.display().to_string()];
    terminal.json(&json!({ "error": failure.message(), "written": written }))?;
    terminal.line("wrote", output.display())?;
    let file = args.file.display();
    Ok(failure.with_help(format!(
        "name the missing roles in {}; `rebone inspect {file}` lists the joints",
        output.display()
    )))
}
