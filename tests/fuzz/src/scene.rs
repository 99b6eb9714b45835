//! Scene files: valid ones of our own making, and what bytes do to them.

use arbitrary::{Result, Unstructured};
use rebone::skeleton::gltf::{Container, Document, NewAnimation, Tolerance};
use rebone::skeleton::{JointId, Skeleton};
use rebone_samples as samples;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::LazyLock;

/// More edits would leave little of a file.
const EDITS: usize = 12;
/// What stands in the place of numbers and words of a text.
const WORDS: [&str; 24] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "-1",
    "255",
    "5120",
    "5121",
    "5123",
    "5126",
    "65536",
    "4294967295",
    "18446744073709551615",
    "1e308",
    "-1e308",
    "1e-320",
    "0.5",
    "null",
    "\"x\"",
    "[]",
    "{}",
    "true",
    "\"rotation\"",
];

/// A text, and data that belongs to it.
#[derive(Clone)]
pub struct Scene {
    text: Vec<u8>,
    /// Data behind the JSON of a GLB.
    data: Option<Vec<u8>>,
}

/// Valid files: a rig with a motion as GLB and as text, VRM 0.x and 1.0, and all that a text can say.
static GLTF: LazyLock<Vec<Scene>> = LazyLock::new(|| {
    let mut clip = samples::wave().motion;
    clip.clip.keep(0..12).unwrap();
    let document =
        Document::from_skeleton(&clip.skeleton, 0.01, &nalgebra::UnitQuaternion::identity());
    let mapped: BTreeSet<JointId> = clip.skeleton.ids().collect();
    let new = NewAnimation { name: "wave", clip: &clip.clip, mapped: &mapped };
    let write = |container| {
        document
            .with_animations(&[new.clone()], Tolerance::default(), container)
            .expect("it is valid")
    };
    let (glb, text) = (write(Container::Glb), write(Container::Gltf));
    let length = u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]) as usize;
    let json = String::from_utf8_lossy(&glb[20..20 + length]).trim_end().to_owned();
    let data = Some(glb[20 + length + 8..].to_vec());
    let with = |extension: String| Scene {
        text: json.replacen('{', &format!("{{\"extensions\":{{{extension}}},"), 1).into_bytes(),
        data: data.clone(),
    };
    vec![
        Scene { text: json.clone().into_bytes(), data: data.clone() },
        Scene { text, data: None },
        with(vrm0(&clip.skeleton)),
        with(vrm1(&clip.skeleton)),
        Scene { text: include_bytes!("../seeds/gltf/everything.gltf").to_vec(), data: None },
    ]
});

/// A glTF or a VRM after some edits.
///
/// # Errors
/// Never: where the bytes end, the first of all choices are made.
pub fn gltf(bytes: &mut Unstructured) -> Result<Vec<u8>> {
    let mut scene = bytes.choose(&GLTF)?.clone();
    for _ in 0..bytes.int_in_range(0..=EDITS)? {
        match &mut scene.data {
            Some(data) if bytes.ratio(1, 4)? => cut_or_write(data, bytes)?,
            _ => edit(&mut scene.text, bytes)?,
        }
    }
    let Some(data) = scene.data else { return Ok(scene.text) };
    let mut glb = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, part) in [(b"JSON", &scene.text), (b"BIN\0", &data)] {
        glb.extend((part.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(part);
    }
    let length = glb.len() as u32;
    glb[8..12].copy_from_slice(&length.to_le_bytes());
    if bytes.ratio(1, 8)? {
        cut_or_write(&mut glb, bytes)?;
    }
    Ok(glb)
}

/// An FBX text after some edits.
///
/// # Errors
/// Never, as above.
pub fn fbx(bytes: &mut Unstructured) -> Result<Vec<u8>> {
    let mut text = include_bytes!("../seeds/fbx/arm.fbx").to_vec();
    for _ in 0..bytes.int_in_range(0..=EDITS)? {
        edit(&mut text, bytes)?;
    }
    Ok(text)
}

fn edit(text: &mut Vec<u8>, bytes: &mut Unstructured) -> Result<()> {
    if bytes.ratio(1, 3)? || text.is_empty() {
        return cut_or_write(text, bytes);
    }
    let start = bytes.int_in_range(0..=text.len() - 1)?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let Some(start) = text[start..].iter().position(is_part).map(|at| at + start) else {
        return Ok(());
    };
    let end =
        text[start..].iter().position(|byte| !is_part(byte)).map_or(text.len(), |at| at + start);
    let word = bytes.choose(&WORDS)?;
    text.splice(start..end, word.bytes());
    Ok(())
}

/// Overwrites, cuts out or doubles a few bytes.
fn cut_or_write(text: &mut Vec<u8>, bytes: &mut Unstructured) -> Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    let at = bytes.int_in_range(0..=text.len() - 1)?;
    let end = (at + bytes.int_in_range(1..=64)?).min(text.len());
    match bytes.int_in_range(0..=3)? {
        0 => text[at] = bytes.arbitrary()?,
        1 => drop(text.drain(at..end)),
        2 => {
            let again = text[at..end].to_vec();
            text.splice(at..at, again);
        }
        _ => text.truncate(at),
    }
    Ok(())
}

/// Bones of a sample's joints that are called as in VRM, in lower case.
fn bones(skeleton: &Skeleton) -> impl Iterator<Item = (String, usize)> {
    let names = ["hips", "spine", "head", "leftHand", "rightFoot", "leftThumbProximal", "jaw"];
    names.into_iter().zip(0..skeleton.len()).map(|(name, node)| (name.to_owned(), node))
}

fn vrm0(skeleton: &Skeleton) -> String {
    let mut text = String::new();
    for (name, node) in bones(skeleton) {
        let comma = if text.is_empty() { "" } else { "," };
        let _ = write!(text, "{comma}{{\"bone\":\"{name}\",\"node\":{node}}}");
    }
    format!("\"VRM\":{{\"humanoid\":{{\"humanBones\":[{text}]}}}}")
}

fn vrm1(skeleton: &Skeleton) -> String {
    let mut text = String::new();
    for (name, node) in bones(skeleton) {
        let comma = if text.is_empty() { "" } else { "," };
        let _ = write!(text, "{comma}\"{name}\":{{\"node\":{node}}}");
    }
    format!("\"VRMC_vrm\":{{\"humanoid\":{{\"humanBones\":{{{text}}}}}}}")
}
