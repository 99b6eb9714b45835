//! `rebone preview`: motions at several instants in one picture, or as an animation.

use crate::args::PreviewArgs;
use crate::engine;
use crate::exit_code::Failure;
use crate::paths::{self, Outputs};
use crate::terminal::Terminal;
use anyhow::anyhow;
use rebone::skeleton::Document;
use rebone::skeleton::file::FileKind;
use rebone::{Character, CharacterHints, Selection, clip_of_result};
use rebone_view::{
    Ink, MotionView, SheetOptions, ShownFrame, animation, contact_sheet, motion_figure,
};
use std::path::Path;

/// Default number of frames of a sheet.
const COLUMNS: u8 = 8;

/// Draws the sheet or the animation.
pub(crate) fn run(args: &PreviewArgs, terminal: &Terminal) -> Result<(), Failure> {
    let kind = paths::picture_kind(&args.output);
    if kind == FileKind::Gif && args.columns.is_some() {
        let message =
            "--columns has no effect: it needs a PNG, a GIF shows the whole motion".to_owned();
        return Err(Failure::usage(message));
    }
    let outputs = Outputs::new(args.replace).with(Some(&args.output), kind);
    outputs.check(&args.files)?;
    let (mut figures, mut names) = (Vec::new(), Vec::new());
    let (mut shown, mut chose, mut is_there) = (Vec::new(), false, args.character.is_none());
    let mut source: Option<Character> = None;
    for (path, ink) in args.files.iter().zip(Ink::ALL.into_iter().cycle()) {
        let clip = chosen_clip(args, path, source.as_ref())?;
        chose |= clip.is_some();
        let (mut loaded, is_chosen) = read(args, path, clip.as_deref(), terminal)?;
        is_there |= is_chosen;
        outputs.check(&loaded.files_beside())?;
        if clip.is_none() {
            warn_of_other_clips(&loaded, terminal);
        }
        let anatomy = loaded.analyse().map_err(Failure::from);
        if let Err(failure) = &anatomy {
            terminal.warn(&format!("{}; drawn as it is, with +Y up", failure.message()));
        }
        engine::cut(&mut loaded, args.frames, terminal)?;
        let clip = loaded.clip();
        if clip.is_empty() {
            return Err(no_motion(path));
        }
        if figures.is_empty() {
            let columns = args.columns.unwrap_or(COLUMNS).into();
            shown = match kind {
                FileKind::Gif => ShownFrame::moving(clip.len(), clip.frame_time),
                _ => ShownFrame::spread(clip.len(), clip.frame_time, columns),
            };
        }
        engine::warn_of_sticks(&loaded, terminal);
        let name = engine::label(&loaded);
        let (motion, skin) = (loaded.motion(), loaded.skin_mesh());
        let anatomy = anatomy.as_ref().ok();
        let view = MotionView { label: &name, motion, anatomy, skin: Some(&skin) };
        figures.push(motion_figure(&view, &shown, ink)?);
        names.push(name);
        source.get_or_insert(loaded);
    }
    outputs.check_kinds()?;
    if args.clip.is_some() && !chose {
        let message = "--clip has no effect: it needs a file with several clips".to_owned();
        return Err(Failure::usage(message));
    }
    if !is_there {
        let message = "--skin and --joint have no effect: no file has such a character".to_owned();
        return Err(Failure::usage(message));
    }
    let options = SheetOptions {
        title: names.join(", "),
        first_frame: args.frames.map_or(0, |range| range.start),
    };
    let sheet = match kind {
        FileKind::Gif => animation(&figures, &shown)?,
        _ => contact_sheet(&figures, &shown, &options)?,
    };
    paths::write(&args.output, |file| Ok(file.write_all(&sheet)?))?;
    terminal.json(&serde_json::json!({ "written": [args.output.display().to_string()] }))?;
    Ok(terminal.line("wrote", args.output.display())?)
}

/// Reads a file with the chosen character, and returns whether it has it; of several files, those without it are shown next
/// to the others.
fn read(
    args: &PreviewArgs,
    path: &Path,
    clip: Option<&str>,
    terminal: &Terminal,
) -> Result<(Character, bool), Failure> {
    let wanted = Selection { clip: clip.map(Into::into), character: args.character.selector() };
    let is_sure = args.files.len() == 1 || args.character.is_none();
    let is_there = is_sure || Character::open(path, wanted).is_ok();
    let wanted = Selection { character: wanted.character.filter(|_| is_there), ..wanted };
    let read = engine::read(path, wanted, &CharacterHints::default(), terminal)?;
    Ok((read, is_there))
}

/// Returns the error of a file without a clip, of which no instant can be drawn.
fn no_motion(path: &Path) -> Failure {
    let message = format!("{}: found no motion, expected a clip", path.display());
    Failure::from(anyhow!(message))
        .with_help("`rebone inspect --preview` draws a character at rest")
}

/// The clip to draw: the one that is named, or, as results of several clips have it, the one with the name of the first file's;
/// `None` for the first of the file that moves.
fn chosen_clip(
    args: &PreviewArgs,
    path: &Path,
    source: Option<&Character>,
) -> Result<Option<String>, Failure> {
    if let Some(clip) = &args.clip {
        // Of several files, those with one clip are shown next to the chosen clip of the others.
        let chooses = args.files.len() == 1 || Document::clips_at(path, None)?.len() > 1;
        return Ok(chooses.then(|| clip.clone()));
    }
    let Some(source) = source else { return Ok(None) };
    Ok(clip_of_result(path, source)?.1)
}

/// Warns that one of several clips is drawn, for results are often the last.
fn warn_of_other_clips(character: &Character, terminal: &Terminal) {
    let names = character.clip_names();
    let drawn = character.clip_index().and_then(|index| names.get(index));
    if let ([_, .., last], Some(drawn)) = (&names[..], drawn) {
        let file = engine::file_name(character.path());
        let count = names.len();
        terminal.warn(&format!(
            "{file}: drawn is {drawn:?} of {count} clips, the last is {last:?}; choose with --clip"
        ));
    }
}
