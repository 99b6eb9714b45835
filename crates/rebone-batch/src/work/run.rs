//! Runs a batch: prepares it, makes what is not up to date, and merges where wanted.

use crate::disk::folding;
use crate::error::{BatchError, Fault, FaultKind, check};
use crate::jobs::BatchJob;
use crate::jobs::request::{BatchRequest, Pictures, Progress, Watch};
use crate::record::hash;
use crate::record::lock::{LockScope, OutputLock};
use crate::record::manifest::{self, JobStatus, Manifest, ManifestLine};
use crate::record::shard;
use crate::rigs::cards::CardOptions;
use crate::rigs::survey::Cards;
use crate::shards::files::ShardFiles;
use crate::state::earlier::{EarlierRuns, Pruned, file_of, one_per_file};
use crate::state::on_disk::{self, ResultState};
use crate::work::merge::{MergeTask, MergedFile};
use crate::work::outcome::BatchOutcome;
use crate::work::prepared::Prepared;
use crate::work::run_tasks::RunTasks;
use crate::work::tar_work::TarTask;
use crate::work::{AnalysedRig, ClipTask, LineHooks, WorkContext};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

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
    let scope = request.shard.map_or(LockScope::Whole, LockScope::Shard);
    let lock = OutputLock::acquire(&request.output, scope).map_err(Fault::named_disk)?;
    let outcome = prepared.install(|| {
        let earlier = EarlierRuns::read(request)?;
        earlier.note_unread(false, watch)?;
        let survey = prepared.survey(stop)?;
        let cards = survey.card_files();
        let cards = cards.iter().map(|(card, file)| (&**card, *file));
        folding::check(lock.folder(), prepared.results().chain(cards))?;
        let cards = survey.cards(&CardOptions::new(request, false, stop))?;
        // A shard that cannot begin does not state the number of shards.
        request.shard.map_or(Ok(()), |own| shard::claim(&request.output, own, lock.folder()))?;
        Work { request, prepared: &prepared, cards: &cards, earlier, lock: &lock, stop }.run(watch)
    });
    request.pictures.iter().for_each(|pictures: &Pictures| pictures.clean(request.shard));
    outcome.map_err(Fault::named_disk)
}

/// Says that work begins, and why some results cannot be made.
fn announce_begin(kept: &[ManifestLine], tasks: &[ClipTask], watch: &mut Watch) {
    let reasons: BTreeSet<&str> =
        kept.iter().filter_map(|line| Some(line.error.as_ref()?.message.as_str())).collect();
    watch(Progress::Begin {
        results: tasks.iter().map(|task| task.jobs.len()).sum(),
        bytes: tasks.iter().map(|task| task.bytes * task.jobs.len() as u64).sum(),
        faults: reasons.into_iter().collect(),
    });
}

/// A batch at work.
struct Work<'a> {
    request: &'a BatchRequest,
    prepared: &'a Prepared<'a>,
    cards: &'a Cards<'a>,
    earlier: EarlierRuns<'a>,
    lock: &'a OutputLock,
    stop: &'a AtomicBool,
}

impl Work<'_> {
    fn run(&self, watch: &mut Watch) -> Result<BatchOutcome, BatchError> {
        let (request, earlier) = (self.request, &self.earlier);
        let rigs = self.rigs()?;
        self.check_beside(&rigs)?;
        let jobs = self.prepared.plan_jobs(self.cards, earlier, self.stop)?;
        let edited = on_disk::edited(&jobs);
        on_disk::note(&jobs, watch);
        let RunTasks { kept, clips: tasks, tars } =
            RunTasks::new(self.prepared, self.cards, &rigs, jobs);
        let others = earlier.others(&self.prepared.jobs);
        // Until a result is made again its old line stays: what a stopped run leaves is known.
        let in_work = tasks.iter().filter(|task| task.in_tar.is_none()).flat_map(|task| &task.jobs);
        let old = in_work.filter_map(|own| earlier.line(&own.job.path));
        let old = old.chain(tars.iter().flat_map(|tar| earlier.lines_in(tar.below())));
        let old: Vec<&ManifestLine> = old.collect();
        let merged = earlier.merged(&BTreeSet::new());
        let begin = kept.iter().chain(others.iter().chain(&old).chain(&merged).copied());
        let manifest = request.manifest().begin(self.lock.folder(), begin)?;
        let shards = ShardFiles::of(&request.output)?.filter(|_| request.shard.is_none());
        shards.map_or(Ok(()), ShardFiles::retire)?;
        self.prepared.note_held(&others, watch);
        self.note_replaced(&tasks, watch);
        announce_begin(&kept, &tasks, watch);
        let begin = Instant::now();
        let lines = self.run_all(&tasks, &tars, manifest, watch)?;
        let seconds = begin.elapsed().as_secs_f64();
        let (others, mut pruned) = self.prune(others)?;
        let done: BTreeSet<&Path> = lines
            .iter()
            .flat_map(|line| [Some(file_of(line)), line.output.as_deref()])
            .flatten()
            .collect();
        let is_done = |line: &ManifestLine| {
            [Some(file_of(line)), line.output.as_deref()]
                .iter()
                .flatten()
                .any(|own| done.contains(own))
        };
        let unmade = old.into_iter().filter(|line| !is_done(line));
        let all: Vec<&ManifestLine> =
            kept.iter().chain(&lines).chain(&others).chain(unmade).collect();
        let merged = self.merge(&rigs, &all, &merged)?;
        let (merged, files) = self.merged_lines(merged, &mut pruned)?;
        self.finish_manifest(all.into_iter().chain(&files))?;
        Ok(BatchOutcome {
            manifest: request.manifest().path().to_owned(),
            shard: request.shard,
            kept,
            edited,
            left_out: self.prepared.left_out(),
            others,
            pruned,
            lines,
            seconds,
            interrupted: check(self.stop).is_err(),
            merged,
        })
    }

    /// Returns whether earlier results may be removed now.
    fn prunes(&self) -> bool {
        self.prepared.prunes() && check(self.stop).is_ok()
    }

    /// Removes results that nothing speaks of any more, where that is wanted; returns the lines of those that stay.
    fn prune(&self, others: Vec<&ManifestLine>) -> Result<(Vec<ManifestLine>, Pruned), BatchError> {
        let mut pruned = Pruned { wanted: self.request.prune, ..Pruned::default() };
        let (mut stay, gone) = self.prepared.split(others);
        match self.prunes() {
            true => one_per_file(gone)
                .into_iter()
                .try_for_each(|line| self.earlier.remove(line, &mut pruned))?,
            false => stay.extend(gone),
        }
        Ok((stay.into_iter().cloned().collect(), pruned))
    }

    /// Merges the results of all lines, where that is wanted; `before` are the lines of files that are merged already.
    fn merge(
        &self,
        rigs: &[AnalysedRig],
        all: &[&ManifestLine],
        before: &[&ManifestLine],
    ) -> Result<Vec<(MergedFile, Option<ManifestLine>)>, BatchError> {
        if !self.request.one_file || check(self.stop).is_err() {
            return Ok(Vec::new());
        }
        // A run that is killed while it merges leaves the manifest of its results.
        let mut manifest = self.write_manifest(all.iter().chain(before).copied())?;
        let edited: Vec<PathBuf> = all.iter().filter_map(|line| self.failed_edit(line)).collect();
        let task = MergeTask {
            output: &self.request.output,
            lock: self.lock,
            earlier: &self.earlier,
            edited: &edited,
            prune: self.prunes(),
            stop: self.stop,
        };
        Ok(task.run(rigs, all, &mut manifest))
    }

    /// Name of the result of a failed clip that was edited by hand, before the run or while it ran.
    fn failed_edit(&self, line: &ManifestLine) -> Option<PathBuf> {
        let (name, rig) = (line.output.as_ref()?, line.target.as_ref()?);
        let is_edited = line.status == JobStatus::Failed
            && self.earlier.state(name, rig) == ResultState::Edited;
        is_edited.then(|| name.clone())
    }

    /// Merged files with their lines: those of this run, and those of earlier ones unless they are pruned.
    fn merged_lines(
        &self,
        merged: Vec<(MergedFile, Option<ManifestLine>)>,
        pruned: &mut Pruned,
    ) -> Result<(Vec<MergedFile>, Vec<ManifestLine>), BatchError> {
        let prune = self.prunes();
        let (files, lines): (Vec<_>, Vec<_>) = merged.into_iter().unzip();
        let mut lines: Vec<ManifestLine> = lines.into_iter().flatten().collect();
        let remade = lines.iter().filter_map(|line| line.output.clone()).collect();
        for line in self.earlier.merged(&remade) {
            let name = line.output.as_deref().unwrap_or(Path::new(""));
            let is_lost = |file: &MergedFile| file.path == self.request.output.join(name);
            // A file that cannot be written anew stays.
            match prune && !files.iter().any(is_lost) {
                true => self.earlier.remove(line, pruned)?,
                false => lines.push(line.clone()),
            }
        }
        Ok((files, lines))
    }

    /// Writes the manifest anew, sorted; it stays open.
    fn write_manifest<'b>(
        &self,
        lines: impl Iterator<Item = &'b ManifestLine>,
    ) -> Result<Manifest, BatchError> {
        let mut lines: Vec<&ManifestLine> = lines.collect();
        lines.sort_by_cached_key(|line| manifest::sort_key(line));
        self.request.manifest().begin(self.lock.folder(), lines.into_iter())
    }

    /// Writes the manifest at the end of the run, sorted: that of a shard has its name only where all of it was done.
    fn finish_manifest<'b>(
        &self,
        lines: impl Iterator<Item = &'b ManifestLine>,
    ) -> Result<(), BatchError> {
        if check(self.stop).is_err() {
            return self.write_manifest(lines).map(drop);
        }
        let mut lines: Vec<&ManifestLine> = lines.collect();
        lines.sort_by_cached_key(|line| manifest::sort_key(line));
        self.request.manifest().finish(self.lock.folder(), lines.into_iter())
    }

    /// Says which results of other clips will be replaced.
    fn note_replaced(&self, tasks: &[ClipTask], watch: &mut Watch) {
        for (job, task) in
            tasks.iter().flat_map(|task| task.jobs.iter().map(move |own| (own.job, task)))
        {
            let Some(line) = self.earlier.line(&job.path) else { continue };
            let (old, new) = (&line.input, &task.clip.path);
            if old.is_file() && !rebone::same_file(old, new) {
                watch(Progress::Note(&format!(
                    "{}, the result of {}, is replaced by that of {}",
                    job.path.display(),
                    old.display(),
                    new.display()
                )));
            }
        }
    }

    /// Analyses the rigs.
    fn rigs(&self) -> Result<Vec<AnalysedRig>, BatchError> {
        let rig = |(index, path): (usize, &PathBuf)| {
            let card = self.cards.of_rig(index).map_err(BatchError::Fault)?;
            let rig = AnalysedRig::read(path, card, self.request)?;
            hash::check_unchanged(&self.cards.files_of_rig(index))?;
            Ok(rig)
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

    /// Does all tasks, on all threads; returns the lines that were added to the manifest.
    fn run_all<'b>(
        &self,
        tasks: &[ClipTask<'b>],
        tars: &[TarTask<'b>],
        manifest: Manifest,
        watch: &mut Watch,
    ) -> Result<Vec<ManifestLine>, BatchError> {
        let shared = Mutex::new((manifest, watch, Vec::new(), None::<BatchError>));
        let add = |task: &ClipTask, new: Vec<ManifestLine>| {
            let Ok(mut shared) = shared.lock() else { return };
            let (manifest, watch, lines, broken) = &mut *shared;
            let mut faults = new.iter().filter_map(|line| line.error.as_ref());
            if let Some(fault) = faults.find(|own| own.kind == FaultKind::DiskFull) {
                self.stop.store(true, Ordering::Relaxed);
                *broken = Some(BatchError::Fault(fault.clone()));
                return;
            }
            if let Err(error) = manifest.add(&new) {
                self.stop.store(true, Ordering::Relaxed);
                *broken = Some(error);
            }
            new.iter().for_each(|line| watch(Progress::Result { line, bytes: task.bytes }));
            lines.extend(new);
        };
        let panicked = || BatchError::Input("a thread panicked".to_owned());
        let announce = |line: &ManifestLine| {
            shared.lock().map_err(|_| panicked())?.0.add(std::slice::from_ref(line))
        };
        let context = WorkContext {
            output: &self.request.output,
            lock: self.lock,
            pictures: self.request.pictures.as_ref(),
            shard: self.request.shard,
            stop: self.stop,
        };
        let failed = |job: &BatchJob| self.prepared.failed_line(job, None, &self.earlier);
        let next = AtomicUsize::new(0);
        // No thread holds two clips: those that wait, or find no clip left, help with blocks of frames.
        rayon::broadcast(|_| {
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let hooks = LineHooks { failed: &failed, announce: &announce };
                let emit = &mut |lines| add(task, lines);
                match &task.in_tar {
                    None => task.run(&context, &hooks, emit),
                    Some(place) => tars[place.tar].run(task, place, &context, &hooks, emit),
                }
            }
        });
        let (_, _, lines, broken) = shared.into_inner().map_err(|_| panicked())?;
        broken.map_or(Ok(lines), Err)
    }
}
