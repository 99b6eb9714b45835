//! The unit of work: one clip onto the rigs that want it. A pure function of files, cards and options.

use super::cards::Carded;
use super::inputs::Clip;
use super::manifest::{Done, Fault, Line, Origin, Status};
use super::plan::{Job, text};
use super::{fault, output_lock::OutputLock};
use crate::args::{self, Which};
use crate::engine::{self, Kind, Known, Made, Output, Summary};
use crate::exit_code::Failure;
use crate::interrupt;
use anyhow::Context;
use rebone::skeleton::{Pose, gltf};
use rebone::{AnalysedPair, Anatomy, Character, ClipInput, FrameMapping, Report, Selection};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// A rig that was understood.
#[derive(Debug)]
pub(crate) struct Rig {
    /// Its file.
    pub(crate) loaded: Character,
    /// What it is.
    pub(crate) anatomy: Anatomy,
    /// Its own animation that joints keep, where that is wished.
    base: Option<Arc<rebone::skeleton::Clip>>,
    /// Its file as a glTF, or its joints.
    pub(crate) document: Arc<gltf::Document>,
}

impl Rig {
    /// Reads a rig and its card's word on it.
    ///
    /// # Errors
    /// When it is not understood, or not surely enough.
    pub(crate) fn read(path: &Path, card: &Carded, args: &args::Batch) -> Result<Self, Failure> {
        let loaded = Character::open(path, Selection::default())?;
        let anatomy = engine::analyse(&loaded, &card.known)?;
        if !args.options.accept_guesses {
            engine::check_guesses(&loaded, &anatomy, Which::Target)?;
        }
        let base = engine::base(&loaded, &args.options)?;
        let document = engine::document(&loaded, &anatomy);
        if args.one_file {
            // What cannot be gathered in the end is told before the work.
            let context = || format!("{}: --one-file", path.display());
            document.check_whole().with_context(context)?;
        }
        Ok(Self { loaded, anatomy, base, document })
    }
}

/// Where results go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Desk<'a> {
    /// The output folder.
    pub(crate) output: &'a Path,
    /// Where results are made.
    pub(crate) lock: &'a OutputLock,
    /// Whether guesses below confidence are used.
    pub(crate) accept_guesses: bool,
}

/// A clip that is to be read, and what is to be made of it.
#[derive(Debug)]
pub(crate) struct Task<'a> {
    /// The clip.
    pub(crate) clip: &'a Clip,
    /// How long its file is.
    pub(crate) bytes: u64,
    /// The card of its skeleton.
    pub(crate) card: Option<&'a Carded>,
    /// Each with its rig and what its result depends on.
    pub(crate) jobs: Vec<(&'a Job, &'a Rig, Origin)>,
}

impl Task<'_> {
    /// Reads the clip and makes all results; tells each as it is done.
    pub(crate) fn run(&self, desk: &Desk, tell: &mut dyn FnMut(Line)) {
        let mut begin = Instant::now();
        let read = fault::guarded(|| self.read().map_err(|failure| fault::of(&failure)));
        for (job, rig, origin) in &self.jobs {
            let made = match &read {
                _ if interrupt::check().is_err() => return,
                Ok((loaded, anatomy)) => fault::guarded(|| make(desk, loaded, anatomy, job, rig)),
                Err(fault) => Err(fault.clone()),
            };
            let mut line = self.line(job, rig, origin);
            match made {
                Ok(Some((done, warnings))) => {
                    (line.status, line.result, line.warnings) =
                        (Status::Done, Some(done), warnings);
                }
                Ok(None) => return,
                Err(fault) => line.error = Some(fault),
            }
            line.seconds = begin.elapsed().as_secs_f64();
            begin = Instant::now();
            tell(line);
        }
    }

    fn read(&self) -> Result<(Character, Anatomy), Failure> {
        let clip = self.clip.wanted();
        let loaded =
            Character::open(&self.clip.path, Selection { clip: clip.as_deref(), skin: None })?;
        loaded.check_clip()?;
        let own = Known::default();
        let anatomy = engine::analyse(&loaded, self.card.map_or(&own, |card| &card.known))?;
        Ok((loaded, anatomy))
    }

    fn line(&self, job: &Job, rig: &Rig, origin: &Origin) -> Line {
        Line {
            target: Some(rig.loaded.path().display().to_string()),
            output: Some(text(&job.place)),
            from: Some(origin.clone()),
            ..Line::of(self.clip, Status::Failed)
        }
    }
}

/// Makes one result; `None` when it was interrupted.
fn make(
    desk: &Desk,
    loaded: &Character,
    anatomy: &Anatomy,
    job: &Job,
    rig: &Rig,
) -> Result<Option<(Done, Vec<String>)>, Fault> {
    let settings = &job.settings;
    let wrong = |failure: Failure| fault::of(&failure);
    if !desk.accept_guesses {
        engine::check_guesses(loaded, anatomy, Which::Source).map_err(wrong)?;
    }
    let analysed = AnalysedPair::of([anatomy.clone(), rig.anatomy.clone()]);
    let (mut part, too_short) = part(loaded, settings.options.frames).map_err(wrong)?;
    let first = settings.options.frames.map_or(0, |range| range.start);
    let fps = settings.options.fps;
    let timing = match fps {
        None => FrameMapping::new(part.as_ref().unwrap_or(loaded), anatomy, first),
        Some(_) => {
            let part = part.get_or_insert_with(|| loaded.clone());
            part.resample(anatomy, fps, first).map_err(Failure::from).map_err(wrong)?
        }
    };
    let loaded = part.as_ref().unwrap_or(loaded);
    let input = ClipInput { clip: loaded.clip(), reference: timing.leading_pose, contacts: None };
    let files = [loaded, &rig.loaded];
    let made = Made::over(&analysed, &settings.options, files, rig.base.clone());
    let made = made.map_err(wrong)?;
    let output = Output {
        target: &rig.loaded,
        document: Arc::clone(&rig.document),
        path: &desk.output.join(&job.place),
        kind: Kind::of(&job.place),
        options: &settings.options,
        name: settings.options.animation.clone().unwrap_or_else(|| loaded.clip_name()),
    };
    let written = desk.lock.write_atomically(&desk.output.join(&job.place), |file| {
        let each = |_: &Pose| Ok(interrupt::check()?);
        made.write(&input, &timing, &output, file, each)
    });
    match written {
        Err(error) if interrupt::is_cause(&error) => Ok(None),
        Err(error) => {
            let kind = fault::UNWRITABLE.to_owned();
            Err(Fault { kind, ..wrong(error.into()) })
        }
        Ok((bytes, report)) => {
            let read = loaded.warnings().iter().map(ToString::to_string);
            let warnings = read.chain(too_short).chain(report.warnings.iter().cloned());
            let sure = [
                Summary::new(loaded, &analysed.anatomies[0]),
                Summary::new(&rig.loaded, &analysed.anatomies[1]),
            ];
            let sure = sure.each_ref().map(Summary::confidence);
            let first = first + loaded.clip().len() - report.frames;
            Ok(Some((done(&report, sure, bytes, first), warnings.collect())))
        }
    }
}

/// The clip with only the frames of a range; `None` where that is all.
fn part(
    character: &Character,
    range: Option<rebone::FrameRange>,
) -> Result<(Option<Character>, Option<String>), Failure> {
    let Some(rebone::FrameRange { start, end }) = range else { return Ok((None, None)) };
    let mut part = character.clone();
    let warning = part.cut((start, end))?;
    Ok((Some(part), warning))
}

fn done(report: &Report, sure: [f64; 2], bytes: u64, first: usize) -> Done {
    let furthest = report.stages.iter().max_by(|a, b| a.end.total_cmp(&b.end));
    let worst = report.stages.iter().max_by(|a, b| a.worst.total_cmp(&b.worst));
    let verdict = report.verdict.as_ref();
    Done {
        bytes,
        frames: report.frames,
        first,
        sure,
        furthest: furthest.map(|stage| stage.stage.clone()),
        mean_off: furthest.map_or(0.0, |stage| stage.end),
        worst_off: worst.map_or(0.0, |stage| stage.worst),
        worst_frame: worst.map_or(0, |stage| stage.worst_frame),
        limits: report.limits.len(),
        unconverged: report.stages.iter().map(|stage| stage.unconverged).sum(),
        verdict: verdict.map(|own| own.verdict.to_string()),
        score: verdict.map(|own| own.score),
        reason: verdict.and_then(|own| own.reasons.first()).map(|own| own.text.clone()),
    }
}
