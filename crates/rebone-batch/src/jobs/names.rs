//! Names of results.

use crate::disk::folders::{CARDS, MANIFESTS, TEMPORARY};
use crate::disk::name_key::{NameKey, key};
use crate::disk::path_text::path_text;
use crate::error::BatchError;
use crate::find::input_clip::{InputClip, stem};
use crate::record::hash;
use crate::record::manifest;
use rebone::skeleton::Format;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

/// Template of the names of results: text with `{stem}`, the clip's name, and `{target}`, the rig's, both without
/// extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameTemplate(String);

impl FromStr for NameTemplate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rest = text.replace("{stem}", "").replace("{target}", "");
        let is_inside = |part: Component| matches!(part, Component::Normal(_));
        let message = if rest.contains(['{', '}']) {
            "expected text with {stem} and {target}, nothing else in braces"
        } else if text.ends_with(['/', '\\']) {
            "expected a name behind the last folder"
        } else if !text.contains("{stem}") {
            "without {stem} all clips would have one name"
        } else if !Path::new(text).components().all(is_inside) {
            "expected a name below the output folder"
        } else {
            return Ok(Self(text.to_owned()));
        };
        Err(message.to_owned())
    }
}

impl NameTemplate {
    /// `{stem}` for one rig, `{stem}-{target}` for more.
    pub(crate) fn usual(rigs: usize) -> Self {
        Self(if rigs == 1 { "{stem}" } else { "{stem}-{target}" }.to_owned())
    }

    /// This template, with the rig's name behind it where several rigs would have one name.
    pub(crate) fn apart(&self, rigs: usize) -> Self {
        let is_apart = rigs == 1 || self.0.contains("{target}");
        Self(if is_apart { self.0.clone() } else { format!("{}-{{target}}", self.0) })
    }

    /// Path of a result below the output folder, with an extension.
    pub(crate) fn path(&self, clip: &InputClip, rig: &Path, extension: &str) -> PathBuf {
        let mut name = self.text(clip, rig);
        name.push(".");
        name.push(extension);
        clip.folder.join(shortened(Path::new(&name)))
    }

    /// Name of a result, without its folders below the input, and without extension.
    pub(crate) fn text(&self, clip: &InputClip, rig: &Path) -> OsString {
        let mut name = OsString::new();
        // Texts before, in and behind braces, in turn.
        for (index, text) in self.0.split(['{', '}']).enumerate() {
            match (index % 2, text) {
                (0, text) => name.push(text),
                (_, "stem") => name.push(clip.stem()),
                _ => name.push(stem(rig)),
            }
        }
        name
    }
}

/// Longest name of a file or a folder on most systems, bytes.
const MAX_NAME_BYTES: usize = 255;

/// Shortens names that are too long for a file or a folder: the hash of the whole name stands for its end.
fn shortened(path: &Path) -> PathBuf {
    let part = |part: Component| match part.as_os_str().len() > MAX_NAME_BYTES {
        true => short_name(Path::new(part.as_os_str()), MAX_NAME_BYTES).into(),
        false => part.as_os_str().to_owned(),
    };
    path.components().map(part).collect()
}

/// A name of at most `max_bytes` with the extension of `name`: its begin, and the hash of all of it.
fn short_name(name: &Path, max_bytes: usize) -> String {
    let end = name.extension().map(|end| end.to_string_lossy()).filter(|end| end.len() < 8);
    let end = end.map_or(String::new(), |end| format!(".{end}"));
    let end = format!("-{}{end}", hash::of(name.as_os_str().as_encoded_bytes()));
    let text = path_text(name);
    let cut = (0..=max_bytes - end.len()).rev().find(|&cut| text.is_char_boundary(cut));
    format!("{}{end}", &text[..cut.unwrap_or(0)])
}

/// Hexadecimal digits of a hash that tell the name of a result from that of a folder.
const APART_DIGITS: usize = 8;

/// Another name for a result that is called as a folder: with a part of the hash of its name. It depends on that name alone.
pub(crate) fn apart(result: &Path) -> PathBuf {
    let hash = hash::of(result.file_name().unwrap_or_default().as_encoded_bytes());
    let mut name = stem(result).to_owned();
    name.push(format!("-{}", &hash[..APART_DIGITS]));
    if let Some(end) = result.extension() {
        name.push(".");
        name.push(end);
    }
    result.with_file_name(shortened(Path::new(&name)))
}

/// Longest name of a card without its extension: that, and a number, follow.
const MAX_CARD_NAME_BYTES: usize = 230;

/// Name of the card of a rig class after one of its files.
pub(crate) fn card_name(file: &Path) -> String {
    let name = Path::new(stem(file));
    match path_text(name) {
        text if text.len() > MAX_CARD_NAME_BYTES => short_name(name, MAX_CARD_NAME_BYTES),
        text => text,
    }
}

/// Path of the merged file of a rig, below the output folder.
pub(crate) fn merged_path(rig: &Path) -> PathBuf {
    let is_vrm = rig.extension().is_some_and(|end| end.eq_ignore_ascii_case("vrm"));
    let mut name = stem(rig).to_owned();
    name.push(if is_vrm { ".vrm" } else { ".glb" });
    shortened(Path::new(&name))
}

/// Extension of results for a rig: that of the format that is wanted, else the rig's, except for FBX and Acclaim, which are not written, and for joints and motion
/// alone, which are no VRM.
pub(crate) fn extension(rig: &Path, format: Option<Format>, animation_only: bool) -> &'static str {
    match format {
        Some(Format::Bvh) => return "bvh",
        Some(Format::Glb) => return "glb",
        Some(Format::Gltf) => return "gltf",
        Some(Format::Vrm) => return "vrm",
        Some(Format::Vrma) => return "vrma",
        Some(Format::Npz) => return "npz",
        None => {}
    }
    let end = rig.extension().map(|end| end.to_string_lossy().to_lowercase());
    match end.as_deref() {
        Some("glb" | "fbx") => "glb",
        Some("gltf") => "gltf",
        Some("vrm") if animation_only => "glb",
        Some("vrm") => "vrm",
        _ => "bvh",
    }
}

/// Refuses two results with one name, case ignored, results in a folder that is called as another, and results that would
/// replace an input.
pub(crate) fn check(
    outputs: &[(PathBuf, &Path)],
    inputs: &[&Path],
    folder: &Path,
) -> Result<(), BatchError> {
    let mut taken: BTreeMap<NameKey, (&Path, &Path)> = BTreeMap::new();
    for (path, clip) in outputs {
        check_reserved(path, clip)?;
        if let Some((other_path, other)) = taken.insert(key(path), (path, clip)) {
            let [path, other_path] = [path.as_path(), other_path].map(Path::display);
            let same = if path.to_string() == other_path.to_string() {
                format!("{path}")
            } else {
                format!("{other_path} and {path}, one name where case does not count")
            };
            let (other, clip) = (other.display().to_string(), clip.display().to_string());
            return Err(BatchError::Request(if other == clip {
                format!(
                    "two results of {clip} would both be written to {same}: name rigs apart, and put \
                     {{target}} into --name"
                )
            } else {
                format!(
                    "{other} and {clip} would both be written to {same}: name them apart with --name, or \
                     give the folder that both are below"
                )
            }));
        }
    }
    outputs.iter().try_for_each(|(path, clip)| check_folders(path, clip, &taken))?;
    let inputs: BTreeSet<PathBuf> =
        inputs.iter().filter_map(|path| path.canonicalize().ok()).collect();
    for (path, _) in outputs {
        let output = folder.join(path);
        if output.canonicalize().is_ok_and(|output| inputs.contains(&output)) {
            return Err(BatchError::Request(format!(
                "the output {} is an input: an input is never changed",
                output.display(),
            )));
        }
    }
    Ok(())
}

/// Refuses a result in a folder that is called as another result; `taken` are all results with their clips.
fn check_folders(
    path: &Path,
    clip: &Path,
    taken: &BTreeMap<NameKey, (&Path, &Path)>,
) -> Result<(), BatchError> {
    match path.ancestors().skip(1).find_map(|folder| taken.get(&key(folder))) {
        None => Ok(()),
        Some((file, other)) => Err(BatchError::Request(format!(
            "{} would be written to {}, and {} into a folder of that name: name them apart with --name",
            other.display(),
            file.display(),
            clip.display()
        ))),
    }
}

/// Refuses results that would replace the batch's own files.
fn check_reserved(path: &Path, clip: &Path) -> Result<(), BatchError> {
    let first =
        path.components().next().map(|part| part.as_os_str().to_string_lossy().to_lowercase());
    match first.filter(|first| RESERVED.contains(&first.as_str())) {
        None => Ok(()),
        Some(first) => Err(BatchError::Request(format!(
            "the result {} of {} would lie in {first} of the output folder, which is the batch's own: \
             call the folder of the clip or --name otherwise, or give the folder itself as an input",
            path.display(),
            clip.display()
        ))),
    }
}

/// Names of the batch's own files and folders in its output folder.
const RESERVED: [&str; 4] = [CARDS, TEMPORARY, MANIFESTS, manifest::NAME];
