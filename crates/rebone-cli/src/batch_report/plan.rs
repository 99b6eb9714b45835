//! Prints what a dry run found.

use super::{code_of, faults, say_faults, texts};
use crate::exit_code::{ExitCode, Failure};
use crate::terminal::{Terminal, counted};
use rebone_batch::manifest::ManifestLine;
use rebone_batch::{BatchPlan, CardState, FaultKind, PlannedClass, path_text};
use serde_json::{Value, json};

/// Exit code of the run that a dry run speaks of.
pub(crate) fn planned_exit_code(plan: &BatchPlan) -> ExitCode {
    let is_job = |line: &&ManifestLine| line.output.is_some();
    let unmade = plan.failing.iter().filter(is_job).count();
    match &plan.rig_fault {
        Some(fault) if fault.kind == FaultKind::LowConfidence => ExitCode::LowConfidence,
        Some(_) => ExitCode::Input,
        None => code_of(plan.results.saturating_sub(unmade), plan.failing.len()),
    }
}

/// Prints what a batch onto a number of rigs would do.
pub(crate) fn plan(plan: &BatchPlan, rigs: usize, terminal: &Terminal) -> Result<(), Failure> {
    let classes = plan.classes.iter().map(|class| say_class(class, "to be made", terminal));
    let classes: Vec<Value> = classes.collect::<std::io::Result<_>>()?;
    let BatchPlan { clips, results, up_to_date, left_out, failing, skipped, .. } = plan;
    say_faults(&faults(failing.iter()), terminal)?;
    let line = format!(
        "{} onto {}: {}, {up_to_date} of them up to date, {} cannot be made; {} left out by options, {} skipped; \
         nothing written",
        counted(*clips, "clip"),
        counted(rigs, "rig"),
        counted(*results, "result"),
        failing.len(),
        left_out,
        counted(skipped.len(), "file")
    );
    terminal.line("plan", line)?;
    if plan.others > 0 {
        terminal
            .line("keeps", format!("{:>5}  results of other clips, rigs or names", plan.others))?;
    }
    let gone = [texts(&plan.removed), texts(&plan.pictures)].concat();
    if !gone.is_empty() {
        terminal.line("prunes", format!("{:>5}  results and pictures:", gone.len()))?;
        gone.iter().try_for_each(|name| terminal.say(&format!("{:10}{name}", "")))?;
    }
    let cannot = |line: &ManifestLine| {
        let target = line.target.as_deref().map(path_text);
        json!({ "input": path_text(&line.input), "target": target, "error": line.error })
    };
    let skipped = texts(skipped);
    Ok(terminal.json(&json!({
        "rig_classes": classes, "results": results, "up_to_date": up_to_date, "edited": texts(&plan.edited),
        "others": plan.others, "removed": gone,
        "cannot": failing.iter().map(cannot).collect::<Vec<_>>(), "skipped": skipped,
    }))?)
}

/// Prints the state of a rig class's card, a new one as `new`; also returns it as JSON.
pub(super) fn say_class(
    class: &PlannedClass,
    new: &str,
    terminal: &Terminal,
) -> std::io::Result<Value> {
    let state = match &class.card {
        CardState::Fault(fault) => &fault.message,
        CardState::Exists => "exists",
        CardState::New => new,
    };
    let (name, clips) = (&class.name, class.clips);
    terminal.line("class", format!("{name}, {}: card {state}", counted(clips, "clip")))?;
    Ok(json!({ "card": format!("cards/{name}.toml"), "clips": clips, "state": state }))
}
