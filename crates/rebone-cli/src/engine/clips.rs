//! What a file is, and the clips that it holds.

use anyhow::anyhow;
use rebone::skeleton::{Clip, Motion, Skeleton, bvh, gltf};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The names of the clips of a file; of a BVH there is one.
pub(crate) fn clip_names(path: &Path) -> anyhow::Result<Vec<String>> {
    Ok(match sniff(path)? {
        Sniffed::Other => vec!["0".to_owned()],
        Sniffed::Gltf => names_in_gltf(&gltf::read(path, gltf::ReadOptions::default())?),
        Sniffed::Fbx => names_in_fbx(path)?,
    })
}

/// The names of clips; of one that has none its number.
pub(super) fn names_in_gltf(document: &gltf::Document) -> Vec<String> {
    let name = |own: gltf::ClipName| own.name.unwrap_or_else(|| own.index.to_string());
    document.clips().map(name).collect()
}

#[cfg(feature = "fbx")]
fn names_in_fbx(path: &Path) -> anyhow::Result<Vec<String>> {
    Ok(rebone::skeleton::fbx::read(path)?.clips().map(str::to_owned).collect())
}

#[cfg(not(feature = "fbx"))]
fn names_in_fbx(_: &Path) -> anyhow::Result<Vec<String>> {
    Ok(Vec::new())
}

/// What a file begins as: what it is called does not matter.
pub(super) enum Sniffed {
    /// glTF or GLB.
    Gltf,
    /// FBX, text or binary.
    Fbx,
    /// Anything else.
    Other,
}

/// What a file begins as.
pub(super) fn sniff(path: &Path) -> Result<Sniffed, bvh::FileError> {
    let open = |error| bvh::FileError::Open { path: path.into(), error };
    let mut first = [0; 64];
    let mut file = File::open(path).map_err(open)?;
    if !file.metadata().is_ok_and(|file| file.is_file()) {
        return Ok(Sniffed::Other);
    }
    let count = file.read(&mut first).map_err(open)?;
    let first = first[..count].strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&first[..count]);
    let first = first.trim_ascii_start();
    let begins = |with: &[&[u8]]| with.iter().any(|with| first.starts_with(with));
    Ok(match () {
        () if begins(&[b"glTF", b"{"]) => Sniffed::Gltf,
        () if begins(&[b"Kaydara FBX Binary", b"; FBX"]) => Sniffed::Fbx,
        () => Sniffed::Other,
    })
}

/// The name and the motion of the clip that is wanted, else of the first; where there is none at all, no frames.
pub(super) fn wanted_clip(
    names: Vec<String>,
    wanted: Option<&str>,
    skeleton: &Skeleton,
    read: impl FnOnce(usize) -> anyhow::Result<Clip>,
) -> anyhow::Result<(Option<String>, Motion)> {
    let index = chosen(&names, wanted)?;
    let clip = index.map_or_else(|| Ok(Clip::new(skeleton, super::loaded::NO_RATE)), read)?;
    let name = index.and_then(|index| names.into_iter().nth(index));
    Ok((name, Motion { skeleton: skeleton.clone(), clip }))
}

/// The clip that is wanted, else the first; `None` where there is none at all.
fn chosen(names: &[String], wanted: Option<&str>) -> anyhow::Result<Option<usize>> {
    let Some(wanted) = wanted else { return Ok((!names.is_empty()).then_some(0)) };
    let by_name = names.iter().position(|name| name == wanted);
    let number = wanted.strip_prefix('#').unwrap_or(wanted);
    let by_number = || number.parse().ok().filter(|index| *index < names.len());
    let index = by_name.or_else(by_number).ok_or_else(|| match names {
        [] => anyhow!("no clip {wanted:?}: the file has none"),
        _ => anyhow!("no clip {wanted:?}, but {}", names.join(", ")),
    });
    index.map(Some)
}
