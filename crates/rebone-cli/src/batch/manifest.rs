//! Manifest of a batch: one JSON line per clip and rig.

use super::inputs::Clip;
use anyhow::Context;
use rebone::skeleton::AtomicFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// File name in the output folder.
pub(crate) const NAME: &str = "manifest.jsonl";
/// Longest line, in bytes.
const LONGEST: u64 = 1 << 24;

/// Result of a clip on a rig. Paths are as the user gave them; those of results and cards are below
/// the output folder, with `/`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    /// Path of the clip.
    pub(crate) input: String,
    /// Name of the clip, where the file has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) clip: Option<String>,
    /// Path of the rig; missing where the file is no clip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
    /// Path of the result, made or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<String>,
    /// Outcome.
    pub(crate) status: Status,
    /// Hashes of all that the result depends on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<Origin>,
    /// Figures of the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<Done>,
    /// Why there is no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Fault>,
    /// Warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
    /// Seconds that it took.
    #[serde(default)]
    pub(crate) seconds: f64,
}

impl Line {
    /// Line of a clip without a rig.
    pub(crate) fn of(clip: &Clip, status: Status) -> Self {
        let name = clip.part.as_ref().map(|part| part.name.clone());
        Self { clip: name, ..Self::new(&clip.path, status) }
    }

    /// Line of a file without a clip.
    pub(crate) fn new(input: &Path, status: Status) -> Self {
        Self {
            input: input.display().to_string(),
            clip: None,
            target: None,
            output: None,
            status,
            from: None,
            result: None,
            error: None,
            warnings: Vec::new(),
            seconds: 0.0,
        }
    }
}

/// Outcome of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// The result exists.
    Done,
    /// There is no result.
    Failed,
    /// The file is no clip.
    Skipped,
}

/// Hashes of all that a result depends on: BLAKE3, the first 128 bits, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// Hash of the clip's bytes.
    pub(crate) clip: String,
    /// Hash of the rig's bytes.
    pub(crate) rig: String,
    /// Card of the clip's rig class, and the hash of its text.
    pub(crate) source_card: String,
    pub(crate) source_card_hash: String,
    /// Card of the rig's class, and the hash of its text.
    pub(crate) target_card: String,
    pub(crate) target_card_hash: String,
    /// Hash of the options and the program's version.
    pub(crate) options: String,
}

/// A result and its quality.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Done {
    /// Size of the file.
    pub(crate) bytes: u64,
    /// Number of frames.
    pub(crate) frames: usize,
    /// First frame of the clip that is used.
    #[serde(default)]
    pub(crate) first: usize,
    /// Lowest confidence of roles and calibration, of clip and rig.
    pub(crate) sure: [f64; 2],
    /// Stage with the largest mean distance from its goals, and that distance, metres of a 1.7 m body.
    pub(crate) furthest: Option<String>,
    pub(crate) mean_off: f64,
    pub(crate) worst_off: f64,
    /// Frame of the clip with the largest distance.
    pub(crate) worst_frame: usize,
    /// Number of active joint limits.
    pub(crate) limits: usize,
    /// Solves that did not converge.
    pub(crate) unconverged: usize,
    /// Grade, score from 0 (worst) to 1, and worst finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) verdict: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) score: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

/// Why a result was not made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fault {
    /// Kind, the same words for all faults of a kind.
    pub(crate) kind: String,
    /// What was found, and what to do.
    pub(crate) message: String,
}

/// Manifest of a folder, open for more lines.
#[derive(Debug)]
pub(crate) struct Manifest {
    file: File,
    path: PathBuf,
}

/// The lines of the manifest of a folder, the last one of each place. A line that is not whole, as after a
/// power cut, does not count.
pub(crate) fn read(folder: &Path) -> anyhow::Result<BTreeMap<String, Line>> {
    let Ok(file) = File::open(folder.join(NAME)) else { return Ok(BTreeMap::new()) };
    let lines = whole(file, &folder.join(NAME))?.0.into_iter();
    Ok(lines.filter_map(|line| Some((line.output.clone()?, line))).collect())
}

/// The lines of a manifest that are no files to skip, sorted, the last one of each place; and how many lines are not
/// whole.
pub(crate) fn lines(path: &Path) -> anyhow::Result<(Vec<Line>, usize)> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut lines = BTreeMap::new();
    let (all, broken) = whole(file, path)?;
    for (number, line) in all.into_iter().enumerate() {
        let place = line.output.clone().unwrap_or_else(|| format!("{number}"));
        lines.insert((line.input.clone(), place), line);
    }
    let lines = lines.into_values().filter(|line| line.status != Status::Skipped);
    Ok((lines.collect(), broken))
}

/// All lines of a manifest that are whole, and how many are not.
fn whole(file: File, path: &Path) -> anyhow::Result<(Vec<Line>, usize)> {
    let (mut lines, mut broken) = (Vec::new(), 0);
    let mut reader = BufReader::new(file);
    let mut text = Vec::new();
    loop {
        text.clear();
        let read = reader.by_ref().take(LONGEST).read_until(b'\n', &mut text);
        let length = read.with_context(|| format!("cannot read {}", path.display()))?;
        match serde_json::from_slice::<Line>(&text) {
            _ if length == 0 => return Ok((lines, broken)),
            _ if length as u64 == LONGEST => anyhow::bail!(
                "{}: a line of more than {LONGEST} bytes: expected the manifest of a batch",
                path.display()
            ),
            Ok(line) => lines.push(line),
            Err(_) => broken += 1,
        }
    }
}

impl Manifest {
    /// Replaces the manifest of `folder` by these lines, through a temporary file in `temporary`.
    pub(crate) fn begin<'a>(
        folder: &Path,
        temporary: &Path,
        lines: impl Iterator<Item = &'a Line>,
    ) -> anyhow::Result<Self> {
        let path = folder.join(NAME);
        let context = || format!("cannot write {}", path.display());
        let mut text = Vec::new();
        for line in lines {
            serde_json::to_writer(&mut text, line)?;
            text.push(b'\n');
        }
        let write = || {
            let mut file = AtomicFile::create_in(&path, Some(temporary))?;
            file.write_all(&text)?;
            file.sync()?;
            file.commit()
        };
        write().with_context(context)?;
        let file = OpenOptions::new().append(true).open(&path).with_context(context)?;
        Ok(Self { file, path })
    }

    /// Adds a line, in one write.
    pub(crate) fn add(&mut self, line: &Line) -> anyhow::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        let written = self.file.write_all(&text).and_then(|()| self.file.sync_data());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn line(output: &str, seconds: f64) -> Line {
        Line {
            target: Some("rig.bvh".to_owned()),
            output: Some(output.to_owned()),
            error: Some(Fault { kind: "guess".to_owned(), message: "not sure".to_owned() }),
            seconds,
            ..Line::new("a.bvh".as_ref(), Status::Failed)
        }
    }

    #[test]
    fn lines_that_were_read_are_written_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        // Reads as its neighbour where a reader of numbers is off by one bit.
        let lines: Vec<Line> = (1..200).map(|k| line(&k.to_string(), 1.0 / f64::from(k))).collect();
        Manifest::begin(root, root, lines.iter().chain([&line("0", 0.027646157361186634)]))
            .unwrap();
        let text = fs::read(root.join(NAME)).unwrap();
        let again = tempfile::tempdir().unwrap();
        let root = again.path();
        let read = read(folder.path()).unwrap();
        let lines = (1..200).chain([0]).map(|k| &read[&k.to_string()]);
        Manifest::begin(root, root, lines).unwrap();
        assert_eq!(fs::read(root.join(NAME)).unwrap(), text);
    }

    #[test]
    fn the_last_whole_line_of_a_place_counts() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let mut manifest = Manifest::begin(root, root, [line("a", 1.0)].iter()).unwrap();
        manifest.add(&line("b", 2.0)).unwrap();
        manifest.add(&line("a", 3.0)).unwrap();
        let path = root.join(NAME);
        let mut text = fs::read(&path).unwrap();
        text.extend(&serde_json::to_vec(&line("b", 9.0)).unwrap()[..40]);
        fs::write(&path, text).unwrap();
        let lines = read(root).unwrap();
        assert_eq!(lines.len(), 2);
        assert_eq!((lines["a"].seconds, lines["b"].seconds), (3.0, 2.0));
    }
}
