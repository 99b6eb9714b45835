//! Kinds of files, by their content: an output replaces only a file of its own kind.

use crate::acclaim::{AcclaimFile, recognise};
use std::fmt;
#[cfg(feature = "disk")]
use std::path::Path;

/// Bytes at the begin of a file that tell its kind, whether it is read or replaced.
pub(super) const KIND_BYTES: usize = 1 << 16;

/// Keys of a glTF, one of which is near its begin.
const GLTF_KEYS: [&[u8]; 4] = [b"\"asset\"", b"\"accessors\"", b"\"bufferViews\"", b"\"buffers\""];

/// Begins of the JSON files that are written, without white space.
const JSON_BEGINS: [(&[u8], FileKind); 4] = [
    (b"{\"source\":{\"file\":", FileKind::Report),
    (b"{\"contacts\":[", FileKind::Contacts),
    (b"{\"frame_time\":", FileKind::RootPath),
    (b"{\"rebone\":", FileKind::RotationTable),
];
/// In the head of pages that are written.
const HTML_GENERATOR: &[u8] = b"<meta name=\"generator\" content=\"rebone\">";

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// BVH.
    Bvh,
    /// glTF, VRM or VRMA in binary form.
    Glb,
    /// glTF as JSON.
    Gltf,
    /// FBX, as text or binary.
    Fbx,
    /// Acclaim skeleton.
    Asf,
    /// Acclaim motion.
    Amc,
    /// Arrays of numbers, as NumPy reads them.
    Npz,
    /// PNG.
    Png,
    /// GIF.
    Gif,
    /// TOML: rig cards, rules of a batch.
    Toml,
    /// Report of a retarget, in JSON.
    Report,
    /// Contacts, in JSON.
    Contacts,
    /// Path of a root bone, in JSON.
    RootPath,
    /// Rotation table of two skeletons, in JSON.
    RotationTable,
    /// Any other JSON.
    Json,
    /// HTML page of this program.
    Html,
    /// Metrics of frames: CSV whose first column is `frame`.
    Csv,
    /// Any other content.
    Other,
}

impl fmt::Display for FileKind {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::Bvh => "a BVH motion file",
            Self::Glb => "a binary glTF (GLB or VRM) file",
            Self::Gltf => "a glTF file in JSON",
            Self::Fbx => "an FBX file",
            Self::Asf => "an Acclaim skeleton (ASF)",
            Self::Amc => "an Acclaim motion (AMC)",
            Self::Npz => "a file of NumPy arrays (NPZ)",
            Self::Png => "a PNG picture",
            Self::Gif => "a GIF animation",
            Self::Toml => "a TOML file (a card or rules)",
            Self::Report => "a report in JSON",
            Self::Contacts => "contacts in JSON",
            Self::RootPath => "the path of a root bone in JSON",
            Self::RotationTable => "a rotation table in JSON",
            Self::Json => "a JSON file of another program, or a manifest",
            Self::Html => "an HTML page of rebone",
            Self::Csv => "a CSV table of frames",
            Self::Other => "a file of another program",
        })
    }
}

impl FileKind {
    /// Recognises a kind by the first bytes of a file; `None` for an empty one.
    ///
    /// ```
    /// use rebone_skeleton::file::FileKind;
    ///
    /// assert_eq!(FileKind::of_bytes(b"HIERARCHY\nROOT Hips"), Some(FileKind::Bvh));
    /// assert_eq!(FileKind::of_bytes(b"[roles]\nhead = \"Head\"\n"), Some(FileKind::Toml));
    /// assert_eq!(FileKind::of_bytes(b""), None);
    /// ```
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
        let begins = |with: &[u8]| text.starts_with(with);
        let begins_in_any_case = |with: &[u8]| {
            text.get(..with.len()).is_some_and(|first| first.eq_ignore_ascii_case(with))
        };
        let holds = |part: &[u8]| text.windows(part.len()).any(|found| found == part);
        Some(match text.first()? {
            _ if begins(b"glTF") => Self::Glb,
            _ if begins(b"\x89PNG\r\n\x1a\n") => Self::Png,
            _ if begins(b"GIF89a") || begins(b"GIF87a") => Self::Gif,
            _ if begins(b"PK\x03\x04") && holds(b".npy") => Self::Npz,
            _ if begins(b"Kaydara FBX Binary") || begins(b"; FBX") => Self::Fbx,
            _ if begins_in_any_case(b"HIERARCHY") => Self::Bvh,
            b'<' if begins_in_any_case(b"<!doctype html") && holds(HTML_GENERATOR) => Self::Html,
            _ if begins(b"frame,") => Self::Csv,
            b'{' if GLTF_KEYS.into_iter().any(holds) => Self::Gltf,
            b'{' => json_kind(text),
            b'[' if begins_json_list(&text[1..]) => Self::Json,
            _ => acclaim(text).unwrap_or(if begins_toml(text) { Self::Toml } else { Self::Other }),
        })
    }

    /// Recognises the kind of a regular file; `None` where there is none, or it is empty or cannot be read.
    #[cfg(feature = "disk")]
    pub fn of_file(path: &Path) -> Option<Self> {
        use std::io::Read;
        let file = crate::open_regular(path).ok()?;
        let mut first = Vec::new();
        file.take(KIND_BYTES as u64).read_to_end(&mut first).ok()?;
        Self::of_bytes(&first)
    }
}

fn acclaim(text: &[u8]) -> Option<FileKind> {
    Some(match recognise(text)? {
        AcclaimFile::Asf => FileKind::Asf,
        AcclaimFile::Amc => FileKind::Amc,
    })
}

/// Returns the kind of a JSON object but glTF.
fn json_kind(text: &[u8]) -> FileKind {
    let begin: Vec<u8> =
        text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).take(32).collect();
    let find = JSON_BEGINS.into_iter().find(|(with, _)| begin.starts_with(with));
    find.map_or(FileKind::Json, |(_, kind)| kind)
}

/// Returns whether a list of JSON goes on behind its bracket, and not the name of a section.
fn begins_json_list(rest: &[u8]) -> bool {
    let first = rest.trim_ascii_start().first();
    first.is_some_and(|first| b"{\"-]".contains(first) || first.is_ascii_digit())
}

/// Returns whether the first line that is neither empty nor a comment is a section or an entry; true for comments
/// alone.
fn begins_toml(text: &[u8]) -> bool {
    let Some(end) = text.utf8_chunks().next() else { return true };
    let mut lines = end.valid().lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    let Some(line) = line else { return end.invalid().is_empty() };
    let is_key = |own: char| own.is_alphanumeric() || "_-.\"'".contains(own);
    let key = line.split_once('=').map(|entry| entry.0.trim());
    line.starts_with('[') || key.is_some_and(|key| !key.is_empty() && key.chars().all(is_key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_recognised_by_content() {
        for (text, kind) in [
            ("HIERARCHY\nROOT a", FileKind::Bvh),
            ("\u{feff} hierarchy", FileKind::Bvh),
            ("glTF\u{2}\0\0\0", FileKind::Glb),
            ("GLTF\u{2}\0\0\0", FileKind::Other),
            ("{\"asset\":{\"version\":\"2.0\"}}", FileKind::Gltf),
            ("{ \"source\": {} }", FileKind::Json),
            ("{\n  \"source\": {\n \"file\": \"a\"} }", FileKind::Report),
            ("{\"contacts\":[\n", FileKind::Contacts),
            ("{\"frame_time\":0.01", FileKind::RootPath),
            ("{\"rebone\":\"0.1.0\"", FileKind::RotationTable),
            ("{\"name\": \"package\"}", FileKind::Json),
            ("[ { \"frame\": 1 } ]", FileKind::Json),
            ("GIF89a..", FileKind::Gif),
            ("; FBX 7.4.0 project file", FileKind::Fbx),
            ("PK\u{3}\u{4}\u{14}\0 rotations.npy", FileKind::Npz),
            ("PK\u{3}\u{4}\u{14}\0 word/document.xml", FileKind::Other),
            ("# Rig card\n\n[roles]\n", FileKind::Toml),
            ("# Rig card\n", FileKind::Toml),
            ("pose_from = \"a.bvh\"", FileKind::Toml),
            ("<!DOCTYPE html><meta name=\"generator\" content=\"rebone\">", FileKind::Html),
            ("<!DOCTYPE html><title>mine</title>", FileKind::Other),
            ("# Skeleton\n:version 1.10\n", FileKind::Asf),
            ("#!OML:ASF\n:FULLY-SPECIFIED\n", FileKind::Amc),
            ("# :version 1.10\n[roles]\n", FileKind::Toml),
            ("1\n2\n", FileKind::Other),
            ("frame,slide\n", FileKind::Csv),
            ("my notes = nice, or not", FileKind::Other),
            ("Dear diary, x = 1", FileKind::Other),
            ("a line", FileKind::Other),
        ] {
            assert_eq!(FileKind::of_bytes(text.as_bytes()), Some(kind), "{text}");
        }
        assert_eq!(FileKind::of_bytes(b"\x89PNG\r\n\x1a\n...."), Some(FileKind::Png));
        assert_eq!(FileKind::of_bytes(b"\xff\xfe\x00"), Some(FileKind::Other));
        assert_eq!(FileKind::of_bytes(b" \n"), None);
    }
}
