//! Batches of files.

use crate::anatomy::json;
use crate::errors::{input_error, raise_batch};
use crate::pair::read_options;
use crate::pool::{self, Watching};
use pyo3::prelude::*;
use rebone::skeleton::Format;
use rebone_batch::{
    BatchOutcome, BatchRequest, CardState, CardsOutcome, Input, MergedShards, NameTemplate,
    Progress, Shard, make_cards, merge_shards,
};
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Treatment of the output folder by a batch.
#[derive(Debug, FromPyObject)]
pub(crate) struct BatchFlags {
    #[pyo3(item)]
    name: Option<String>,
    #[pyo3(item)]
    format: Option<String>,
    #[pyo3(item)]
    shard: Option<String>,
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

fn request(
    inputs: Vec<PathBuf>,
    targets: Vec<PathBuf>,
    out: PathBuf,
    options: &str,
    flags: BatchFlags,
) -> PyResult<BatchRequest> {
    let inputs = inputs.into_iter().map(Input::Files).collect();
    let name = flags.name.as_deref().map(str::parse::<NameTemplate>).transpose();
    let format = flags.format.map(|end| Format::of_name(format!("clip.{end}"))).transpose();
    let shard = flags.shard.as_deref().map(str::parse::<Shard>).transpose();
    Ok(BatchRequest {
        options: read_options(options)?,
        name: name.map_err(|error| input_error(&format!("name: {error}")))?,
        format: format.map_err(|error| {
            let formats = "bvh, glb, gltf, vrm, vrma or npz";
            input_error(&format!("format: found {}, expected {formats}", error.extension))
        })?,
        shard: shard.map_err(|error| input_error(&format!("shard: {error}")))?,
        rules: flags.rules,
        one_file: flags.one_file,
        prune: flags.prune,
        overwrite: flags.overwrite,
        force: flags.force,
        relearn: flags.relearn,
        ..BatchRequest::new(inputs, targets, out)
    })
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
    let request = request(inputs, targets, out, options, flags)?;
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

/// Makes the cards of rigs and of the rig classes in a sample of the files, and no results. Returns a summary as JSON.
#[pyfunction]
pub(crate) fn batch_cards(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    targets: Vec<PathBuf>,
    out: PathBuf,
    options: &str,
    flags: BatchFlags,
    sample: NonZeroUsize,
) -> PyResult<String> {
    let request = request(inputs, targets, out, options, flags)?;
    let outcome = stoppable(py, move |stop| make_cards(&request, sample, stop))?;
    json(&cards_summary(&outcome.map_err(raise_batch)?))
}

/// Merges the manifests of all finished shards of a folder. Returns a summary as JSON.
#[pyfunction]
pub(crate) fn merge(py: Python<'_>, out: PathBuf) -> PyResult<String> {
    let outcome = stoppable(py, move |stop| merge_shards(&out, stop))?;
    json(&merged_summary(&outcome.map_err(raise_batch)?))
}

/// Works in the pool until it is done, or Ctrl-C sets the flag.
fn stoppable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    let flag = Arc::new(AtomicBool::new(false));
    let stop = || flag.store(true, Ordering::Relaxed);
    let watching = Watching { stop: &stop, look: &|_| Ok(()), waits: true };
    let own = Arc::clone(&flag);
    pool::run(py, &watching, move || work(&own))
}

fn cards_summary(outcome: &CardsOutcome) -> Value {
    let classes = outcome.classes.iter().map(|class| {
        let (state, fault) = match &class.card {
            CardState::Exists => ("kept", None),
            CardState::New => ("made", None),
            CardState::Fault(fault) => ("failed", Some(&fault.message)),
        };
        json!({ "name": class.name, "clips": class.clips, "state": state, "fault": fault })
    });
    let unread = outcome
        .unread
        .iter()
        .map(|(path, fault)| json!([path.display().to_string(), fault.message]));
    json!({
        "classes": classes.collect::<Vec<_>>(),
        "files": outcome.files,
        "waiting": outcome.waiting,
        "unread": unread.collect::<Vec<_>>(),
    })
}

fn merged_summary(merged: &MergedShards) -> Value {
    let [done, failed, no_card, skipped] = merged.counts;
    json!({
        "manifest": merged.manifest,
        "shards": merged.shards,
        "missing": merged.missing,
        "unfinished": merged.unfinished,
        "counts": { "done": done, "failed": failed, "no-card": no_card, "skipped": skipped },
        "verdicts": merged.verdicts,
    })
}
