//! The calibration pose as a file.

use super::{Kind, document};
use rebone::skeleton::{Clip, Pose, bvh, gltf};
use rebone::{Anatomy, Character};
use std::borrow::Cow;
use std::io::Write;

/// Writes the skeleton in the pose that its frames are read off, as one frame; a glTF keeps all else that it
/// holds.
pub(crate) fn write_pose(
    loaded: &Character,
    anatomy: &Anatomy,
    kind: Kind,
    file: &mut (dyn Write + Send),
) -> anyhow::Result<()> {
    let skeleton = &anatomy.skeleton;
    let pose = Pose { rotations: anatomy.locals.clone(), ..skeleton.rest_pose() };
    let clip = &Clip::from_poses(skeleton, 1.0 / 30.0, [pose]);
    if kind == Kind::Bvh {
        let hierarchy = &match loaded.document().hierarchy() {
            Some(own) => Cow::Borrowed(own),
            None => Cow::Owned(bvh::Hierarchy::from_skeleton(skeleton)),
        };
        return Ok(bvh::write_clip(file, hierarchy, clip, bvh::WriteOptions::default()).map(drop)?);
    }
    let (mapped, tolerance) = (skeleton.ids().collect(), gltf::Tolerance::default());
    let new = [gltf::NewAnimation { name: "calibration pose", clip, mapped: &mapped }];
    let form = if kind == Kind::Gltf { gltf::Form::Text } else { gltf::Form::Binary };
    let bytes = document(loaded, anatomy).with_animations(&new, tolerance, form)?;
    Ok(file.write_all(&bytes)?)
}
