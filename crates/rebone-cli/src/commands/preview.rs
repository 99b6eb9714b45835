//! `rebone preview`: motions over time in one picture.

use crate::args::{FileHints, FrameRange, Preview};
use crate::engine::{self, file_name};
use crate::exit_code::Failure;
use crate::paths;
use crate::preview::{Ink, SheetOptions, Track, contact_sheet};
use crate::terminal::{NAME, Terminal, styled};
use std::path::Path;

/// Draws the sheet.
pub(crate) fn run(args: &Preview, terminal: &Terminal) -> Result<(), Failure> {
    let inputs: Vec<&Path> = args.files.iter().map(AsRef::as_ref).collect();
    paths::check_outputs(&inputs, &[&args.output])?;
    let frames = args.frames.unwrap_or(FrameRange { start: 0, end: None });
    let mut tracks = Vec::new();
    for (path, ink) in args.files.iter().zip(Ink::ALL) {
        tracks.push(track(path, frames, ink, terminal)?);
    }
    let options = SheetOptions {
        title: tracks.iter().map(|track| track.label.as_str()).collect::<Vec<_>>().join(", "),
        columns: args.columns.into(),
        first_frame: frames.start,
    };
    let sheet = contact_sheet(&tracks, &options);
    paths::write(&args.output, |file| Ok(file.write_all(&sheet)?))?;
    terminal.json(&serde_json::json!({ "written": [args.output] }))?;
    Ok(terminal.say(&format!("{}    {}", styled(NAME, "wrote"), args.output.display()))?)
}

fn track(path: &Path, frames: FrameRange, ink: Ink, terminal: &Terminal) -> Result<Track, Failure> {
    let loaded = engine::read(path, terminal)?;
    loaded.check_range(frames)?;
    let anatomy = engine::understand(&loaded, &FileHints::default());
    if let Err(failure) = &anatomy {
        terminal.warn(&format!("{}; drawn as it is, with +Y up", failure.message()));
    }
    Ok(engine::track(&loaded, anatomy.ok().as_ref(), frames, file_name(path), ink))
}
