//! A file that was read, of whatever format.

use super::Timing;
use super::clips::{Sniffed, names_in_gltf, sniff, wanted_clip};
use crate::args::FrameRange;
use crate::exit_code::Failure;
use anyhow::{Context, anyhow, bail};
use nalgebra::UnitQuaternion;
use rebone::skeleton::{Clip, JointId, Motion, Pose, Skeleton, bvh, gltf};
use rebone::understand::{Given, begins_with_reference, bones};
use rebone::{Anatomy, Hints};
use std::borrow::Cow;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// So many other skeletons of a file are looked at, the largest, where the first one is no body.
const MOST_SKELETONS: usize = 8;

/// The frame time of no frames at all, in seconds.
pub(super) const NO_RATE: f64 = 1.0 / 30.0;

/// Most joints times frames that are made of a clip with fewer: 90 minutes of a body with fingers at 60 a second.
const MOST_MADE: f64 = 2e7;

/// What is wanted of a file that holds several.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted<'a> {
    /// A clip, by its name or its number, counted from 0, `#` before it or not; else the first.
    pub(crate) clip: Option<&'a str>,
    /// A skin, counted from 0; else that of a body.
    pub(crate) skin: Option<usize>,
}

/// A file that was read.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Which of its skeletons it is, where that was wished: of a glTF, by a skin.
    pub(super) skin: Option<usize>,
    /// Its skeleton and one of its clips.
    pub(crate) motion: Motion,
    /// The pose in which its mesh was skinned, where that is another than the rest pose.
    pub(super) bound: Option<Pose>,
    /// The clip's own name.
    name: Option<String>,
    /// What the reader mended or passed over, each with its place in the file.
    pub(crate) warnings: Vec<String>,
    /// What is needed to write it again.
    pub(crate) format: Format,
}

/// The format of a file, with what of the file only its own writer needs.
#[derive(Clone, Debug)]
pub(crate) enum Format {
    /// Biovision's.
    Bvh(bvh::Hierarchy),
    /// glTF, GLB or VRM.
    Gltf(Arc<gltf::Document>),
    /// Autodesk's, of which nothing is written.
    #[cfg_attr(
        not(feature = "fbx"),
        expect(dead_code, reason = "there is none without the reader")
    )]
    Fbx,
}

impl Format {
    /// The hierarchy of a BVH, of others one that is made.
    pub(super) fn hierarchy(
        &self,
        made: impl FnOnce() -> bvh::Hierarchy,
    ) -> Cow<'_, bvh::Hierarchy> {
        match self {
            Self::Bvh(own) => Cow::Borrowed(own),
            Self::Gltf(_) | Self::Fbx => Cow::Owned(made()),
        }
    }

    /// The bones that a VRM names.
    pub(super) fn humanoid(&self) -> &[(String, JointId)] {
        match self {
            Self::Bvh(_) | Self::Fbx => &[],
            Self::Gltf(document) => document.humanoid(),
        }
    }
}

impl Loaded {
    /// Reads a file: its body and its first clip.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        Self::read_part(path, Wanted::default())
    }

    /// Reads what is wanted of a file.
    pub(crate) fn read_part(path: &Path, wanted: Wanted) -> anyhow::Result<Self> {
        let Wanted { clip, skin } = wanted;
        let sniffed = sniff(path)?;
        if let (Some(_), Sniffed::Fbx | Sniffed::Other) = (skin, &sniffed) {
            bail!("{}: --skin chooses in glTF files, of others all is read", path.display());
        }
        match sniffed {
            Sniffed::Gltf => return Self::of_gltf(path, wanted),
            Sniffed::Fbx => return Self::of_fbx(path, clip),
            Sniffed::Other => {}
        }
        let bvh::Document { hierarchy, motion, warnings } = bvh::read(path)?;
        if let Some(clip) = clip.filter(|clip| *clip != "0") {
            bail!("{}: no clip {clip:?}: a BVH file has one, 0", path.display());
        }
        let warnings = warnings.iter().map(|w| format!("{}: {}", w.line, w.message)).collect();
        let format = Format::Bvh(hierarchy);
        let path = path.to_owned();
        Ok(Self { path, skin: None, motion, bound: None, name: None, warnings, format })
    }

    fn of_gltf(path: &Path, Wanted { clip: wanted, skin }: Wanted) -> anyhow::Result<Self> {
        let document = body(path, skin)?;
        let mut warnings = Vec::new();
        let read = |index| {
            let read = document.clip(index)?;
            warnings.extend(read.warnings.iter().map(ToString::to_string));
            Ok(read.clip)
        };
        let clip = wanted_clip(names_in_gltf(&document), wanted, document.skeleton(), read);
        let (name, motion) = clip.with_context(|| path.display().to_string())?;
        // The rest pose of a VRM is its T pose, by definition.
        let bound = document.bind_pose().filter(|_| document.humanoid().is_empty()).cloned();
        let format = Format::Gltf(Arc::new(document));
        Ok(Self { path: path.to_owned(), skin, motion, bound, name, warnings, format })
    }

    #[cfg(feature = "fbx")]
    fn of_fbx(path: &Path, wanted: Option<&str>) -> anyhow::Result<Self> {
        let document = rebone::skeleton::fbx::read(path)?;
        let names = document.clips().map(str::to_owned).collect();
        let read = |index| Ok(document.clip(index)?);
        let clip = wanted_clip(names, wanted, document.skeleton(), read);
        let (name, motion) = clip.with_context(|| path.display().to_string())?;
        let (path, warnings) = (path.to_owned(), Vec::new());
        let bound = document.bind_pose().cloned();
        Ok(Self { path, skin: None, motion, bound, name, warnings, format: Format::Fbx })
    }

    #[cfg(not(feature = "fbx"))]
    fn of_fbx(path: &Path, _: Option<&str>) -> anyhow::Result<Self> {
        bail!("{}: this program was built without FBX: convert the file to glTF", path.display())
    }

    /// The same of what only the skeleton and the first frame are needed.
    pub(crate) fn read_head(path: &Path) -> anyhow::Result<Self> {
        if !matches!(sniff(path)?, Sniffed::Other) {
            return Self::read(path);
        }
        let open = |error| bvh::FileError::Open { path: path.into(), error };
        let wrong = |error| bvh::FileError::Read { path: path.into(), error };
        let file = BufReader::new(File::open(path).map_err(open)?);
        let mut reader = bvh::Reader::new(file).map_err(wrong)?;
        let hierarchy = reader.hierarchy().clone();
        let skeleton = hierarchy.skeleton().clone();
        let mut pose = skeleton.rest_pose();
        reader.next_frame(&mut pose).map_err(wrong)?;
        let clip = Clip::from_poses(&skeleton, reader.frame_time(), [pose]);
        let (motion, format) = (Motion { skeleton, clip }, Format::Bvh(hierarchy));
        let (path, warnings) = (path.to_owned(), Vec::new());
        Ok(Self { path, skin: None, motion, bound: None, name: None, warnings, format })
    }

    /// Whether it is a BVH.
    pub(crate) fn is_bvh(&self) -> bool {
        matches!(self.format, Format::Bvh(_))
    }

    /// The files beside it that it names.
    pub(crate) fn beside(&self) -> Vec<PathBuf> {
        match &self.format {
            Format::Gltf(document) => {
                let folder = self.path.with_file_name("");
                document.files_beside().map(|name| folder.join(name)).collect()
            }
            Format::Bvh(_) | Format::Fbx => Vec::new(),
        }
    }

    /// Whether it names the bones of a VRM.
    pub(crate) fn is_vrm(&self) -> bool {
        !self.format.humanoid().is_empty()
    }

    /// Writes skeleton and clip alone: a BVH as such, all else as GLB.
    pub(crate) fn write_alone(&self, file: &mut (dyn Write + Send)) -> anyhow::Result<()> {
        let (skeleton, clip) = (self.skeleton(), self.clip());
        if let Format::Bvh(hierarchy) = &self.format {
            return Ok(
                bvh::write_clip(file, hierarchy, clip, bvh::WriteOptions::default()).map(drop)?
            );
        }
        let document = gltf::Document::from_skeleton(skeleton, 1.0, &UnitQuaternion::identity());
        let mapped = skeleton.ids().collect();
        let new = gltf::NewAnimation { name: "first frame", clip, mapped: &mapped };
        let new: &[_] = if clip.is_empty() { &[] } else { &[new] };
        let bytes =
            document.with_animations(new, gltf::Tolerance::default(), gltf::Form::Binary)?;
        Ok(file.write_all(&bytes)?)
    }

    /// Why a file without a clip is no source.
    pub(crate) fn without_motion(&self) -> Failure {
        anyhow!("{}: there is no clip in it, only a skeleton", self.path.display()).into()
    }

    /// The skeleton.
    pub(crate) fn skeleton(&self) -> &Skeleton {
        &self.motion.skeleton
    }

    /// The clip.
    pub(crate) fn clip(&self) -> &Clip {
        &self.motion.clip
    }

    /// The roles that the file states itself.
    pub(super) fn roles(&self) -> Vec<Given> {
        bones(self.format.humanoid().iter().map(|(name, joint)| (name.as_str(), *joint)))
    }

    /// A warning with its place in the file, for lists: of a BVH that is a line.
    pub(crate) fn placed(&self, warning: &str) -> String {
        match self.format {
            Format::Bvh(_) => format!("line {warning}"),
            Format::Gltf(_) | Format::Fbx => warning.to_owned(),
        }
    }

    /// What to call its clip: by its own name, or by that of the file.
    pub(crate) fn clip_name(&self) -> String {
        let stem = || self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.name.clone().unwrap_or_else(stem)
    }

    /// The same with only the frames of a range, `None` where that is all; and what [`cut`](Self::cut) says.
    pub(crate) fn part(
        &self,
        range: Option<FrameRange>,
    ) -> Result<(Option<Self>, Option<String>), Failure> {
        if range.is_none() {
            return Ok((None, None));
        }
        let mut part = self.clone();
        let warning = part.cut(range)?;
        Ok((Some(part), warning))
    }

    /// How frames of the clip, which begins at a frame of the file, are counted.
    pub(crate) fn timing(&self, anatomy: &Anatomy, first: usize) -> Timing {
        Timing { first, ratio: 1.0, reference: begins_with_reference(anatomy, self.clip()) }
    }

    /// Brings the clip, which begins at a frame of the file, to so many frames a second, where that is wanted.
    pub(crate) fn resample(
        &mut self,
        anatomy: &Anatomy,
        rate: Option<f64>,
        first: usize,
    ) -> Result<Timing, Failure> {
        let mut timing = self.timing(anatomy, first);
        let Some(rate) = rate else { return Ok(timing) };
        let own = self.clip().frame_time;
        timing.ratio = rate * own;
        let (count, joints) = (self.clip().len() as f64, self.skeleton().len() as f64);
        let (had, made) = (count * joints, (count - 1.0) * timing.ratio * joints);
        let fits = made <= MOST_MADE.max(2.0 * had);
        if !fits {
            return Err(anyhow!(
                "{}: {count} frames, one each {own} s, are too long a time for {rate} a second: take a part with --frames",
                self.path.display()
            )
            .into());
        }
        self.motion.clip = rebone::resampled(anatomy, self.clip(), 1.0 / rate, timing.reference);
        Ok(timing)
    }

    /// Leaves only the frames that the user wants; says where there are fewer.
    pub(crate) fn cut(&mut self, range: Option<FrameRange>) -> Result<Option<String>, Failure> {
        let Some(FrameRange { start, end }) = range else { return Ok(None) };
        let count = self.clip().len();
        let has = format!("{} has {count} frames", self.path.display());
        if start >= count {
            return Err(Failure::usage(format!(
                "the frames that are wanted begin at {start}, but {has}"
            )));
        }
        self.motion.clip.keep(start..end.unwrap_or(count).min(count));
        let behind = end.filter(|&end| end > count);
        Ok(behind.map(|end| {
            format!(
                "the frames that are wanted end before {end}, but {has}: all to the last are taken"
            )
        }))
    }
}

/// The skeleton of a glTF that is wanted; else the one with the most joints that is a body.
fn body(path: &Path, skin: Option<usize>) -> anyhow::Result<gltf::Document> {
    let document = gltf::read(path, gltf::ReadOptions { skin, shared: false })?;
    let is_body = |document: &gltf::Document| {
        let skeleton = document.skeleton().clone();
        let motion = Motion { clip: Clip::new(&skeleton, NO_RATE), skeleton };
        !document.humanoid().is_empty() || rebone::understand(&motion, &Hints::default()).is_ok()
    };
    let others = if skin.is_none() { document.other_skins() } else { Vec::new() };
    if others.is_empty() || is_body(&document) {
        return Ok(document);
    }
    let read = |skin| gltf::read(path, gltf::ReadOptions { skin: Some(skin), shared: true }).ok();
    let largest = others.into_iter().take(MOST_SKELETONS).filter_map(read).find(is_body);
    Ok(largest.unwrap_or(document))
}
