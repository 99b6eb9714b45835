//! Analysed skeletons and rig cards.

use crate::convert::errors::{input_error, raise};
use crate::convert::numbers;
use crate::motion::Motion;
use crate::pool;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rebone::skeleton::selector::select;
use rebone_studio::CharacterSummary;
use std::path::PathBuf;

/// An analysed skeleton, with the motion that it was read off.
#[pyclass(frozen, module = "rebone._rebone")]
#[derive(Debug)]
pub(crate) struct Anatomy {
    pub(crate) anatomy: rebone::Anatomy,
    pub(crate) motion: Motion,
}

#[pymethods]
impl Anatomy {
    /// All that the program prints of a skeleton, as JSON.
    fn summary(&self) -> PyResult<String> {
        json(&CharacterSummary::new(&self.motion.character, &self.anatomy))
    }

    /// The joint whose frame may be off the most, and by how much: a standard deviation, radians.
    fn least_sure(&self) -> (String, f64) {
        let (joint, sigma) = self.anatomy.least_sure();
        (select(&self.anatomy.skeleton, joint), sigma)
    }

    /// Metres of a 1.7 m body for a unit of the file.
    #[getter]
    fn metres_per_unit(&self) -> f64 {
        self.anatomy.metres_per_unit()
    }

    /// Metres of a unit of the file: as stated, else the usual unit in which the body has the size of a person.
    #[getter]
    fn file_unit_metres(&self) -> f64 {
        self.anatomy.file_unit_metres()
    }

    /// Turns the file's axes to +Y up and +Z ahead: x, y, z, w.
    fn inner_from_file<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        numbers::quaternions(py, &[self.anatomy.inner_from_file()])
    }

    /// Positions of the joints in the T pose, in metres of a 1.7 m body.
    fn t_pose<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        numbers::vectors(py, &self.anatomy.t_pose.positions)
    }

    /// Local rotations of the joints in the T pose.
    fn t_pose_rotations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        numbers::quaternions(py, &self.anatomy.t_pose_locals())
    }

    /// Text of the rig card, as for a file at `path`.
    #[pyo3(signature = (path=None))]
    fn card(&self, path: Option<PathBuf>) -> PyResult<String> {
        let hints = self.motion.character.hints();
        let card = hints.card_of(&self.anatomy, path.as_deref(), false).map_err(raise)?;
        Ok(card.to_toml())
    }

    /// Fails where roles or calibration are too uncertain to use without asking.
    fn check_confidence(&self) -> PyResult<()> {
        self.motion.character.check_confidence(&self.anatomy).map_err(raise)
    }
}

/// Finds roles, axes, size and calibration of the skeleton of a motion.
#[pyfunction]
pub(crate) fn analyse(py: Python<'_>, motion: Motion) -> PyResult<Anatomy> {
    let anatomy = pool::run_unwatched(py, || motion.character.analyse())?;
    Ok(Anatomy { anatomy: anatomy.map_err(raise)?, motion })
}

/// Learns the anatomy of a rig from the rig itself and clips of it.
#[pyfunction]
pub(crate) fn learn(py: Python<'_>, rig: Motion, clips: Vec<Motion>) -> PyResult<Anatomy> {
    let learned = pool::run_unwatched(py, || {
        let mut refused = None;
        let clips = clips.into_iter().map(|clip| Ok(clip.character));
        let anatomy = rig.character.learn(clips, |error| refused = refused.take().or(Some(error)));
        match refused {
            Some(error) => Err(error),
            None => anatomy,
        }
    })?;
    Ok(Anatomy { anatomy: learned.map_err(raise)?, motion: rig })
}

/// Plain data as JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| input_error(&error.to_string()))
}
