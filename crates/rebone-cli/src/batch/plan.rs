//! Jobs of a batch: clips onto rigs, their cards, and which results are up to date.

use super::cards::{self, Carded, Making};
use super::inputs::{Clip, Found, is_regular};
use super::kinds::{self, Fingerprint, Kind, Seen};
use super::manifest::{Fault, Line, Origin, Status};
use super::names;
use super::options::{Rules, Settings};
use super::{fault, gather, hash};
use crate::args::Template;
use crate::exit_code::Failure;
use crate::interrupt;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A clip onto a rig.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// Index of the clip in [`Found::clips`].
    pub(crate) clip: usize,
    /// Index of the rig on the command line.
    pub(crate) rig: usize,
    /// Path of the result, below the output folder.
    pub(crate) place: PathBuf,
    /// Options.
    pub(crate) settings: Settings,
}

/// Lists all clips onto all rigs, except those that a rule leaves out.
///
/// # Errors
/// When two results would have one name, or replace an input.
pub(crate) fn jobs(
    found: &Found,
    rigs: &[PathBuf],
    (template, rules): (&Template, &Rules),
    usual: &Settings,
    output: &Path,
) -> Result<Vec<Job>, Failure> {
    let mut jobs = Vec::new();
    for (clip, input) in found.clips.iter().enumerate() {
        for (rig, path) in rigs.iter().enumerate() {
            if let Some(settings) = rules.settings(input, path, usual) {
                let place = match usual.one_file {
                    true => Path::new(gather::FOLDER).join(template.place(input, path, "glb")),
                    false => {
                        let end = names::end(path, usual.options.animation_only);
                        template.place(input, path, end)
                    }
                };
                jobs.push(Job { clip, rig, place, settings });
            }
        }
    }
    let path = |job: &Job| found.clips[job.clip].path.as_path();
    let mut places: Vec<_> = jobs.iter().map(|job| (job.place.clone(), path(job))).collect();
    if usual.one_file {
        places.extend(rigs.iter().map(|rig| (gather::place(rig), rig.as_path())));
    }
    let clips = found.clips.iter().map(|clip| clip.path.as_path());
    let inputs: Vec<&Path> = clips.chain(rigs.iter().map(PathBuf::as_path)).collect();
    names::check(&places, &inputs, output)?;
    Ok(jobs)
}

/// Survey of all files, without retargeting.
#[derive(Debug)]
pub(crate) struct FileSurvey {
    /// The files that can be read: clips, then rigs.
    pub(crate) files: Vec<Seen>,
    /// Index in `files` of each clip and each rig, or why it has none.
    pub(crate) place: Vec<Result<usize, Fault>>,
    /// Rig classes.
    pub(crate) kinds: Vec<Kind>,
    /// Index of the rig class of each file.
    pub(crate) kind_of: Vec<usize>,
}

impl FileSurvey {
    /// Reads skeletons of all clips and rigs.
    ///
    /// # Errors
    /// When existing cards cannot be read.
    pub(crate) fn new(clips: &[Clip], rigs: &[PathBuf], output: &Path) -> Result<Self, Failure> {
        let paths = clips.iter().map(|clip| &clip.path).chain(rigs);
        let paths: Vec<&PathBuf> = paths.collect();
        let prints = Mutex::new(Vec::new());
        let looked: Vec<Result<Seen, Fault>> =
            paths.par_iter().map(|path| look(path, &prints)).collect();
        interrupt::check()?;
        let mut files = Vec::new();
        let mut place = Vec::new();
        for seen in looked {
            place.push(seen.map(|seen| {
                files.push(seen);
                files.len() - 1
            }));
        }
        let kinds = kinds::of(&files, &cards::kept(output)?);
        let mut kind_of = vec![0; files.len()];
        for (index, kind) in kinds.iter().enumerate() {
            kind.members.iter().for_each(|&file| kind_of[file] = index);
        }
        Ok(Self { files, place, kinds, kind_of })
    }
}

/// Surveys a file; `prints` holds the features of earlier files, each once.
fn look(path: &Path, prints: &Mutex<Vec<Arc<Fingerprint>>>) -> Result<Seen, Fault> {
    let seen = || -> anyhow::Result<Seen> {
        interrupt::check()?;
        is_regular(path)?;
        let own = Fingerprint::read(path)?;
        let mut prints = prints.lock().map_err(|_| anyhow::anyhow!("another file broke off"))?;
        let print = prints.iter().find(|print| ***print == own).cloned().unwrap_or_else(|| {
            prints.push(Arc::new(own));
            Arc::clone(&prints[prints.len() - 1])
        });
        drop(prints);
        Ok(Seen { path: path.to_owned(), hash: hash::of_file(path)?, print })
    };
    seen().map_err(|error| fault::of(&Failure::from(error)))
}

/// Makes the cards of all rig classes, or says why one cannot be used. Rigs, which stand after the `clips`, come first:
/// where one cannot be used, no other is made.
///
/// # Errors
/// The first fault of a rig.
pub(crate) fn cards(
    survey: &FileSurvey,
    clips: usize,
    making: Making,
) -> Result<Vec<Result<Carded, Fault>>, Failure> {
    let make = |kind: usize| making.card(&survey.kinds[kind], &survey.files);
    let of_rig = |place: &Result<usize, Fault>| Some(survey.kind_of[*place.as_ref().ok()?]);
    let of_rigs: BTreeSet<usize> = survey.place[clips..].iter().filter_map(of_rig).collect();
    let rigs: BTreeMap<usize, _> = of_rigs.into_par_iter().map(|kind| (kind, make(kind))).collect();
    for place in &survey.place[clips..] {
        let usable = place.clone().and_then(|file| rigs[&survey.kind_of[file]].clone());
        if let (Err(fault), false) = (usable, making.dry) {
            return Err(fault::failure(fault));
        }
    }
    let all = (0..survey.kinds.len()).into_par_iter();
    let all = all.map(|kind| rigs.get(&kind).cloned().unwrap_or_else(|| make(kind))).collect();
    Ok(interrupt::check().map(|()| all)?)
}

/// Collects the hashes that a result depends on.
///
/// # Errors
/// Why it cannot be done.
pub(crate) fn origin(
    job: &Job,
    clips: usize,
    survey: &FileSurvey,
    cards: &[Result<Carded, Fault>],
) -> Result<Origin, Fault> {
    let seen = |place: usize| survey.place[place].clone();
    let card = |file: usize| {
        let whose = || survey.files[file].path.display().to_string();
        cards[survey.kind_of[file]].as_ref().map_err(|fault| {
            match fault.message.contains(&whose()) {
                true => fault.clone(),
                false => Fault {
                    kind: fault.kind.clone(),
                    message: format!("{}, for its kind of skeleton: {}", whose(), fault.message),
                },
            }
        })
    };
    let (clip, rig) = (seen(job.clip)?, seen(clips + job.rig)?);
    let (source, target) = (card(clip)?, card(rig)?);
    Ok(Origin {
        clip: survey.files[clip].hash.clone(),
        rig: survey.files[rig].hash.clone(),
        source_card: source.place.clone(),
        source_card_hash: source.hash.clone(),
        target_card: target.place.clone(),
        target_card_hash: target.hash.clone(),
        options: job.settings.hash(),
    })
}

/// Whether a result exists and is up to date.
pub(crate) fn is_done(
    known: &BTreeMap<String, Line>,
    place: &Path,
    origin: &Origin,
    output: &Path,
) -> bool {
    let Some(line) = known.get(&text(place)) else { return false };
    let bytes = fs::metadata(output.join(place)).map(|file| file.len()).ok();
    let is_whole = line.result.as_ref().is_some_and(|result| Some(result.bytes) == bytes);
    line.status == Status::Done && is_whole && line.from.as_ref() == Some(origin)
}

/// Path below the output folder, with `/` on each system.
pub(crate) fn text(place: &Path) -> String {
    let parts = place.components().map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}
