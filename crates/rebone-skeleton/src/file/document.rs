//! A motion file of any format.

use super::error::Warning;
#[cfg(feature = "fbx")]
use crate::fbx;
use crate::{Axis, JointId, Motion, Pose, Skeleton, bvh, gltf};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    pub(super) path: PathBuf,
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
    /// The file with the files beside it whose data were read.
    #[cfg(feature = "disk")]
    pub(super) fn with_side_files(self, side_files: Vec<PathBuf>) -> Self {
        Self { side_files: side_files.into(), ..self }
    }

    /// The file with other content of its own.
    pub(super) fn with_content(&self, content: Content) -> Self {
        Self { content, ..self.clone() }
    }

    pub(super) fn of(path: &Path, content: Content) -> Self {
        Self { path: path.into(), side_files: Arc::default(), content }
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

    /// The axis that is up by the format, and whether it fixes it: in a BVH it is a convention.
    pub fn up(&self) -> (Axis, bool) {
        (Axis::Y, self.hierarchy().is_none())
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

    /// The file with joints on other ones than in its hierarchy: pairs of a joint and the one to hang it on. `None` for a
    /// BVH or Acclaim, and where a joint would hang on one that it carries.
    pub fn with_reparented(&self, pairs: &[[JointId; 2]]) -> Option<Self> {
        let content = match &self.content {
            Content::Joints { .. } => return None,
            Content::Gltf(document) => Content::Gltf(Arc::new(document.with_reparented(pairs)?)),
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => Content::Fbx(Arc::new(document.with_reparented(pairs)?)),
        };
        Some(self.with_content(content))
    }

    /// The file with the nearest node above the skeleton as its root joint, where it can move it: it shows nothing, has
    /// one scale along all axes and carries no other character. `None` where there is no such node, and for a BVH or Acclaim.
    pub fn with_node_above(&self) -> Option<Self> {
        let content = match &self.content {
            Content::Joints { .. } => return None,
            Content::Gltf(document) => Content::Gltf(Arc::new(document.with_node_above()?)),
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => Content::Fbx(Arc::new(document.with_node_above()?)),
        };
        Some(self.with_content(content))
    }

    /// Returns whether the nearest node above the skeleton is as [`gltf::Document::with_root`] makes it under this name: it
    /// carries the top joint alone, and has no transform.
    pub fn has_added_root(&self, name: &str) -> bool {
        match &self.content {
            Content::Joints { .. } => false,
            Content::Gltf(document) => document.has_added_root(name),
            #[cfg(feature = "fbx")]
            Content::Fbx(document) => document.has_added_root(name),
        }
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
