//! Prints the outcome of a batch, and of a dry run.

mod doubts;
mod plan;
mod shards;

use doubts::{say_doubts, say_leading_poses, say_seams};
pub(crate) use plan::{plan, planned_exit_code};
pub(crate) use shards::{cards, cards_exit_code, merged_shards};

use crate::exit_code::{ExitCode, Failure};
use crate::terminal::{Terminal, counted, plural};
use rebone_batch::manifest::{JobStatus, ManifestLine, ResultQuality};
use rebone_batch::{BatchOutcome, FaultKind, MergedFile, path_text};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Largest number of names per reason, and of warnings.
const MAX_EXAMPLES: usize = 3;

/// Largest number of results that are named for a look.
const MAX_RANKED: usize = 10;

/// Largest number of earlier results of failed clips that are named.
const MAX_LEFT: usize = 10;

/// A result and its verdict.
#[derive(Serialize)]
struct RankedResult<'a> {
    verdict: &'a str,
    score: f64,
    output: String,
    reason: Option<&'a str>,
}

/// Exit code of a batch.
pub(crate) fn exit_code(outcome: &BatchOutcome) -> ExitCode {
    let unmerged = outcome.merged.iter().filter(|file| file.animations.is_err()).count();
    let failed = outcome.failed().count() + unmerged;
    match outcome.interrupted {
        true => ExitCode::Interrupted,
        // A shard whose clips all fail is done: to begin it again would bring nothing.
        false if outcome.shard.is_some() && failed > 0 => ExitCode::Partial,
        false => code_of(count(outcome, JobStatus::Done), failed),
    }
}

/// Exit code of a run by its number of results and of faults.
fn code_of(done: usize, failed: usize) -> ExitCode {
    match (done, failed) {
        (_, 0) => ExitCode::Success,
        (0, _) => ExitCode::Input,
        _ => ExitCode::Partial,
    }
}

fn count(outcome: &BatchOutcome, status: JobStatus) -> usize {
    outcome.all().filter(|line| line.status == status).count()
}

/// Prints what was done, and counts failures by their reason; `pictures` is the folder of the pictures.
pub(crate) fn outcome(
    outcome: &BatchOutcome,
    pictures: Option<&Path>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let counts = BatchCounts::of(outcome);
    let faults = faults(outcome.all());
    let ranked = ranked(outcome);
    say_done(outcome, &counts, terminal)?;
    say_faults(&faults, terminal)?;
    say_left(outcome, terminal)?;
    say_doubts(outcome, terminal)?;
    say_leading_poses(outcome, terminal)?;
    say_seams(outcome, terminal)?;
    say_others(outcome, terminal)?;
    say_verdicts(&ranked, ungraded(outcome), terminal)?;
    say_skipped(outcome, &counts, terminal)?;
    say_merged(&outcome.merged, terminal)?;
    say_written(outcome, pictures, terminal)?;
    let BatchCounts { made, up_to_date, frames, failed, skipped } = counts;
    Ok(terminal.json(&json!({
        "done": made, "up_to_date": up_to_date, "failed": failed, "skipped": skipped, "left_out": outcome.left_out,
        "frames": frames, "edited": texts(&outcome.edited),
        "seconds": outcome.seconds, "interrupted": outcome.interrupted,
        "others": outcome.others.len(), "pruned": texts(&outcome.pruned.removed), "left": texts(&outcome.pruned.changed),
        "manifest": outcome.manifest.display().to_string(), "ranked": ranked,
        "merged": outcome.merged.iter().map(merged).collect::<Vec<_>>(),
        "faults": faults.iter().map(|(kind, names)| json!({ "kind": kind, "files": names })).collect::<Vec<_>>(),
    }))?)
}

/// Counts of a batch.
struct BatchCounts {
    /// Results of this run.
    made: usize,
    /// Results that were up to date.
    up_to_date: usize,
    /// Frames of the results of this run.
    frames: usize,
    failed: usize,
    /// Files without a motion.
    skipped: usize,
}

impl BatchCounts {
    fn of(outcome: &BatchOutcome) -> Self {
        let frames = outcome.lines.iter().filter_map(|line| Some(line.result.as_ref()?.frames));
        let made = outcome.lines.iter().filter(|line| line.status == JobStatus::Done).count();
        Self {
            made,
            up_to_date: count(outcome, JobStatus::Done) - made,
            frames: frames.sum(),
            failed: outcome.failed().count(),
            skipped: count(outcome, JobStatus::Skipped),
        }
    }
}

/// Says what was made, and how fast.
fn say_done(
    outcome: &BatchOutcome,
    counts: &BatchCounts,
    terminal: &Terminal,
) -> std::io::Result<()> {
    let &BatchCounts { made, up_to_date, frames, .. } = counts;
    let (word, more) = match outcome.interrupted {
        true => ("stopped", "; the same command goes on"),
        false => ("done", ""),
    };
    let kept = if up_to_date > 0 { format!(", {up_to_date} up to date") } else { String::new() };
    let seconds = outcome.seconds;
    let rate = frames as f64 / seconds.max(1e-3);
    let frames = counted(frames, "frame");
    let line = format!("{made} made{kept}, {frames} in {seconds:.1} s, {rate:.0} frames/s{more}");
    terminal.line(word, line)
}

/// Counts files without a motion, and results that options leave out.
fn say_skipped(
    outcome: &BatchOutcome,
    counts: &BatchCounts,
    terminal: &Terminal,
) -> std::io::Result<()> {
    let skipped = counts.skipped;
    if skipped > 0 {
        let verb = if skipped == 1 { "holds" } else { "hold" };
        let files = plural(skipped, "file");
        terminal.line("skipped", format!("{skipped:>5}  {files} that {verb} no motion"))?;
    }
    if outcome.left_out > 0 {
        let (count, results) = (outcome.left_out, plural(outcome.left_out, "result"));
        terminal.line("skipped", format!("{count:>5}  {results} left out by options"))?;
    }
    Ok(())
}

/// Says what each merged file holds, or why there is none.
fn say_merged(merged: &[MergedFile], terminal: &Terminal) -> std::io::Result<()> {
    for MergedFile { path, animations, warnings } in merged {
        let told = warnings.iter().chain(animations.as_ref().err());
        told.for_each(|text| terminal.warn(text));
        if let Ok(count) = animations {
            let line = format!("{count:>5}  {} in {}", plural(*count, "animation"), path.display());
            terminal.line("merged", line)?;
        }
    }
    Ok(())
}

/// Names the manifest, and the folder of the pictures where some were drawn.
fn say_written(
    outcome: &BatchOutcome,
    pictures: Option<&Path>,
    terminal: &Terminal,
) -> std::io::Result<()> {
    let drawn = |line: &&ManifestLine| line.status == JobStatus::Done && line.picture.is_some();
    let drawn = outcome.lines.iter().filter(drawn).count();
    let pictures = pictures
        .filter(|_| drawn > 0)
        .map(|folder| format!(", {} in {}", counted(drawn, "picture"), folder.display()));
    let manifest = outcome.manifest.display();
    terminal.line("wrote", format!("{manifest}{}", pictures.unwrap_or_default()))
}

/// Counts failed clips whose results of an earlier run are still there.
fn say_left(outcome: &BatchOutcome, terminal: &Terminal) -> std::io::Result<()> {
    let left = outcome.failed().filter(|line| line.file.is_some());
    let names: Vec<String> =
        left.filter_map(|line| line.output.as_deref()).map(path_text).collect();
    if names.is_empty() {
        return Ok(());
    }
    let are = match names.len() {
        1 => "result of a failed clip is",
        _ => "results of failed clips are",
    };
    let (count, names) = (names.len(), examples(&names, MAX_LEFT));
    terminal.line("left", format!("{count:>5}  earlier {are} left: {names}"))
}

/// Counts results of earlier runs that stay, and those that were removed.
fn say_others(outcome: &BatchOutcome, terminal: &Terminal) -> std::io::Result<()> {
    let line = |word: &str, names: &[String], what: &str| match names {
        [] => Ok(()),
        _ => terminal
            .line(word, format!("{:>5}  {what}: {}", names.len(), examples(names, MAX_EXAMPLES))),
    };
    let others = outcome.others.iter().filter_map(|line| line.output.as_deref());
    line(
        "kept",
        &others.map(path_text).collect::<Vec<_>>(),
        match outcome.pruned.wanted {
            true => "results of other clips, rigs or names",
            false => "results of other clips, rigs or names; --prune removes them",
        },
    )?;
    let [removed, changed] =
        [&outcome.pruned.removed, &outcome.pruned.changed].map(|own| texts(own));
    line("pruned", &removed, "results of earlier runs")?;
    line("left", &changed, "files that are not as a batch wrote them")
}

/// Counts grades, and names the results to look at first.
fn say_verdicts(
    ranked: &[RankedResult],
    ungraded: usize,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if ranked.is_empty() && ungraded == 0 {
        return Ok(());
    }
    let graded = |word| ranked.iter().filter(move |own| own.verdict == word);
    let counts = ["PASS", "LOOK", "FAIL"].map(|word| format!("{} {word}", graded(word).count()));
    let none = (ungraded > 0).then(|| format!("{ungraded} NONE"));
    let counts: Vec<String> = counts.into_iter().chain(none).collect();
    terminal.line("verdicts", format!(" {}", counts.join(", ")))?;
    let worst = graded("FAIL").chain(graded("LOOK")).take(MAX_RANKED);
    for RankedResult { verdict, score, output, reason } in worst {
        say_worst(verdict, *score, output, *reason, terminal)?;
    }
    Ok(())
}

/// Names a result with its grade and its worst finding.
fn say_worst(
    verdict: &str,
    score: f64,
    output: &str,
    reason: Option<&str>,
    terminal: &Terminal,
) -> std::io::Result<()> {
    let reason = reason.unwrap_or_default();
    terminal.say(&format!("{:10}{verdict} {score:.2}  {output}: {reason}", ""))
}

/// Number of results without a verdict.
fn ungraded(outcome: &BatchOutcome) -> usize {
    let results = outcome.all().filter_map(|line| line.result.as_ref());
    results.filter(|result| result.verdict.is_none()).count()
}

/// Results with a verdict, the worst first.
fn ranked(outcome: &BatchOutcome) -> Vec<RankedResult<'_>> {
    let ranked = |line| -> Option<RankedResult> {
        let ManifestLine { output, result, .. }: &ManifestLine = line;
        let ResultQuality { verdict, score, reason, .. } = result.as_ref()?;
        Some(RankedResult {
            verdict: verdict.as_deref()?,
            score: (*score)?,
            output: path_text(output.as_deref()?),
            reason: reason.as_deref(),
        })
    };
    let mut all: Vec<RankedResult> = outcome.all().filter_map(ranked).collect();
    all.sort_by(|a, b| a.score.total_cmp(&b.score).then_with(|| a.output.cmp(&b.output)));
    all
}

/// Paths as text.
fn texts(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path_text(path)).collect()
}

/// Merged file, as JSON.
fn merged(MergedFile { path, animations, warnings }: &MergedFile) -> Value {
    let (file, count, error) =
        (path_text(path), animations.as_ref().ok(), animations.as_ref().err());
    json!({ "file": file, "animations": count, "warnings": warnings, "error": error })
}

/// Prints failures by their reason.
fn say_faults(
    faults: &BTreeMap<FaultKind, Vec<String>>,
    terminal: &Terminal,
) -> std::io::Result<()> {
    faults.iter().try_for_each(|(kind, names)| {
        terminal.line(
            "failed",
            format!("{:>5}  {kind}: {}", names.len(), examples(names, MAX_EXAMPLES)),
        )
    })
}

/// First names, and how many more there are.
fn examples(names: &[String], most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let examples = names[..names.len().min(most)].join(", ");
    if more > 0 { format!("{examples} and {more} more") } else { examples }
}

/// Groups failures by their reason; onto several rigs a clip fails once.
fn faults<'a>(lines: impl Iterator<Item = &'a ManifestLine>) -> BTreeMap<FaultKind, Vec<String>> {
    let mut faults: BTreeMap<FaultKind, BTreeSet<String>> = BTreeMap::new();
    for line in lines {
        if let Some(fault) = &line.error {
            faults.entry(fault.kind).or_default().insert(path_text(&line.input));
        }
    }
    faults.into_iter().map(|(kind, names)| (kind, names.into_iter().collect())).collect()
}
