//! Dry run of a batch.

use crate::error::{BatchError, Fault};
use crate::jobs::merged_paths;
use crate::jobs::request::{BatchRequest, Watch};
use crate::record::manifest::ManifestLine;
use crate::rigs::cards::CardOptions;
use crate::rigs::survey::{Cards, FileSurvey};
use crate::state::earlier::{EarlierRuns, file_of, one_per_file};
use crate::state::on_disk;
use crate::work::prepared::Prepared;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Plan of a batch: classes, results and faults.
#[derive(Clone, Debug)]
pub struct BatchPlan {
    /// Rig classes of all files.
    pub classes: Vec<PlannedClass>,
    /// Number of clips.
    pub clips: usize,
    /// Number of results.
    pub results: usize,
    /// Number of results that are up to date.
    pub up_to_date: usize,
    /// Results that were edited by hand and stay.
    pub edited: Vec<PathBuf>,
    /// Number of results of earlier runs that this one does not speak of, and that stay.
    pub others: usize,
    /// Results and merged files that would be removed.
    pub removed: Vec<PathBuf>,
    /// Pictures that would be removed.
    pub pictures: Vec<PathBuf>,
    /// Number of results that options leave out.
    pub left_out: usize,
    /// Results that cannot be made, and files and folders that cannot be read.
    pub failing: Vec<ManifestLine>,
    /// Why a rig cannot be used: then a run does nothing.
    pub rig_fault: Option<Fault>,
    /// Files that hold no motion.
    pub skipped: Vec<PathBuf>,
}

/// A rig class: files with one skeleton, which share a card.
#[derive(Clone, Debug)]
pub struct PlannedClass {
    /// Name of the card, without extension.
    pub name: String,
    /// Number of clips.
    pub clips: usize,
    /// State of the card.
    pub card: CardState,
}

/// State of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardState {
    /// It exists and is kept.
    Exists,
    /// It would be made.
    New,
    /// It cannot be used or made.
    Fault(Fault),
}

/// Finds out what a batch would do, and writes nothing.
///
/// # Errors
/// When inputs cannot be used, names collide, or the work is stopped.
pub fn plan(
    request: &BatchRequest,
    stop: &AtomicBool,
    watch: &mut Watch,
) -> Result<BatchPlan, BatchError> {
    let prepared = Prepared::new(request, watch)?;
    prepared.install(|| {
        let earlier = EarlierRuns::read(request)?;
        earlier.note_unread(true, watch)?;
        let survey = prepared.survey(stop)?;
        let options = CardOptions::new(request, true, stop);
        let cards = survey.cards(&options)?;
        let classes = planned_classes(&survey, &cards, &options);
        let jobs = prepared.plan_jobs(&cards, &earlier, stop)?;
        on_disk::note(&jobs, watch);
        let edited = on_disk::edited(&jobs);
        let settled = jobs.into_iter().filter_map(|(_, own)| own.todo.err());
        let (failing, done): (Vec<_>, Vec<_>) =
            settled.map(|line| *line).partition(|line| line.error.is_some());
        let failing: Vec<_> = failing.into_iter().chain(prepared.unread_lines()).collect();
        let rig_fault = (0..request.targets.len()).find_map(|rig| cards.of_rig(rig).err());
        let others = earlier.others(&prepared.jobs);
        prepared.note_held(&others, watch);
        let (others, mut gone) = prepared.split(others);
        if prepared.prunes() {
            gone.extend(earlier.merged(&merged_paths(request)));
        }
        let gone = one_per_file(gone);
        let pictures = gone.iter().filter_map(|line| earlier.own_picture(line));
        let removed = gone.iter().filter(|line| earlier.is_own(line));
        let removed = removed.map(|line| file_of(line).to_owned());
        Ok(BatchPlan {
            others: others.len(),
            removed: removed.collect(),
            pictures: pictures.collect(),
            classes,
            clips: prepared.found.clips.len(),
            results: prepared.jobs.len(),
            up_to_date: done.len(),
            edited,
            left_out: prepared.left_out(),
            failing,
            rig_fault,
            skipped: prepared.found.skipped.clone(),
        })
    })
}

/// Rig classes with the states of their cards.
fn planned_classes(survey: &FileSurvey, cards: &Cards, options: &CardOptions) -> Vec<PlannedClass> {
    let classes = survey.classes.iter().zip(&cards.cards).zip(survey.clip_counts());
    let planned = classes.map(|((class, card), clips)| PlannedClass {
        name: class.name.clone(),
        clips,
        card: match card {
            Err(fault) => CardState::Fault(fault.clone()),
            Ok(_) if options.keeps(class, &survey.files) => CardState::Exists,
            Ok(_) => CardState::New,
        },
    });
    planned.collect()
}
