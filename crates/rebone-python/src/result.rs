//! A result with its report.

use crate::anatomy::json;
use crate::convert::errors::{input_error, raise};
use crate::convert::numbers;
use crate::motion::Motion;
use crate::pool;
use crate::report::restored_report;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rebone::contacts;
use rebone::skeleton::{Clip, Format};
use rebone::{Error, Report, RetargetJob};
use rebone_view::{RetargetSheet, SheetNames};
use serde_json::json;
use std::path::{Path, PathBuf};

/// The result of a retarget.
#[pyclass(frozen, module = "rebone._rebone")]
#[derive(Debug)]
pub(crate) struct Outcome {
    job: RetargetJob,
    /// Report and root path, as JSON.
    report: String,
    /// Contacts of the source, as their file has them.
    contacts: String,
    motion: Motion,
}

#[pymethods]
impl Outcome {
    /// The source's motion on the target's skeleton.
    #[getter]
    fn motion(&self) -> Motion {
        self.motion.clone()
    }

    /// Report and root path, as JSON.
    #[getter]
    fn report(&self) -> String {
        self.report.clone()
    }

    /// Contacts of the source, as the text of their file: frames are those of the source's file.
    #[getter]
    fn contacts(&self) -> String {
        self.contacts.clone()
    }

    /// The number of the first frame of the result in the source's file, at the rate of the result.
    #[getter]
    fn first_frame(&self) -> usize {
        self.job.frame_offset() + self.job.dropped_frames()
    }

    /// Options that change nothing in a file of that name, each with what it would need.
    fn unused(&self, path: PathBuf) -> Vec<(&'static str, &'static str)> {
        let options = &self.job.plan().options;
        Format::of_name(path).map_or_else(|_| Vec::new(), |format| options.unused(format, true))
    }

    /// Writes the file of the result.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let save = || self.job.save_clip(self.clip(), &restored_report(&self.report), &path);
        pool::run_unwatched(py, save)?.map_err(raise)
    }

    /// The bytes of the `.npz` of the result, as the program writes it.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let write = || {
            let mut bytes = Vec::new();
            self.job.write_clip(
                Format::Npz,
                self.clip(),
                &restored_report(&self.report),
                &mut bytes,
            )?;
            Ok(bytes)
        };
        let bytes: Result<Vec<u8>, Error> = pool::run_unwatched(py, write)?;
        Ok(PyBytes::new(py, &bytes.map_err(raise)?))
    }

    /// Contact sheet of source and result, as PNG.
    fn preview<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let drawn = pool::run_unwatched(py, || self.draw())?;
        Ok(PyBytes::new(py, &drawn.map_err(|error| input_error(&error))?))
    }

    /// Content of a pickle besides the pair: report, contacts, and frames.
    fn state<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(String, String, Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let (_, translations, rotations) = self.clip().parts();
        let translations = numbers::vectors(py, &translations)?;
        let rotations = numbers::quaternions(py, rotations)?;
        Ok((self.report.clone(), self.contacts.clone(), translations, rotations))
    }
}

impl Outcome {
    /// A result that was solved now.
    pub(crate) fn new(
        _py: Python<'_>,
        job: RetargetJob,
        clip: Clip,
        report: &Report,
        motions: [&Motion; 2],
    ) -> PyResult<Self> {
        let contacts = contacts::write(&job.contacts_of_file(report));
        let text = json(&json!({ "report": report, "root_path": report.root_path }))?;
        Self::restored(job, clip, (text, contacts), motions)
    }

    /// A result with its texts.
    pub(crate) fn restored(
        job: RetargetJob,
        clip: Clip,
        (report, contacts): (String, String),
        [source, target]: [&Motion; 2],
    ) -> PyResult<Self> {
        let skeleton = &job.plan().target.skeleton;
        // An added root makes another skeleton than that of the file.
        let motion = match skeleton == target.character.skeleton() {
            true => target.with(clip)?,
            false => {
                let name = source.character.clip_name().into();
                Motion::of_arrays(name, skeleton.clone(), clip)?
            }
        };
        Ok(Self { job, report, contacts, motion })
    }

    fn clip(&self) -> &Clip {
        self.motion.character.clip()
    }

    fn draw(&self) -> Result<Vec<u8>, String> {
        let (job, clip) = (&self.job, self.clip());
        let text = |error: rebone_view::ViewError| error.to_string();
        let skins = [job.source(), job.target()].map(|character| character.skin_mesh());
        let sheet = RetargetSheet::new(job.plan(), clip.len(), clip.frame_time);
        let mut sheet = sheet.with_skins(skins.each_ref());
        clip.poses().try_for_each(|pose| sheet.add(&pose)).map_err(text)?;
        sheet.follow_floor(&restored_report(&self.report));
        let [source, target] = [job.source().path(), job.target().path()].map(file_name);
        let names = SheetNames { source: &source, target: &target, result: &target };
        let frames = [job.dropped_frames(), job.frame_offset()];
        sheet.draw(job.source().clip(), frames, names).map_err(text)
    }
}

/// Last part of a path, for labels.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
