//! Batches of files.

use crate::anatomy::json;
use crate::errors::{input_error, raise_batch};
use crate::pair::read_options;
use crate::pool::{self, Watching};
use pyo3::prelude::*;
use rebone_batch::{BatchOutcome, BatchRequest, Input, NameTemplate, Progress};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Treatment of the output folder by a batch.
#[derive(Debug, FromPyObject)]
pub(crate) struct BatchFlags {
    #[pyo3(item)]
    name: Option<String>,
    #[pyo3(item)]
    rules: Option<PathBuf>,
    #[pyo3(item)]
    one_file: bool,
    #[pyo3(item)]
    prune: bool,
    #[pyo3(item)]
    overwrite: bool,
    #[pyo3(item)]
    force: bool,
    #[pyo3(item)]
    relearn: bool,
}

/// Events of a batch that the caller's thread has not seen.
#[derive(Default)]
struct Events {
    stop: AtomicBool,
    done: AtomicUsize,
    all: AtomicUsize,
    lines: Mutex<Vec<String>>,
    notes: Mutex<Vec<String>>,
}

impl Events {
    fn take(list: &Mutex<Vec<String>>) -> Vec<String> {
        std::mem::take(&mut *list.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(list: &Mutex<Vec<String>>, text: String) {
        list.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }

    fn note(&self, event: Progress) {
        match event {
            Progress::Note(text) => Self::add(&self.notes, text.to_owned()),
            Progress::UnusedRule(patterns) => {
                Self::add(&self.notes, format!("the options for {patterns} hold for no clip"));
            }
            Progress::Begin { results, faults, .. } => {
                self.all.store(results, Ordering::Relaxed);
                faults.into_iter().for_each(|fault| Self::add(&self.notes, fault.to_owned()));
            }
            Progress::Result { line, .. } => {
                self.done.fetch_add(1, Ordering::Relaxed);
                Self::add(&self.lines, serde_json::to_string(line).unwrap_or_default());
            }
        }
    }
}

/// Retargets files of clips onto rigs. Calls `on_line` with each line of the manifest as JSON, and `progress` with step, done
/// and all, on this thread. Returns a summary as JSON.
#[pyfunction]
pub(crate) fn batch(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    targets: Vec<PathBuf>,
    out: PathBuf,
    options: &str,
    flags: BatchFlags,
    callbacks: (Option<Py<PyAny>>, Option<Py<PyAny>>),
) -> PyResult<String> {
    let inputs = inputs.into_iter().map(Input::Files).collect();
    let name = flags.name.as_deref().map(str::parse::<NameTemplate>).transpose();
    let request = BatchRequest {
        options: read_options(options)?,
        name: name.map_err(|error| input_error(&format!("name: {error}")))?,
        rules: flags.rules,
        one_file: flags.one_file,
        prune: flags.prune,
        overwrite: flags.overwrite,
        force: flags.force,
        relearn: flags.relearn,
        ..BatchRequest::new(inputs, targets, out)
    };
    let events = Arc::new(Events::default());
    let (on_line, progress) = callbacks;
    let look = |py: Python<'_>| {
        for line in Events::take(&events.lines) {
            on_line.as_ref().map_or(Ok(()), |own| own.call1(py, (line,)).map(drop))?;
        }
        let Some(progress) = &progress else { return Ok(()) };
        let [done, all] = [&events.done, &events.all].map(|own| own.load(Ordering::Relaxed));
        progress.call1(py, ("batch", done, all)).map(drop)
    };
    let stop = || events.stop.store(true, Ordering::Relaxed);
    let watching = Watching { stop: &stop, look: &look, waits: true };
    let own = Arc::clone(&events);
    let outcome = pool::run(py, &watching, move || {
        rebone_batch::run(&request, &own.stop, &mut |event: Progress| own.note(event))
    })?;
    let outcome = outcome.map_err(raise_batch)?;
    look(py)?;
    json(&summary(&outcome, &Events::take(&events.notes)))
}

fn summary(outcome: &BatchOutcome, notes: &[String]) -> Value {
    json!({
        "manifest": outcome.manifest,
        "lines": outcome.lines,
        "kept": outcome.kept,
        "failed": outcome.failed().count(),
        "edited": outcome.edited,
        "merged": outcome.merged.iter().map(|own| &own.path).collect::<Vec<_>>(),
        "interrupted": outcome.interrupted,
        "seconds": outcome.seconds,
        "notes": notes,
    })
}
