//! How a result is written: as what its name says, with what of the target's file stays.

use crate::paths;
use anyhow::bail;
use nalgebra::UnitQuaternion;
use rebone::skeleton::{Clip, JointId, Pose, Skeleton, bvh, gltf};
use rebone::{Anatomy, Character, Options, Plan};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text of joints and numbers.
    Bvh,
    /// A scene in one file: `.glb`, `.vrm`.
    Glb,
    /// A scene as JSON.
    Gltf,
    /// Motion alone, for any VRM 1.0 avatar.
    Vrma,
}

impl Kind {
    /// What the end of a name says; BVH where it says nothing.
    pub(crate) fn of(path: &Path) -> Self {
        let end = path.extension().map(|end| end.to_string_lossy().to_lowercase());
        match end.as_deref() {
            Some("glb" | "vrm") => Self::Glb,
            Some("gltf") => Self::Gltf,
            Some("vrma") => Self::Vrma,
            _ => Self::Bvh,
        }
    }
}

/// How a result is written.
#[derive(Clone, Debug)]
pub(crate) struct Output<'a> {
    /// The rig's file.
    pub(crate) target: &'a Character,
    /// The same as a glTF: [`document`].
    pub(crate) document: Arc<gltf::Document>,
    /// Where the result goes.
    pub(crate) path: &'a Path,
    /// The format.
    pub(crate) kind: Kind,
    /// Options of the retarget.
    pub(crate) options: &'a Options,
    /// The name of the animation, in glTF.
    pub(crate) name: String,
}

/// Joints of the target that a result moves.
pub(crate) struct Joints {
    /// Those whose rotations glTF holds even where they are at rest.
    pub(crate) mapped: BTreeSet<JointId>,
    /// Those whose places change.
    pub(crate) moving: BTreeSet<JointId>,
}

impl Output<'_> {
    /// Writes poses that `fill` gives one by one, so many in all, this far apart in seconds.
    pub(crate) fn write<T>(
        &self,
        plan: &Plan,
        joints: &Joints,
        (count, frame_time): (usize, f64),
        file: &mut (dyn Write + Send),
        fill: impl FnOnce(&mut (dyn FnMut(&Pose) -> anyhow::Result<()> + Send)) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let target = &plan.target;
        if self.kind == Kind::Bvh {
            return self.write_bvh(plan, joints, (count, frame_time), file, fill);
        }
        self.check_files()?;
        let mut clip = Clip::new(&target.skeleton, frame_time);
        let given = fill(&mut |pose| {
            clip.push(pose);
            Ok(())
        })?;
        let bytes = match (self.kind, self.target.document().gltf()) {
            (Kind::Vrma, _) => {
                let stated = self.target.document().humanoid();
                let metres = target.file_unit_metres();
                let vrm = rebone::vrm_motion(target, stated, metres, &clip);
                let all = vrm.skeleton.ids().collect();
                self.animated(&gltf::Document::vrm_animation(&vrm.skeleton), &vrm.clip, &all)?
            }
            (_, Some(_)) if self.options.animation_only => {
                self.animated(&self.document.joints_alone()?, &clip, &joints.mapped)?
            }
            _ => self.animated(&self.document, &clip, &joints.mapped)?,
        };
        file.write_all(&bytes)?;
        Ok(given)
    }

    /// Refuses to name files from another folder than the one that they are beside.
    fn check_files(&self) -> anyhow::Result<()> {
        let alone = self.options.animation_only || self.kind == Kind::Vrma;
        let Some(file) = self.document.files_beside().next().filter(|_| !alone) else {
            return Ok(());
        };
        if paths::same_folder(self.path, self.target.path()) {
            return Ok(());
        }
        bail!(
            "{} names {file:?}, which is beside it: write the result into the same folder, pack its files into \
             a .glb, or take --animation-only",
            self.target.path().display()
        )
    }

    /// A document with the clip as one more animation.
    fn animated(
        &self,
        document: &gltf::Document,
        clip: &Clip,
        mapped: &BTreeSet<JointId>,
    ) -> anyhow::Result<Vec<u8>> {
        let new = gltf::NewAnimation { name: &self.name, clip, mapped };
        let form = if self.kind == Kind::Gltf { gltf::Form::Text } else { gltf::Form::Binary };
        Ok(document.with_animations(&[new], self.options.tolerance.into(), form)?)
    }

    fn write_bvh<T>(
        &self,
        plan: &Plan,
        joints: &Joints,
        (count, frame_time): (usize, f64),
        file: &mut (dyn Write + Send),
        fill: impl FnOnce(&mut (dyn FnMut(&Pose) -> anyhow::Result<()> + Send)) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let made = || bvh::Hierarchy::from_skeleton(&still(plan, joints));
        let own = self.target.document().hierarchy().map(Cow::Borrowed);
        let hierarchy = &own.unwrap_or_else(|| Cow::Owned(made()));
        let ranges = plan.channel_ranges();
        let options = bvh::WriteOptions { decimals: self.options.decimals, ranges: &ranges };
        let mut writer = bvh::Writer::new(file, hierarchy, frame_time, count, options)?;
        let given = fill(&mut |pose| Ok(writer.write_pose(pose)?))?;
        writer.finish()?;
        Ok(given)
    }
}

/// A rig as a glTF: its file, or of others the joints.
pub(crate) fn document(rig: &Character, anatomy: &Anatomy) -> Arc<gltf::Document> {
    if let Some(document) = rig.document().gltf() {
        return Arc::clone(document);
    }
    let (metres, turn) = (anatomy.file_unit_metres(), anatomy.inner_from_file());
    Arc::new(gltf::Document::from_skeleton(&anatomy.skeleton, metres, &turn))
}

/// Writes skeleton and clip alone: a BVH as such, all else as GLB.
pub(crate) fn write_alone(
    character: &Character,
    file: &mut (dyn Write + Send),
) -> anyhow::Result<()> {
    let (skeleton, clip) = (character.skeleton(), character.clip());
    if let Some(hierarchy) = character.document().hierarchy() {
        return Ok(bvh::write_clip(file, hierarchy, clip, bvh::WriteOptions::default()).map(drop)?);
    }
    let document = gltf::Document::from_skeleton(skeleton, 1.0, &UnitQuaternion::identity());
    let mapped = skeleton.ids().collect();
    let new = gltf::NewAnimation { name: "first frame", clip, mapped: &mapped };
    let new: &[_] = if clip.is_empty() { &[] } else { &[new] };
    let bytes = document.with_animations(new, gltf::Tolerance::default(), gltf::Form::Binary)?;
    Ok(file.write_all(&bytes)?)
}

/// The target's skeleton with positions that change only where they do: a BVH has channels for those.
fn still(plan: &Plan, joints: &Joints) -> Skeleton {
    let skeleton = &plan.target.skeleton;
    let moving = &joints.moving;
    let joints = skeleton.ids().zip(skeleton.joints()).map(|(id, joint)| {
        let mut joint = joint.clone();
        if !moving.contains(&id) && id.index() > 0 {
            joint.translation_axes.clear();
        }
        joint
    });
    Skeleton::new(joints.collect(), skeleton.end_sites().to_vec())
        .unwrap_or_else(|_| skeleton.clone())
}
