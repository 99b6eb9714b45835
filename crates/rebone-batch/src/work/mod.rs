//! Retargets one clip onto its rigs: a pure function of files, cards and options.

pub(crate) mod cards_only;
pub(crate) mod merge;
pub(crate) mod outcome;
pub(crate) mod plan;
pub(crate) mod prepared;
pub(crate) mod run;
pub(crate) mod run_tasks;
pub(crate) mod tar_plan;
pub(crate) mod tar_work;
pub(crate) mod threads;

use crate::error::{BatchError, Fault, FaultKind, catch_panic, check, context};
use crate::find::input_clip::InputClip;
use crate::jobs::BatchJob;
use crate::jobs::request::{BatchRequest, Pictures};
use crate::record::hash;
use crate::record::lock::{CompleteFile, OutputLock};
use crate::record::manifest::{HashedFile, JobStatus, ManifestLine, Provenance, ResultQuality};
use crate::record::shard::Shard;
use crate::rigs::cards::RigCard;
use crate::state::on_disk::FileStamp;
use rebone::quality::Finding;
use rebone::skeleton::{Clip, Format, gltf};
use rebone::{Anatomy, Character, NO_LEADING_POSE, Pair, Report, RetargetJob, Selection};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Number of defects of a source that a line of a manifest holds.
const MAX_DEFECTS: usize = 10;

/// A rig that was analysed.
#[derive(Debug)]
pub(crate) struct AnalysedRig {
    /// Its file.
    pub(crate) character: Character,
    /// Its roles, axes, size and calibration.
    pub(crate) anatomy: Anatomy,
    /// Its file as a glTF, or its joints.
    pub(crate) document: Arc<gltf::Document>,
}

impl AnalysedRig {
    /// Reads a rig with its card.
    ///
    /// # Errors
    /// When it is no humanoid, or a guess is below confidence.
    pub(crate) fn read(
        path: &Path,
        card: &RigCard,
        request: &BatchRequest,
    ) -> Result<Self, BatchError> {
        let selection = Selection { clip: None, character: request.target_character.selector() };
        let character = Character::open(path, selection)?.with_hints(card.hints.clone());
        let anatomy = character.analyse()?;
        if !request.options.accept_guesses {
            let checked = character.check_confidence(&anatomy).map_err(BatchError::from);
            checked.map_err(|error| BatchError::Fault(Fault::of(&error)))?;
        }
        let document = rebone::export::document(&character, &anatomy);
        if request.one_file {
            // Refused before the work, not when its results are merged.
            context(document.check_whole(), || format!("{}: --one-file", path.display()))?;
        }
        Ok(Self { character, anatomy, document })
    }
}

/// Folders of a batch, and the flag that stops it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkContext<'a> {
    /// The output folder.
    pub(crate) output: &'a Path,
    /// Lock with the folder for incomplete files.
    pub(crate) lock: &'a OutputLock,
    /// Pictures, where they are wanted.
    pub(crate) pictures: Option<&'a Pictures>,
    /// Shard that is made.
    pub(crate) shard: Option<Shard>,
    /// Flag that stops the work.
    pub(crate) stop: &'a AtomicBool,
}

impl WorkContext<'_> {
    /// Writes a result; `take` gets its motion.
    ///
    /// # Errors
    /// When it cannot be written, or the flag stops the work.
    fn write(
        &self,
        retarget: &RetargetJob,
        format: Format,
        file: &mut (dyn Write + Send),
        take: impl FnOnce(Clip),
    ) -> Result<Report, BatchError> {
        let watch = |_: &str, _, _| !self.stop.load(Ordering::Relaxed);
        let written = retarget.write(format, file, Some(&watch), take);
        check(self.stop)?;
        Ok(written?)
    }
}

/// A clip and the jobs that use it.
#[derive(Debug)]
pub(crate) struct ClipTask<'a> {
    /// The clip.
    pub(crate) clip: &'a InputClip,
    /// Size of its file.
    pub(crate) bytes: u64,
    /// Card of its rig class.
    pub(crate) card: Option<&'a RigCard>,
    /// Files that the clip and its card are read from, as they were hashed.
    pub(crate) files: Vec<HashedFile>,
    /// Its jobs.
    pub(crate) jobs: Vec<ClipJob<'a>>,
    /// Place of its results in a tar, of a clip in one.
    pub(crate) in_tar: Option<InTar<'a>>,
}

/// Place of the results of a clip in a tar.
#[derive(Debug)]
pub(crate) struct InTar<'a> {
    /// Index of the tar among those of the run.
    pub(crate) tar: usize,
    /// Index of the clip in the tar.
    pub(crate) index: usize,
    /// Jobs that cannot be done, with their lines.
    pub(crate) failing: Vec<(&'a BatchJob, ManifestLine)>,
}

/// Takers of the lines of jobs.
pub(crate) struct LineHooks<'a> {
    /// Gives the line of a job that was not done.
    pub(crate) failed: &'a dyn Fn(&BatchJob) -> ManifestLine,
    /// Takes the line of a result before it has its name.
    pub(crate) announce: &'a dyn Fn(&ManifestLine) -> Result<(), BatchError>,
}

/// A job of a clip.
#[derive(Debug)]
pub(crate) struct ClipJob<'a> {
    /// The job.
    pub(crate) job: &'a BatchJob,
    /// Its rig.
    pub(crate) rig: &'a AnalysedRig,
    /// Hashes that its result depends on.
    pub(crate) from: Provenance,
    /// Stamp of an earlier result when it was decided that it is replaced.
    pub(crate) stamp: FileStamp,
}

impl ClipTask<'_> {
    /// Reads the clip and makes all results; `emit` takes each line.
    pub(crate) fn run(
        &self,
        context: &WorkContext,
        &LineHooks { failed, announce }: &LineHooks,
        emit: &mut dyn FnMut(Vec<ManifestLine>),
    ) {
        let mut begin = Instant::now();
        let read = catch_panic(|| self.read().map_err(|error| Fault::of(&error)));
        for own in &self.jobs {
            let job = own.job;
            let made = match &read {
                _ if check(context.stop).is_err() => return,
                Ok(clip) => catch_panic(|| {
                    let announce = |file: &CompleteFile, picture: Option<&CompleteFile>| {
                        announce(&announced(failed(job), Some(file), picture))
                    };
                    make(context, clip, own, &announce)
                }),
                Err(fault) => Err(fault.clone()),
            };
            let mut line = ManifestLine { from: Some(own.from.clone()), ..failed(job) };
            match made {
                Ok(Some(made)) => {
                    (line.file, line.picture) = (Some(made.file), made.picture);
                    (line.error, line.warnings) = (made.fault, made.warnings);
                    if line.error.is_none() {
                        (line.status, line.result) = (JobStatus::Done, Some(made.quality));
                    }
                }
                Ok(None) => return,
                Err(fault) => line.error = Some(fault),
            }
            line.seconds = begin.elapsed().as_secs_f64();
            begin = Instant::now();
            emit(vec![line]);
        }
    }

    /// Reads and analyses the clip.
    pub(crate) fn read(&self) -> Result<(Character, Anatomy), BatchError> {
        let hints = self.card.map(|card| card.hints.clone()).unwrap_or_default();
        let hash = self.jobs.first().map_or("", |own| &own.from.clip);
        let character = self.clip.file().open(hash, self.clip.selector())?.with_hints(hints);
        character.check_motion()?;
        let anatomy = character.analyse()?;
        hash::check_unchanged(&self.files)?;
        Ok((character, anatomy))
    }
}

/// A result that was made.
struct MadeResult {
    quality: ResultQuality,
    warnings: Vec<String>,
    /// Hash of its file.
    file: String,
    /// Hash of its picture.
    picture: Option<String>,
    /// Why its picture has not got its name.
    fault: Option<Fault>,
}

/// Line of a result and a picture that are complete and do not have their names yet: what a killed run leaves of them is
/// known by their hashes.
pub(crate) fn announced(
    line: ManifestLine,
    file: Option<&CompleteFile>,
    picture: Option<&CompleteFile>,
) -> ManifestLine {
    let message = "the run ended while this result was written: run the batch again".to_owned();
    ManifestLine {
        file: file.map(|file| file.hash().to_owned()),
        picture: picture.map(|picture| picture.hash().to_owned()),
        error: Some(Fault { kind: FaultKind::Other, message }),
        ..line
    }
}

/// Takes the files of a result that are complete, before they have their names.
type Announce<'a> = dyn Fn(&CompleteFile, Option<&CompleteFile>) -> Result<(), BatchError> + 'a;

/// Prepares the retarget of a clip for a result at a path.
pub(crate) fn prepare(
    (clip, anatomy): &(Character, Anatomy),
    own: &ClipJob,
    path: &Path,
) -> Result<(RetargetJob, Format), Fault> {
    let prepare = || -> Result<_, rebone::Error> {
        let characters = [clip.clone(), own.rig.character.clone()];
        let pair = Pair::of(characters, [anatomy.clone(), own.rig.anatomy.clone()]);
        let retarget = pair.job(&own.job.options)?;
        let format = Format::of_name(path)?;
        retarget.check_format(format, path)?;
        retarget.check_folder(format, path)?;
        Ok((retarget, format))
    };
    prepare().map_err(|error| Fault::of(&error.into()))
}

/// Makes one result; `None` when it was interrupted.
fn make(
    context: &WorkContext,
    clip: &(Character, Anatomy),
    own: &ClipJob,
    announce: &Announce,
) -> Result<Option<MadeResult>, Fault> {
    let ClipJob { job, rig, stamp, .. } = own;
    let path = &context.output.join(&job.path);
    let (retarget, format) = prepare(clip, own, path)?;
    let mut shown = None;
    let written = context.lock.complete(path, |file| {
        let take = |clip| shown = context.pictures.map(|pictures| (pictures, clip));
        context.write(&retarget, format, file, take)
    });
    let (file, report) = match written {
        Ok(written) => written,
        Err(BatchError::Interrupted) => return Ok(None),
        Err(error) => return Err(unwritable(&error)),
    };
    let picture = shown.map(|(pictures, clip)| {
        let drawn = (pictures.draw)(&retarget, &clip, &report, path);
        let path = pictures.path(&job.path);
        let folder = pictures.temporary(context.shard);
        let written = CompleteFile::write(&path, Some(&folder), |file| Ok(file.write_all(&drawn)?));
        written.map(|(file, ())| file)
    });
    let picture = picture.transpose().map_err(|error| unwritable(&error))?;
    announce(&file, picture.as_ref()).map_err(|error| unwritable(&error))?;
    if stamp.is_outdated(path) {
        return Err(saved_file(path));
    }
    let picture_hash = picture.as_ref().map(|picture| picture.hash().to_owned());
    let file = file.commit().map_err(|error| unwritable(&error))?;
    let named = picture.map_or(Ok(()), |picture| picture.commit().map(drop));
    let fault = named.err().map(|error| unwritable(&error));
    let warnings = warnings([&clip.0, &rig.character], &report);
    let quality = quality(&report, &retarget, [&clip.1, &rig.anatomy], file.bytes);
    Ok(Some(MadeResult { quality, warnings, file: file.hash, picture: picture_hash, fault }))
}

/// Fault of a result that a person saved while the batch ran.
pub(crate) fn saved_file(path: &Path) -> Fault {
    let path = path.display();
    let message =
        format!("{path} was saved while the batch ran: move it, or replace it with --overwrite");
    Fault { kind: FaultKind::Unwritable, message }
}

pub(crate) fn unwritable(error: &BatchError) -> Fault {
    let fault = Fault::of(error);
    match fault.kind {
        FaultKind::DiskFull => fault,
        _ => Fault { kind: FaultKind::Unwritable, ..fault },
    }
}

/// Warnings on a result of a clip on a rig; of the rig those on several characters alone. That a clip has no leading pose to
/// drop is no warning: most clips of a library have none.
pub(crate) fn warnings([clip, rig]: [&Character; 2], report: &Report) -> Vec<String> {
    let of_rig = rig.warnings().iter().map(|own| (own, own.on_target()));
    let of_rig = of_rig.filter(|(own, named)| *own != named).map(|own| own.1.to_string());
    let of_file = clip.warnings().iter().map(ToString::to_string).chain(of_rig);
    let of_result = report.warnings.iter().filter(|own| !own.contains(NO_LEADING_POSE));
    of_file.chain(of_result.cloned()).collect()
}

/// Quality of a result of some bytes by its report.
pub(crate) fn quality(
    report: &Report,
    retarget: &RetargetJob,
    anatomies: [&Anatomy; 2],
    bytes: u64,
) -> ResultQuality {
    let furthest = report.stages.iter().max_by(|a, b| a.end.total_cmp(&b.end));
    let worst = report.stages.iter().max_by(|a, b| a.worst.total_cmp(&b.worst));
    let verdict = report.verdict.as_ref();
    let defects = verdict.into_iter().flat_map(|own| &own.source_defects);
    ResultQuality {
        bytes,
        frames: report.frames,
        first: retarget.first_frame() + retarget.source().clip().len() - report.frames,
        confidence: anatomies.map(Anatomy::least_confidence),
        furthest: furthest.map(|stage| stage.stage.clone()),
        mean_off: furthest.map_or(0.0, |stage| stage.end),
        worst_off: worst.map_or(0.0, |stage| stage.worst),
        worst_frame: worst.map_or(0, |stage| stage.worst_frame),
        limits: report.limits.len(),
        unconverged: report.stages.iter().map(|stage| stage.unconverged).sum(),
        verdict: verdict.map(|own| own.verdict.to_string()),
        score: verdict.map(|own| own.score),
        reason: verdict.and_then(|own| own.reasons.first()).map(|own| own.text.clone()),
        still: report.still,
        seam: report.cycle.as_ref().map(|own| [own.seam_metres, own.seam_degrees]),
        source_defects: defects.take(MAX_DEFECTS).map(Finding::in_words).collect(),
        no_leading_pose: report.warnings.iter().any(|own| own.contains(NO_LEADING_POSE)),
    }
}
