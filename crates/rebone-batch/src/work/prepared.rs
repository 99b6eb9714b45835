//! A batch before any file is read: its clips and jobs.

use crate::error::{BatchError, Fault, FaultKind, check};
use crate::find::choice::FileChoice;
use crate::find::inputs::FoundClips;
use crate::jobs::request::{BatchRequest, Pictures, Progress, Watch};
use crate::jobs::rules::OptionRules;
use crate::jobs::tar_jobs;
use crate::jobs::unused_options;
use crate::jobs::{BatchJob, jobs, slashed};
use crate::record::manifest::{JobStatus, ManifestLine, Provenance};
use crate::rigs::survey::{Cards, FileSurvey};
use crate::shards::request::check_shard;
use crate::state::earlier::{EarlierRuns, edited_file};
use crate::state::on_disk::{FileStamp, PlannedJob, ResultState};
use crate::work::threads::{MAX_THREADS_PER_PROCESSOR, limited, on_threads};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// A batch before any file is read.
#[derive(Debug)]
pub(crate) struct Prepared<'a> {
    pub(crate) request: &'a BatchRequest,
    pub(crate) found: FoundClips,
    pub(crate) jobs: Vec<BatchJob>,
}

impl<'a> Prepared<'a> {
    /// Finds clips and lists jobs.
    pub(crate) fn new(request: &'a BatchRequest, watch: &mut Watch) -> Result<Self, BatchError> {
        let pictures = request.pictures.iter().map(|pictures| &pictures.folder);
        for folder in [&request.output].into_iter().chain(pictures) {
            if folder.exists() && !folder.is_dir() {
                let message = format!("{} is a file, not a folder", folder.display());
                return Err(BatchError::Request(message));
            }
        }
        for (is_empty, what) in
            [(request.inputs.is_empty(), "inputs"), (request.targets.is_empty(), "targets")]
        {
            if is_empty {
                return Err(BatchError::Request(format!("found no {what}, expected one at least")));
            }
        }
        request.shard.map_or(Ok(()), |shard| check_shard(request, shard))?;
        let rules = OptionRules::read(request.rules.as_deref())?;
        let choice = request.shard.map_or(FileChoice::All, FileChoice::Shard);
        let characters = rules.characters(&request.source_character);
        let found = FoundClips::new(&request.inputs, &request.output, (choice, characters))?;
        let jobs = jobs(request, &found, &rules, watch)?;
        tar_jobs::check(request, &jobs, &found)?;
        // Rules and their options may be for clips of other shards.
        if request.shard.is_none() || request.rules.is_none() {
            unused_options::check(request, &jobs)?;
        }
        for folder in &found.left_out {
            watch(Progress::Note(&format!(
                "{} is left out: it holds the results of a batch; give it as an input of its own to use them",
                folder.display()
            )));
        }
        if let Some(wanted) = request.threads.filter(|wanted| limited(*wanted) < *wanted) {
            let limit = limited(wanted);
            watch(Progress::Note(&format!(
                "{limit} threads are used, {MAX_THREADS_PER_PROCESSOR} for each processor, not {wanted}: more bring nothing"
            )));
        }
        if let (true, Some(doubt)) = (request.prune, found.doubt()) {
            watch(Progress::Note(&format!("nothing is pruned: {doubt}")));
        }
        let unmatched =
            request.shard.is_none().then(|| rules.unmatched(&found.clips, &request.targets));
        for why in unmatched.into_iter().flatten() {
            watch(Progress::UnusedRule(&why));
        }
        Ok(Self { request, found, jobs })
    }

    /// Does work on the threads of the batch: as many as the request wants, else those of the caller.
    pub(crate) fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match self.request.threads {
            Some(_) => on_threads(self.request.threads, work),
            None => work(),
        }
    }

    /// Paths of all results below the output folder, with their clips.
    pub(crate) fn results(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.jobs.iter().map(|job| (&*job.path, &*self.found.clips[job.clip].path))
    }

    /// Splits lines of earlier results into those that stay and those of clips that are no more among the inputs.
    pub(crate) fn split<'b>(
        &self,
        others: Vec<&'b ManifestLine>,
    ) -> (Vec<&'b ManifestLine>, Vec<&'b ManifestLine>) {
        let prune = self.prunes();
        others.into_iter().partition(|line| !prune || self.stays(&line.input))
    }

    /// Returns whether it is not known that a clip is gone.
    fn stays(&self, clip: &Path) -> bool {
        self.found.is_unlisted(clip) || self.found.held.why(clip).is_some()
    }

    /// Says why results of clips are not pruned that are not among the inputs.
    pub(crate) fn note_held(&self, others: &[&ManifestLine], watch: &mut Watch) {
        let inputs = others.iter().map(|line| &*line.input).filter(|_| self.prunes());
        let why: BTreeSet<&str> = inputs.filter_map(|input| self.found.held.why(input)).collect();
        for why in why {
            watch(Progress::Note(&format!("{why}: its results are not pruned")));
        }
    }

    /// Returns whether results of other clips are removed.
    pub(crate) fn prunes(&self) -> bool {
        self.request.prune && self.found.doubt().is_none()
    }

    /// Reads the skeletons of all files.
    pub(crate) fn survey(&self, stop: &AtomicBool) -> Result<FileSurvey, BatchError> {
        let Self { found, request, .. } = self;
        let is_frozen = request.shard.is_some();
        let rigs = (&request.targets[..], &request.target_character);
        FileSurvey::new(&found.clips, rigs, &request.output, is_frozen, stop)
    }

    /// Lines of inputs that cannot be read.
    pub(crate) fn unread_lines(&self) -> impl Iterator<Item = ManifestLine> {
        let is_own = |path: &Path| self.request.shard.is_none_or(|shard| shard.holds(path));
        let unread = self.found.unread.iter().filter(move |(path, _)| is_own(path));
        let unread = unread
            .map(|(path, why)| (path, Fault { kind: FaultKind::Unreadable, message: why.clone() }));
        let faults = self.found.faults.iter().map(|(path, fault)| (path, fault.clone()));
        unread.chain(faults).map(|(path, fault)| ManifestLine {
            error: Some(fault),
            ..ManifestLine::new(path, JobStatus::Failed)
        })
    }

    /// Number of results that options leave out.
    pub(crate) fn left_out(&self) -> usize {
        self.found.clips.len() * self.request.targets.len() - self.jobs.len()
    }

    /// Line of a job that was not done.
    pub(crate) fn failed_line(
        &self,
        job: &BatchJob,
        error: Option<Fault>,
        earlier: &EarlierRuns,
    ) -> ManifestLine {
        let clip = &self.found.clips[job.clip];
        let is_without_card = error.as_ref().is_some_and(|fault| fault.kind == FaultKind::NoCard);
        let status = if is_without_card { JobStatus::NoCard } else { JobStatus::Failed };
        ManifestLine {
            target: Some(self.request.targets[job.rig].clone()),
            output: Some(slashed(&job.path)),
            animation: job.animation.clone(),
            file: earlier.file(&job.path),
            tar: earlier.tar(&job.path),
            picture: earlier.picture(&job.path),
            error,
            part: clip.part.clone(),
            ..ManifestLine::new(&clip.path, status)
        }
    }

    /// Finds out what is to be done for each job.
    ///
    /// # Errors
    /// When the work is stopped.
    pub(crate) fn plan_jobs(
        &self,
        cards: &Cards,
        earlier: &EarlierRuns,
        stop: &AtomicBool,
    ) -> Result<Vec<(&BatchJob, PlannedJob)>, BatchError> {
        let plan = |job| {
            check(stop)?;
            Ok((job, self.plan_job(job, cards, earlier)))
        };
        let planned: Result<Vec<_>, BatchError> = self.jobs.par_iter().map(plan).collect();
        let mut planned = planned?;
        self.plan_tars(&mut planned, earlier, stop)?;
        Ok(planned)
    }

    fn plan_job(&self, job: &BatchJob, cards: &Cards, earlier: &EarlierRuns) -> PlannedJob {
        let stamp = FileStamp::of(&self.request.output.join(&job.path));
        let state = earlier.state(&job.path, &self.request.targets[job.rig]);
        let own = cards.provenance(job);
        if job.tar.is_some() {
            let todo = own.map_err(|fault| Box::new(self.failed_line(job, Some(fault), earlier)));
            return PlannedJob { stamp, state, todo, is_in_new_tar: false };
        }
        let own = own.and_then(|own| earlier.check_place(job).map(|()| own));
        let keeps_edit = state == ResultState::Edited && !self.request.overwrite;
        let todo = own.map_err(|fault| Box::new(self.failed_line(job, Some(fault), earlier)));
        let todo = todo.and_then(|own| match self.up_to_date(job, &own, earlier) {
            Some(line) if keeps_edit || self.is_whole(job, state, &line) => Err(Box::new(line)),
            _ if keeps_edit => {
                let fault = edited_file(&self.request.output.join(&job.path));
                Err(Box::new(self.failed_line(job, Some(fault), earlier)))
            }
            _ => Ok(own),
        });
        PlannedJob { stamp, state, todo, is_in_new_tar: false }
    }

    /// Returns whether a result is as a batch wrote it, and has its picture where one is wanted.
    fn is_whole(&self, job: &BatchJob, state: ResultState, line: &ManifestLine) -> bool {
        let has_picture = |own: &Pictures| line.picture.is_some() && own.path(&job.path).is_file();
        state == ResultState::Written && self.request.pictures.as_ref().is_none_or(has_picture)
    }

    /// The line of a result that was made of what it depends on now.
    fn up_to_date(
        &self,
        job: &BatchJob,
        provenance: &Provenance,
        earlier: &EarlierRuns,
    ) -> Option<ManifestLine> {
        let line = earlier.line(&job.path).filter(|_| !self.request.force)?;
        let clip = &self.found.clips[job.clip];
        let is_done = line.status == JobStatus::Done && line.part == clip.part;
        let is_same = line.from.as_ref().is_some_and(|from| from.is_same(provenance));
        (is_done && is_same).then(|| ManifestLine {
            input: clip.path.clone(),
            target: Some(self.request.targets[job.rig].clone()),
            animation: job.animation.clone(),
            from: Some(provenance.clone()),
            ..line.clone()
        })
    }
}
