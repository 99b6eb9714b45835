//! Dry run of a batch.

use crate::error::{BatchError, Fault};
use crate::manifest::ManifestLine;
use crate::request::BatchRequest;
use crate::run::{Prepared, Watch, card_options, up_to_date};
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
    /// How many of them are up to date.
    pub up_to_date: usize,
    /// Results that cannot be made.
    pub failing: Vec<ManifestLine>,
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
    prepared.pool.install(|| {
        let survey = prepared.survey(stop)?;
        let options = card_options(request, true, stop);
        let cards = survey.cards(&options)?;
        let classes = survey.classes.iter().zip(&cards.cards).map(|(class, card)| PlannedClass {
            name: class.name.clone(),
            clips: survey.clips_of(class),
            card: match card {
                Err(fault) => CardState::Fault(fault.clone()),
                Ok(_) if options.keeps(class) => CardState::Exists,
                Ok(_) => CardState::New,
            },
        });
        let known = prepared.known()?;
        let (mut done, mut failing) = (0, Vec::new());
        for job in &prepared.jobs {
            match cards.provenance(job) {
                Ok(own) => {
                    let line = up_to_date(&known, &job.path, &own, &request.output);
                    done += usize::from(line.is_some());
                }
                Err(fault) => failing.push(prepared.failed_line(job, Some(fault))),
            }
        }
        Ok(BatchPlan {
            classes: classes.collect(),
            clips: prepared.found.clips.len(),
            results: prepared.jobs.len(),
            up_to_date: done,
            failing,
            skipped: prepared.found.skipped.clone(),
        })
    })
}
