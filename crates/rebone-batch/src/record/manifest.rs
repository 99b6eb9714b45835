//! Manifest of a batch: one JSON line per clip and rig.

use crate::disk::path_text;
use crate::disk::place::check_regular;
use crate::error::{BatchError, Fault, context};
use rebone::CharacterChoice;
use rebone::skeleton::{AtomicFile, ClipSelector};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// Its file name in the output folder.
pub const NAME: &str = "manifest.jsonl";
/// Longest line that is read.
pub(crate) const MAX_LINE_BYTES: u64 = 1 << 24;
/// First characters of each line.
const LINE_BEGIN: &[u8] = b"{\"input\":";

/// Outcome of a clip on a rig. Paths are as the user gave them; those of results and cards are below
/// the output folder, with `/`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManifestLine {
    /// Path of the clip.
    #[serde(with = "path_text")]
    pub input: PathBuf,
    /// The clip, where the file has several. Lines of old versions, which name it alone, do not count.
    #[serde(default, alias = "clip", skip_serializing_if = "Option::is_none")]
    pub part: Option<FilePart>,
    /// Path of the rig; missing where the file is no clip.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "path_text::optional")]
    pub target: Option<PathBuf>,
    /// Path of the result, made or not.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "path_text::optional")]
    pub output: Option<PathBuf>,
    /// Name of the clip in a merged file, where one was wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// Hash of the file at `output`, as a batch wrote it; where there is no result, of an earlier one that is still there.
    /// Of a result in a tar that of its member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The tar that the result is in, where its clip is in one: its path, and its hash as a batch wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tar: Option<HashedFile>,
    /// Hash of the picture, where one was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// Outcome.
    pub status: JobStatus,
    /// Hashes of all that the result depends on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Provenance>,
    /// Quality of the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultQuality>,
    /// Why there is no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Fault>,
    /// Warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Seconds that it took.
    #[serde(default)]
    pub seconds: f64,
}

impl ManifestLine {
    /// Line of an input, with nothing else known.
    pub(crate) fn new(input: &Path, status: JobStatus) -> Self {
        Self {
            input: input.to_owned(),
            part: None,
            target: None,
            output: None,
            animation: None,
            file: None,
            tar: None,
            picture: None,
            status,
            from: None,
            result: None,
            error: None,
            warnings: Vec::new(),
            seconds: 0.0,
        }
    }
}

/// One of several clips of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FilePart {
    /// Index in the file.
    pub index: usize,
    /// Its name, made unique within the file.
    pub name: String,
}

impl FilePart {
    /// Selects the clip by its index.
    pub fn selector(&self) -> ClipSelector<'static> {
        ClipSelector::Index(self.index)
    }
}

/// Outcome of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobStatus {
    /// The result exists.
    Done,
    /// There is no result.
    Failed,
    /// There is no result, for no card is there for the rig class of the clip: only in shards, which make no cards.
    NoCard,
    /// The file is no clip.
    Skipped,
    /// The file holds all results for a rig.
    Merged,
}

/// Hashes of all that a result depends on: BLAKE3, the first 128 bits, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Hash of the clip's bytes.
    pub clip: String,
    /// Hash of the rig's bytes.
    pub rig: String,
    /// Card of the clip's rig class, below the output folder.
    pub source_card: String,
    /// Hash of its text.
    pub source_card_hash: String,
    /// Card of the rig's class, below the output folder.
    pub target_card: String,
    /// Hash of its text.
    pub target_card_hash: String,
    /// Hash of the options and the program's version.
    pub options: String,
    /// All other files that were read: data beside clip and rig, calibration poses that the cards name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<HashedFile>,
    /// Character of the clip's file that was chosen.
    #[serde(default, skip_serializing_if = "CharacterChoice::is_none")]
    pub source_character: CharacterChoice,
    /// Character of the rig's file that was chosen.
    #[serde(default, skip_serializing_if = "CharacterChoice::is_none")]
    pub target_character: CharacterChoice,
}

/// A file and the hash of its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HashedFile {
    /// Its path.
    #[serde(with = "path_text")]
    pub path: PathBuf,
    /// Hash of its bytes; empty where it could not be read.
    pub hash: String,
}

impl Provenance {
    /// Returns whether all hashes are equal; other files may lie elsewhere.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let beside = || self.beside.iter().zip(&other.beside);
        self.beside.len() == other.beside.len()
            && beside().all(|(own, other)| own.hash == other.hash)
            && Self { beside: other.beside.clone(), ..self.clone() } == *other
    }
}

/// A result and its quality.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultQuality {
    /// Size of the file.
    pub bytes: u64,
    /// Number of frames.
    pub frames: usize,
    /// First frame of the clip that is used.
    #[serde(default)]
    pub first: usize,
    /// Lowest confidence of roles and calibration, of clip and rig, 0 to 1.
    #[serde(alias = "sure")]
    pub confidence: [f64; 2],
    /// Stage with the largest mean distance from its goals.
    pub furthest: Option<String>,
    /// That distance, metres of a 1.7 m body.
    pub mean_off: f64,
    /// Largest distance of all stages, metres of a 1.7 m body.
    pub worst_off: f64,
    /// Frame of the clip with the largest distance.
    pub worst_frame: usize,
    /// Number of active joint limits.
    pub limits: usize,
    /// Solves that did not converge.
    pub unconverged: usize,
    /// Grade.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// Score from 0, the worst, to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Worst finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// True of one or two frames, and where nothing moves: there is no grade.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub still: bool,
    /// Seam of a cycle before it was closed: metres of a 1.7 m body, and degrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seam: Option<[f64; 2]>,
    /// First defects of the source's motion, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_defects: Vec<String>,
    /// A leading pose was to be dropped, and the clip has none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_leading_pose: bool,
}

/// Manifest that is open for more lines.
#[derive(Debug)]
pub(crate) struct Manifest {
    file: File,
    path: PathBuf,
}

/// Lines of a manifest.
#[derive(Debug, Default)]
pub(crate) struct ManifestLines {
    /// Complete lines, in their order.
    pub(crate) whole: Vec<ManifestLine>,
    /// Number of lines that are none of a manifest.
    pub(crate) broken: usize,
    /// The last line is not complete, as after a power cut.
    pub(crate) is_cut: bool,
}

/// Reads a manifest; no lines where there is none.
pub(crate) fn read(path: &Path) -> Result<ManifestLines, BatchError> {
    match path.exists() {
        true => complete_lines(path),
        false => Ok(ManifestLines::default()),
    }
}

/// Copies a manifest beside it, under a name that is free.
pub(crate) fn keep_copy(path: &Path) -> Result<PathBuf, BatchError> {
    let copy = || {
        let mut number = 1;
        loop {
            let mut free = path.as_os_str().to_owned();
            free.push(format!(".broken-{number}"));
            let free = PathBuf::from(free);
            match OpenOptions::new().write(true).create_new(true).open(&free) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                file => return std::io::copy(&mut File::open(path)?, &mut file?).map(|_| free),
            }
        }
    };
    context(copy(), || format!("cannot keep a copy of {}", path.display()))
}

/// Returns whether the first line of a file is that of a manifest.
pub(crate) fn is_manifest(path: &Path) -> bool {
    let path = Some(path).filter(|path| path.is_file());
    let Some(Ok(file)) = path.map(File::open) else { return false };
    let mut text = Vec::new();
    let read = BufReader::new(file).take(MAX_LINE_BYTES).read_until(b'\n', &mut text);
    let line = read.ok().and_then(|_| serde_json::from_slice::<serde_json::Value>(&text).ok());
    line.is_some_and(|line| line.get("input").is_some() && line.get("status").is_some())
}

/// Reads the lines of a manifest, sorted: the last one of each result, without skipped files; and how many lines are not
/// complete.
///
/// # Errors
/// When the file cannot be read, or has a line that is too long for a manifest.
pub fn read_lines(path: &Path) -> Result<(Vec<ManifestLine>, usize), BatchError> {
    let mut lines = BTreeMap::new();
    let ManifestLines { whole, broken, is_cut } = complete_lines(path)?;
    for (number, line) in whole.into_iter().enumerate() {
        let result = line.output.clone().ok_or(number);
        lines.insert((line.input.clone(), result), line);
    }
    let lines = lines
        .into_values()
        .filter(|line| !matches!(line.status, JobStatus::Skipped | JobStatus::Merged));
    Ok((lines.collect(), broken + usize::from(is_cut)))
}

/// Reads all complete lines of a manifest, and counts the others.
fn complete_lines(path: &Path) -> Result<ManifestLines, BatchError> {
    check_regular(path)?;
    let file = context(File::open(path), || format!("cannot read {}", path.display()))?;
    let mut lines = ManifestLines::default();
    let mut reader = BufReader::new(file);
    let mut text = Vec::new();
    loop {
        text.clear();
        let read = reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut text);
        let length = context(read, || format!("cannot read {}", path.display()))?;
        match serde_json::from_slice::<ManifestLine>(&text) {
            _ if length == 0 => return Ok(lines),
            _ if length as u64 == MAX_LINE_BYTES => {
                return Err(BatchError::Input(format!(
                    "{}: a line of more than {MAX_LINE_BYTES} bytes: expected the manifest of a batch",
                    path.display()
                )));
            }
            Ok(line) => lines.whole.push(line),
            Err(_) if text.starts_with(LINE_BEGIN) && !text.ends_with(b"\n") => lines.is_cut = true,
            Err(_) => lines.broken += 1,
        }
    }
}

impl Manifest {
    /// Replaces the manifest at a path by these lines, through a temporary file in `temporary`.
    pub(crate) fn begin<'a>(
        path: &Path,
        temporary: &Path,
        lines: impl Iterator<Item = &'a ManifestLine>,
    ) -> Result<Self, BatchError> {
        let write = || {
            let mut file = AtomicFile::create_in(path, temporary)?;
            for line in lines {
                file.write_all(&json_line(line)?)?;
            }
            file.sync()?;
            file.commit()?;
            OpenOptions::new().append(true).open(path)
        };
        let file = context(write(), || format!("cannot write {}", path.display()))?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Adds lines, in one write; all of it or nothing, as on a full disk.
    pub(crate) fn add(&mut self, lines: &[ManifestLine]) -> Result<(), BatchError> {
        let mut write = || {
            let length = self.file.metadata()?.len();
            let text: Vec<Vec<u8>> = lines.iter().map(json_line).collect::<Result<_, _>>()?;
            let written = self.file.write_all(&text.concat());
            if written.is_err() {
                self.file.set_len(length)?;
            }
            written?;
            self.file.sync_data()
        };
        context(write(), || format!("cannot write {}", self.path.display()))
    }
}

/// Order of the lines of a finished manifest: by input, then by output.
pub(crate) fn sort_key(line: &ManifestLine) -> (Vec<u8>, Option<Vec<u8>>) {
    let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().to_vec();
    (bytes(&line.input), line.output.as_deref().map(bytes))
}

/// A line as JSON, with its end.
pub(crate) fn json_line(line: &ManifestLine) -> std::io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::FaultKind;
    use std::fs;

    fn line(output: &str, seconds: f64) -> ManifestLine {
        ManifestLine {
            target: Some("rig.bvh".into()),
            output: Some(output.into()),
            error: Some(Fault { kind: FaultKind::Other, message: "not sure".to_owned() }),
            seconds,
            ..ManifestLine::new("a.bvh".as_ref(), JobStatus::Failed)
        }
    }

    #[test]
    fn lines_are_written_as_they_were_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        // Reads as its neighbour where a reader of numbers is off by one bit.
        let lines: Vec<ManifestLine> =
            (1..200).map(|k| line(&k.to_string(), 1.0 / f64::from(k))).collect();
        Manifest::begin(
            &root.join(NAME),
            root,
            lines.iter().chain([&line("0", 0.027646157361186634)]),
        )
        .unwrap();
        let text = fs::read(root.join(NAME)).unwrap();
        let again = tempfile::tempdir().unwrap();
        let root = again.path();
        let lines = read(&folder.path().join(NAME)).unwrap().whole;
        Manifest::begin(&root.join(NAME), root, lines.iter()).unwrap();
        assert_eq!(fs::read(root.join(NAME)).unwrap(), text);
    }

    #[test]
    fn incomplete_lines_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let mut manifest =
            Manifest::begin(&root.join(NAME), root, [line("a", 1.0)].iter()).unwrap();
        manifest.add(&[line("b", 2.0)]).unwrap();
        manifest.add(&[line("a", 3.0)]).unwrap();
        let path = root.join(NAME);
        let mut text = fs::read(&path).unwrap();
        text.extend(&serde_json::to_vec(&line("b", 9.0)).unwrap()[..40]);
        fs::write(&path, text).unwrap();
        let lines = read(&path).unwrap();
        assert_eq!((lines.broken, lines.is_cut), (0, true));
        let seconds: Vec<f64> = lines.whole.iter().map(|line| line.seconds).collect();
        assert_eq!(seconds, [1.0, 2.0, 3.0]);
        let (lines, broken) = read_lines(&path).unwrap();
        assert_eq!((lines[0].seconds, lines[1].seconds, broken), (3.0, 2.0, 1));
    }
}
