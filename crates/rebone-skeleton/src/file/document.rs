//! A motion file of any format.

use super::acclaim::skeleton_in_memory;
use super::clip_selector::{ClipSelector, ListedClip, SelectedClip};
use super::error::{FileError, Warning};
use super::format::{InputFormat, sniff};
use super::kind::KIND_BYTES;
#[cfg(feature = "fbx")]
use crate::fbx;
use crate::{Clip, JointId, Motion, Pose, Skeleton, acclaim, bvh, gltf};
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Frame time of a clip without frames, in seconds.
const EMPTY_FRAME_SECONDS: f64 = 1.0 / 30.0;

/// A motion file of any format: a skeleton and the clips of it.
///
/// The format is recognised by the content, whatever the name says. Copies share the data.
///
/// ```
/// use rebone_skeleton::Document;
/// let text = "HIERARCHY ROOT Hips { OFFSET 0 0 0 CHANNELS 3 Xrotation Yrotation Zrotation
///     End Site { OFFSET 0 1 0 } }\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 90\n";
/// let document = Document::parse("bend.bvh", text.into(), None)?;
/// assert_eq!(document.skeleton().len(), 1);
/// assert_eq!(document.clip(None)?.motion.clip.len(), 1);
/// # Ok::<(), rebone_skeleton::FileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    path: PathBuf,
    /// Files beside it whose data were read.
    side_files: Arc<[PathBuf]>,
    pub(super) content: Content,
}

/// The content of a file, as far as its own reader and writer need it.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// A BVH, or an Acclaim skeleton with or without a motion: joints, angles, and nothing besides.
    Joints {
        hierarchy: Arc<bvh::Hierarchy>,
        motion: Arc<Motion>,
        warnings: Arc<[Warning]>,
        /// False for an ASF alone.
        has_clip: bool,
    },
    Gltf(Arc<gltf::Document>),
    #[cfg(feature = "fbx")]
    Fbx(Arc<fbx::Document>),
}

impl Document {
    /// Reads a file in memory, which messages call `name`. `skin` is as in [`open`](Self::open). A glTF may name
    /// no other files, and an AMC has no skeleton: see [`parse_with`](Self::parse_with).
    ///
    /// # Errors
    /// When the bytes cannot be read; the message holds name, position, found and expected.
    pub fn parse(
        name: impl AsRef<Path>,
        bytes: Vec<u8>,
        skin: Option<usize>,
    ) -> Result<Self, FileError> {
        Self::parse_with(name, bytes, skin, None)
    }

    /// Like [`parse`](Self::parse); `files` gives the bytes of files that a glTF names, and of the skeleton of an AMC: of
    /// `02_01.amc` it is asked for `02_01.asf`, `02_.asf` and `02.asf`, until there is one.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), or when such a file cannot be read.
    pub fn parse_with(
        name: impl AsRef<Path>,
        bytes: Vec<u8>,
        skin: Option<usize>,
        files: Option<gltf::SideFiles<'_>>,
    ) -> Result<Self, FileError> {
        let name = name.as_ref();
        match sniff(&bytes) {
            InputFormat::Bvh => {
                check_skin(name, skin)?;
                Self::of_bvh(name, &bytes[..])
            }
            InputFormat::Amc => {
                check_skin(name, skin)?;
                let asf = skeleton_in_memory(name, files)?;
                Self::of_amc(name, &bytes[..], &asf, acclaim::Frames::All)
            }
            format => Self::of_bytes(name, format, bytes, (skin, files)),
        }
    }

    /// Reads the skeleton of a file in memory and, of a BVH, no more than the first frame.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_first_frame(name: impl AsRef<Path>, bytes: Vec<u8>) -> Result<Self, FileError> {
        match sniff(&bytes) {
            InputFormat::Bvh => Self::first_frame_of_bvh(name.as_ref(), &bytes[..]),
            _ => Self::parse(name, bytes, None),
        }
    }

    /// The clips of a file that a reader gives, as [`clips`](Self::clips). A BVH or an AMC is only recognised, not read.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), or when the reader fails.
    pub fn clips_in(
        name: impl AsRef<Path>,
        mut reader: impl Read,
    ) -> Result<Vec<ListedClip>, FileError> {
        let name = name.as_ref();
        let wrong = |error| FileError::Open { path: name.into(), error };
        let mut bytes = Vec::new();
        reader.by_ref().take(KIND_BYTES as u64).read_to_end(&mut bytes).map_err(wrong)?;
        if matches!(sniff(&bytes), InputFormat::Bvh | InputFormat::Amc) {
            return Ok(vec![ListedClip::only()]);
        }
        reader.read_to_end(&mut bytes).map_err(wrong)?;
        Ok(Self::parse(name, bytes, None)?.clips())
    }

    pub(super) fn first_frame_of_bvh(path: &Path, reader: impl BufRead) -> Result<Self, FileError> {
        let wrong = |error| FileError::Bvh { path: path.into(), error };
        let mut reader = bvh::Reader::new(reader).map_err(wrong)?;
        let hierarchy = reader.hierarchy().clone();
        let skeleton = hierarchy.skeleton().clone();
        let mut pose = skeleton.rest_pose();
        reader.next_frame(&mut pose).map_err(wrong)?;
        let mut clip = Clip::new(&skeleton, reader.frame_time());
        clip.push_own(&pose);
        let motion = Motion { skeleton, clip };
        Ok(Self::of_joints(path, hierarchy, motion, Vec::new(), true))
    }

    pub(super) fn of_bvh(path: &Path, reader: impl BufRead) -> Result<Self, FileError> {
        let wrong = |error| FileError::Bvh { path: path.into(), error };
        let read = bvh::Reader::new(reader).and_then(bvh::Reader::into_document);
        let bvh::Document { hierarchy, motion, warnings } = read.map_err(wrong)?;
        let warnings = warnings.iter().map(Warning::from).collect();
        Ok(Self::of_joints(path, hierarchy, motion, warnings, true))
    }

    pub(super) fn of_bytes(
        path: &Path,
        format: InputFormat,
        bytes: Vec<u8>,
        (skin, files): (Option<usize>, Option<gltf::SideFiles<'_>>),
    ) -> Result<Self, FileError> {
        if matches!(format, InputFormat::Fbx | InputFormat::Asf) {
            check_skin(path, skin)?;
            return match format {
                InputFormat::Asf => Self::of_asf(path, &bytes),
                _ => Self::of_fbx(path, &bytes),
            };
        }
        let options = gltf::ReadOptions { skin, shared: false };
        let read = gltf::parse(bytes, files, options);
        let read = read.map_err(|error| FileError::Gltf { path: path.into(), error })?;
        Ok(Self::of(path, Content::Gltf(Arc::new(read))))
    }

    /// The file with the files beside it whose data were read.
    #[cfg(feature = "disk")]
    pub(super) fn with_side_files(self, side_files: Vec<PathBuf>) -> Self {
        Self { side_files: side_files.into(), ..self }
    }

    fn of(path: &Path, content: Content) -> Self {
        Self { path: path.into(), side_files: Arc::default(), content }
    }

    #[cfg(feature = "fbx")]
    fn of_fbx(path: &Path, bytes: &[u8]) -> Result<Self, FileError> {
        let read = fbx::parse(bytes);
        let read = read.map_err(|error| FileError::Fbx { path: path.into(), error })?;
        Ok(Self::of(path, Content::Fbx(Arc::new(read))))
    }

    #[cfg(not(feature = "fbx"))]
    fn of_fbx(path: &Path, _: &[u8]) -> Result<Self, FileError> {
        Err(FileError::WithoutFbx { path: path.into() })
    }

    /// The path that it was opened at, or the name that it was parsed with.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All files whose bytes were read: the file, and those beside it that hold its data. A file in memory has none
    /// beside it.
    pub fn files_read(&self) -> impl Iterator<Item = &Path> {
        [&self.path].into_iter().chain(&*self.side_files).map(PathBuf::as_path)
    }

    /// The files next to it that it names, and the skeleton of an AMC.
    pub fn files_beside(&self) -> Vec<PathBuf> {
        let folder = self.path.with_file_name("");
        let Some(document) = self.gltf() else { return self.side_files.to_vec() };
        document.files_beside().map(|name| folder.join(name)).collect()
    }

    /// The skeleton, in the file's unit and axes; of glTF and FBX in metres, +Y up.
    pub fn skeleton(&self) -> &Skeleton {
        match &self.content {
            Content::Joints { motion, .. } => &motion.skeleton,
            Content::Gltf(document) => document.skeleton(),
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => document.skeleton(),
        }
    }

    /// Metres of one unit of the skeleton's lengths; `None` where the format does not say it.
    pub fn metres_per_unit(&self) -> Option<f64> {
        self.hierarchy().is_none().then_some(1.0)
    }

    /// The pose in which the mesh was skinned, where it is another than the rest pose. A VRM has none: its rest
    /// pose is its T pose by definition.
    pub fn bind_pose(&self) -> Option<&Pose> {
        match &self.content {
            Content::Joints { .. } => None,
            Content::Gltf(document) => document.bind_pose().filter(|_| !self.is_vrm()),
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => document.bind_pose(),
        }
    }

    /// The humanoid bones that a VRM names, by their names in VRM 1.0.
    pub fn humanoid(&self) -> &[(String, JointId)] {
        self.gltf().map_or(&[], |document| document.humanoid())
    }

    /// Returns whether it names the bones of a VRM.
    pub fn is_vrm(&self) -> bool {
        !self.humanoid().is_empty()
    }

    /// The hierarchy of a BVH, and of Acclaim files the one that they are written with as BVH; `None` where the file says
    /// more than joints and angles.
    pub fn hierarchy(&self) -> Option<&bvh::Hierarchy> {
        match &self.content {
            Content::Joints { hierarchy, .. } => Some(hierarchy),
            _ => None,
        }
    }

    /// The content of a glTF, GLB, VRM or VRMA.
    pub fn gltf(&self) -> Option<&Arc<gltf::Document>> {
        match &self.content {
            Content::Gltf(document) => Some(document),
            _ => None,
        }
    }

    /// Skins of a glTF, counted from 0, that belong to other skeletons: one for each.
    pub fn other_skins(&self) -> Vec<usize> {
        self.gltf().map_or_else(Vec::new, |document| document.other_skins())
    }

    /// The file with the skeleton of another skin, and of all skins that share joints with it.
    ///
    /// # Errors
    /// When it is no glTF, or has no such skin.
    pub fn with_skin(&self, skin: usize) -> Result<Self, FileError> {
        let path = || self.path.clone();
        let document = self.gltf().ok_or_else(|| FileError::Skin { path: path() })?;
        let options = gltf::ReadOptions { skin: Some(skin), shared: true };
        let read = document.with_skin(options);
        let read = read.map_err(|error| FileError::Gltf { path: path(), error })?;
        Ok(Self { content: Content::Gltf(Arc::new(read)), ..self.clone() })
    }

    /// The file with joints on other ones than in its hierarchy: pairs of a joint and the one to hang it on. `None` for a
    /// BVH or Acclaim, and where a joint would hang on one that it carries.
    pub fn with_reparented(&self, pairs: &[[JointId; 2]]) -> Option<Self> {
        let content = match &self.content {
            Content::Joints { .. } => return None,
            Content::Gltf(document) => Content::Gltf(Arc::new(document.with_reparented(pairs)?)),
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => Content::Fbx(Arc::new(document.with_reparented(pairs)?)),
        };
        Some(Self { content, ..self.clone() })
    }

    /// The names of the clips; a clip without a name is called by its number. A BVH and an AMC have one, `0`, an ASF has
    /// none.
    pub fn clip_names(&self) -> Vec<String> {
        match &self.content {
            Content::Joints { has_clip, .. } => match has_clip {
                true => vec!["0".to_owned()],
                false => Vec::new(),
            },
            Content::Gltf(document) => {
                let name = |own: gltf::ClipName| own.name.unwrap_or_else(|| own.index.to_string());
                document.clips().map(name).collect()
            }
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => document.clips().map(str::to_owned).collect(),
        }
    }

    /// The clips, in the order of the file. A BVH and an AMC have one, which counts as motion; an ASF has none.
    pub fn clips(&self) -> Vec<ListedClip> {
        let moving = match &self.content {
            Content::Joints { .. } => Vec::new(),
            Content::Gltf(document) => document.moving_clips(),
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => document.moving_clips(),
        };
        ListedClip::all(self.clip_names(), &moving)
    }

    /// A clip by its name or its number. Default: the first one in which a joint moves.
    ///
    /// # Errors
    /// When there is no such clip, or it cannot be read.
    pub fn clip(&self, wanted: Option<ClipSelector>) -> Result<SelectedClip, FileError> {
        let names = self.clip_names();
        let index = self.index(&names, wanted)?;
        if let Content::Joints { motion, warnings, .. } = &self.content {
            let (motion, warnings) = (Arc::clone(motion), warnings.to_vec());
            return Ok(SelectedClip { index, name: None, motion, warnings });
        }
        let skeleton = self.skeleton();
        // Frames without motion are still a pose, from which a rig can be learned.
        let (clip, warnings) = match index.or((!names.is_empty()).then_some(0)) {
            None => (Clip::new(skeleton, EMPTY_FRAME_SECONDS), Vec::new()),
            Some(index) => self.clip_at(index)?,
        };
        let motion = Arc::new(Motion { skeleton: skeleton.clone(), clip });
        let name = index.and_then(|index| names.into_iter().nth(index));
        Ok(SelectedClip { index, name, motion, warnings })
    }

    fn clip_at(&self, index: usize) -> Result<(Clip, Vec<Warning>), FileError> {
        let path = || self.path.clone();
        match &self.content {
            Content::Joints { motion, .. } => Ok((motion.clip.clone(), Vec::new())),
            Content::Gltf(document) => {
                let read = document.clip(index);
                let read = read.map_err(|error| FileError::Gltf { path: path(), error })?;
                Ok((read.clip, read.warnings.into_iter().map(Warning::from).collect()))
            }
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => {
                let wrong = |error| FileError::Fbx { path: path(), error };
                let (clip, warning) = document.clip(index).map_err(wrong)?;
                let name = document.clips().nth(index).unwrap_or_default().to_owned();
                let warning = warning.map(|message| Warning::in_take(name, message));
                Ok((clip, warning.into_iter().collect()))
            }
        }
    }

    /// The clip that is wanted, else the first that moves; `None` where there is none.
    fn index(
        &self,
        names: &[String],
        wanted: Option<ClipSelector>,
    ) -> Result<Option<usize>, FileError> {
        let Some(wanted) = wanted else {
            return Ok(self.clips().iter().position(|clip| !clip.is_empty));
        };
        wanted.find(names).map(Some).ok_or_else(|| FileError::NoClip {
            path: self.path.clone(),
            wanted: wanted.to_string(),
            names: names.to_vec(),
        })
    }
}

impl Document {
    /// A motion that comes from no file, called `name` in messages; its hierarchy is that of
    /// [`Hierarchy::from_skeleton`](bvh::Hierarchy::from_skeleton).
    pub fn of_motion(name: impl AsRef<Path>, motion: Motion) -> Self {
        let hierarchy = bvh::Hierarchy::from_skeleton(&motion.skeleton);
        Self::of_joints(name.as_ref(), hierarchy, motion, Vec::new(), true)
    }

    pub(super) fn of_joints(
        path: &Path,
        hierarchy: bvh::Hierarchy,
        motion: Motion,
        warnings: Vec<Warning>,
        has_clip: bool,
    ) -> Self {
        let content = Content::Joints {
            hierarchy: Arc::new(hierarchy),
            motion: Arc::new(motion),
            warnings: warnings.into(),
            has_clip,
        };
        Self::of(path, content)
    }
}

pub(super) fn check_skin(path: &Path, skin: Option<usize>) -> Result<(), FileError> {
    match skin {
        Some(_) => Err(FileError::Skin { path: path.into() }),
        None => Ok(()),
    }
}
