//! Writing a result: the format that its name says, with what of the target's file stays.

use super::vrm_motion;
use crate::align::Plan;
use crate::error::Error;
use crate::options::Options;
use crate::watch::{Watch, Watched};
use rebone_body::Character;
use rebone_body::body::Anatomy;
use rebone_body::poses;
use rebone_skeleton::{Clip, Format, JointId, Skeleton, bvh, gltf};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;

/// A result that is about to be written: the target's file and the joints that move.
#[derive(Clone, Debug)]
pub(crate) struct ResultFile<'a> {
    /// The hierarchy to write, in BVH; without one it is made from the skeleton.
    pub(crate) hierarchy: Option<&'a bvh::Hierarchy>,
    /// The file to edit, in glTF; without one it is made from the skeleton.
    pub(crate) gltf: Option<&'a Arc<gltf::Document>>,
    pub(crate) plan: &'a Plan,
    pub(crate) options: &'a Options,
    /// Name of the animation, in glTF.
    pub(crate) name: String,
    /// Joints whose rotations a glTF holds even where they are at rest.
    pub(crate) mapped: BTreeSet<JointId>,
    /// Joints whose translations change.
    pub(crate) moving: BTreeSet<JointId>,
}

impl ResultFile<'_> {
    /// Writes a clip of the target. Returns it as the file holds it: of rounded numbers, of keys between which it is
    /// interpolated. That of a VRM animation, whose skeleton is another, stays as it is.
    pub(crate) fn write(
        &self,
        format: Format,
        clip: Clip,
        file: &mut (dyn Write + Send),
        watch: Option<&Watch>,
    ) -> Result<Clip, Error> {
        if format == Format::Bvh {
            return self.bvh(clip, file, watch);
        }
        let (bytes, written) = self.gltf(format, clip)?;
        file.write_all(&bytes)?;
        Ok(written)
    }

    fn bvh(
        &self,
        mut clip: Clip,
        file: &mut (dyn Write + Send),
        watch: Option<&Watch>,
    ) -> Result<Clip, Error> {
        let hierarchy = match self.hierarchy {
            Some(hierarchy) => Cow::Borrowed(hierarchy),
            None => Cow::Owned(bvh::Hierarchy::from_skeleton(&self.fixed_translations())),
        };
        let (count, ranges) = (clip.len(), self.plan.channel_ranges());
        let options = bvh::WriteOptions { decimals: self.options.decimals, ranges: &ranges };
        let mut writer = bvh::Writer::new(file, &hierarchy, clip.frame_time, count, options)?;
        let watched = Watched::begin(watch, "write", count);
        let rest = self.plan.target.skeleton.rest_pose();
        let (mut pose, mut rounded) = (rest.clone(), rest);
        for frame in 0..count {
            clip.read(frame, &mut pose);
            writer.write_pose(&pose)?;
            if options.decimals.is_some() {
                writer.read_back(&mut rounded);
                poses::set(&mut clip, frame, &rounded);
            }
            watched.add(1);
            watched.check()?;
        }
        writer.finish()?;
        Ok(clip)
    }

    /// The bytes of a file, and its poses of the target.
    fn gltf(&self, format: Format, clip: Clip) -> Result<(Vec<u8>, Clip), Error> {
        let target = &self.plan.target;
        if format == Format::Vrma {
            let metres = target.file_unit_metres();
            let humanoid = self.gltf.map_or(&[][..], |document| document.humanoid());
            let vrm = vrm_motion(target, humanoid, metres, &clip);
            let all = vrm.skeleton.ids().collect();
            let document = gltf::Document::vrm_animation(&vrm.skeleton);
            return Ok((self.animated(&document, vrm.clip, &all, format)?.0, clip));
        }
        let mut document = gltf_or_joints(self.gltf, target);
        if self.gltf.is_some() && self.options.animation_only {
            document = Arc::new(document.joints_alone()?);
        }
        self.animated(&document, clip, &self.mapped, format)
    }

    /// A document with the clip as one more animation, and the clip as it is in there.
    fn animated(
        &self,
        document: &gltf::Document,
        clip: Clip,
        mapped: &BTreeSet<JointId>,
        format: Format,
    ) -> Result<(Vec<u8>, Clip), Error> {
        let tolerance = self.options.tolerance.into();
        Ok(document.with_animation(&self.name, clip, mapped, tolerance, container(format))?)
    }

    /// The target's skeleton with translations that change only where they do: a BVH has channels for those.
    fn fixed_translations(&self) -> Skeleton {
        let skeleton = &self.plan.target.skeleton;
        let joints = skeleton.ids().zip(skeleton.joints()).map(|(id, joint)| {
            let mut joint = joint.clone();
            if !self.moving.contains(&id) && id.index() > 0 {
                joint.translation_axes.clear();
            }
            joint
        });
        Skeleton::new(joints.collect(), skeleton.end_sites().to_vec())
            .unwrap_or_else(|_| skeleton.clone())
    }
}

fn container(format: Format) -> gltf::Container {
    if format == Format::Gltf { gltf::Container::Gltf } else { gltf::Container::Glb }
}

/// The file of a character as a glTF; for other formats, a new one of its joints.
pub fn document(character: &Character, anatomy: &Anatomy) -> Arc<gltf::Document> {
    gltf_or_joints(character.document().gltf(), anatomy)
}

pub(crate) fn gltf_or_joints(
    gltf: Option<&Arc<gltf::Document>>,
    anatomy: &Anatomy,
) -> Arc<gltf::Document> {
    let joints = || {
        let (metres, turn) = (anatomy.file_unit_metres(), anatomy.inner_from_file());
        Arc::new(gltf::Document::from_skeleton(&anatomy.skeleton, metres, &turn))
    };
    gltf.map_or_else(joints, Arc::clone)
}

/// Writes the skeleton in its calibration pose, as one frame; a glTF keeps all else that it holds.
///
/// # Errors
/// When the output fails, or the format is that of arrays.
pub fn write_calibration_pose(
    character: &Character,
    anatomy: &Anatomy,
    format: Format,
    file: &mut dyn Write,
) -> Result<(), Error> {
    if format == Format::Npz {
        return Err(Error::Conflict("a pose is no .npz, which holds a result".to_owned()));
    }
    let skeleton = &anatomy.skeleton;
    let pose = anatomy.calibration_pose();
    let clip = &poses::clip(skeleton, 1.0 / 30.0, [pose]);
    if format == Format::Bvh {
        let hierarchy = &match character.document().hierarchy() {
            Some(own) => Cow::Borrowed(own),
            None => Cow::Owned(bvh::Hierarchy::from_skeleton(skeleton)),
        };
        return Ok(bvh::write_clip(file, hierarchy, clip, bvh::WriteOptions::default()).map(drop)?);
    }
    let (mapped, tolerance) = (skeleton.ids().collect(), gltf::Tolerance::default());
    let new = [gltf::NewAnimation { name: "calibration pose", clip, mapped: &mapped }];
    let bytes = document(character, anatomy).with_animations(&new, tolerance, container(format))?;
    Ok(file.write_all(&bytes)?)
}

/// Writes skeleton and clip of a character alone: a BVH as such, all else as GLB.
///
/// # Errors
/// When the output fails.
pub fn write_alone(character: &Character, file: &mut dyn Write) -> Result<(), Error> {
    let (skeleton, clip) = (character.skeleton(), character.clip());
    if let Some(hierarchy) = character.document().hierarchy() {
        return Ok(bvh::write_clip(file, hierarchy, clip, bvh::WriteOptions::default()).map(drop)?);
    }
    let turn = nalgebra::UnitQuaternion::identity();
    let document = gltf::Document::from_skeleton(skeleton, 1.0, &turn);
    let mapped = skeleton.ids().collect();
    let new = gltf::NewAnimation { name: "first frame", clip, mapped: &mapped };
    let new: &[_] = if clip.is_empty() { &[] } else { &[new] };
    let bytes = document.with_animations(new, gltf::Tolerance::default(), gltf::Container::Glb)?;
    Ok(file.write_all(&bytes)?)
}
