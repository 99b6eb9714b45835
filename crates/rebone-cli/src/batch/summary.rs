//! Summary of a batch, and of a dry run.

use super::batch_plan::BatchPlan;
use super::manifest::{self, Done, Line, NAME, Status};
use super::plan::is_done;
use crate::exit_code::{ExitCode, Failure};
use crate::terminal::{NAME as HEAD, Terminal, styled};
use rebone::MIN_ROLE_CONFIDENCE;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Largest number of names per reason, and of warnings.
const EXAMPLES: usize = 3;

/// Largest number of results that are named for a look.
const WORST: usize = 10;

/// A result and its verdict.
#[derive(Serialize)]
struct Ranked<'a> {
    verdict: &'a str,
    score: f64,
    output: &'a str,
    reason: Option<&'a str>,
}

/// Outcome of a batch.
#[derive(Debug)]
pub(crate) struct BatchSummary {
    /// Results that were up to date, and jobs that cannot be done.
    pub(crate) kept: Vec<Line>,
    /// Lines of this run.
    pub(crate) lines: Vec<Line>,
    /// Seconds of this run.
    pub(crate) seconds: f64,
    /// Whether the user stopped it.
    pub(crate) interrupted: bool,
    /// Merged files, and how many animations each holds, or why there is none.
    pub(crate) gathered: Vec<(PathBuf, anyhow::Result<usize>)>,
}

impl BatchSummary {
    fn count(&self, status: Status) -> usize {
        self.all().filter(|line| line.status == status).count()
    }

    fn all(&self) -> impl Iterator<Item = &Line> {
        self.kept.iter().chain(&self.lines)
    }

    /// Exit code.
    pub(crate) fn code(&self) -> ExitCode {
        let ungathered = self.gathered.iter().filter(|(_, made)| made.is_err()).count();
        let failed = self.count(Status::Failed) + ungathered;
        match (self.interrupted, self.count(Status::Done), failed) {
            (true, ..) => ExitCode::Interrupted,
            (_, _, 0) => ExitCode::Success,
            (_, 0, _) => ExitCode::Input,
            _ => ExitCode::Partial,
        }
    }

    /// Prints what was done, and counts failures by their reason.
    pub(crate) fn tell(&self, output: &Path, terminal: &Terminal) -> Result<(), Failure> {
        let frames = self.lines.iter().filter_map(|line| Some(line.result.as_ref()?.frames));
        let frames: usize = frames.sum();
        let made = self.lines.iter().filter(|line| line.status == Status::Done).count();
        let there = self.count(Status::Done) - made;
        let (failed, skipped) = (self.count(Status::Failed), self.count(Status::Skipped));
        let rate = frames as f64 / self.seconds.max(1e-3);
        let path = output.join(NAME);
        let (word, gap, more) = match self.interrupted {
            true => ("stopped", "  ", "; the same command goes on"),
            false => ("done", "     ", ""),
        };
        terminal.say(&format!(
            "{}{gap}{made} made{}, {frames} frames in {:.1} s, {rate:.0} frames/s{more}",
            styled(HEAD, word),
            if there > 0 { format!(", {there} there already") } else { String::new() },
            self.seconds,
        ))?;
        let faults = faults(self.all());
        say_faults(&faults, terminal)?;
        self.say_doubts(terminal)?;
        self.say_verdicts(terminal)?;
        if skipped > 0 {
            let line = format!("{skipped:>5}  files that hold no motion");
            terminal.say(&format!("{}  {line}", styled(HEAD, "skipped")))?;
        }
        for (file, made) in &self.gathered {
            match made {
                Ok(count) => {
                    let line = format!("{count:>5}  animations in {}", file.display());
                    terminal.say(&format!("{} {line}", styled(HEAD, "gathered")))?;
                }
                Err(error) => terminal.warn(&format!("{error:#}")),
            }
        }
        terminal.say(&format!("{}    {}", styled(HEAD, "wrote"), path.display()))?;
        terminal.json(&json!({
            "done": made, "there": there, "failed": failed, "skipped": skipped, "frames": frames,
            "seconds": self.seconds, "interrupted": self.interrupted,
            "manifest": path.display().to_string(), "ranked": self.ranked(),
            "gathered": self.gathered.iter().map(gathered).collect::<Vec<_>>(),
            "faults": faults.iter().map(|(kind, names)| json!({ "kind": kind, "files": names })).collect::<Vec<_>>(),
        }))?;
        Ok(())
    }

    /// Counts grades, and names the results to look at first.
    fn say_verdicts(&self, terminal: &Terminal) -> Result<(), Failure> {
        let ranked = self.ranked();
        if ranked.is_empty() {
            return Ok(());
        }
        let counted = |word: &str| ranked.iter().filter(|own| own.verdict == word).count();
        let counts = ["PASS", "LOOK", "FAIL"].map(|word| format!("{} {word}", counted(word)));
        terminal.say(&format!("{}  {}", styled(HEAD, "verdicts"), counts.join(", ")))?;
        let of = |word| ranked.iter().filter(move |own| own.verdict == word);
        for Ranked { verdict, score, output, reason } in of("FAIL").chain(of("LOOK")).take(WORST) {
            let reason = reason.unwrap_or_default();
            terminal.say(&format!("{:10}{verdict} {score:.2}  {output}: {reason}", ""))?;
        }
        Ok(())
    }

    /// Results with a verdict, the worst first.
    fn ranked(&self) -> Vec<Ranked<'_>> {
        let ranked = |line| -> Option<Ranked> {
            let Line { output, result, .. }: &Line = line;
            let Done { verdict, score, reason, .. } = result.as_ref()?;
            Some(Ranked {
                verdict: verdict.as_deref()?,
                score: (*score)?,
                output: output.as_deref()?,
                reason: reason.as_deref(),
            })
        };
        let mut all: Vec<Ranked> = self.all().filter_map(ranked).collect();
        all.sort_by(|a, b| a.score.total_cmp(&b.score).then(a.output.cmp(b.output)));
        all
    }

    /// Prints which results rest on weak guesses, and the most frequent warnings.
    fn say_doubts(&self, terminal: &Terminal) -> Result<(), Failure> {
        let sure = |line: &Line| Some(line.result.as_ref()?.sure.into_iter().fold(1.0, f64::min));
        let unsure =
            self.all().filter(|line| sure(line).is_some_and(|sure| sure < MIN_ROLE_CONFIDENCE));
        let names: Vec<&str> = unsure.filter_map(|line| line.output.as_deref()).collect();
        if !names.is_empty() {
            let line = format!(
                "{:>5}  from a clip or rig that is less than 50 % sure: {}",
                names.len(),
                some(&names)
            );
            terminal.say(&format!("{}   {line}", styled(HEAD, "unsure")))?;
        }
        let mut warnings: BTreeMap<&str, usize> = BTreeMap::new();
        for warning in self.all().flat_map(|line| &line.warnings) {
            *warnings.entry(warning).or_default() += 1;
        }
        let mut warnings: Vec<_> = warnings.into_iter().collect();
        warnings.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        for (warning, count) in warnings.into_iter().take(EXAMPLES) {
            terminal.say(&format!("{}     {count:>5}  {warning}", styled(HEAD, "told")))?;
        }
        Ok(())
    }
}

/// Merged file, as JSON.
fn gathered((file, made): &(PathBuf, anyhow::Result<usize>)) -> Value {
    let error = made.as_ref().err().map(|error| format!("{error:#}"));
    let file = file.display().to_string();
    json!({ "file": file, "animations": made.as_ref().ok(), "error": error })
}

/// Prints failures by their reason.
fn say_faults(faults: &BTreeMap<&str, Vec<&str>>, terminal: &Terminal) -> std::io::Result<()> {
    faults.iter().try_for_each(|(kind, names)| {
        let line = format!("{:>5}  {kind}: {}", names.len(), some(names));
        terminal.say(&format!("{}   {line}", styled(HEAD, "failed")))
    })
}

/// First names, and how many more there are.
fn some(names: &[&str]) -> String {
    let more = names.len().saturating_sub(EXAMPLES);
    let examples = names[..names.len().min(EXAMPLES)].join(", ");
    if more > 0 { format!("{examples} and {more} more") } else { examples }
}

/// Groups failures by their reason; onto several rigs a clip fails once.
fn faults<'a>(lines: impl Iterator<Item = &'a Line>) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut faults: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in lines {
        if let Some(fault) = &line.error {
            faults.entry(&fault.kind).or_default().insert(&line.input);
        }
    }
    faults.into_iter().map(|(kind, names)| (kind, names.into_iter().collect())).collect()
}

/// Prints what a batch would do.
pub(crate) fn plan(batch: &BatchPlan, terminal: &Terminal) -> Result<(), Failure> {
    let BatchPlan { args, found, jobs, .. } = batch;
    let kinds = say_kinds(batch, terminal)?;
    let known = if args.force { BTreeMap::new() } else { manifest::read(&args.output)? };
    let mut there = 0;
    let mut failing = Vec::new();
    for job in *jobs {
        match batch.origin(job) {
            Ok(origin) => {
                there += usize::from(is_done(&known, &job.place, &origin, &args.output));
            }
            Err(fault) => failing.push(batch.failed(job, fault)),
        }
    }
    let faults = faults(failing.iter());
    say_faults(&faults, terminal)?;
    terminal.say(&format!(
        "{}     {} clips onto {} rigs: {} results, {there} of them there already, {} cannot be made; {} left out by \
         options, {} files skipped; nothing written",
        styled(HEAD, "plan"),
        found.clips.len(),
        args.targets.len(),
        jobs.len(),
        failing.len(),
        found.clips.len() * args.targets.len() - jobs.len(),
        found.skipped.len()
    ))?;
    let cannot =
        |line: &Line| json!({ "input": line.input, "target": line.target, "error": line.error });
    let cannot: Vec<Value> = failing.iter().map(cannot).collect();
    let skipped = found.skipped.iter().map(|path| path.display().to_string());
    Ok(terminal.json(&json!({
        "kinds": kinds, "results": jobs.len(), "there": there,
        "cannot": cannot, "skipped": skipped.collect::<Vec<_>>(),
    }))?)
}

/// Prints the rig classes, and whether they have a card.
fn say_kinds(batch: &BatchPlan, terminal: &Terminal) -> Result<Vec<Value>, Failure> {
    let BatchPlan { args, found, survey, cards, .. } = batch;
    // Clips come before rigs.
    let clips = survey.place[..found.clips.len()].iter().flatten().count();
    let kinds = survey.kinds.iter().zip(*cards).map(|(kind, card)| {
        let count = kind.members.iter().filter(|&&file| file < clips).count();
        let state = match card {
            Err(fault) => &fault.message,
            Ok(card) if !args.relearn && args.output.join(&card.place).is_file() => "there already",
            Ok(_) => "to be made",
        };
        let name = &kind.name;
        terminal.say(&format!("{}     {name}, {count} clips: {state}", styled(HEAD, "kind")))?;
        Ok(json!({ "card": format!("cards/{name}.toml"), "clips": count, "state": state }))
    });
    kinds.collect()
}
