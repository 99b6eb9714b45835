//! `rebone card`: the rig card of a skeleton.

use crate::args::Card;
use crate::engine::{self, OldCard};
use crate::exit_code::Failure;
use crate::paths;
use crate::terminal::{NAME, Terminal, styled};
use rebone::Selection;
use rebone::export::write_calibration_pose;
use rebone::skeleton::Format;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Writes the card, or prints it.
pub(crate) fn run(args: &Card, terminal: &Terminal) -> Result<(), Failure> {
    let outputs: Vec<&Path> =
        args.output.iter().chain(&args.write_pose).map(PathBuf::as_path).collect();
    let clips = args.learn.iter().chain(&args.hints.card).chain([&args.file]);
    paths::check_outputs(&clips.cloned().collect::<Vec<_>>(), &outputs)?;
    if let Some(path) = &args.write_pose
        && Format::of_name(path).map_err(rebone::Error::from)? == Format::Vrma
    {
        let message =
            format!("{}: a pose is no VRM animation: name it .glb or .bvh", path.display());
        return Err(Failure::usage(message));
    }
    let old = OldCard::read(args)?;
    let known = match &old {
        Some(old) => old.known(&args.hints.statements())?,
        None => args.hints.read()?,
    };
    paths::check_outputs(
        &known.pose_file().map(Path::to_owned).into_iter().collect::<Vec<_>>(),
        &outputs,
    )?;
    let wanted = Selection { skin: args.hints.skin, ..Selection::default() };
    let loaded = engine::read(&args.file, wanted, &known, terminal)?;
    paths::check_outputs(&loaded.files_beside(), &outputs)?;
    let is_vrm = |path: &&Path| Format::of_name(path) == Ok(Format::Vrm);
    if let Some(path) =
        args.write_pose.as_deref().filter(|path| is_vrm(path) && !loaded.document().is_vrm())
    {
        let message =
            format!("{}: {} is no VRM: name it .glb", path.display(), args.file.display());
        return Err(Failure::usage(message));
    }
    let (mut anatomy, remark) = match args.learn[..] {
        [] => (loaded.analyse()?, None),
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
    let card = engine::card_text(&anatomy, &known, remark.clone(), old.as_ref(), place)?;
    let mut written = Vec::new();
    if let Some(path) = &args.write_pose {
        let format = Format::of_name(path).map_err(rebone::Error::from)?;
        paths::write(path, |file| Ok(write_calibration_pose(&loaded, &anatomy, format, file)?))?;
        written.push(path.display().to_string());
    }
    let Some(output) = output else {
        terminal.json(&json!({ "card": card, "written": written }))?;
        return if terminal.wants_json() { Ok(()) } else { Ok(terminal.raw(card.as_bytes())?) };
    };
    if let Some(remark) = remark.or_else(|| old.as_ref()?.remark()) {
        terminal.say(&styled(NAME, remark))?;
    }
    paths::write(output, |file| Ok(file.write_all(card.as_bytes())?))?;
    written.insert(0, output.display().to_string());
    terminal.json(&json!({ "written": written }))?;
    Ok(terminal.say(&format!("{}    {}", styled(NAME, "wrote"), written.join(", ")))?)
}
