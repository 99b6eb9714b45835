//! Motions as plain data for pickle.

use crate::convert::errors::raise;
use crate::convert::numbers;
use crate::convert::origin::{Origin, SideFiles};
use crate::hints::Statements;
use crate::motion::Motion;
use crate::skeleton::SkeletonParts;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rebone::skeleton::ClipSelector;
use rebone::skeleton::bvh::{WriteOptions, write_clip};
use rebone::{CharacterChoice, Error};
use std::path::PathBuf;

/// A motion as plain data.
#[derive(Debug, FromPyObject, IntoPyObject)]
pub(crate) struct MotionState {
    #[pyo3(item)]
    name: PathBuf,
    /// The file, of a BVH its hierarchy with one frame; `None` of arrays.
    #[pyo3(item)]
    content: Option<Vec<u8>>,
    #[pyo3(item)]
    beside: SideFiles,
    #[pyo3(item)]
    skin: Option<usize>,
    #[pyo3(item)]
    joint: Option<String>,
    #[pyo3(item)]
    clip: Option<usize>,
    #[pyo3(item)]
    statements: Statements,
    #[pyo3(item)]
    skeleton: Option<SkeletonParts>,
    #[pyo3(item)]
    frame_time: f64,
    #[pyo3(item)]
    translations: Py<PyBytes>,
    #[pyo3(item)]
    rotations: Py<PyBytes>,
    #[pyo3(item)]
    file: Option<PathBuf>,
}

/// A motion as plain data, for pickle.
#[pyfunction]
pub(crate) fn motion_state(py: Python<'_>, motion: Motion) -> PyResult<MotionState> {
    let character = &motion.character;
    let clip = character.clip();
    let none = CharacterChoice::default;
    let (content, beside, choice) = match &motion.origin {
        Origin::Arrays => (None, Vec::new(), none()),
        Origin::Bvh => (Some(motion.hierarchy_with_a_frame()?), Vec::new(), none()),
        Origin::File { content, beside, choice } => {
            (Some(content.to_vec()), beside.to_vec(), choice.clone())
        }
    };
    let skeleton = match content {
        None => Some(SkeletonParts::of(py, character.skeleton())?),
        Some(_) => None,
    };
    Ok(MotionState {
        name: character.path().to_owned(),
        content,
        beside,
        skin: choice.skin,
        joint: choice.joint,
        clip: character.clip_index(),
        statements: motion.statements.clone(),
        skeleton,
        frame_time: clip.frame_time,
        translations: numbers::vectors(py, &clip.parts().1)?.unbind(),
        rotations: numbers::quaternions(py, clip.parts().2)?.unbind(),
        file: motion.file.clone(),
    })
}

/// The motion of plain data.
#[pyfunction]
pub(crate) fn restore_motion(py: Python<'_>, state: MotionState) -> PyResult<Motion> {
    let read = match (state.content, &state.skeleton) {
        (None, Some(parts)) => Motion::of_skeleton_parts(state.name, parts)?,
        (content, _) => {
            let clip = state.clip.map(ClipSelector::Index);
            let content = content.unwrap_or_default();
            let choice = CharacterChoice { skin: state.skin, joint: state.joint };
            let read = Origin::parse(&state.name, content, state.beside, (clip, choice));
            let (character, origin) = read.map_err(raise)?;
            Motion { character, statements: Statements::default(), origin, file: None }
        }
    };
    let hints = state.statements.hints()?;
    let character = read.character.clone().with_hints(hints);
    let read = Motion { character, statements: state.statements, ..read };
    let [translations, rotations] =
        [&state.translations, &state.rotations].map(|own| own.as_bytes(py));
    let read = read.with_frames_of(state.frame_time, translations, rotations)?;
    Ok(match state.file {
        Some(file) => read.of_file(file),
        None => read,
    })
}

impl Motion {
    /// A BVH of the hierarchy with the first frame of the file, which says what position channels mean.
    fn hierarchy_with_a_frame(&self) -> PyResult<Vec<u8>> {
        let document = self.character.document();
        let mut clip = document.clip(None).map_err(raise)?.motion.clip.clone();
        let frames = clip.len().min(1);
        clip.keep(0..frames).map_err(|error| raise(Error::from(error)))?;
        let Some(hierarchy) = document.hierarchy() else { return Ok(Vec::new()) };
        write_clip(Vec::new(), hierarchy, &clip, WriteOptions::default())
            .map_err(|error| raise(Error::from(error)))
    }
}
