//! Survey of all files of a batch: hashes, rig classes and cards.

use crate::disk::folders::CARDS;
use crate::disk::place::check_regular;
use crate::error::{BatchError, Fault, FaultKind, check};
use crate::find::clip_file::{ClipFile, TarPlace};
use crate::find::input_clip::InputClip;
use crate::jobs::BatchJob;
use crate::record::fingerprint::RigFingerprint;
use crate::record::hash::{self, HashCache};
use crate::record::manifest::{HashedFile, Provenance};
use crate::rigs::cards::{CardOptions, RigCard, known_classes};
use crate::rigs::classes::{self, RigClass, SurveyedFile};
use rayon::prelude::*;
use rebone::CharacterChoice;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// Survey of all files, without retargeting.
#[derive(Debug)]
pub(crate) struct FileSurvey {
    /// Files that can be read, each once.
    pub(crate) files: Vec<SurveyedFile>,
    /// Index in `files` of each clip and then of each rig, or why it has none.
    indices: Vec<Result<usize, Fault>>,
    /// Number of clips.
    clips: usize,
    /// Rig classes.
    pub(crate) classes: Vec<RigClass>,
    /// Index of the rig class of each file; none where cards are frozen and there is none for the file.
    class_of: Vec<Option<usize>>,
}

impl FileSurvey {
    /// Reads skeletons of all clips and rigs. Where cards are frozen there are no rig classes but those with a card.
    ///
    /// # Errors
    /// When existing cards cannot be read.
    pub(crate) fn new(
        clips: &[InputClip],
        (rigs, character): (&[PathBuf], &CharacterChoice),
        output: &Path,
        is_frozen: bool,
        stop: &AtomicBool,
    ) -> Result<Self, BatchError> {
        let of_clips =
            clips.iter().map(|clip| ((&clip.path, &clip.character), clip.place.as_ref()));
        let files = || of_clips.clone().chain(rigs.iter().map(|path| ((path, character), None)));
        let each: BTreeMap<(&PathBuf, &CharacterChoice), Option<&TarPlace>> = files().collect();
        let each: Vec<_> = each.into_iter().collect();
        let known = KnownFiles::default();
        let surveyed: Vec<Result<SurveyedFile, BatchError>> =
            each.par_iter().map(|(file, place)| known.survey(*file, *place, stop)).collect();
        check(stop)?;
        let mut read = Vec::new();
        let mut index_of = BTreeMap::new();
        for ((path, _), file) in each.into_iter().zip(surveyed) {
            let index = file.map(|file| {
                read.push(file);
                read.len() - 1
            });
            index_of.insert(path, index.map_err(|error| Fault::of(&error)));
        }
        let indices = files().map(|(file, _)| index_of[&file].clone()).collect();
        let files = read;
        let classes = {
            let (known, others) = known_classes(output)?;
            classes::of(&files, &known, &others, is_frozen)
        };
        let mut class_of = vec![None; files.len()];
        for (index, class) in classes.iter().enumerate() {
            class.members.iter().for_each(|&file| class_of[file] = Some(index));
        }
        Ok(Self { files, indices, clips: clips.len(), classes, class_of })
    }

    /// Path of the card of each rig class, below the output folder, with a file of the class.
    pub(crate) fn card_files(&self) -> Vec<(PathBuf, &Path)> {
        let file = |class: &RigClass| &*self.files[class.members[0]].path;
        let card = |class: &RigClass| Path::new(CARDS).join(format!("{}.toml", class.name));
        self.classes.iter().map(|class| (card(class), file(class))).collect()
    }

    /// Number of clips of each rig class.
    pub(crate) fn clip_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.classes.len()];
        let clips = self.indices[..self.clips].iter().flatten();
        clips.filter_map(|&file| self.class_of[file]).for_each(|class| counts[class] += 1);
        counts
    }

    /// Files of clips that cannot be read, and why.
    pub(crate) fn unread(&self, clips: &[InputClip]) -> Vec<(PathBuf, Fault)> {
        let faults = clips.iter().zip(&self.indices);
        let faults = faults.filter_map(|(clip, own)| Some((&clip.path, own.as_ref().err()?)));
        let faults: BTreeMap<&PathBuf, &Fault> = faults.collect();
        faults.into_iter().map(|(path, fault)| (path.clone(), fault.clone())).collect()
    }

    /// Makes the cards of all rig classes, or says why one cannot be used. Cards of rigs come first: where one cannot be
    /// used, no other is made.
    ///
    /// # Errors
    /// The first fault of a rig.
    pub(crate) fn cards(&self, options: &CardOptions) -> Result<Cards<'_>, BatchError> {
        let make = |class: usize| options.card(&self.classes[class], &self.files);
        let rigs = &self.indices[self.clips..];
        if let (Some(fault), false) =
            (rigs.iter().find_map(|rig| rig.as_ref().err()), options.dry_run)
        {
            return Err(BatchError::Fault(fault.clone()));
        }
        let of_rigs: BTreeSet<usize> =
            rigs.iter().flatten().filter_map(|&file| self.class_of[file]).collect();
        let made: BTreeMap<usize, _> =
            of_rigs.into_par_iter().map(|class| (class, make(class))).collect();
        check(options.stop)?;
        for &file in rigs.iter().flatten() {
            let fault = match self.class_of[file] {
                Some(class) => made[&class].as_ref().err().cloned(),
                None => {
                    let Fault { kind, message } = Self::no_card();
                    let path = self.files[file].path.display();
                    Some(Fault { kind, message: format!("{path}: {message}") })
                }
            };
            if let (Some(fault), false) = (fault, options.dry_run) {
                return Err(BatchError::Fault(fault));
            }
        }
        let all = (0..self.classes.len()).into_par_iter();
        let all = all.map(|class| made.get(&class).cloned().unwrap_or_else(|| make(class)));
        let all: Vec<Result<RigCard, Fault>> = all.collect();
        check(options.stop)?;
        let is_full = |fault: &&Fault| fault.kind == FaultKind::DiskFull;
        if let Some(fault) = all.iter().filter_map(|card| card.as_ref().err()).find(is_full) {
            return Err(BatchError::Fault(fault.clone()));
        }
        Ok(Cards { survey: self, cards: all })
    }

    /// Fault of a file whose rig class has no card, where cards are frozen.
    fn no_card() -> Fault {
        let message = format!(
            "no card in {CARDS} is for its rig class, and a shard makes none: run the batch with --cards-only, then the \
             shard again"
        );
        Fault { kind: FaultKind::NoCard, message }
    }
}

/// Files that were read already: skeletons that many share, and hashes of files that several name.
#[derive(Debug, Default)]
struct KnownFiles {
    fingerprints: Mutex<HashMap<String, Arc<RigFingerprint>>>,
    hashes: HashCache,
}

impl KnownFiles {
    /// Reads the skeleton of a file, and hashes all files that it was read from.
    fn survey(
        &self,
        (path, character): (&PathBuf, &CharacterChoice),
        place: Option<&TarPlace>,
        stop: &AtomicBool,
    ) -> Result<SurveyedFile, BatchError> {
        let path = path.as_path();
        check(stop)?;
        check_regular(place.map_or(path, |place| &place.tar))?;
        let file = ClipFile { path, place, character: character.selector() };
        let (own, hash, read) = file.first_look()?;
        let key = hash::of_fingerprint(&own);
        let mut known = self.fingerprints.lock().unwrap_or_else(PoisonError::into_inner);
        let fingerprint = Arc::clone(known.entry(key).or_insert_with(|| Arc::new(own)));
        drop(known);
        let beside = read.iter().filter(|file| *file != path).map(|file| self.hashes.of(file));
        let beside = beside.collect();
        let hash = hash.map_or_else(|| hash::of_file(path), Ok)?;
        let (path, place, character) = (path.to_owned(), place.cloned(), character.clone());
        Ok(SurveyedFile { path, place, character, hash, beside, fingerprint })
    }
}

/// Cards of the rig classes of a survey.
#[derive(Debug)]
pub(crate) struct Cards<'a> {
    survey: &'a FileSurvey,
    /// Card of each rig class.
    pub(crate) cards: Vec<Result<RigCard, Fault>>,
}

impl Cards<'_> {
    /// Card of a clip.
    pub(crate) fn of_clip(&self, clip: usize) -> Result<&RigCard, Fault> {
        self.card(clip).map(|(_, card)| card)
    }

    /// Card of a rig.
    pub(crate) fn of_rig(&self, rig: usize) -> Result<&RigCard, Fault> {
        self.card(self.survey.clips + rig).map(|(_, card)| card)
    }

    /// Files that a clip and its card are read from, as they were hashed.
    pub(crate) fn files_of_clip(&self, clip: usize) -> Vec<HashedFile> {
        self.files(clip)
    }

    /// Files that a rig and its card are read from, as they were hashed.
    pub(crate) fn files_of_rig(&self, rig: usize) -> Vec<HashedFile> {
        self.files(self.survey.clips + rig)
    }

    fn files(&self, index: usize) -> Vec<HashedFile> {
        let Ok((file, card)) = self.card(index) else { return Vec::new() };
        file.read_files().into_iter().chain(card.beside.iter().cloned()).collect()
    }

    /// File and card of a clip or a rig.
    fn card(&self, index: usize) -> Result<(&SurveyedFile, &RigCard), Fault> {
        let index = self.survey.indices[index].clone()?;
        let file = &self.survey.files[index];
        let class = self.survey.class_of[index].ok_or_else(FileSurvey::no_card)?;
        let card = self.cards[class].as_ref();
        let path = file.path.display().to_string();
        let card = card.map_err(|fault| match fault.message.contains(&path) {
            true => fault.clone(),
            false => Fault {
                message: format!("{path}, for its rig class: {}", fault.message),
                ..fault.clone()
            },
        });
        Ok((file, card?))
    }

    /// Collects the hashes that a result depends on.
    ///
    /// # Errors
    /// Why it cannot be made.
    pub(crate) fn provenance(&self, job: &BatchJob) -> Result<Provenance, Fault> {
        // Faults of files come before those of cards.
        let rig = self.survey.clips + job.rig;
        for index in [job.clip, rig] {
            self.survey.indices[index].clone()?;
        }
        let [(clip, source), (rig, target)] = [self.card(job.clip)?, self.card(rig)?];
        Ok(Provenance {
            clip: clip.hash.clone(),
            rig: rig.hash.clone(),
            source_card: source.path.clone(),
            source_card_hash: source.hash.clone(),
            target_card: target.path.clone(),
            target_card_hash: target.hash.clone(),
            options: job.options_hash(),
            beside: [&clip.beside, &rig.beside, &source.beside, &target.beside]
                .into_iter()
                .flatten()
                .cloned()
                .collect(),
            source_character: clip.character.clone(),
            target_character: rig.character.clone(),
        })
    }
}
