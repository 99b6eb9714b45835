//! What is said at the end of a batch, and before one that is only planned.

use super::manifest::{Line, NAME, Status};
use crate::commands::batch::Batched;
use crate::exit_code::{ExitCode, Failure};
use crate::terminal::{NAME as HEAD, Terminal, styled};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

/// So many names are said of what failed for one reason.
const EXAMPLES: usize = 3;

/// How a batch ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// What was known before: results that are there already, and what cannot be done.
    pub(crate) kept: Vec<Line>,
    /// What was done now.
    pub(crate) lines: Vec<Line>,
    /// How long that took.
    pub(crate) seconds: f64,
    /// Whether the user stopped it.
    pub(crate) interrupted: bool,
}

impl Ended {
    fn count(&self, status: Status) -> usize {
        self.all().filter(|line| line.status == status).count()
    }

    fn all(&self) -> impl Iterator<Item = &Line> {
        self.kept.iter().chain(&self.lines)
    }

    /// How the program ends.
    pub(crate) fn code(&self) -> ExitCode {
        match (self.interrupted, self.count(Status::Done), self.count(Status::Failed)) {
            (true, ..) => ExitCode::Interrupted,
            (_, _, 0) => ExitCode::Done,
            (_, 0, _) => ExitCode::Input,
            _ => ExitCode::Some,
        }
    }

    /// Says what was done, and counts what was not by its reason.
    pub(crate) fn tell(&self, output: &Path, terminal: &Terminal) -> Result<(), Failure> {
        let frames = self.lines.iter().filter_map(|line| Some(line.result.as_ref()?.frames));
        let frames: usize = frames.sum();
        let made = self.lines.iter().filter(|line| line.status == Status::Done).count();
        let there = self.count(Status::Done) - made;
        let (failed, skipped) = (self.count(Status::Failed), self.count(Status::Skipped));
        let rate = frames as f64 / self.seconds.max(1e-3);
        let path = output.join(NAME);
        terminal.say(&format!(
            "{}     {made} made{}, {frames} frames in {:.1} s, {rate:.0} frames/s",
            styled(HEAD, "done"),
            if there > 0 { format!(", {there} there already") } else { String::new() },
            self.seconds,
        ))?;
        let faults = faults(self.all());
        for (kind, names) in &faults {
            let more = names.len().saturating_sub(EXAMPLES);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let examples = names[..names.len().min(EXAMPLES)].join(", ");
            let line = format!("{:>5}  {kind}: {examples}{more}", names.len());
            terminal.say(&format!("{}   {line}", styled(HEAD, "failed")))?;
        }
        if skipped > 0 {
            let line = format!("{skipped:>5}  files that are no BVH");
            terminal.say(&format!("{}  {line}", styled(HEAD, "skipped")))?;
        }
        terminal.say(&format!("{}    {}", styled(HEAD, "wrote"), path.display()))?;
        terminal.json(&json!({
            "done": made, "there": there, "failed": failed, "skipped": skipped, "frames": frames,
            "seconds": self.seconds, "interrupted": self.interrupted, "manifest": path,
            "faults": faults.iter().map(|(kind, names)| json!({ "kind": kind, "files": names })).collect::<Vec<_>>(),
        }))?;
        Ok(())
    }
}

/// What could not be made, by the reason.
fn faults<'a>(lines: impl Iterator<Item = &'a Line>) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut faults: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in lines {
        if let Some(fault) = &line.error {
            let names = faults.entry(&fault.kind).or_default();
            // Onto several rigs a clip fails once.
            if names.last() != Some(&line.input.as_str()) {
                names.push(&line.input);
            }
        }
    }
    faults
}

/// Says what a batch would do.
pub(crate) fn plan(batch: &Batched, terminal: &Terminal) -> Result<(), Failure> {
    let Batched { args, found, jobs, survey, cards } = batch;
    let mut kinds = Vec::new();
    for (kind, card) in survey.kinds.iter().zip(*cards) {
        let clips = kind
            .members
            .iter()
            .filter(|&&file| found.clips.iter().any(|clip| clip.path == survey.files[file].path));
        let (count, fault) = (clips.count(), card.as_ref().err());
        let state = match fault {
            Some(fault) => fault.message.clone(),
            None if args.relearn || !args.output.join(card_place(card)).is_file() => {
                "to be made".to_owned()
            }
            None => "there already".to_owned(),
        };
        kinds.push(
            json!({ "card": format!("cards/{}.toml", kind.name), "clips": count, "state": state }),
        );
        terminal.say(&format!(
            "{}     {}, {count} clips: {state}",
            styled(HEAD, "kind"),
            kind.name
        ))?;
    }
    let mut failing = Vec::new();
    for job in *jobs {
        if let Err(fault) = batch.origin(job) {
            failing.push(json!({ "input": found.clips[job.clip].path, "kind": fault.kind }));
        }
    }
    terminal.say(&format!(
        "{}     {} clips onto {} rigs: {} results, {} of them cannot be made; {} files skipped; nothing written",
        styled(HEAD, "plan"),
        found.clips.len(),
        args.targets.len(),
        jobs.len(),
        failing.len(),
        found.skipped.len()
    ))?;
    Ok(terminal.json(&json!({
        "kinds": kinds, "results": jobs.len(), "cannot": failing, "skipped": found.skipped,
    }))?)
}

fn card_place(card: &Result<super::cards::Carded, super::manifest::Fault>) -> String {
    card.as_ref().map_or(String::new(), |card| card.place.clone())
}
