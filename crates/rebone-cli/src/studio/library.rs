//! Results of a batch as rows that a page can open, and the review of them.

use super::file_numbers::{FileContent, FileName, FileNumbers};
use crate::review::REVIEW;
use rebone_batch::manifest::{JobStatus, ManifestLine};
use rebone_batch::{is_motion_name, path_text};
use serde::Serialize;
use std::path::{Component, Path};

/// The results of a manifest.
#[derive(Debug)]
pub(crate) struct Library {
    pub(crate) rows: Vec<Row>,
    pub(crate) review: FileName,
}

/// A result that can be opened: its files by number.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    /// The result below the output folder, which names it in the review.
    name: String,
    source: FileName,
    target: FileName,
    /// The clip of a source that has several.
    clip: Option<usize>,
    source_card: Option<FileName>,
    target_card: Option<FileName>,
    verdict: Option<String>,
    score: Option<f64>,
    reason: Option<String>,
    /// Reason why there is no result.
    error: Option<String>,
}

impl Library {
    /// Numbers the files of the lines of a manifest. Rows whose files are no motions are left out.
    pub(crate) fn new((path, lines): (&Path, &[ManifestLine]), files: &mut FileNumbers) -> Self {
        let folder = path.parent().unwrap_or(Path::new(""));
        let rows = lines.iter().filter_map(|line| Row::new(line, folder, files)).collect();
        let review = files.add(&folder.join(REVIEW), FileContent::Review);
        Self { rows, review }
    }
}

impl Row {
    fn new(line: &ManifestLine, folder: &Path, files: &mut FileNumbers) -> Option<Self> {
        let is_result =
            matches!(line.status, JobStatus::Done | JobStatus::Failed | JobStatus::NoCard);
        let target = line.target.as_ref().filter(|_| is_result)?;
        let mut motion =
            |path: &Path| is_motion_name(path).then(|| files.add(path, FileContent::Motion));
        let (source, target) = (motion(&line.input)?, motion(target)?);
        let mut card = |name: &String| {
            let path = Path::new(name);
            let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
            let is_card = is_below && path.extension().is_some_and(|end| end == "toml");
            is_card.then(|| files.add(&folder.join(path), FileContent::Card))
        };
        let from = line.from.as_ref();
        let source_card = from.and_then(|from| card(&from.source_card));
        let target_card = from.and_then(|from| card(&from.target_card));
        let result = line.result.as_ref();
        let output = line.output.as_ref().unwrap_or(&line.input);
        Some(Self {
            name: path_text(output),
            source,
            target,
            clip: line.part.as_ref().map(|part| part.index),
            source_card,
            target_card,
            verdict: result.and_then(|own| own.verdict.clone()),
            score: result.and_then(|own| own.score),
            reason: result.and_then(|own| own.reason.clone()),
            error: line.error.as_ref().map(|fault| fault.message.clone()),
        })
    }
}
