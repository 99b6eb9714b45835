//! A source and a target, analysed once for many clips.

use crate::anatomy::{Anatomy, json};
use crate::convert::errors::{input_error, raise};
use crate::convert::numbers;
use crate::motion::Motion;
use crate::pool::{self, Watching};
use crate::result::Outcome;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rebone::skeleton::Clip;
use rebone::{Error, Options, RetargetJob, Retargeter};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Progress of a retarget, as its threads tell it.
#[derive(Debug, Default)]
struct Progress {
    is_stopped: AtomicBool,
    /// Step, done and all.
    told: Mutex<(&'static str, usize, usize)>,
}

impl Progress {
    /// Takes the progress; returns whether to go on.
    fn tell(&self, step: &'static str, done: usize, all: usize) -> bool {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = (step, done, all);
        !self.is_stopped.load(Ordering::Relaxed)
    }
}

/// A source and a target that were analysed, with options.
#[pyclass(frozen, module = "rebone._rebone")]
#[derive(Debug)]
pub(crate) struct Pair {
    source: Motion,
    target: Motion,
    options: Options,
    files: rebone::Pair,
    /// Solves single frames; made at first use.
    live: Mutex<Option<Retargeter>>,
}

#[pymethods]
impl Pair {
    /// Analyses both. `map` is the text of a map of joints, with the path that messages name.
    #[new]
    #[pyo3(signature = (source, target, options, map=None))]
    fn new(
        py: Python<'_>,
        source: Motion,
        target: Motion,
        options: &str,
        map: Option<(PathBuf, String)>,
    ) -> PyResult<Self> {
        let options = read_options(options)?;
        let characters = [&source.character, &target.character].map(Clone::clone);
        let files = pool::run_unwatched(py, || -> Result<rebone::Pair, Error> {
            characters[0].check_motion()?;
            let map = map.as_ref().map(|(path, text)| (path.as_path(), text.as_str()));
            Ok(rebone::Pair::new(characters, map)?)
        })?;
        let files = files.map_err(raise)?;
        Ok(Self { source, target, options, files, live: Mutex::new(None) })
    }

    /// Anatomies of source and target.
    fn anatomies(&self) -> (Anatomy, Anatomy) {
        let [source, target] = self.files.analysed.anatomies.clone();
        let [own, other] = [&self.source, &self.target].map(Motion::clone);
        (Anatomy { anatomy: source, motion: own }, Anatomy { anatomy: target, motion: other })
    }

    /// Retargets a motion of the source's skeleton. `contacts` is the text of a file of contacts; `progress` is called
    /// with step, done and all, on this thread.
    #[pyo3(signature = (motion, contacts=None, progress=None))]
    fn retarget(
        &self,
        py: Python<'_>,
        motion: Motion,
        contacts: Option<&str>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Outcome> {
        let same = self.source.character.skeleton().joints().iter();
        let same = same.map(|own| (&own.name, own.parent));
        let other = motion.character.skeleton().joints().iter();
        if !same.eq(other.map(|own| (&own.name, own.parent))) {
            return Err(input_error("the motion has other joints than the pair's source"));
        }
        let state = Arc::new(Progress::default());
        let look = |py: Python<'_>| {
            let Some(progress) = &progress else { return Ok(()) };
            let told = *state.told.lock().unwrap_or_else(PoisonError::into_inner);
            if told.0.is_empty() {
                return Ok(());
            }
            progress.call1(py, told).map(drop)
        };
        let stop = || state.is_stopped.store(true, Ordering::Relaxed);
        let watching = Watching { stop: &stop, look: &look, waits: false };
        let (prepare, own) = (self.preparation(&motion, contacts), Arc::clone(&state));
        let work = move || -> Result<_, Error> {
            let job = prepare()?.with_root_path();
            let (clip, report) = job.run(Some(&|step, done, all| own.tell(step, done, all)))?;
            Ok((job, clip, report))
        };
        let (job, clip, report) = pool::run(py, &watching, work)?.map_err(raise)?;
        Outcome::new(py, job, clip, &report, [&motion, &self.target])
    }

    /// The job of a result that was made before, without its frames.
    fn outcome(
        &self,
        py: Python<'_>,
        motion: Motion,
        contacts: Option<&str>,
        state: (String, String, Vec<u8>, Vec<u8>),
    ) -> PyResult<Outcome> {
        let job = pool::run_unwatched(py, self.preparation(&motion, contacts))?;
        let job = job.map_err(raise)?.with_root_path();
        let translations = numbers::read_vectors(&state.2)?;
        let rotations = numbers::read_quaternions(&state.3)?;
        let (skeleton, frame_time) = (&job.plan().target.skeleton, job.frames().1);
        let clip = Clip::from_parts(skeleton, frame_time, translations, rotations);
        let clip = clip.map_err(|error| raise(Error::from(error)))?;
        Outcome::restored(job, clip, (state.0, state.1), [&motion, &self.target])
    }

    /// One frame: rotations of all joints and translations of those that move, of the source in, of the target out.
    fn frame<'py>(
        &self,
        py: Python<'py>,
        rotations: &[u8],
        translations: &[u8],
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let mut live = self.live.lock().unwrap_or_else(PoisonError::into_inner).take();
        if live.is_none() {
            let (plan, _) = self.files.plan(&self.options);
            let new =
                Retargeter::new(plan).map_err(|error| raise(Error::Stages(Box::new(error))))?;
            live = Some(new);
        }
        let Some(mut retargeter) = live else { return Err(input_error("no retargeter")) };
        let source = self.source.with_frames_of(1.0, translations, rotations)?;
        let mut result = retargeter.plan().target.skeleton.rest_pose();
        let Some(pose) = source.character.clip().pose(0) else {
            return Err(input_error("found no frame, expected one"));
        };
        let solved = retargeter.frame(&pose, &mut result);
        solved.map_err(|error| input_error(&error.to_string()))?;
        let clip = Clip::from_poses(&retargeter.plan().target.skeleton, 1.0, [result]);
        let clip = clip.map_err(|error| raise(Error::from(error)))?;
        *self.live.lock().unwrap_or_else(PoisonError::into_inner) = Some(retargeter);
        let (_, translations, rotations) = clip.parts();
        Ok((numbers::quaternions(py, rotations)?, numbers::vectors(py, &translations)?))
    }

    /// Warnings on the two together.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.files.analysed.warnings.clone()
    }
}

impl Pair {
    /// Prepares the job of a clip, on another thread.
    fn preparation(
        &self,
        source: &Motion,
        contacts: Option<&str>,
    ) -> impl FnOnce() -> Result<RetargetJob, Error> + Send + 'static + use<> {
        let files = self.files.with_source(source.character.clone());
        let (options, contacts) = (self.options.clone(), contacts.map(str::to_owned));
        move || {
            let mut job = files.job(&options)?;
            if let Some(contacts) = contacts {
                job.set_contacts(&contacts, Path::new("contacts"))?;
            }
            Ok(job)
        }
    }
}

/// Reads options of JSON.
pub(crate) fn read_options(text: &str) -> PyResult<Options> {
    let value = serde_json::from_str::<serde_json::Value>(text);
    let read = |value: &serde_json::Value| serde_json::from_value::<Options>(value.clone());
    let value = value.map_err(|error| input_error(&error.to_string()))?;
    read(&value).map_err(|error| {
        // The option whose value alone cannot be read.
        let alone = value.as_object().into_iter().flatten();
        let mut wrong = alone.filter_map(|(name, value)| {
            let error = read(&serde_json::json!({ name.as_str(): value })).err()?;
            Some(format!("{}: {error}", name.replace('-', "_")))
        });
        input_error(&wrong.next().unwrap_or_else(|| error.to_string()))
    })
}

/// All options with their defaults, as JSON.
#[pyfunction]
pub(crate) fn default_options() -> PyResult<String> {
    json(&Options::default())
}
