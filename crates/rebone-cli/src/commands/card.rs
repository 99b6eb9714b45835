//! `rebone card`: the rig card of a skeleton.

use crate::args::CardArgs;
use crate::engine;
use crate::exit_code::Failure;
use crate::paths::{self, Outputs};
use crate::terminal::{NAME, Terminal, styled};
use rebone::export::write_calibration_pose;
use rebone::skeleton::Format;
use rebone::skeleton::file::FileKind;
use rebone::{Character, Selection};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Writes the card, or prints it.
pub(crate) fn run(args: &CardArgs, terminal: &Terminal) -> Result<(), Failure> {
    let format = |path: &PathBuf| Format::of_name(path).map_err(rebone::Error::from);
    let pose_format = args.write_pose.as_ref().map(format).transpose()?;
    let outputs = Outputs::new(args.replace)
        .with(args.output.as_ref(), FileKind::Toml)
        .with(args.write_pose.as_ref(), pose_format.map_or(FileKind::Bvh, FileKind::from));
    let clips = args.learn.iter().chain(&args.hints.card).chain([&args.file]);
    outputs.check(&clips.cloned().collect::<Vec<_>>())?;
    outputs.check_kinds()?;
    if let (Some(path), Some(Format::Vrma)) = (&args.write_pose, pose_format) {
        let message =
            format!("{}: a pose is no VRM animation: name it .glb or .bvh", path.display());
        return Err(Failure::usage(message));
    }
    let (old, learned) = engine::read_old_card(args)?.unzip();
    let known = match &old {
        Some(old) => old.hints(&args.hints.statements())?,
        None => args.hints.read()?,
    };
    outputs.check(&known.pose_file().map(Path::to_owned).into_iter().collect::<Vec<_>>())?;
    let wanted = Selection { skin: args.hints.skin, ..Selection::default() };
    let loaded = engine::read(&args.file, wanted, &known, terminal)?;
    outputs.check(&loaded.files_beside())?;
    let is_vrm = loaded.document().is_vrm();
    if let (Some(path), Some(Format::Vrm), false) = (&args.write_pose, pose_format, is_vrm) {
        let message =
            format!("{}: {} is no VRM: name it .glb", path.display(), args.file.display());
        return Err(Failure::usage(message));
    }
    let (mut anatomy, remark) = match args.learn[..] {
        [] => match loaded.analyse() {
            Ok(anatomy) => (anatomy, None),
            Err(error) if error.is_unrecognised() && old.is_none() => {
                return draft(&loaded, error, args, terminal);
            }
            Err(error) => return Err(error.into()),
        },
        ref clips => {
            let (anatomy, remark) = engine::learn(&loaded, clips, terminal)?;
            (anatomy, Some(remark))
        }
    };
    if args.t_pose {
        anatomy.calibration_rotations = anatomy.t_pose_locals();
    }
    anatomy.warnings.iter().for_each(|warning| terminal.warn(warning));
    let output = args.output.as_deref();
    let place = (output, args.t_pose);
    let card = engine::card_text(&anatomy, &known, remark.clone(), old, place)?;
    let mut written = Vec::new();
    if let (Some(path), Some(format)) = (&args.write_pose, pose_format) {
        paths::write(path, |file| Ok(write_calibration_pose(&loaded, &anatomy, format, file)?))?;
        written.push(path.display().to_string());
    }
    let Some(output) = output else {
        terminal.json(&json!({ "card": card, "written": written }))?;
        return if terminal.wants_json() { Ok(()) } else { Ok(terminal.card(&card)?) };
    };
    if let Some(remark) = remark.or_else(|| Some(engine::remark_on_kept(&learned??))) {
        terminal.say(&styled(NAME, remark))?;
    }
    paths::write(output, |file| Ok(file.write_all(card.as_bytes())?))?;
    written.insert(0, output.display().to_string());
    terminal.json(&json!({ "written": written }))?;
    Ok(terminal.line("wrote", written.join(", "))?)
}

/// Writes a card with the roles that were found in a file that is not recognised; then fails.
fn draft(
    character: &Character,
    error: rebone::Error,
    args: &CardArgs,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let roles = character.partial_roles()?;
    let failure = Failure::from(error);
    if roles.by_joint.iter().all(Option::is_none) {
        return Err(failure);
    }
    let card = rebone::card::Card::draft(character.skeleton(), &roles, &failure.message());
    let Some(output) = &args.output else {
        terminal.json(&json!({ "card": card, "error": failure.message(), "written": [] }))?;
        if !terminal.wants_json() {
            terminal.card(&card)?;
        }
        return Err(failure);
    };
    paths::write(output, |file| Ok(file.write_all(card.as_bytes())?))?;
    let written = [output.display().to_string()];
    terminal.json(&json!({ "error": failure.message(), "written": written }))?;
    terminal.line("wrote", output.display())?;
    let file = args.file.display();
    Err(failure.with_help(format!(
        "name the missing roles in {}; `rebone inspect {file}` lists the joints",
        output.display()
    )))
}
