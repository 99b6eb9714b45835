//! `rebone report`: one page for the results of a batch.

use crate::args::ReportArgs;
use crate::exit_code::Failure;
use crate::interrupt;
use crate::paths::{self, Outputs};
use crate::terminal::Terminal;
use anyhow::Context;
use rayon::prelude::*;
use rebone::skeleton::file::FileKind;
use rebone::{
    AnalysedPair, Character, CharacterHints, Options, Selection, clip_of_result, match_rates,
    plan_pair,
};
use rebone_batch::ManifestFiles;
use rebone_batch::manifest::{self, FilePart, JobStatus, ManifestLine};
use rebone_view::{Comparison, Page, PageEntry, compare};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Largest number of results that a page shows in detail: some 250 kB each.
const MAX_DETAILED: usize = 300;

/// Compares all results of a manifest with their sources and writes the page.
pub(crate) fn run(args: &ReportArgs, terminal: &Terminal) -> Result<(), Failure> {
    let path = match args.manifest.is_dir() {
        true => args.manifest.join(manifest::NAME),
        false => args.manifest.clone(),
    };
    let outputs = Outputs::new(args.replace).with(Some(&args.output), FileKind::Html);
    outputs.check(std::slice::from_ref(&path))?;
    let lines = read_lines(&path, terminal)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    outputs.check(&inputs(&lines, folder))?;
    outputs.check_kinds()?;
    let files = ManifestFiles::new(folder);
    let detailed = detailed(&lines);
    if let Some(others) = lines.len().checked_sub(MAX_DETAILED).filter(|&others| others > 0) {
        terminal.warn(&format!(
            "curves and figures are of the {MAX_DETAILED} worst results alone; {others} rows are of the manifest"
        ));
    }
    let entry = |(index, line): (usize, &ManifestLine)| -> Result<PageEntry, Failure> {
        interrupt::check()?;
        Ok(entry(line, folder, detailed.contains(&index).then_some(&files)))
    };
    let clips: Vec<PageEntry> =
        lines.par_iter().enumerate().map(entry).collect::<Result<_, _>>()?;
    check_compared(&path, &lines, &clips, terminal)?;
    let words = ["FAIL", "LOOK", "PASS", "NONE"];
    let counts = words.map(|word| clips.iter().filter(|entry| entry.verdict == word).count());
    let summary: Vec<String> =
        words.iter().zip(counts).map(|(word, count)| format!("{count} {word}")).collect();
    let page = Page {
        made: format!("rebone {}", env!("CARGO_PKG_VERSION")),
        title: path.display().to_string(),
        clips,
    };
    let html = page.html().context("the page")?;
    paths::write(&args.output, |file| Ok(file.write_all(html.as_bytes())?))?;
    let written = args.output.display().to_string();
    terminal.json(&serde_json::json!({
        "clips": lines.len(), "fail": counts[0], "look": counts[1], "pass": counts[2], "none": counts[3],
        "written": [&written],
    }))?;
    terminal.line("results", summary.join(", "))?;
    Ok(terminal.line("wrote", written)?)
}

/// Reads the lines of a manifest; warns of broken ones.
fn read_lines(path: &Path, terminal: &Terminal) -> Result<Vec<ManifestLine>, Failure> {
    let (lines, broken) = manifest::read_lines(path)?;
    let manifest = path.display();
    if lines.is_empty() {
        let text =
            format!("no results, {broken} lines that are none: name the manifest.jsonl of a batch");
        return Err(anyhow::anyhow!("{manifest}: {text}").into());
    }
    if broken > 0 {
        terminal.warn(&format!("{manifest}: {broken} incomplete lines are left out"));
    }
    Ok(lines)
}

/// Indices of the lines that are compared: all, or the worst results by the manifest.
fn detailed(lines: &[ManifestLine]) -> BTreeSet<usize> {
    let score = |index: &usize| lines[*index].result.as_ref().and_then(|own| own.score);
    let mut order: Vec<usize> =
        (0..lines.len()).filter(|&index| lines[index].status == JobStatus::Done).collect();
    order.sort_by(|a, b| score(a).unwrap_or(2.0).total_cmp(&score(b).unwrap_or(2.0)));
    order.truncate(MAX_DETAILED);
    order.into_iter().collect()
}

/// Warns of results that cannot be compared; fails where none can.
fn check_compared(
    manifest: &Path,
    lines: &[ManifestLine],
    entries: &[PageEntry],
    terminal: &Terminal,
) -> Result<(), Failure> {
    let done = lines.iter().zip(entries).filter(|(line, _)| line.status == JobStatus::Done);
    let done: Vec<&PageEntry> = done.map(|(_, entry)| entry).collect();
    let lost: Vec<&&PageEntry> = done.iter().filter(|entry| entry.error.is_some()).collect();
    let Some(first) = lost.first() else { return Ok(()) };
    let why = first.error.as_deref().unwrap_or_default();
    let text =
        format!("{} of {} results cannot be compared, first: {why}", lost.len(), lines.len());
    let hint = "run it in the folder where the batch was run: paths are as they were given";
    if lost.len() == done.len() {
        return Err(anyhow::anyhow!("{}: {text}; {hint}", manifest.display()).into());
    }
    terminal.warn(&format!("{text}; {hint}"));
    Ok(())
}

/// All files that are read for the page.
fn inputs(lines: &[ManifestLine], folder: &Path) -> Vec<PathBuf> {
    let of = |line: &ManifestLine| {
        let cards = line.from.iter().flat_map(|from| [&from.source_card, &from.target_card]);
        let below = line.output.iter().chain(cards).map(|path| folder.join(path));
        let given = [PathBuf::from(&line.input)].into_iter();
        given.chain(line.target.as_ref().map(PathBuf::from)).chain(below).collect::<Vec<_>>()
    };
    lines.iter().flat_map(of).collect()
}

/// Row of the page for a line of the manifest; without `files` it says what the manifest says.
fn entry(line: &ManifestLine, folder: &Path, files: Option<&ManifestFiles>) -> PageEntry {
    let output = line.output.clone().unwrap_or_default();
    let row = PageEntry {
        name: output.rsplit_once('.').map_or(output.as_str(), |name| name.0).to_owned(),
        source: line.input.clone(),
        target: line.target.clone().unwrap_or_default(),
        verdict: "NONE".to_owned(),
        ..PageEntry::default()
    };
    if let (JobStatus::Failed | JobStatus::Skipped, fault) = (line.status, &line.error) {
        let error = fault.as_ref().map_or("not done", |fault| fault.message.as_str());
        return PageEntry { error: Some(error.to_owned()), ..row };
    }
    let Some(files) = files else {
        let result = line.result.as_ref();
        let verdict = result.and_then(|own| own.verdict.clone()).unwrap_or(row.verdict);
        return PageEntry {
            verdict,
            score: result.and_then(|own| own.score),
            reason: result.and_then(|own| own.reason.clone()),
            output: line.output.clone(),
            note: Some("Details are of the worst results alone".to_owned()),
            ..row
        };
    };
    match compared(line, folder, files) {
        Ok(Comparison { verdict, score, view }) => {
            let row = PageEntry { view: Some(view), output: line.output.clone(), ..row };
            let in_manifest =
                line.result.as_ref().and_then(|done| done.verdict.clone().zip(done.score));
            match in_manifest {
                Some((word, value)) if word != verdict => PageEntry {
                    note: Some(format!(
                        "The file as it is, with its root motion and parts: {verdict}, score {score:.2}"
                    )),
                    verdict: word,
                    score: Some(value),
                    ..row
                },
                _ => PageEntry { verdict, score: Some(score), ..row },
            }
        }
        Err(failure) => PageEntry { error: Some(failure.message()), ..row },
    }
}

/// Reads source and result of a line and compares them at one rate.
fn compared(
    line: &ManifestLine,
    folder: &Path,
    files: &ManifestFiles,
) -> Result<Comparison, Failure> {
    files.check(line).map_err(anyhow::Error::msg)?;
    let card = |place: Option<&String>| -> Result<CharacterHints, Failure> {
        let Some(place) = place else { return Ok(CharacterHints::default()) };
        let hints = CharacterHints::read(&folder.join(place), &rebone::card::Card::default())?;
        let pose = hints.pose_file().map_or(Ok(()), |pose| files.check_pose(line, pose));
        pose.map_err(anyhow::Error::msg)?;
        Ok(hints)
    };
    let from = line.from.as_ref();
    let mut source =
        Character::open(Path::new(&line.input), FilePart::selection(line.part.as_ref()))?
            .with_hints(card(from.map(|from| &from.source_card))?);
    let path = folder.join(line.output.as_deref().unwrap_or_default());
    // The rig's file may hold more animations.
    let (_, name) = clip_of_result(&path, &source)?;
    let mut result =
        Character::open(&path, Selection { clip: name.as_deref().map(Into::into), skin: None })?
            .with_hints(card(from.map(|from| &from.target_card))?);
    let anatomies = [source.analyse()?, result.analyse()?];
    let (plan, _) = plan_pair(&AnalysedPair::of(anatomies), &Options::default());
    let first = line.result.as_ref().map_or(0, |done| done.first).min(source.clip().len());
    source.keep_frames(first..usize::MAX);
    let frames = line.result.as_ref().map(|done| done.frames);
    if let Some(frames) = frames.filter(|frames| *frames != result.clip().len()) {
        let found = result.clip().len();
        let text = format!(
            "{}: found {found} frames, expected {frames}: it is not what the batch made",
            path.display()
        );
        return Err(anyhow::anyhow!(text).into());
    }
    source.check_clip()?;
    match_rates([&mut source, &mut result], [&plan.source, &plan.target])?;
    Ok(compare(&plan, source.clip(), result.clip())?)
}
