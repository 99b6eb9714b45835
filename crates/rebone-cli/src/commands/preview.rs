//! `rebone preview`: motions over time in one picture.

use crate::args::PreviewArgs;
use crate::engine::{self, file_name};
use crate::exit_code::Failure;
use crate::paths;
use crate::terminal::Terminal;
use rebone::skeleton::Document;
use rebone::{CharacterHints, Selection};
use rebone_view::{Ink, MotionView, SheetOptions, ShownFrame, contact_sheet, motion_figure};

/// Draws the sheet.
pub(crate) fn run(args: &PreviewArgs, terminal: &Terminal) -> Result<(), Failure> {
    paths::check_outputs(&args.files, &[&args.output])?;
    let (mut figures, mut names) = (Vec::new(), Vec::new());
    let mut shown = Vec::new();
    for (path, ink) in args.files.iter().zip(Ink::ALL) {
        // Of several files, those with one clip are shown next to the chosen clip of the others.
        let is_single = args.files.len() == 1;
        let chooses =
            args.clip.is_some() && (is_single || Document::clip_names_at(path)?.len() > 1);
        let clip = args.clip.as_deref().filter(|_| chooses);
        let wanted = Selection { clip: clip.map(Into::into), ..Selection::default() };
        let mut loaded = engine::read(path, wanted, &CharacterHints::default(), terminal)?;
        paths::check_outputs(&loaded.files_beside(), &[&args.output])?;
        let anatomy = loaded.analyse().map_err(Failure::from);
        if let Err(failure) = &anatomy {
            terminal.warn(&format!("{}; drawn as it is, with +Y up", failure.message()));
        }
        engine::cut(&mut loaded, args.frames, terminal)?;
        let clip = loaded.clip();
        if figures.is_empty() {
            shown = ShownFrame::spread(clip.len(), clip.frame_time, args.columns.into());
        }
        let name = label(&file_name(path), &loaded.document().clip_names(), &loaded.clip_name());
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
    Ok(terminal.line("wrote", args.output.display())?)
}

/// Returns the name of a file, with that of its drawn clip where it has several.
fn label(file: &str, clips: &[String], clip: &str) -> String {
    match clips.len() {
        0 | 1 => file.to_owned(),
        _ => format!("{file}: {clip}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_names_the_clip_of_a_file_with_several() {
        let clips = ["walk", "run"].map(str::to_owned);
        assert_eq!(label("hero.glb", &clips, "run"), "hero.glb: run");
        assert_eq!(label("hero.glb", &clips[..1], "walk"), "hero.glb");
        assert_eq!(label("walk.bvh", &["0".to_owned()], "walk"), "walk.bvh");
    }
}
