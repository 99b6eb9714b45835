//! `rebone preview`: motions over time in one picture.

use crate::args::Preview;
use crate::engine::{self, file_name};
use crate::exit_code::Failure;
use crate::paths;
use crate::terminal::{NAME, Terminal, styled};
use rebone::skeleton::Document;
use rebone::{CharacterHints, Selection};
use rebone_view::{Ink, MotionView, SheetOptions, ShownFrame, contact_sheet, motion_figure};

/// Draws the sheet.
pub(crate) fn run(args: &Preview, terminal: &Terminal) -> Result<(), Failure> {
    paths::check_outputs(&args.files, &[&args.output])?;
    let (mut figures, mut names) = (Vec::new(), Vec::new());
    let mut shown = Vec::new();
    for (path, ink) in args.files.iter().zip(Ink::ALL) {
        let has_several = args.clip.is_some() && Document::clip_names_at(path)?.len() > 1;
        let clip = args.clip.as_deref().filter(|_| has_several);
        let wanted = Selection { clip, ..Selection::default() };
        let mut loaded = engine::read(path, wanted, &CharacterHints::default(), terminal)?;
        paths::check_outputs(&loaded.files_beside(), &[&args.output])?;
        let anatomy = loaded.analyse().map_err(Failure::from);
        if let Err(failure) = &anatomy {
            terminal.warn(&format!("{}; drawn as it is, with +Y up", failure.message()));
        }
        engine::cut(&mut loaded, args.frames)?.iter().for_each(|warning| terminal.warn(warning));
        let clip = loaded.clip();
        if figures.is_empty() {
            shown = ShownFrame::spread(clip.len(), clip.frame_time, args.columns.into());
        }
        let name = file_name(path);
        let view =
            MotionView { label: &name, motion: loaded.motion(), anatomy: anatomy.as_ref().ok() };
        figures.push(motion_figure(&view, &shown, ink));
        names.push(name);
    }
    let options = SheetOptions {
        title: names.join(", "),
        first_frame: args.frames.map_or(0, |range| range.start),
    };
    let sheet = contact_sheet(&figures, &shown, &options);
    paths::write(&args.output, |file| Ok(file.write_all(&sheet)?))?;
    terminal.json(&serde_json::json!({ "written": [args.output.display().to_string()] }))?;
    Ok(terminal.say(&format!("{}    {}", styled(NAME, "wrote"), args.output.display()))?)
}
