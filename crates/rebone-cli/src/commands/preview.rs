//! `rebone preview`: motions over time in one picture.

use crate::args::{FrameRange, Preview};
use crate::engine::{self, Known, Seen, file_name};
use crate::exit_code::Failure;
use crate::paths;
use crate::preview::{Ink, SheetOptions, Track, contact_sheet};
use crate::terminal::{NAME, Terminal, styled};
use std::path::Path;

/// Draws the sheet.
pub(crate) fn run(args: &Preview, terminal: &Terminal) -> Result<(), Failure> {
    paths::check_outputs(&args.files, &[&args.output])?;
    let mut tracks = Vec::new();
    for (path, ink) in args.files.iter().zip(Ink::ALL) {
        tracks.push(track(path, args.frames, ink, terminal)?);
    }
    let options = SheetOptions {
        title: tracks.iter().map(|track| track.label.as_str()).collect::<Vec<_>>().join(", "),
        columns: args.columns.into(),
        first_frame: args.frames.map_or(0, |range| range.start),
    };
    let sheet = contact_sheet(&tracks, &options);
    paths::write(&args.output, |file| Ok(file.write_all(&sheet)?))?;
    terminal.json(&serde_json::json!({ "written": [args.output.display().to_string()] }))?;
    Ok(terminal.say(&format!("{}    {}", styled(NAME, "wrote"), args.output.display()))?)
}

fn track(
    path: &Path,
    frames: Option<FrameRange>,
    ink: Ink,
    terminal: &Terminal,
) -> Result<Track, Failure> {
    let mut loaded = engine::read(path, terminal)?;
    let anatomy = engine::understand(&loaded, &Known::default());
    if let Err(failure) = &anatomy {
        terminal.warn(&format!("{}; drawn as it is, with +Y up", failure.message()));
    }
    loaded.cut(frames, terminal)?;
    let seen = anatomy.as_ref().ok().map(Seen::alone);
    Ok(engine::track(loaded.skeleton(), loaded.clip(), seen, file_name(path), ink))
}
