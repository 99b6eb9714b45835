//! Batches of files.

use crate::anatomy::json;
use crate::convert::errors::{input_error, raise_batch};
use crate::pair::read_options;
use crate::pool::{self, Watching};
use pyo3::prelude::*;
use rebone::skeleton::Format;
use rebone_batch::{
    BatchError, BatchOutcome, BatchRequest, CardState, Input, NameTemplate, PlannedClass, Progress,
    Shard, path_hash,
};
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
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
    rules: Option<PathBuf>,
    #[pyo3(item)]
    shard: Option<(u32, u32)>,
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

/// Inputs, targets and the output folder of a batch.
type Places = (Vec<PathBuf>, Vec<PathBuf>, PathBuf);

fn request(
    (inputs, targets, out): Places,
    options: &str,
    flags: BatchFlags,
) -> PyResult<BatchRequest> {
    let inputs = inputs.into_iter().map(Input::Files).collect();
    let name = flags.name.as_deref().map(str::parse::<NameTemplate>).transpose();
    let format = flags.format.map(|end| Format::of_name(Path::new(&format!("clip.{end}"))));
    let shard = flags.shard.map(|(number, count)| Shard::new(number, count));
    Ok(BatchRequest {
        options: read_options(options)?,
        name: name.map_err(|error| input_error(&format!("name: {error}")))?,
        format: format.transpose().map_err(|error| input_error(&format!("format: {error}")))?,
        shard: shard.transpose().map_err(|error| input_error(&format!("shard: {error}")))?,
        rules: flags.rules,
        one_file: flags.one_file,
        prune: flags.prune,
        overwrite: flags.overwrite,
        force: flags.force,
        relearn: flags.relearn,
        ..BatchRequest::new(inputs, targets, out)
    })
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
            Progress::Note(text) | Progress::UnusedRule(text) => {
                Self::add(&self.notes, text.to_owned());
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
    places: Places,
    options: &str,
    flags: BatchFlags,
    callbacks: (Option<Py<PyAny>>, Option<Py<PyAny>>),
) -> PyResult<String> {
    let request = request(places, options, flags)?;
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

/// Makes the cards of a sample of the clips, and no results. Returns a summary as JSON.
#[pyfunction]
pub(crate) fn make_cards(
    py: Python<'_>,
    places: Places,
    options: &str,
    flags: BatchFlags,
    sample: usize,
) -> PyResult<String> {
    let request = request(places, options, flags)?;
    let sample =
        NonZeroUsize::new(sample).ok_or_else(|| input_error("sample: expected 1 or more"))?;
    let outcome = stoppable(py, move |stop| rebone_batch::make_cards(&request, sample, stop))?;
    let class = |own: &PlannedClass| match &own.card {
        CardState::Exists => (format!("class {}: card kept", own.name), false),
        CardState::New => (format!("class {}: card made", own.name), false),
        CardState::Fault(fault) => (format!("class {}: {}", own.name, fault.message), true),
    };
    let classes: Vec<(String, bool)> = outcome.classes.iter().map(class).collect();
    let unread = outcome.unread.iter().map(|(_, fault)| &fault.message);
    let notes: Vec<&String> = classes.iter().map(|(note, _)| note).chain(unread).collect();
    let faults = classes.iter().filter(|(_, is_fault)| *is_fault).count();
    json(&json!({ "notes": notes, "failed": outcome.unread.len() + faults }))
}

/// Merges the manifests of the shards in a folder. Returns a summary as JSON.
#[pyfunction]
pub(crate) fn merge(py: Python<'_>, out: PathBuf) -> PyResult<String> {
    let own = stoppable(py, move |stop| rebone_batch::merge_shards(&out, stop))?;
    let [done, failed, no_card, skipped] = own.counts;
    let worst = own.worst.iter().map(|own| {
        json!({ "verdict": own.verdict, "score": own.score, "output": own.output, "reason": own.reason })
    });
    json(&json!({
        "manifest": own.manifest,
        "shards": own.shards,
        "missing": own.missing,
        "unfinished": own.unfinished,
        "mixed": own.mixed,
        "counts": { "done": done, "failed": failed, "no-card": no_card, "skipped": skipped },
        "verdicts": own.verdicts,
        "worst": worst.collect::<Vec<_>>(),
    }))
}

/// Files of clips whose results are up to date by these lines of a manifest, each as JSON.
#[pyfunction]
pub(crate) fn files_up_to_date(
    places: Places,
    options: &str,
    flags: BatchFlags,
    lines: Vec<String>,
) -> PyResult<Vec<PathBuf>> {
    let request = request(places, options, flags)?;
    let lines: Vec<_> = lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let files = rebone_batch::files_up_to_date(&request, &lines).map_err(raise_batch)?;
    Ok(files.into_iter().collect())
}

/// Hash of a path below its input, by which a shard has it or not; `None` where it is named neither as a motion nor as a tar.
#[pyfunction]
pub(crate) fn clip_hash(below: PathBuf) -> Option<u64> {
    let is_clip = rebone_batch::is_motion_name(&below) || rebone_batch::is_tar_name(&below);
    is_clip.then(|| path_hash(&below))
}

/// Returns whether a file is named as a tar.
#[pyfunction]
pub(crate) fn is_tar_name(path: PathBuf) -> bool {
    rebone_batch::is_tar_name(&path)
}

/// Returns whether a path below its input is of a shard.
#[pyfunction]
pub(crate) fn shard_holds(below: PathBuf, number: u32, count: u32) -> PyResult<bool> {
    let shard = Shard::new(number, count);
    Ok(shard.map_err(|error| input_error(&format!("shard: {error}")))?.holds(below))
}

/// Does work in the pool; Ctrl-C stops it.
fn stoppable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> Result<T, BatchError> + Send + 'static,
) -> PyResult<T> {
    let flag = Arc::new(AtomicBool::new(false));
    let stop = || flag.store(true, Ordering::Relaxed);
    let watching = Watching { stop: &stop, look: &|_| Ok(()), waits: true };
    let own = Arc::clone(&flag);
    pool::run(py, &watching, move || work(&own))?.map_err(raise_batch)
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
