//! Results of a manifest by their grades: paths, or a table.

use crate::exit_code::Failure;
use crate::paths;
use crate::review::Review;
use crate::terminal::{Terminal, counted};
use rebone_batch::manifest::{JobStatus, ManifestLine, ResultQuality};
use rebone_batch::path_text;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Columns of the table.
const COLUMNS: [&str; 13] = [
    "path",
    "clip",
    "part",
    "target",
    "grade",
    "score",
    "frames",
    "reason",
    "defects",
    "confidence",
    "error",
    "mark",
    "note",
];

/// Reason of a result without a grade that stands still.
const STILL: &str = "still: one or two frames, or a pose that is kept";

/// Reason of another result without a grade.
const NO_MOTION: &str = "no motion to see at its rate";

/// A result, or a clip without one.
#[derive(Debug, Serialize)]
pub(crate) struct ListedResult<'a> {
    /// The result, or the clip where there is none.
    path: String,
    clip: String,
    /// Name of the clip in a file with several.
    part: Option<&'a str>,
    target: String,
    /// `PASS`, `LOOK`, `FAIL` or `NONE`.
    grade: &'a str,
    score: Option<f64>,
    frames: Option<usize>,
    reason: Option<&'a str>,
    /// Defects of the source's motion, in words.
    defects: &'a [String],
    /// Least confidence of roles and calibrations of clip and rig.
    confidence: Option<f64>,
    error: Option<String>,
    mark: Option<&'static str>,
    note: Option<&'a str>,
}

/// Results whose grades in the manifest are among `grades`, or all where there are none; `folder` is the output folder.
pub(crate) fn listed<'a>(
    lines: &'a [ManifestLine],
    folder: &Path,
    grades: &[String],
    review: &'a Review,
) -> Vec<ListedResult<'a>> {
    let all = lines.iter().map(|line| ListedResult::new(line, folder, review));
    all.filter(|own| grades.is_empty() || grades.iter().any(|word| word == own.grade)).collect()
}

impl<'a> ListedResult<'a> {
    fn new(line: &'a ManifestLine, folder: &Path, review: &'a Review) -> Self {
        let clip = path_text(&line.input);
        let done = line.result.as_ref().filter(|_| line.status == JobStatus::Done);
        let output = line.output.as_ref().filter(|_| done.is_some());
        // Results in a tar are no files of their own.
        let is_there = |path: &PathBuf| line.tar.is_some() || path.is_file();
        let path = output.map(|output| folder.join(output));
        let missing = path.as_ref().filter(|path| !is_there(path));
        let done = done.filter(|_| missing.is_none());
        let error = line.error.as_ref().map(|fault| without_path(&fault.message, &clip));
        let mark = output.and_then(|output| review.get(&path_text(output)));
        Self {
            error: error.or_else(|| missing.map(|path| format!("{} is missing", path_text(path)))),
            path: path
                .filter(|_| done.is_some())
                .map_or_else(|| clip.clone(), |own| path_text(&own)),
            clip,
            part: line.part.as_ref().map(|part| part.name.as_str()),
            target: line.target.as_deref().map(path_text).unwrap_or_default(),
            grade: done.and_then(|own| own.verdict.as_deref()).unwrap_or("NONE"),
            score: done.and_then(|own| own.score),
            frames: done.map(|own| own.frames),
            reason: done.and_then(reason),
            defects: done.map_or(&[], |own| &own.source_defects),
            confidence: done.map(|own| own.confidence[0].min(own.confidence[1])),
            mark: mark.map(|(mark, _)| mark.name()),
            note: mark.and_then(|(_, note)| note.as_deref()),
        }
    }

    /// The row of the table.
    fn row(&self) -> String {
        let number =
            |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
        let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
        let cells = [
            self.path.clone(),
            self.clip.clone(),
            text(self.part),
            self.target.clone(),
            self.grade.to_owned(),
            number(self.score),
            self.frames.map_or(String::new(), |count| count.to_string()),
            text(self.reason),
            self.defects.join("; "),
            number(self.confidence),
            text(self.error.as_deref()),
            text(self.mark),
            text(self.note),
        ];
        cells.map(|cell| quoted(&cell)).join(",")
    }
}

/// The worst finding of a result, or why it has no grade.
pub(crate) fn reason(done: &ResultQuality) -> Option<&str> {
    match (&done.verdict, done.still) {
        (Some(_), _) => done.reason.as_deref(),
        (None, true) => Some(STILL),
        (None, false) => Some(NO_MOTION),
    }
}

/// A cell of a CSV file, quoted where it needs to be.
fn quoted(cell: &str) -> String {
    match cell.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

/// Writes the table, or prints the paths.
pub(crate) fn print(
    listed: &[ListedResult],
    csv: Option<&Path>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let written: Vec<String> = csv.map(path_text).into_iter().collect();
    if let Some(path) = csv {
        let head = COLUMNS.join(",");
        let rows = listed.iter().map(ListedResult::row);
        let text: String = [head].into_iter().chain(rows).map(|line| line + "\n").collect();
        paths::write(path, |file| Ok(file.write_all(text.as_bytes())?))?;
    }
    terminal.json(&serde_json::json!({ "results": listed, "written": written }))?;
    match csv {
        Some(path) => {
            let line = format!("{}, {}", path.display(), counted(listed.len(), "result"));
            Ok(terminal.line("wrote", line)?)
        }
        None => {
            // A clip has no result on each of several rigs.
            let mut paths: Vec<&str> = listed.iter().map(|own| own.path.as_str()).collect();
            paths.dedup();
            Ok(paths.into_iter().try_for_each(|path| terminal.say(path))?)
        }
    }
}

/// A message about a file without the path that stands beside it: `clips/a.bvh:4: no number` becomes `line 4: no number`.
pub(crate) fn without_path(message: &str, path: &str) -> String {
    let Some(rest) = message.strip_prefix(path).and_then(|rest| rest.strip_prefix(':')) else {
        return message.to_owned();
    };
    let line = rest.split_once(": ").filter(|(number, _)| number.parse::<usize>().is_ok());
    line.map_or_else(
        || rest.trim_start().to_owned(),
        |(number, text)| format!("line {number}: {text}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_lose_the_path_at_their_begin() {
        for (message, expected) in [
            ("a/b.bvh:4: found x", "line 4: found x"),
            ("a/b.bvh: not sure: left arm", "not sure: left arm"),
            ("a/b.bvh2: other", "a/b.bvh2: other"),
            ("hero.glb: no a/b.bvh: x", "hero.glb: no a/b.bvh: x"),
        ] {
            assert_eq!(without_path(message, "a/b.bvh"), expected);
        }
    }

    #[test]
    fn cells_are_quoted_where_they_need_to_be() {
        assert_eq!(quoted("a b"), "a b");
        assert_eq!(quoted("a, \"b\"\n"), "\"a, \"\"b\"\"\n\"");
    }
}
