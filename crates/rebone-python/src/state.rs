//! Origins of motions, and motions as plain data for pickle.

use crate::errors::raise;
use crate::hints::Statements;
use crate::motion::Motion;
use crate::numbers;
use crate::skeleton::SkeletonParts;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rebone::skeleton::bvh::{WriteOptions, write_clip};
use rebone::skeleton::file::FileKind;
use rebone::skeleton::{ClipSelector, Document, FileError};
use rebone::{Character, Error, Selection};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files beside a file, by the names that it gives them, with their bytes.
type SideFiles = Vec<(String, Vec<u8>)>;

/// The content that a motion was made of.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// Arrays.
    Arrays,
    /// A BVH, which its hierarchy tells.
    Bvh,
    /// Another file, with those beside it, and the skin that was chosen.
    File { content: Arc<Vec<u8>>, beside: Arc<SideFiles>, skin: Option<usize> },
}

impl Origin {
    /// Reads the file at a path.
    pub(crate) fn open(
        path: &Path,
        clip: Option<&str>,
        skin: Option<usize>,
    ) -> Result<(Character, Self), Error> {
        let selection = Selection { clip: clip.map(Into::into), skin };
        let character = Character::open(path, selection)?;
        // What is no file, standard input or a pipe, is read only once.
        if FileKind::of_file(path).is_none_or(|kind| kind == FileKind::Bvh) {
            return Ok((character, Self::Bvh));
        }
        let read = |path: &Path| {
            std::fs::read(path).map_err(|error| FileError::Open { path: path.to_owned(), error })
        };
        let folder = path.with_file_name("");
        let beside = character.document().files_read().skip(1).map(|path| {
            let name = path.strip_prefix(&folder).unwrap_or(path);
            Ok((name.to_string_lossy().into_owned(), read(path)?))
        });
        let beside = Arc::new(beside.collect::<Result<SideFiles, FileError>>()?);
        Ok((character, Self::File { content: Arc::new(read(path)?), beside, skin }))
    }

    /// Reads a file in memory, with those beside it.
    pub(crate) fn parse(
        name: &Path,
        content: Vec<u8>,
        beside: SideFiles,
        (clip, skin): (Option<ClipSelector>, Option<usize>),
    ) -> Result<(Character, Self), Error> {
        let is_bvh = FileKind::of_bytes(&content).is_none_or(|kind| kind == FileKind::Bvh);
        let kept = if is_bvh { Vec::new() } else { content.clone() };
        let read = |name: &str, _limit: usize| {
            // The skeleton of an Acclaim motion may have any name.
            let is_it = |own: &&(String, Vec<u8>)| own.0 == name || name.ends_with(".asf");
            let found = beside.iter().find(is_it);
            found.map(|own| own.1.clone()).ok_or_else(|| std::io::ErrorKind::NotFound.into())
        };
        let document = Document::parse_with(name, content, skin, Some(&read))?;
        let character = Character::of_document(document, Selection { clip, skin })?;
        let origin = match is_bvh {
            true => Self::Bvh,
            false => Self::File { content: Arc::new(kept), beside: Arc::new(beside), skin },
        };
        Ok((character, origin))
    }
}

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
}

/// A motion as plain data, for pickle.
#[pyfunction]
pub(crate) fn motion_state(py: Python<'_>, motion: Motion) -> PyResult<MotionState> {
    let character = &motion.character;
    let clip = character.clip();
    let (content, beside, skin) = match &motion.origin {
        Origin::Arrays => (None, Vec::new(), None),
        Origin::Bvh => (Some(motion.hierarchy_with_a_frame()?), Vec::new(), None),
        Origin::File { content, beside, skin } => {
            (Some(content.to_vec()), beside.to_vec(), *skin)
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
        skin,
        clip: character.clip_index(),
        statements: motion.statements.clone(),
        skeleton,
        frame_time: clip.frame_time,
        translations: numbers::vectors(py, clip.parts().1)?.unbind(),
        rotations: numbers::quaternions(py, clip.parts().2)?.unbind(),
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
            let choice = (clip, state.skin);
            let read = Origin::parse(&state.name, content, state.beside, choice);
            let (character, origin) = read.map_err(raise)?;
            Motion { character, statements: Statements::default(), origin }
        }
    };
    let hints = state.statements.hints()?;
    let character = read.character.clone().with_hints(hints);
    let read = Motion { character, statements: state.statements, ..read };
    let [translations, rotations] =
        [&state.translations, &state.rotations].map(|own| own.as_bytes(py));
    read.with_frames_of(state.frame_time, translations, rotations)
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
