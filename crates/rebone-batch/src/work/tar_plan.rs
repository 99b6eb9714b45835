//! Tars of results that are up to date, and those that are made.

use crate::error::{BatchError, Fault, check};
use crate::jobs::{BatchJob, slashed};
use crate::record::manifest::{JobStatus, ManifestLine};
use crate::state::earlier::{EarlierRuns, edited_file};
use crate::state::on_disk::{FileStamp, PlannedJob, ResultState};
use crate::work::prepared::Prepared;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A job, and what is to be done for it.
type Planned<'a> = (&'a BatchJob, PlannedJob);

impl Prepared<'_> {
    /// Finds out which tars of results are made: all jobs of a tar are done, or none.
    ///
    /// # Errors
    /// When the work is stopped.
    pub(crate) fn plan_tars(
        &self,
        jobs: &mut [Planned],
        earlier: &EarlierRuns,
        stop: &AtomicBool,
    ) -> Result<(), BatchError> {
        let mut tars: BTreeMap<&Path, Vec<&mut Planned>> = BTreeMap::new();
        for own in jobs {
            if let Some(tar) = &own.0.tar {
                tars.entry(tar).or_default().push(own);
            }
        }
        tars.into_par_iter().try_for_each(|(tar, mut own)| {
            check(stop)?;
            self.plan_tar(tar, &mut own, earlier);
            Ok(())
        })
    }

    fn plan_tar(&self, tar: &Path, jobs: &mut [&mut Planned], earlier: &EarlierRuns) {
        let path = self.request.output.join(tar);
        let stamp = FileStamp::of(&path);
        let state = earlier.tar_state(tar);
        let keeps_edit = state == ResultState::Edited && !self.request.overwrite;
        let kept = self.kept_lines(tar, jobs, earlier);
        let fault = earlier.check_tar(tar).err();
        let fault = fault.or_else(|| keeps_edit.then(|| edited_file(&path)));
        let is_whole = state == ResultState::Written || keeps_edit;
        for (job, own) in jobs.iter_mut().map(|own| (own.0, &mut own.1)) {
            (own.stamp, own.state) = (stamp, state);
            let line = kept.as_ref().filter(|_| is_whole).and_then(|lines| lines.get(&job.path));
            match (line, &fault) {
                (Some(line), _) => own.todo = Err(Box::new(line.clone())),
                (None, Some(fault)) => own.todo = Err(Box::new(self.failed(job, fault, earlier))),
                (None, None) => own.is_in_new_tar = true,
            }
        }
    }

    fn failed(&self, job: &BatchJob, fault: &Fault, earlier: &EarlierRuns) -> ManifestLine {
        self.failed_line(job, Some(fault.clone()), earlier)
    }

    /// Lines of all results of a tar, by their paths, where they are those that a run would write now.
    fn kept_lines(
        &self,
        tar: &Path,
        jobs: &[&mut Planned],
        earlier: &EarlierRuns,
    ) -> Option<BTreeMap<PathBuf, ManifestLine>> {
        let outputs: BTreeSet<PathBuf> = jobs.iter().map(|own| slashed(&own.0.path)).collect();
        let in_tar: BTreeSet<&PathBuf> =
            earlier.lines_in(tar).filter_map(|line| line.output.as_ref()).collect();
        if self.request.force || !outputs.iter().eq(in_tar) {
            return None;
        }
        let kept = |own: &&mut Planned| {
            let line = self.kept_line(own.0, &own.1, earlier.line(&own.0.path)?)?;
            Some((own.0.path.clone(), line))
        };
        jobs.iter().map(kept).collect()
    }

    /// The line of a result in a tar, where a run would write it now. A clip that failed is not tried again before it, its
    /// rig, a card or an option changed.
    fn kept_line(
        &self,
        job: &BatchJob,
        planned: &PlannedJob,
        line: &ManifestLine,
    ) -> Option<ManifestLine> {
        let clip = &self.found.clips[job.clip];
        let is_same = match &planned.todo {
            Ok(own) => {
                let is_settled = matches!(line.status, JobStatus::Done | JobStatus::Failed);
                is_settled && line.from.as_ref().is_some_and(|from| from.is_same(own))
            }
            Err(own) => line.status == own.status && line.error == own.error,
        };
        (is_same && line.part == clip.part).then(|| ManifestLine {
            input: clip.path.clone(),
            target: Some(self.request.targets[job.rig].clone()),
            from: planned.todo.as_ref().ok().cloned(),
            ..line.clone()
        })
    }
}
