//! `rebone report`: one page for the results of a batch.

use crate::args::ReportArgs;
use crate::exit_code::Failure;
use crate::interrupt;
use crate::manifest_file::{manifest_path, read_lines};
use crate::page_files::PageFiles;
use crate::page_meshes::PageMeshes;
use crate::paths::Outputs;
use crate::report_list::{self, without_path};
use crate::review::{self, Review};
use crate::terminal::{Terminal, counted};
use anyhow::Context;
use rayon::prelude::*;
use rebone::quality::Grade;
use rebone::skeleton::Format;
use rebone::skeleton::file::FileKind;
use rebone::{ComparedPair, RetargetError};
use rebone_batch::manifest::{JobStatus, ManifestLine};
use rebone_batch::{ManifestFiles, path_text};
use rebone_view::{Comparison, Page, PageEntry, compare};
use std::path::{Path, PathBuf};

/// Number of results for each thread that are compared before they are written.
const RESULTS_PER_THREAD: usize = 16;

/// Grades of the results of a page, in the order of its summary.
const VERDICTS: [&str; 4] = ["FAIL", "LOOK", "PASS", "NONE"];

/// Compares all results of a manifest with their sources and writes the page.
pub(crate) fn run(args: &ReportArgs, terminal: &Terminal) -> Result<(), Failure> {
    let path = manifest_path(&args.manifest);
    let outputs = Outputs::new(args.replace)
        .with(args.output.as_ref(), FileKind::Html)
        .with(args.csv.as_ref(), FileKind::Csv);
    outputs.check(std::slice::from_ref(&path))?;
    let lines = read_lines(&path, terminal)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let review = review::read(folder).unwrap_or_else(|error| {
        terminal.warn(&error);
        Review::new()
    });
    let files = ManifestFiles::new(folder);
    let named: Vec<PathBuf> = lines.iter().flat_map(|line| files.paths(line)).collect();
    outputs.check(&named)?;
    outputs.check_kinds()?;
    let Some(output) = &args.output else {
        let listed = report_list::listed(&lines, folder, &args.list, &review);
        return report_list::print(&listed, args.csv.as_deref(), terminal);
    };
    let mut page =
        Page::new(format!("rebone {}", env!("CARGO_PKG_VERSION")), path.display().to_string())
            .in_folder(path_text(folder));
    let mut output = PageFiles::new(output, args.replace.overwrite)?;
    let tally = add_results((&lines, &review), &files, &mut page, &mut output)?;
    tally.check(&path, lines.len(), terminal)?;
    let written = output.finish(&page)?;
    let written: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    let counts = tally.counts;
    terminal.json(&serde_json::json!({
        "clips": lines.len(), "fail": counts[0], "look": counts[1], "pass": counts[2], "none": counts[3],
        "written": written,
    }))?;
    let summary: Vec<String> =
        VERDICTS.iter().zip(counts).map(|(word, count)| format!("{count} {word}")).collect();
    terminal.line("results", summary.join(", "))?;
    Ok(terminal.line("wrote", written.join(", "))?)
}

/// Compares results on all threads and adds them to the page in the order of the manifest. Memory holds the details of a
/// few results for each thread.
fn add_results(
    (lines, review): (&[ManifestLine], &Review),
    files: &ManifestFiles,
    page: &mut Page,
    output: &mut PageFiles,
) -> Result<Tally, Failure> {
    let (mut tally, meshes) = (Tally::default(), PageMeshes::default());
    let entry = |line| -> Result<PageEntry, Failure> {
        interrupt::check()?;
        Ok(marked(entry(line, files, &meshes), review))
    };
    for part in lines.chunks(RESULTS_PER_THREAD * rayon::current_num_threads()) {
        let entries: Vec<PageEntry> = part.par_iter().map(entry).collect::<Result<_, _>>()?;
        for (line, entry) in part.iter().zip(&entries) {
            tally.add(line, entry);
            if let Some(block) = page.push(entry).context("the page")? {
                output.push(block)?;
            }
        }
    }
    page.take_block().map_or(Ok(()), |block| output.push(block))?;
    Ok(tally)
}

/// Counts of results.
#[derive(Default)]
struct Tally {
    /// By grade, as [`VERDICTS`].
    counts: [usize; 4],
    done: usize,
    /// Results that cannot be compared, and the first reason.
    lost: usize,
    why: String,
}

impl Tally {
    fn add(&mut self, line: &ManifestLine, entry: &PageEntry) {
        let counts = VERDICTS.iter().zip(&mut self.counts);
        counts.for_each(|(word, count)| *count += usize::from(entry.verdict == *word));
        if line.status != JobStatus::Done {
            return;
        }
        self.done += 1;
        let Some(why) = entry.error.as_ref().filter(|_| entry.still != Some(true)) else { return };
        if self.lost == 0 {
            self.why.clone_from(why);
        }
        self.lost += 1;
    }

    /// Warns of results that cannot be compared; fails where none can.
    fn check(&self, manifest: &Path, all: usize, terminal: &Terminal) -> Result<(), Failure> {
        let Self { done, lost, why, .. } = self;
        if *lost == 0 {
            return Ok(());
        }
        let text = format!("{lost} of {} cannot be compared, first: {why}", counted(all, "result"));
        let hint = "run it in the folder where the batch was run: paths are as they were given";
        if lost == done {
            return Err(anyhow::anyhow!("{}: {text}; {hint}", manifest.display()).into());
        }
        terminal.warn(&format!("{text}; {hint}"));
        Ok(())
    }
}

/// A row with its mark of a review.
fn marked(row: PageEntry, review: &Review) -> PageEntry {
    let Some((mark, remark)) = row.output.as_ref().and_then(|name| review.get(name)) else {
        return row;
    };
    PageEntry { mark: Some(mark.name().to_owned()), remark: remark.clone(), ..row }
}

/// Row and details for a line of the manifest.
fn entry(line: &ManifestLine, files: &ManifestFiles, meshes: &PageMeshes) -> PageEntry {
    let output = line.output.as_deref().map(path_text);
    let name = line.output.as_deref().unwrap_or(&line.input).with_extension("");
    let row = PageEntry {
        name: path_text(&name),
        source: path_text(&line.input),
        part: line.part.as_ref().map(|part| part.index),
        target: line.target.as_deref().map(path_text).unwrap_or_default(),
        verdict: "NONE".to_owned(),
        still: line.result.as_ref().map(|own| own.still),
        ..PageEntry::default()
    };
    if let (JobStatus::Failed | JobStatus::NoCard | JobStatus::Skipped, fault) =
        (line.status, &line.error)
    {
        let error = fault.as_ref().map_or("not done", |fault| fault.message.as_str());
        return PageEntry { error: Some(without_path(error, &row.source)), ..row };
    }
    if line.output.as_deref().is_some_and(|path| Format::of_name(path) == Ok(Format::Npz)) {
        return entry_of_arrays(line, files, row);
    }
    let comparison = match compared(line, files, meshes) {
        Ok(Ok(comparison)) => comparison,
        Ok(Err(why)) => {
            return PageEntry { error: Some(why.to_string()), still: Some(true), output, ..row };
        }
        Err(failure) => {
            let error = without_path(&failure.message(), &row.source);
            return PageEntry { error: Some(error), ..row };
        }
    };
    let Comparison { verdict, score, reason, leading_pose, seconds, details } = comparison;
    let row = PageEntry {
        output,
        reason,
        leading_pose,
        seconds: Some(seconds),
        details: Some(details),
        ..row
    };
    let in_manifest = line.result.as_ref().and_then(|done| done.verdict.clone().zip(done.score));
    match in_manifest {
        Some((word, value)) if !is_grade(&word, value) => PageEntry {
            note: Some(format!(
                "The manifest says {word:?} and score {value}, which no batch writes: it was changed. Grade and score are \
                 those of the file as it is"
            )),
            verdict,
            score: Some(score),
            ..row
        },
        Some((word, value)) if word != verdict => PageEntry {
            note: Some(format!(
                "The file as it is, with its root motion and parts: {verdict}, score {score:.2}"
            )),
            verdict: word,
            score: Some(value),
            reason: line.result.as_ref().and_then(|done| done.reason.clone()),
            ..row
        },
        _ => PageEntry { verdict, score: Some(score), ..row },
    }
}

/// Row of a result as arrays, which are not read back.
fn entry_of_arrays(line: &ManifestLine, files: &ManifestFiles, row: PageEntry) -> PageEntry {
    let Some(done) = &line.result else { return row };
    if let Err(why) = files.check(line) {
        return PageEntry { error: Some(without_path(&why, &row.source)), ..row };
    }
    let graded =
        done.verdict.clone().zip(done.score).filter(|(word, score)| is_grade(word, *score));
    let (verdict, score) = graded.map_or((row.verdict, None), |(word, score)| (word, Some(score)));
    PageEntry {
        output: line.output.as_deref().map(path_text),
        verdict,
        score,
        reason: report_list::reason(done).map(str::to_owned),
        note: Some(
            "Arrays are not read back: grade and score are those of the manifest".to_owned(),
        ),
        ..row
    }
}

/// Returns whether a word is a grade, with a score that results of it can have.
fn is_grade(word: &str, score: f64) -> bool {
    Grade::ALL.iter().any(|grade| grade.to_string() == word && grade.scores().contains(&score))
}

/// Compares source and result of a line; or says why there is no motion to grade.
fn compared(
    line: &ManifestLine,
    files: &ManifestFiles,
    meshes: &PageMeshes,
) -> Result<Result<Comparison, RetargetError>, Failure> {
    let pair = files.open(line)?;
    let evaluation = match pair.evaluate() {
        Ok(evaluation) => evaluation,
        Err(why @ RetargetError::NoVerdict(_)) => return Ok(Err(why)),
        Err(error) => return Err(anyhow::Error::new(error).into()),
    };
    let ComparedPair { characters: [source, result], plan, .. } = pair;
    let [of_source, of_rig] = meshes.of(&source, &result);
    Ok(Ok(compare(&plan, &evaluation, [source.clip(), result.clip()], [&of_source, &of_rig])?))
}
