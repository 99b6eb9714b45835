//! Makes a tar of results: its clips on all threads, its members in the order of the clips.

use crate::disk::path_text::path_text;
use crate::disk::tar::TarWriter;
use crate::error::{BatchError, Fault, FaultKind, catch_panic, check};
use crate::jobs::tar_jobs::line_path;
use crate::jobs::{BatchJob, slashed};
use crate::record::hash::{HashedWriter, WrittenFile};
use crate::record::lock::{CompleteFile, OpenFile};
use crate::record::manifest::{HashedFile, JobStatus, ManifestLine, ResultQuality, json_line};
use crate::state::on_disk::FileStamp;
use crate::work::{
    ClipJob, ClipTask, InTar, LineHooks, WorkContext, announced, prepare, quality, saved_file,
    unwritable, warnings,
};
use rebone::{Anatomy, Character};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Results that may be done before the next clip that is written: each holds an open file.
const MAX_RESULTS_AHEAD: usize = 64;
/// Pause of a thread that finds nothing to help with.
const PAUSE: Duration = Duration::from_millis(1);

/// A tar of results that is made.
#[derive(Debug)]
pub(crate) struct TarTask<'a> {
    /// Its path below the output folder.
    tar: Arc<Path>,
    /// Path of the tar of its clips.
    source: Arc<Path>,
    /// Stamp of an earlier one when it was decided that it is replaced.
    stamp: FileStamp,
    /// Number of its clips.
    pub(crate) clips: usize,
    /// Number of clips whose results are written.
    written: AtomicUsize,
    state: Mutex<TarState<'a>>,
}

/// A tar of results that is being written.
#[derive(Debug, Default)]
struct TarState<'a> {
    file: Option<TarWriter<OpenFile>>,
    /// Results of clips behind one that is not done yet.
    waiting: BTreeMap<usize, Vec<TarResult<'a>>>,
    /// Results that are written, without their data.
    lines: Vec<(&'a BatchJob, ManifestLine)>,
    /// Fault that keeps the tar from being written.
    fault: Option<Fault>,
}

/// A result for a tar.
#[derive(Debug)]
struct TarResult<'a> {
    job: &'a BatchJob,
    line: ManifestLine,
    /// Its bytes, where it was made.
    data: Option<SpooledResult>,
}

/// A result in a file without a name.
#[derive(Debug)]
struct SpooledResult {
    file: File,
    written: WrittenFile,
    quality: ResultQuality,
    warnings: Vec<String>,
}

impl<'a> TarTask<'a> {
    pub(crate) fn new([tar, source]: [&Arc<Path>; 2], stamp: FileStamp) -> Self {
        Self {
            tar: Arc::clone(tar),
            source: Arc::clone(source),
            stamp,
            clips: 0,
            written: AtomicUsize::new(0),
            state: Mutex::default(),
        }
    }

    /// Its path below the output folder.
    pub(crate) fn below(&self) -> &Path {
        &self.tar
    }

    /// Does the jobs of a clip, and writes what is complete in the order of the clips; the last clip gives the tar its name.
    pub(crate) fn run(
        &self,
        task: &ClipTask<'a>,
        place: &InTar<'a>,
        context: &WorkContext,
        hooks: &LineHooks,
        emit: &mut dyn FnMut(Vec<ManifestLine>),
    ) {
        self.wait(place.index, task.jobs.len(), context);
        let Some(results) = results(task, place, context, hooks) else { return };
        let is_full = |own: &&TarResult| {
            own.line.error.as_ref().is_some_and(|f| f.kind == FaultKind::DiskFull)
        };
        if let Some(own) = results.iter().find(is_full) {
            return emit(vec![own.line.clone()]);
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting.insert(place.index, results);
        let mut next = self.written.load(Ordering::Relaxed);
        while let Some(results) = state.waiting.remove(&next) {
            self.write(&mut state, results, context);
            next += 1;
            self.written.store(next, Ordering::Relaxed);
        }
        if next == self.clips {
            let state = std::mem::take(&mut *state);
            emit(self.finish(state, context, hooks));
        }
    }

    /// Waits until few clips are ahead of the one that is written next, and helps with blocks of frames meanwhile.
    fn wait(&self, index: usize, results: usize, context: &WorkContext) {
        let most = (MAX_RESULTS_AHEAD / results.max(1)).max(1);
        let is_ahead = || index > self.written.load(Ordering::Relaxed) + most;
        while is_ahead() && check(context.stop).is_ok() {
            if rayon::yield_now() != Some(rayon::Yield::Executed) {
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// Writes the results of the next clip.
    fn write(&self, state: &mut TarState<'a>, results: Vec<TarResult<'a>>, context: &WorkContext) {
        for TarResult { job, line, data } in results {
            if state.fault.is_none() {
                let written = self.append(state, &line, data, context);
                state.fault = written.err().map(|error| unwritable(&error));
            }
            state.lines.push((job, line));
        }
    }

    fn append(
        &self,
        state: &mut TarState,
        line: &ManifestLine,
        data: Option<SpooledResult>,
        context: &WorkContext,
    ) -> Result<(), BatchError> {
        let file = match &mut state.file {
            Some(file) => file,
            file => file.insert(TarWriter::new(context.lock.begin(&self.path(context))?)),
        };
        let output = line.output.as_deref().unwrap_or(Path::new(""));
        let below = output.strip_prefix(slashed(&self.tar)).unwrap_or(output);
        if let Some(mut data) = data {
            data.file.seek(SeekFrom::Start(0))?;
            file.append(&path_text(below), data.written.bytes, data.file)?;
        }
        let text = json_line(&self.line_in_tar(line))?;
        Ok(file.append(&path_text(&line_path(below)), text.len() as u64, &text[..])?)
    }

    /// A line as it is in the tar: it does not depend on where the files are, or on time.
    fn line_in_tar(&self, line: &ManifestLine) -> ManifestLine {
        let mut line = ManifestLine { seconds: 0.0, ..line.clone() };
        let name = |path: &Path| PathBuf::from(path.file_name().unwrap_or_default());
        let [source, tar] = [&*self.source, &*self.tar].map(|path| path.display().to_string());
        if let Some(error) = &mut line.error {
            error.message = error.message.replace(&source, &tar);
            if let Some(target) = line.target.as_ref().filter(|own| name(own) != **own) {
                let shown = name(target).display().to_string();
                error.message = error.message.replace(&target.display().to_string(), &shown);
            }
        }
        if let Ok(below) = line.input.strip_prefix(&self.source) {
            line.input = slashed(&self.tar.join(below));
        }
        line.target = line.target.as_deref().map(name);
        line.from
            .iter_mut()
            .flat_map(|from| &mut from.beside)
            .for_each(|own| own.path = name(&own.path));
        line
    }

    /// Gives the tar its name; returns the lines of its results.
    fn finish(
        &self,
        mut state: TarState,
        context: &WorkContext,
        hooks: &LineHooks,
    ) -> Vec<ManifestLine> {
        let named = match (state.fault.take(), state.file.take()) {
            (None, Some(file)) => self.commit(file, &state.lines, context, hooks),
            (fault, _) => Err(fault.unwrap_or_else(|| unwritable(&BatchError::Interrupted))),
        };
        let line = |(job, line): (&BatchJob, ManifestLine)| match &named {
            Ok(tar) => ManifestLine { tar: Some(tar.clone()), ..line },
            Err(fault) => ManifestLine {
                from: line.from,
                seconds: line.seconds,
                error: Some(fault.clone()),
                ..(hooks.failed)(job)
            },
        };
        state.lines.into_iter().map(line).collect()
    }

    fn commit(
        &self,
        file: TarWriter<OpenFile>,
        lines: &[(&BatchJob, ManifestLine)],
        context: &WorkContext,
        hooks: &LineHooks,
    ) -> Result<HashedFile, Fault> {
        let path = self.path(context);
        let file = file.finish().map_err(BatchError::from);
        let file = file.and_then(|file| CompleteFile::of(&path, file));
        let file = file.map_err(|error| unwritable(&error))?;
        let tar = HashedFile { path: slashed(&self.tar), hash: file.hash().to_owned() };
        if let Some((job, _)) = lines.first() {
            // By one line the whole tar is known.
            let line = announced((hooks.failed)(job), None, None);
            let line = ManifestLine { tar: Some(tar.clone()), ..line };
            (hooks.announce)(&line).map_err(|error| unwritable(&error))?;
        }
        if self.stamp.is_outdated(&path) {
            return Err(saved_file(&path));
        }
        file.commit().map_err(|error| unwritable(&error))?;
        Ok(tar)
    }

    fn path(&self, context: &WorkContext) -> PathBuf {
        context.output.join(&self.tar)
    }
}

/// Does all jobs of a clip, in the order of their names; `None` when the work is stopped.
fn results<'a>(
    task: &ClipTask<'a>,
    place: &InTar<'a>,
    context: &WorkContext,
    hooks: &LineHooks,
) -> Option<Vec<TarResult<'a>>> {
    let mut begin = Instant::now();
    let failing = place.failing.iter();
    let mut results: Vec<TarResult> = failing
        .map(|(job, line)| TarResult { job, line: in_new_tar(line.clone()), data: None })
        .collect();
    let read = (!task.jobs.is_empty())
        .then(|| catch_panic(|| task.read().map_err(|error| Fault::of(&error))));
    for own in &task.jobs {
        check(context.stop).ok()?;
        let made = match &read {
            Some(Ok(clip)) => catch_panic(|| make(context, clip, own)),
            Some(Err(fault)) => Err(fault.clone()),
            None => return None,
        };
        let from = Some(own.from.clone());
        let mut line = ManifestLine { from, ..in_new_tar((hooks.failed)(own.job)) };
        let mut data = None;
        match made {
            Ok(Some(made)) => {
                line.status = JobStatus::Done;
                line.file = Some(made.written.hash.clone());
                (line.result, line.warnings) = (Some(made.quality.clone()), made.warnings.clone());
                data = Some(made);
            }
            Ok(None) => return None,
            Err(fault) => line.error = Some(fault),
        }
        line.seconds = begin.elapsed().as_secs_f64();
        begin = Instant::now();
        results.push(TarResult { job: own.job, line, data });
    }
    results.sort_by(|a, b| a.line.output.cmp(&b.line.output));
    Some(results)
}

/// A line without the results of an earlier tar.
fn in_new_tar(line: ManifestLine) -> ManifestLine {
    ManifestLine { file: None, tar: None, picture: None, ..line }
}

/// Makes one result, in a file without a name; `None` when it was interrupted.
fn make(
    context: &WorkContext,
    clip: &(Character, Anatomy),
    own: &ClipJob,
) -> Result<Option<SpooledResult>, Fault> {
    let path = context.output.join(&own.job.path);
    let (retarget, format) = prepare(clip, own, &path)?;
    let write = || {
        let file = std::io::BufWriter::new(tempfile::tempfile_in(context.lock.folder())?);
        let mut file = HashedWriter::new(file);
        let report = context.write(&retarget, format, &mut file, drop)?;
        let (file, written) = file.finish();
        let file = file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        Ok::<_, BatchError>((file, written, report))
    };
    let (file, written, report) = match write() {
        Ok(written) => written,
        Err(BatchError::Interrupted) => return Ok(None),
        Err(error) => return Err(unwritable(&error)),
    };
    let quality = quality(&report, &retarget, [&clip.1, &own.rig.anatomy], written.bytes);
    let warnings = warnings([&clip.0, &own.rig.character], &report);
    Ok(Some(SpooledResult { file, written, quality, warnings }))
}
