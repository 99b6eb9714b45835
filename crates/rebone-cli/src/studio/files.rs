//! The files that a page may read and write, by their numbers.

use super::file_numbers::{FileContent, FileName, FileNumbers};
use super::library::{Library, Row};
use crate::exit_code::Failure;
use crate::{interrupt, paths};
use anyhow::{Context, anyhow};
use rebone::card::Card;
use rebone::contacts;
use rebone::skeleton::{AtomicFile, open_regular};
use rebone_batch::manifest::ManifestLine;
use serde::Serialize;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Largest card, map, contacts or review that is written, in bytes.
pub(crate) const MAX_TEXT_BYTES: usize = 4 << 20;

/// Files that the command line names.
#[derive(Debug, Default)]
pub(crate) struct NamedFiles<'a> {
    /// Source and target.
    pub(crate) motions: [Option<&'a Path>; 2],
    /// Their cards.
    pub(crate) cards: [Option<&'a Path>; 2],
    pub(crate) map: Option<&'a Path>,
    pub(crate) contacts: Option<&'a Path>,
    /// Manifest of a batch, with its lines.
    pub(crate) library: Option<(&'a Path, &'a [ManifestLine])>,
    /// Folder for results.
    pub(crate) out: Option<&'a Path>,
}

/// Files that are open from the start.
#[derive(Debug, Serialize)]
pub(crate) struct Opened {
    source: Option<FileName>,
    target: Option<FileName>,
    source_card: Option<FileName>,
    target_card: Option<FileName>,
    map: Option<FileName>,
    contacts: Option<FileName>,
    review: Option<FileName>,
    /// Results can be written into a folder.
    writes_results: bool,
}

/// Files by their numbers.
#[derive(Debug)]
pub(crate) struct StudioFiles {
    files: FileNumbers,
    /// Files that are open from the start.
    pub(crate) opened: Opened,
    /// Results of the library.
    pub(crate) rows: Vec<Row>,
    out: Option<PathBuf>,
}

/// Reason why a file is not read or written.
#[derive(Debug)]
pub(crate) enum FileFault {
    /// No file has the number.
    Unknown,
    /// The page may not write it.
    ReadOnly,
    /// It is not as it was when it was read.
    Changed,
    /// The text is none of its kind; the message says why.
    Wrong(String),
    /// The name is none of a result.
    Name,
    /// A file has the name.
    Exists,
    /// It cannot be read or written.
    Failed(String),
}

/// State that a file must have to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// There is none.
    Absent,
    /// Its tag.
    Tag(String),
}

impl StudioFiles {
    /// Numbers the files of the command line, and those of the library. A card that is not named has its place beside its rig.
    pub(crate) fn new(named: &NamedFiles) -> Result<Self, Failure> {
        let mut files = FileNumbers::default();
        let cards = named.cards.map(|card| card.filter(|card| card.exists()));
        for path in
            [named.motions, [named.map, named.contacts], cards].concat().into_iter().flatten()
        {
            open_regular(path).with_context(|| format!("cannot open {}", path.display()))?;
        }
        if let Some(out) = named.out.filter(|out| !out.is_dir()) {
            return Err(anyhow!("{}: no such folder for results", out.display()).into());
        }
        let [source, target] =
            named.motions.map(|path| path.map(|path| files.add(path, FileContent::Motion)));
        let beside = |side: usize| named.motions[side].map(|path| path.with_extension("toml"));
        let card = |side: usize| named.cards[side].map(Path::to_owned).or_else(|| beside(side));
        let [source_card, target_card] =
            [0, 1].map(|side| card(side).map(|path| files.add(&path, FileContent::Card)));
        let map = named.map.map(|path| files.add(path, FileContent::Map));
        let contacts = named.contacts.map(|path| files.add(path, FileContent::Contacts));
        let library = named.library.map(|lines| Library::new(lines, &mut files));
        let (rows, review) =
            library.map_or_else(Default::default, |own| (own.rows, Some(own.review)));
        let writes_results = named.out.is_some();
        let opened = Opened {
            source,
            target,
            source_card,
            target_card,
            map,
            contacts,
            review,
            writes_results,
        };
        Ok(Self { files, opened, rows, out: named.out.map(Path::to_owned) })
    }

    /// Reads a file; returns its bytes and tag, `None` of one that is not there.
    pub(crate) fn read(&self, number: usize) -> Result<Option<(Vec<u8>, String)>, FileFault> {
        let (path, _) = self.files.files.get(number).ok_or(FileFault::Unknown)?;
        Ok(bytes_of(path)?.map(|bytes| {
            let tag = tag_of(&bytes);
            (bytes, tag)
        }))
    }

    /// Replaces a card, map, contacts or review, if it is as it was read; returns its new tag.
    pub(crate) fn write(
        &self,
        number: usize,
        bytes: &[u8],
        expected: &Expected,
    ) -> Result<String, FileFault> {
        let (path, content) = self.files.files.get(number).ok_or(FileFault::Unknown)?;
        if *content == FileContent::Motion {
            return Err(FileFault::ReadOnly);
        }
        check_text(*content, bytes).map_err(FileFault::Wrong)?;
        let now = match bytes_of(path)? {
            Some(bytes) => Expected::Tag(tag_of(&bytes)),
            None => Expected::Absent,
        };
        if now != *expected {
            return Err(FileFault::Changed);
        }
        let written = paths::write(path, |file| Ok(file.write_all(bytes)?));
        written.map_err(|failure| FileFault::Failed(failure.message()))?;
        Ok(tag_of(bytes))
    }

    /// Begins a new result, to be committed as a new file. Removes what a host that was killed left of it.
    pub(crate) fn new_result(&self, name: &str) -> Result<AtomicFile, FileFault> {
        let out = self.out.as_ref().ok_or(FileFault::Unknown)?;
        let path = out.join(result_name(name).ok_or(FileFault::Name)?);
        AtomicFile::remove_leftovers(&path);
        // A link counts as a file, wherever it leads.
        match fs::symlink_metadata(&path) {
            Ok(_) => return Err(FileFault::Exists),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(FileFault::Failed(error.to_string())),
        }
        let file = AtomicFile::create_in(&path, out);
        let file = file.map_err(|error| FileFault::Failed(error.to_string()))?;
        file.temporary_path().into_iter().for_each(interrupt::remove_at_exit);
        Ok(file)
    }
}

/// Returns the bytes of a regular file; `None` where there is none.
fn bytes_of(path: &Path) -> Result<Option<Vec<u8>>, FileFault> {
    let mut bytes = Vec::new();
    match open_regular(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let name = path.file_name().unwrap_or_default().display();
            Err(FileFault::Failed(format!("cannot read {name}: {error}")))
        }
    }
}

/// Tag of a file's content, as in the header `ETag`.
fn tag_of(bytes: &[u8]) -> String {
    format!("\"{}\"", &blake3::hash(bytes).to_hex()[..32])
}

/// Checks that a text is of its kind.
fn check_text(content: FileContent, bytes: &[u8]) -> Result<(), String> {
    if bytes.len() > MAX_TEXT_BYTES {
        return Err(format!("found {} bytes, expected at most {MAX_TEXT_BYTES}", bytes.len()));
    }
    let text =
        std::str::from_utf8(bytes).map_err(|_| "found bytes that are no UTF-8".to_owned())?;
    let line_of = |error: rebone::LineError| format!("line {}: {}", error.line, error.message);
    match content {
        FileContent::Card => Card::parse(text).map(drop).map_err(line_of),
        FileContent::Contacts => contacts::parse(text).map(drop).map_err(line_of),
        FileContent::Map => match text.contains('\0') {
            true => Err("found a zero byte, expected pairs of joints".to_owned()),
            false => Ok(()),
        },
        FileContent::Review => crate::review::parse(text).map(drop),
        FileContent::Motion => Err("a motion is never written".to_owned()),
    }
}

/// Extensions of results.
const RESULT_EXTENSIONS: [&str; 5] = [".bvh", ".glb", ".vrm", ".vrma", ".json"];
/// Longest name of a result, in bytes.
const MAX_NAME_BYTES: usize = 200;

/// Names that some systems keep for devices.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Returns a name that is one component, not hidden, and ends as results do.
fn result_name(name: &str) -> Option<&str> {
    let stem = RESULT_EXTENSIONS.iter().find_map(|end| name.strip_suffix(end))?;
    let is_plain = |letter: char| !letter.is_control() && !"/\\:*?\"<>|%".contains(letter);
    let first = stem.split('.').next()?.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_device = DEVICES.contains(&first.trim().to_lowercase().as_str());
    let is_name = !stem.is_empty()
        && name.len() <= MAX_NAME_BYTES
        && name.chars().all(is_plain)
        && !name.starts_with(['.', ' ', '-'])
        && !stem.ends_with(['.', ' ']);
    (is_name && !is_device).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_results_are_one_component() {
        for name in
            ["walk.bvh", "walk-on-hero.glb", "a b.vrma", "tänzerin.vrm", "plan.json", "con1x.glb"]
        {
            assert_eq!(result_name(name), Some(name));
        }
        let long = format!("{}.glb", "a".repeat(300));
        for name in [
            "",
            ".glb",
            "walk",
            "walk.exe",
            "../a.glb",
            "a/b.glb",
            "a\\b.glb",
            ".a.glb",
            "-a.glb",
            " a.glb",
            "a .glb",
            "a..glb",
            "con.glb",
            "COM1.glb",
            "nul.x.glb",
            "a\0.glb",
            "a\n.glb",
            "%2e%2e.glb",
            "c:a.glb",
            &long,
        ] {
            assert_eq!(result_name(name), None, "{name:?}");
        }
    }

    #[test]
    fn texts_are_of_their_kind() {
        use FileContent::{Card, Contacts, Map, Motion, Review};
        for (content, text, fits) in [
            (Card, "up = \"+Y\"\n", true),
            (Card, "up = 3\n", false),
            (Contacts, "{ \"contacts\": 3 }", false),
            (Map, "Hips\tpelvis\n", true),
            (Review, "{\"name\":\"a.bvh\",\"mark\":\"accepted\"}\n", true),
            (Review, "{\"name\":\"a.bvh\",\"mark\":\"burned\"}\n", false),
            (Motion, "", false),
        ] {
            assert_eq!(check_text(content, text.as_bytes()).is_ok(), fits, "{content:?} {text:?}");
        }
        assert!(check_text(Map, &[0xff]).is_err());
        assert!(check_text(Map, &vec![b' '; MAX_TEXT_BYTES + 1]).is_err());
    }
}
