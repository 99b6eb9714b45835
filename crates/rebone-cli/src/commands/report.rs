//! `rebone report`: one page for the results of a batch.

use crate::args::{FileHints, Report};
use crate::batch::manifest::{self, Line, Status};
use crate::engine::{self, Known, Loaded, Wanted};
use crate::exit_code::Failure;
use crate::interrupt;
use crate::paths;
use crate::report::{Entry, Page, of};
use crate::terminal::{NAME, Terminal, styled};
use anyhow::Context;
use rayon::prelude::*;
use rebone::Understood;
use std::path::{Path, PathBuf};

/// Reads the manifest, compares all results, writes the page.
pub(crate) fn run(args: &Report, terminal: &Terminal) -> Result<(), Failure> {
    paths::check_outputs(std::slice::from_ref(&args.manifest), &[&args.output])?;
    let lines = manifest::lines(&args.manifest)?;
    if lines.is_empty() {
        let text = "no results in it: name the manifest.jsonl of a batch";
        return Err(anyhow::anyhow!("{}: {text}", args.manifest.display()).into());
    }
    interrupt::listen()?;
    let folder = args.manifest.parent().unwrap_or(Path::new(""));
    let entry = |line: &Line| -> Result<Entry, Failure> {
        interrupt::check()?;
        Ok(entry(line, folder))
    };
    let clips: Vec<Entry> = lines.par_iter().map(entry).collect::<Result<_, _>>()?;
    let counted = |word: &str| clips.iter().filter(|own| own.verdict == word).count();
    let counts = ["FAIL", "LOOK", "PASS", "NONE"].map(|word| format!("{} {word}", counted(word)));
    let page = Page {
        made: format!("rebone {}", env!("CARGO_PKG_VERSION")),
        title: args.manifest.display().to_string(),
        clips,
    };
    let html = page.html().context("the page")?;
    paths::write(&args.output, |file| Ok(file.write_all(html.as_bytes())?))?;
    let written = args.output.display().to_string();
    terminal.json(&serde_json::json!({ "clips": lines.len(), "written": [written] }))?;
    terminal.say(&format!("{} {}", styled(NAME, "results"), counts.join(", ")))?;
    Ok(terminal.say(&format!("{}   {written}", styled(NAME, "wrote")))?)
}

/// What a line of the manifest comes to.
fn entry(line: &Line, folder: &Path) -> Entry {
    let output = line.output.clone().unwrap_or_default();
    let own = Entry {
        name: output.rsplit_once('.').map_or(output.as_str(), |name| name.0).to_owned(),
        source: line.input.clone(),
        target: line.target.clone().unwrap_or_default(),
        verdict: "NONE".to_owned(),
        ..Entry::default()
    };
    if let (Status::Failed | Status::Skipped, fault) = (line.status, &line.error) {
        let error = fault.as_ref().map_or("not done", |fault| fault.message.as_str());
        return Entry { error: Some(error.to_owned()), ..own };
    }
    match compared(line, folder) {
        Ok((verdict, score, shown)) => Entry {
            verdict,
            score: Some(score),
            shown: Some(shown),
            output: line.output.clone(),
            ..own
        },
        Err(failure) => Entry { error: Some(failure.message()), ..own },
    }
}

fn compared(line: &Line, folder: &Path) -> Result<(String, f64, crate::report::Shown), Failure> {
    let wanted = Wanted { clip: line.clip.as_deref(), skin: None };
    let mut source = Loaded::read_part(Path::new(&line.input), wanted)?;
    let path = folder.join(line.output.as_deref().unwrap_or_default());
    // A rig's file may hold animations of its own.
    let name = Some(source.clip_name())
        .filter(|name| engine::clip_names(&path).is_ok_and(|names| names.contains(name)));
    let result = Loaded::read_part(&path, Wanted { clip: name.as_deref(), skin: None })?;
    let card = |place: &str| -> Result<Known, Failure> {
        let path: PathBuf = folder.join(place);
        Known::read(&FileHints { card: Some(path), ..FileHints::default() })
    };
    let cards = match &line.from {
        Some(from) => [card(&from.source_card)?, card(&from.target_card)?],
        None => [Known::default(), Known::default()],
    };
    let anatomies =
        [engine::understand(&source, &cards[0])?, engine::understand(&result, &cards[1])?];
    let (plan, _) = engine::compare(&Understood::of(anatomies));
    let first = line.result.as_ref().map_or(0, |done| done.first).min(source.clip().len());
    source.motion.clip.keep(first..source.clip().len());
    let time = result.clip().frame_time;
    if (time / source.clip().frame_time - 1.0).abs() > 1e-3 {
        source.resample(&plan.source, Some(1.0 / time))?;
    }
    Ok(of(&plan, source.clip(), result.clip()))
}
