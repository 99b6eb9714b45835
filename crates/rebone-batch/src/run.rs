//! Runs a batch: prepares it, makes what is not up to date, and merges where wanted.

use crate::cards::CardOptions;
use crate::error::{BatchError, Fault, FaultKind, check};
use crate::inputs::FoundClips;
use crate::jobs::{BatchJob, jobs, slashed};
use crate::lock::OutputLock;
use crate::manifest::{self, JobStatus, Manifest, ManifestLine, Provenance};
use crate::merge::{MergeTask, MergedFile};
use crate::request::{BatchRequest, Progress};
use crate::rules::OptionRules;
use crate::survey::{Cards, FileSurvey};
use crate::work::{AnalysedRig, ClipTask, WorkContext};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// Callback for progress.
pub(crate) type Watch<'a> = dyn FnMut(Progress<'_>) + Send + 'a;

/// Outcome of a batch.
#[derive(Clone, Debug)]
pub struct BatchOutcome {
    /// Path of the manifest.
    pub manifest: PathBuf,
    /// Lines of results that were up to date, of jobs that cannot be done, and of skipped files.
    pub kept: Vec<ManifestLine>,
    /// Lines of this run.
    pub lines: Vec<ManifestLine>,
    /// Seconds of this run.
    pub seconds: f64,
    /// Whether the caller stopped it.
    pub interrupted: bool,
    /// Merged files, where wanted.
    pub merged: Vec<MergedFile>,
}

impl BatchOutcome {
    /// All lines.
    pub fn all(&self) -> impl Iterator<Item = &ManifestLine> {
        self.kept.iter().chain(&self.lines)
    }

    /// Lines of results that were not made.
    pub fn failed(&self) -> impl Iterator<Item = &ManifestLine> {
        self.all().filter(|line| line.status == JobStatus::Failed)
    }
}

/// Runs a batch. Sets `stop` itself where the manifest cannot be written.
///
/// # Errors
/// When the request cannot be done at all: inputs or rigs cannot be used, names collide, or the work is stopped before its
/// first result. Clips that fail are lines of the outcome.
pub fn run(
    request: &BatchRequest,
    stop: &AtomicBool,
    watch: &mut Watch,
) -> Result<BatchOutcome, BatchError> {
    let prepared = Prepared::new(request, watch)?;
    let lock = OutputLock::acquire(&request.output)?;
    prepared.pool.install(|| {
        let survey = prepared.survey(stop)?;
        let cards = survey.cards(&card_options(request, false, stop))?;
        Work { request, prepared: &prepared, cards: &cards, lock: &lock, stop }.run(watch)
    })
}

/// Options for the cards of a batch.
pub(crate) fn card_options<'a>(
    request: &'a BatchRequest,
    dry_run: bool,
    stop: &'a AtomicBool,
) -> CardOptions<'a> {
    CardOptions {
        output: &request.output,
        accept_guesses: request.options.accept_guesses,
        relearn: request.relearn,
        dry_run,
        stop,
    }
}

/// A batch before any file is read.
#[derive(Debug)]
pub(crate) struct Prepared<'a> {
    request: &'a BatchRequest,
    pub(crate) found: FoundClips,
    pub(crate) jobs: Vec<BatchJob>,
    pub(crate) pool: rayon::ThreadPool,
}

impl<'a> Prepared<'a> {
    /// Finds clips and lists jobs.
    pub(crate) fn new(request: &'a BatchRequest, watch: &mut Watch) -> Result<Self, BatchError> {
        let threads = request.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| BatchError::Input(error.to_string()))?;
        let pictures = request.pictures.iter().map(|pictures| &pictures.folder);
        for folder in [&request.output].into_iter().chain(pictures) {
            if folder.exists() && !folder.is_dir() {
                let message = format!("{} is a file, not a folder", folder.display());
                return Err(BatchError::Request(message));
            }
        }
        let rules = OptionRules::read(request.rules.as_deref())?;
        let found = FoundClips::new(&request.inputs, &request.output)?;
        let jobs = jobs(request, &found, &rules)?;
        for patterns in rules.unmatched(&found.clips, &request.targets) {
            watch(Progress::UnusedRule(&patterns));
        }
        Ok(Self { request, found, jobs, pool })
    }

    /// Reads the skeletons of all files.
    pub(crate) fn survey(&self, stop: &AtomicBool) -> Result<FileSurvey, BatchError> {
        FileSurvey::new(&self.found.clips, &self.request.targets, &self.request.output, stop)
    }

    /// Line of a job that was not done.
    pub(crate) fn failed_line(&self, job: &BatchJob, error: Option<Fault>) -> ManifestLine {
        ManifestLine {
            target: Some(self.request.targets[job.rig].display().to_string()),
            output: Some(slashed(&job.path)),
            error,
            ..ManifestLine::of(&self.found.clips[job.clip], JobStatus::Failed)
        }
    }

    /// Lines of earlier runs by result; none where all is made again.
    pub(crate) fn known(&self) -> Result<BTreeMap<String, ManifestLine>, BatchError> {
        match self.request.force {
            true => Ok(BTreeMap::new()),
            false => manifest::read(&self.request.output),
        }
    }
}

/// The line of a result that exists and is up to date.
pub(crate) fn up_to_date<'a>(
    known: &'a BTreeMap<String, ManifestLine>,
    path: &Path,
    provenance: &Provenance,
    output: &Path,
) -> Option<&'a ManifestLine> {
    let line = known.get(&slashed(path))?;
    let bytes = std::fs::metadata(output.join(path)).ok()?.len();
    let is_complete = line.result.as_ref().is_some_and(|result| result.bytes == bytes);
    let is_done = line.status == JobStatus::Done && is_complete;
    let is_same = line.from.as_ref().is_some_and(|from| from.is_same(provenance));
    Some(line).filter(|_| is_done && is_same)
}

/// A batch at work.
struct Work<'a> {
    request: &'a BatchRequest,
    prepared: &'a Prepared<'a>,
    cards: &'a Cards<'a>,
    lock: &'a OutputLock,
    stop: &'a AtomicBool,
}

impl Work<'_> {
    fn run(&self, watch: &mut Watch) -> Result<BatchOutcome, BatchError> {
        let (request, found, jobs) = (self.request, &self.prepared.found, &self.prepared.jobs);
        let rigs = self.rigs()?;
        self.check_beside(&rigs)?;
        let (kept, tasks) = self.tasks(&rigs)?;
        let output = &request.output;
        let manifest = Manifest::begin(output, self.lock.folder(), kept.iter())?;
        let reasons: BTreeSet<&str> =
            kept.iter().filter_map(|line| Some(line.error.as_ref()?.message.as_str())).collect();
        watch(Progress::Begin {
            results: tasks.iter().map(|task| task.jobs.len()).sum(),
            bytes: tasks.iter().map(|task| task.bytes * task.jobs.len() as u64).sum(),
            faults: reasons.into_iter().collect(),
        });
        let begin = Instant::now();
        let lines = self.run_all(&tasks, manifest, watch)?;
        let seconds = begin.elapsed().as_secs_f64();
        let mut all: Vec<&ManifestLine> = kept.iter().chain(&lines).collect();
        all.sort_by_key(|line| (&line.input, &line.output));
        Manifest::begin(output, self.lock.folder(), all.iter().copied())?;
        let task =
            MergeTask { output, lock: self.lock, clips: &found.clips, jobs, stop: self.stop };
        let merged = match request.one_file && check(self.stop).is_ok() {
            true => task.run(&rigs, &all),
            false => Vec::new(),
        };
        let interrupted = check(self.stop).is_err();
        let manifest = output.join(manifest::NAME);
        Ok(BatchOutcome { manifest, kept, lines, seconds, interrupted, merged })
    }

    /// Analyses the rigs.
    fn rigs(&self) -> Result<Vec<AnalysedRig>, BatchError> {
        let rig = |(index, path): (usize, &PathBuf)| {
            let card = self.cards.of_rig(index).map_err(BatchError::Fault)?;
            AnalysedRig::read(path, card, self.request)
        };
        self.request.targets.iter().enumerate().map(rig).collect()
    }

    /// Refuses results that would replace a file that a rig names.
    fn check_beside(&self, rigs: &[AnalysedRig]) -> Result<(), BatchError> {
        let jobs = self.prepared.jobs.iter();
        let outputs: Vec<_> = jobs.map(|job| self.request.output.join(&job.path)).collect();
        for file in rigs.iter().flat_map(|rig| rig.character.files_beside()) {
            if let Some(output) = outputs.iter().find(|output| rebone::same_file(output, &file)) {
                rebone::check_outputs(&[file], &[output])?;
            }
        }
        Ok(())
    }

    /// Lines of results that are up to date or cannot be made, and tasks for all others, by clip.
    fn tasks<'b>(
        &'b self,
        rigs: &'b [AnalysedRig],
    ) -> Result<(Vec<ManifestLine>, Vec<ClipTask<'b>>), BatchError> {
        let known = self.prepared.known()?;
        let mut kept: Vec<ManifestLine> = Vec::new();
        let mut tasks: BTreeMap<usize, ClipTask> = BTreeMap::new();
        for job in &self.prepared.jobs {
            let provenance = match self.cards.provenance(job) {
                Ok(provenance) => provenance,
                Err(fault) => {
                    kept.push(self.prepared.failed_line(job, Some(fault)));
                    continue;
                }
            };
            let picture = self.request.pictures.as_ref();
            let has_picture = picture.is_none_or(|own| own.path(&job.path).is_file());
            match up_to_date(&known, &job.path, &provenance, &self.request.output) {
                Some(line) if has_picture => kept.push(line.clone()),
                _ => {
                    let task = tasks.entry(job.clip).or_insert_with(|| self.task(job.clip));
                    task.jobs.push((job, &rigs[job.rig], provenance));
                }
            }
        }
        let found = &self.prepared.found;
        let skipped = found.skipped.iter().map(|path| ManifestLine::new(path, JobStatus::Skipped));
        let unread = found.unread.iter().map(|(path, why)| ManifestLine {
            error: Some(Fault { kind: FaultKind::Unreadable, message: why.clone() }),
            ..ManifestLine::new(path, JobStatus::Failed)
        });
        kept.extend(skipped.chain(unread));
        Ok((kept, tasks.into_values().collect()))
    }

    fn task(&self, clip: usize) -> ClipTask<'_> {
        let own = &self.prepared.found.clips[clip];
        let bytes = std::fs::metadata(&own.path).map_or(0, |file| file.len());
        ClipTask { clip: own, bytes, card: self.cards.of_clip(clip).ok(), jobs: Vec::new() }
    }

    /// Does all tasks, on all threads; returns the lines that were added to the manifest.
    fn run_all(
        &self,
        tasks: &[ClipTask],
        manifest: Manifest,
        watch: &mut Watch,
    ) -> Result<Vec<ManifestLine>, BatchError> {
        let shared = Mutex::new((manifest, watch, Vec::new(), None::<BatchError>));
        let add = |task: &ClipTask, line: ManifestLine| {
            let Ok(mut shared) = shared.lock() else { return };
            let (manifest, watch, lines, broken) = &mut *shared;
            if let Err(error) = manifest.add(&line) {
                self.stop.store(true, Ordering::Relaxed);
                *broken = Some(error);
            }
            watch(Progress::Result { line: &line, bytes: task.bytes });
            lines.push(line);
        };
        let context = WorkContext {
            output: &self.request.output,
            lock: self.lock,
            pictures: self.request.pictures.as_ref(),
            stop: self.stop,
        };
        let failed = |job: &BatchJob| self.prepared.failed_line(job, None);
        let next = AtomicUsize::new(0);
        // No thread holds two clips: those that wait, or find no clip left, help with blocks of frames.
        rayon::broadcast(|_| {
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                task.run(&context, &failed, &mut |line| add(task, line));
            }
        });
        let panicked = |_| BatchError::Input("a thread broke off".to_owned());
        let (_, _, lines, broken) = shared.into_inner().map_err(panicked)?;
        broken.map_or(Ok(lines), Err)
    }
}
