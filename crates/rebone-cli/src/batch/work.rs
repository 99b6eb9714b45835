//! One clip onto its rigs: a pure function of files, cards and options.

use super::cards::Carded;
use super::inputs::Clip;
use super::manifest::{Done, Fault, Line, Origin, Status};
use super::options::Settings;
use super::plan::{Job, text};
use super::{fault, output_lock::OutputLock};
use crate::engine::{self, Summary};
use crate::exit_code::{Failure, is_interruption};
use crate::interrupt;
use crate::paths;
use anyhow::Context;
use rebone::skeleton::{Format, Pose, gltf};
use rebone::{AnalysedPair, Anatomy, Character, Report, RetargetJob, Selection};
use rebone_view::{RetargetSheet, SheetNames};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A rig that was analysed.
#[derive(Debug)]
pub(crate) struct Rig {
    /// Its file.
    pub(crate) loaded: Character,
    /// Its roles, axes, size and calibration.
    pub(crate) anatomy: Anatomy,
    /// Its file as a glTF, or its joints.
    pub(crate) document: Arc<gltf::Document>,
}

impl Rig {
    /// Reads a rig with its card.
    ///
    /// # Errors
    /// When it is no humanoid, or a guess is below confidence.
    pub(crate) fn read(path: &Path, card: &Carded, settings: &Settings) -> Result<Self, Failure> {
        let loaded = Character::open(path, Selection::default())?.with_hints(card.known.clone());
        let anatomy = loaded.analyse()?;
        if !settings.options.accept_guesses {
            let checked = loaded.check_confidence(&anatomy);
            checked.map_err(|error| Failure::low_confidence(error, "--target-card"))?;
        }
        let document = rebone::export::document(&loaded, &anatomy);
        if settings.one_file {
            // What cannot be gathered in the end is told before the work.
            let context = || format!("{}: --one-file", path.display());
            document.check_whole().with_context(context)?;
        }
        Ok(Self { loaded, anatomy, document })
    }
}

/// Folders of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchContext<'a> {
    /// The output folder.
    pub(crate) output: &'a Path,
    /// Lock with the folder for incomplete files.
    pub(crate) lock: &'a OutputLock,
    /// Folder of pictures, where they are wanted.
    pub(crate) preview: Option<&'a Path>,
}

/// A clip and the jobs that use it.
#[derive(Debug)]
pub(crate) struct ClipTask<'a> {
    /// The clip.
    pub(crate) clip: &'a Clip,
    /// Size of its file.
    pub(crate) bytes: u64,
    /// Card of its rig class.
    pub(crate) card: Option<&'a Carded>,
    /// Jobs, each with its rig and the hashes that its result depends on.
    pub(crate) jobs: Vec<(&'a Job, &'a Rig, Origin)>,
}

impl ClipTask<'_> {
    /// Reads the clip and makes all results; calls `tell` with each line.
    pub(crate) fn run(&self, context: &BatchContext, tell: &mut dyn FnMut(Line)) {
        let mut begin = Instant::now();
        let read = fault::catch_panic(|| self.read().map_err(|failure| fault::of(&failure)));
        for (job, rig, origin) in &self.jobs {
            let made = match &read {
                _ if interrupt::check().is_err() => return,
                Ok((loaded, anatomy)) => {
                    fault::catch_panic(|| make(context, loaded, anatomy, job, rig))
                }
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
        let known = self.card.map(|card| card.known.clone()).unwrap_or_default();
        let loaded =
            Character::open(&self.clip.path, Selection { clip: clip.as_deref(), skin: None })?
                .with_hints(known);
        loaded.check_clip()?;
        let anatomy = loaded.analyse()?;
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
    context: &BatchContext,
    loaded: &Character,
    anatomy: &Anatomy,
    job: &Job,
    rig: &Rig,
) -> Result<Option<(Done, Vec<String>)>, Fault> {
    let wrong = |failure: Failure| fault::of(&failure);
    let analysed = AnalysedPair::of([anatomy.clone(), rig.anatomy.clone()]);
    let path = &context.output.join(&job.place);
    let prepare = || {
        let files = [loaded.clone(), rig.loaded.clone()];
        let retarget = RetargetJob::new(files, &analysed, &job.settings.options)?;
        let format = Format::of_name(path)?;
        retarget.check_format(format, path)?;
        retarget.check_folder(format, path)?;
        Ok((retarget, format))
    };
    let (retarget, format) =
        prepare().map_err(|error| wrong(Failure::of_pair(error, loaded.path())))?;
    let (count, frame_time) = retarget.frames();
    let mut sheet = context.preview.map(|_| RetargetSheet::new(retarget.plan(), count, frame_time));
    let written = context.lock.write_atomically(path, |file| {
        retarget.write(format, file, |pose: &Pose| {
            sheet.iter_mut().for_each(|sheet| sheet.add(pose));
            Ok(interrupt::check()?)
        })
    });
    if let Ok((_, report)) = &written
        && let (Some(folder), Some(mut sheet)) = (context.preview, sheet)
    {
        sheet.follow_floor(report);
        let picture = picture_path(folder, &job.place);
        draw(sheet, &retarget, path, &picture).map_err(wrong)?;
    }
    match written {
        Err(error) if is_interruption(&error) => Ok(None),
        Err(error) => {
            let kind = fault::UNWRITABLE.to_owned();
            Err(Fault { kind, ..wrong(error.into()) })
        }
        Ok((bytes, report)) => {
            let read = loaded.warnings().iter().map(ToString::to_string);
            let warnings = read.chain(report.warnings.iter().cloned());
            let sure = [
                Summary::new(loaded, &analysed.anatomies[0]),
                Summary::new(&rig.loaded, &analysed.anatomies[1]),
            ];
            let sure = sure.each_ref().map(Summary::confidence);
            let first = retarget.first_frame() + retarget.source().clip().len() - report.frames;
            Ok(Some((done(&report, sure, bytes, first), warnings.collect())))
        }
    }
}

/// Path of the picture of a result, in the folder of pictures.
pub(crate) fn picture_path(folder: &Path, place: &Path) -> PathBuf {
    folder.join(place).with_extension("png")
}

/// Draws source and result over each other.
fn draw(
    sheet: RetargetSheet,
    retarget: &RetargetJob,
    result: &Path,
    picture: &Path,
) -> Result<(), Failure> {
    let paths = [retarget.source().path(), retarget.target().path(), result];
    let [source, target, result] = paths.map(engine::file_name);
    let names = SheetNames { source: &source, target: &target, result: &result };
    let frames = [retarget.dropped_frames(), retarget.frame_offset()];
    let bytes = sheet.draw(retarget.source().clip(), frames, names);
    if let Some(folder) = picture.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
    }
    paths::write(picture, |file| Ok(file.write_all(&bytes)?))
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
