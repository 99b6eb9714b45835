//! A motion: a character of a file or of arrays, with one clip.

use crate::convert::errors::{input_error, raise};
use crate::convert::numbers;
use crate::convert::origin::Origin;
use crate::hints::Statements;
use crate::pool;
use crate::skeleton::SkeletonParts;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rebone::skeleton::bvh::{Hierarchy, WriteOptions, write_clip};
use rebone::skeleton::nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::{
    AtomicFile, Clip, ClipError, ClipSelector, Document, Format, Skeleton, WorldPose,
    forward_kinematics,
};
use rebone::{Character, CharacterChoice, Error};
use std::path::PathBuf;

/// A character with one clip, with what it was made of.
#[pyclass(frozen, from_py_object, module = "rebone._rebone")]
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    pub(crate) character: Character,
    pub(crate) statements: Statements,
    pub(crate) origin: Origin,
    /// The file of arrays that its frames are from, if they are.
    pub(crate) file: Option<PathBuf>,
}

/// A clip of a file: its number, counted from 0, or its name.
#[derive(FromPyObject)]
pub(crate) enum ClipChoice {
    Number(usize),
    Name(String),
}

impl ClipChoice {
    fn selector(&self) -> ClipSelector<'_> {
        match self {
            Self::Number(number) => ClipSelector::Index(*number),
            Self::Name(name) => ClipSelector::Text(name),
        }
    }
}

/// Frame time of a skeleton without frames, in seconds.
const EMPTY_FRAME_SECONDS: f64 = 1.0 / 30.0;

/// World transforms of all joints in all frames.
type WorldTransforms = (Vec<Vector3<f64>>, Vec<UnitQuaternion<f64>>);

#[pymethods]
impl Motion {
    /// Reads the file at a path.
    #[staticmethod]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        clip: Option<ClipChoice>,
        skin: Option<usize>,
        joint: Option<String>,
    ) -> PyResult<Self> {
        let clip = clip.as_ref().map(ClipChoice::selector);
        let choice = CharacterChoice { skin, joint };
        let read = pool::run_unwatched(py, || Origin::open(&path, clip, choice))?;
        let (character, origin) = read.map_err(raise)?;
        Ok(Self { character, statements: Statements::default(), origin, file: None })
    }

    /// Reads a file in memory.
    #[staticmethod]
    fn parse(
        py: Python<'_>,
        name: PathBuf,
        content: Vec<u8>,
        clip: Option<ClipChoice>,
        skin: Option<usize>,
        joint: Option<String>,
    ) -> PyResult<Self> {
        let clip = clip.as_ref().map(ClipChoice::selector);
        let choice = CharacterChoice { skin, joint };
        let read =
            pool::run_unwatched(py, || Origin::parse(&name, content, Vec::new(), (clip, choice)))?;
        let (character, origin) = read.map_err(raise)?;
        Ok(Self { character, statements: Statements::default(), origin, file: None })
    }

    /// A sample: one of the clips and rigs that are computed.
    #[staticmethod]
    fn sample(py: Python<'_>, name: &str) -> PyResult<Self> {
        let mut all = py.detach(|| [rebone_samples::clips(), rebone_samples::rigs()].concat());
        let names: Vec<&str> = all.iter().map(|sample| sample.name).collect();
        let Some(place) = names.iter().position(|own| *own == name) else {
            let names = names.join(", ");
            return Err(input_error(&format!("there is no sample {name:?}, only {names}")));
        };
        let sample = all.swap_remove(place).motion;
        let hierarchy = Hierarchy::from_skeleton(&sample.skeleton);
        let bytes = write_clip(Vec::new(), &hierarchy, &sample.clip, WriteOptions::default());
        let bytes = bytes.map_err(|error| raise(Error::from(error)))?;
        Self::parse(py, format!("{name}.bvh").into(), bytes, None, None, None)
    }

    /// Makes a skeleton of its parts, without frames.
    #[staticmethod]
    fn of_skeleton(name: PathBuf, parts: SkeletonParts) -> PyResult<Self> {
        Self::of_skeleton_parts(name, &parts)
    }

    /// The character with frames of its own skeleton.
    fn with_frames(
        &self,
        frame_time: f64,
        translations: &[u8],
        rotations: &[u8],
    ) -> PyResult<Self> {
        self.with_frames_of(frame_time, translations, rotations)
    }

    /// The motion named after the file of arrays that its frames are from.
    pub(crate) fn of_file(&self, path: PathBuf) -> Self {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let character = self.character.clone().with_clip_name(name);
        Self { character, file: Some(path), ..self.clone() }
    }

    /// The character with another clip of its file.
    fn with_clip(&self, clip: ClipChoice) -> PyResult<Self> {
        let character = self.character.with_clip(clip.selector()).map_err(raise)?;
        Ok(Self { character, file: None, ..self.clone() })
    }

    /// The character with statements in place of those before.
    fn with_statements(&self, statements: Statements) -> PyResult<Self> {
        let character = self.character.clone().with_hints(statements.hints()?);
        Ok(Self { character, statements, ..self.clone() })
    }

    /// Frames `start` to `end`, `end` not included.
    fn cut(&self, start: usize, end: usize) -> PyResult<Self> {
        let clip = self.character.clip();
        if end > clip.len() || start > end {
            let error = ClipError::Frames { found: start..end, frames: clip.len() };
            return Err(raise(Error::from(error)));
        }
        // Copies the part alone: a window of a long clip costs no more than one of a short clip.
        let skeleton = self.character.skeleton();
        let poses = (start..end).filter_map(|frame| clip.pose(frame));
        let part = Clip::from_poses(skeleton, clip.frame_time, poses);
        self.with(part.map_err(|error| raise(Error::from(error)))?)
    }

    /// The motion at another rate. Nothing is blended where the body jumps, if it is recognised.
    fn resampled(&self, py: Python<'_>, fps: f64) -> PyResult<Self> {
        let resample = || -> Result<Character, Error> {
            let mut character = self.character.clone();
            match character.analyse() {
                Ok(anatomy) => _ = character.resample(&anatomy, fps)?,
                Err(_) => {
                    let clip = character.clip().resampled(1.0 / fps, &[])?;
                    character = character.with_motion(clip)?;
                }
            }
            Ok(character)
        };
        let character = pool::run_unwatched(py, resample)?.map_err(raise)?;
        Ok(Self { character, ..self.clone() })
    }

    #[getter]
    fn path(&self) -> PathBuf {
        self.file.as_deref().unwrap_or(self.character.path()).to_owned()
    }

    #[getter]
    fn name(&self) -> String {
        self.character.clip_name()
    }

    #[getter]
    fn clip_names(&self) -> Vec<String> {
        self.character.clip_names()
    }

    #[getter]
    fn frame_time(&self) -> f64 {
        self.character.clip().frame_time
    }

    #[getter]
    fn frames(&self) -> usize {
        self.character.clip().len()
    }

    #[getter]
    fn moving(&self) -> Vec<usize> {
        self.character.clip().parts().0.to_vec()
    }

    /// Translations of the moving joints: (frames, moving, 3).
    fn translations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        numbers::vectors(py, &self.character.clip().parts().1)
    }

    /// Rotations of all joints: (frames, joints, 4).
    fn rotations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        numbers::quaternions(py, self.character.clip().parts().2)
    }

    /// Positions and rotations in the world: (frames, joints, 3) and (frames, joints, 4).
    fn world<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let (positions, rotations) = py.detach(|| self.world_transforms());
        Ok((numbers::vectors(py, &positions)?, numbers::quaternions(py, &rotations)?))
    }

    #[getter]
    fn skeleton(&self, py: Python<'_>) -> PyResult<SkeletonParts> {
        SkeletonParts::of(py, self.character.skeleton())
    }

    /// Metres of a unit of length, where format, card or statement say it.
    #[getter]
    fn metres_per_unit(&self) -> Option<f64> {
        let stated = self.character.hints().card().unit;
        stated.or(self.character.document().metres_per_unit())
    }

    #[getter]
    fn statements(&self) -> Statements {
        self.statements.clone()
    }

    #[getter]
    fn is_vrm(&self) -> bool {
        self.character.document().is_vrm()
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        let path = self.character.path();
        self.character.warnings().iter().map(|own| own.in_file(path)).collect()
    }

    /// Writes the motion as it is.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let write = || -> Result<(), Error> {
            let format = Format::of_name(&path)?;
            let mut file = AtomicFile::create(&path)?;
            rebone::write_motion(&self.character, format, &mut file)?;
            Ok(file.commit()?)
        };
        let save = |error| Error::Save { path: path.clone(), error: Box::new(error) };
        pool::run_unwatched(py, write)?.map_err(|error| raise(save(error)))
    }
}

impl Motion {
    /// A motion of a skeleton that comes from no file.
    pub(crate) fn of_arrays(name: PathBuf, skeleton: Skeleton, clip: Clip) -> PyResult<Self> {
        let motion = rebone::skeleton::Motion { skeleton, clip };
        let document = Document::of_motion(name, motion);
        let character = Character::of_document(document, Default::default()).map_err(raise)?;
        Ok(Self {
            character,
            statements: Statements::default(),
            origin: Origin::Arrays,
            file: None,
        })
    }

    /// A skeleton that comes from no file, without frames.
    pub(crate) fn of_skeleton_parts(name: PathBuf, parts: &SkeletonParts) -> PyResult<Self> {
        let skeleton = parts.skeleton()?;
        let clip = Clip::new(&skeleton, EMPTY_FRAME_SECONDS);
        Self::of_arrays(name, skeleton, clip)
    }

    /// The character with frames of its own skeleton, as bytes.
    pub(crate) fn with_frames_of(
        &self,
        frame_time: f64,
        translations: &[u8],
        rotations: &[u8],
    ) -> PyResult<Self> {
        let translations = numbers::read_vectors(translations)?;
        let rotations = numbers::read_quaternions(rotations)?;
        self.with_parts(frame_time, translations, rotations)
    }

    fn with_parts(
        &self,
        frame_time: f64,
        translations: Vec<Vector3<f64>>,
        rotations: Vec<UnitQuaternion<f64>>,
    ) -> PyResult<Self> {
        let skeleton = self.character.skeleton();
        let clip = Clip::from_parts(skeleton, frame_time, translations, rotations);
        self.with(clip.map_err(|error| raise(Error::from(error)))?)
    }

    /// The character with other frames.
    pub(crate) fn with(&self, clip: Clip) -> PyResult<Self> {
        let character = self.character.with_motion(clip).map_err(raise)?;
        Ok(Self { character, ..self.clone() })
    }

    fn world_transforms(&self) -> WorldTransforms {
        let (skeleton, clip) = (self.character.skeleton(), self.character.clip());
        let mut world: WorldTransforms = Default::default();
        for pose in clip.poses() {
            if let Ok(WorldPose { positions, rotations }) = forward_kinematics(skeleton, &pose) {
                world.0.extend(positions);
                world.1.extend(rotations);
            }
        }
        world
    }
}
