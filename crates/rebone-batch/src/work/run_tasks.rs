//! Tasks of a run: what its threads do, and the lines of all else.

use crate::jobs::BatchJob;
use crate::record::manifest::{JobStatus, ManifestLine};
use crate::rigs::survey::Cards;
use crate::state::on_disk::PlannedJob;
use crate::work::prepared::Prepared;
use crate::work::tar_work::TarTask;
use crate::work::{AnalysedRig, ClipJob, ClipTask, InTar};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Tasks of a run.
#[derive(Debug)]
pub(crate) struct RunTasks<'a> {
    /// Lines of results that are kept or cannot be made.
    pub(crate) kept: Vec<ManifestLine>,
    /// All others by clip; those of one tar follow each other in the order of the tar.
    pub(crate) clips: Vec<ClipTask<'a>>,
    /// Tars of results that are made.
    pub(crate) tars: Vec<TarTask<'a>>,
}

impl<'a> RunTasks<'a> {
    pub(crate) fn new(
        prepared: &'a Prepared,
        cards: &'a Cards,
        rigs: &'a [AnalysedRig],
        jobs: Vec<(&'a BatchJob, PlannedJob)>,
    ) -> Self {
        let mut kept: Vec<ManifestLine> = Vec::new();
        let mut tasks: BTreeMap<usize, ClipTask> = BTreeMap::new();
        let mut tars: Vec<TarTask> = Vec::new();
        let mut numbers: BTreeMap<Arc<Path>, usize> = BTreeMap::new();
        for (job, planned) in jobs {
            let PlannedJob { stamp, todo, is_in_new_tar, .. } = planned;
            let todo = match todo {
                Err(line) if !is_in_new_tar => {
                    kept.push(*line);
                    continue;
                }
                todo => todo,
            };
            let task = tasks.entry(job.clip).or_insert_with(|| task(prepared, cards, job.clip));
            if let (Some(place), None) = (&task.clip.place, &task.in_tar) {
                let tar = &place.result;
                let number = *numbers.entry(Arc::clone(tar)).or_insert_with(|| {
                    tars.push(TarTask::new([tar, &place.tar], stamp));
                    tars.len() - 1
                });
                task.in_tar = Some(InTar { tar: number, index: 0, failing: Vec::new() });
            }
            match (todo, &mut task.in_tar) {
                (Ok(from), _) => task.jobs.push(ClipJob { job, rig: &rigs[job.rig], from, stamp }),
                (Err(line), Some(own)) => own.failing.push((job, *line)),
                (Err(line), None) => kept.push(*line),
            }
        }
        let found = &prepared.found;
        let skipped = found.skipped.iter().map(|path| ManifestLine::new(path, JobStatus::Skipped));
        kept.extend(skipped.chain(prepared.unread_lines()));
        let mut clips: Vec<ClipTask> = tasks.into_values().collect();
        clips.sort_by_key(|task| {
            let tar = task.in_tar.as_ref().map(|own| own.tar);
            let offset = task.clip.place.as_ref().map_or(0, |place| place.offset);
            (tar, offset, task.clip.part.as_ref().map(|part| part.index))
        });
        for own in clips.iter_mut().filter_map(|task| task.in_tar.as_mut()) {
            own.index = tars[own.tar].clips;
            tars[own.tar].clips += 1;
        }
        Self { kept, clips, tars }
    }
}

fn task<'a>(prepared: &'a Prepared, cards: &'a Cards, clip: usize) -> ClipTask<'a> {
    let own = &prepared.found.clips[clip];
    let length = || std::fs::metadata(&own.path).map_or(0, |file| file.len());
    let bytes = own.place.as_ref().map_or_else(length, |place| place.size);
    let (card, files) = (cards.of_clip(clip).ok(), cards.files_of_clip(clip));
    ClipTask { clip: own, bytes, card, files, jobs: Vec::new(), in_tar: None }
}
