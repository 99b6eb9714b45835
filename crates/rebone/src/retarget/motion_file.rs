//! A motion as a file, without a retarget.

use super::checks::check_format;
use crate::error::Error;
use crate::export::document;
use crate::options::Options;
use rebone_body::Character;
use rebone_skeleton::{Format, bvh, gltf};
use std::borrow::Cow;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Writes the motion of a character as it is; a glTF keeps all else that it holds, and has one animation more. All keys are
/// written.
///
/// # Errors
/// When the format cannot hold it, or the output fails.
pub fn write_motion(
    character: &Character,
    format: Format,
    file: &mut dyn Write,
) -> Result<(), Error> {
    let (skeleton, clip) = (character.skeleton(), character.clip());
    if format == Format::Bvh {
        let hierarchy = &match character.document().hierarchy() {
            Some(own) => Cow::Borrowed(own),
            None => Cow::Owned(bvh::Hierarchy::from_skeleton(skeleton)),
        };
        return Ok(bvh::write_clip(file, hierarchy, clip, bvh::WriteOptions::default()).map(drop)?);
    }
    let options = Options::default();
    check_format(character, &options, format, Path::new("the motion"))?;
    if format == Format::Vrma {
        let text = "a VRM animation is written of a result: retarget the motion onto a VRM";
        return Err(Error::Conflict(text.to_owned()));
    }
    // The file says axes and unit of joints that no glTF holds.
    let document = match character.document().gltf() {
        Some(own) => Arc::clone(own),
        None => document(character, &character.analyse()?),
    };
    let (name, mapped) = (&*character.clip_name(), &skeleton.ids().collect());
    let new = [gltf::NewAnimation { name, clip, mapped }];
    let container =
        if format == Format::Gltf { gltf::Container::Gltf } else { gltf::Container::Glb };
    let tolerance = gltf::Tolerance { angle: 0.0, length: 0.0 };
    Ok(file.write_all(&document.with_animations(&new, tolerance, container)?)?)
}
