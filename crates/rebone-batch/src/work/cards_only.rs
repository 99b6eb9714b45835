//! Rig cards before any shard is made: learned from a sample of the clips, and then frozen.

use crate::disk::folding;
use crate::error::{BatchError, Fault};
use crate::find::choice::{FileChoice, PathSample, least_paths};
use crate::find::inputs::FoundClips;
use crate::jobs::request::BatchRequest;
use crate::jobs::rules::OptionRules;
use crate::record::lock::{LockScope, OutputLock};
use crate::rigs::cards::CardOptions;
use crate::rigs::survey::FileSurvey;
use crate::shards::files::ShardFiles;
use crate::work::plan::{CardState, PlannedClass};
use crate::work::threads::on_threads;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Cards that a survey of a sample found or made.
#[derive(Clone, Debug)]
pub struct CardsOutcome {
    /// Rig classes of the sample and the rigs; [`CardState::New`] for a card that was made.
    pub classes: Vec<PlannedClass>,
    /// Number of files that were surveyed, without rigs.
    pub files: usize,
    /// Number of them that had waited for a card in a shard.
    pub waiting: usize,
    /// Files of the sample that cannot be read, and why.
    pub unread: Vec<(PathBuf, Fault)>,
}

/// Makes the cards of all rigs, and of the rig classes in a sample of `sample` files: those with the least hashes of their
/// paths, before them those that shards left without a card. Makes no results.
///
/// # Errors
/// When inputs or a rig cannot be used, another run is at work in the output folder, or the work is stopped.
pub fn make_cards(
    request: &BatchRequest,
    sample: NonZeroUsize,
    stop: &AtomicBool,
) -> Result<CardsOutcome, BatchError> {
    if let Some(shard) = request.shard {
        let message = format!("cards are made for all shards, not for {shard} alone");
        return Err(BatchError::Request(message));
    }
    let lock = OutputLock::acquire(&request.output, LockScope::Whole).map_err(Fault::named_disk)?;
    let work = || make(request, sample, stop, &lock).map_err(Fault::named_disk);
    match request.threads {
        Some(_) => on_threads(request.threads, work),
        None => work(),
    }
}

fn make(
    request: &BatchRequest,
    sample: NonZeroUsize,
    stop: &AtomicBool,
    lock: &OutputLock,
) -> Result<CardsOutcome, BatchError> {
    let output = &request.output;
    let first = waiting_clips(request, sample.get())?;
    let choice = FileChoice::Sample(PathSample::new(sample.get(), first.clone()));
    let rules = OptionRules::read(request.rules.as_deref())?;
    let characters = rules.characters(&request.source_character);
    let found = FoundClips::new(&request.inputs, output, (choice, characters))?;
    let rigs = (&request.targets[..], &request.target_character);
    let survey = FileSurvey::new(&found.clips, rigs, output, false, stop)?;
    let cards = survey.card_files();
    folding::check(lock.folder(), cards.iter().map(|(card, file)| (&**card, *file)))?;
    let options = CardOptions::new(request, false, stop);
    let are_kept: Vec<bool> =
        survey.classes.iter().map(|class| options.keeps(class, &survey.files)).collect();
    let cards = survey.cards(&options)?;
    let classes = survey.classes.iter().zip(survey.clip_counts()).zip(&cards.cards).zip(are_kept);
    let classes = classes.map(|(((class, clips), card), is_kept)| PlannedClass {
        name: class.name.clone(),
        clips,
        card: match card {
            Err(fault) => CardState::Fault(fault.clone()),
            Ok(_) if is_kept => CardState::Exists,
            Ok(_) => CardState::New,
        },
    });
    let files: BTreeSet<&PathBuf> = found.clips.iter().map(|clip| &clip.path).collect();
    Ok(CardsOutcome {
        classes: classes.collect(),
        files: files.len(),
        waiting: files.into_iter().filter(|path| first.contains(*path)).count(),
        unread: survey.unread(&found.clips),
    })
}

/// Clips that shards left without a card: of more than `most` those with the least hashes.
fn waiting_clips(request: &BatchRequest, most: usize) -> Result<BTreeSet<PathBuf>, BatchError> {
    let Some(shards) = ShardFiles::of(&request.output)? else { return Ok(BTreeSet::new()) };
    let mut broken = None;
    let waiting = shards.without_card().map_while(|path| match path {
        Ok(path) => Some(path),
        Err(error) => {
            broken = Some(error);
            None
        }
    });
    let least = least_paths(most, waiting);
    broken.map_or(Ok(least), Err)
}
