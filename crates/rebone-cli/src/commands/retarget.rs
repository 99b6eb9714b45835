//! `rebone retarget`: the main job.

use crate::args::{Retarget, Which};
use crate::engine::{self, Outcome, Summary, file_name};
use crate::exit_code::Failure;
use crate::interrupt;
use crate::paths::{self, PreparedFile};
use crate::terminal::{NAME, Terminal, styled};
use crate::tree::tree;
use rebone::contacts::{self, Contact};
use rebone::skeleton::Format;
use rebone::{
    CharacterHints, ContactDetector, ContactMode, Method, RetargetJob, Selection, check_format,
    read_text,
};
use rebone_view::{RetargetSheet, SheetNames};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Reads, analyses, retargets, writes and reports.
pub(crate) fn run(args: &Retarget, terminal: &Terminal) -> Result<(), Failure> {
    check_no_folder(args)?;
    let outputs = outputs(args);
    let known = args.hints.read()?;
    paths::check_outputs(&inputs(args, &known), &outputs)?;
    let format = Format::of_name(&args.output).map_err(rebone::Error::from)?;
    check_contacts(args)?;
    let job = job(args, &known, format, terminal)?;
    let (clip, outcome, picture) = solve(args, &job, format)?;
    if args.write_contacts.is_some() && outcome.report.contacts.is_none() {
        let rate = 1.0 / job.frames().1;
        return Err(anyhow::anyhow!(
            "no contacts to write: {rate:.3e} frames a second are no motion"
        )
        .into());
    }
    let summaries = [
        Summary::new(job.source(), &job.plan().source),
        Summary::new(job.target(), &job.plan().target),
    ];
    let report = report(&summaries, &outcome, &outputs);
    write(args, clip, &outcome, picture, &report)?;
    terminal.json(&report)?;
    tell(&summaries, &outcome, &wrote(&outputs, &outcome), terminal)
}

/// A folder of clips is the work of a batch.
fn check_no_folder(args: &Retarget) -> Result<(), Failure> {
    if !args.source.is_dir() {
        return Ok(());
    }
    let [source, target] = [&args.source, &args.target].map(|path| path.display());
    let message = format!("{source} is a folder: retarget takes one clip");
    Err(Failure::usage(message).with_help(format!(
        "retarget all clips in it with `rebone batch {source} -t {target} -o FOLDER`"
    )))
}

/// Reads and analyses both files, and prepares the retarget.
fn job(
    args: &Retarget,
    known: &[CharacterHints; 2],
    format: Format,
    terminal: &Terminal,
) -> Result<RetargetJob, Failure> {
    let skins = [Which::Source, Which::Target].map(|which| args.hints.of(which).skin);
    let wanted = Selection { clip: args.clip.as_deref(), skin: skins[0] };
    let source = engine::read(&args.source, wanted, &known[0], terminal)?;
    let wanted = Selection { skin: skins[1], ..Selection::default() };
    let target = engine::read(&args.target, wanted, &known[1], terminal)?;
    source.check_clip()?;
    let analysed = engine::analyse_both([&source, &target], args.hints.map.as_deref())?;
    let beside = [source.files_beside(), target.files_beside()].concat();
    let prepare = || {
        let job = RetargetJob::new([source, target.clone()], &analysed, &args.options)?;
        check_format(&target, &args.options, format, &args.output)?;
        job.check_folder(format, &args.output)?;
        Ok(job)
    };
    let mut job = prepare().map_err(|error| Failure::of_pair(error, &args.source))?;
    paths::check_outputs(&beside, &outputs(args))?;
    if let Some(path) = &args.contacts_from {
        job.set_contacts(read_contacts(path)?, path);
    }
    Ok(if args.root_path.is_some() { job.with_root_path() } else { job })
}

fn read_contacts(path: &Path) -> Result<Vec<Contact>, Failure> {
    let text = read_text(path, "contacts")?;
    Ok(contacts::parse(&text)
        .map_err(|error| anyhow::anyhow!("{}:{}: {}", path.display(), error.line, error.message))?)
}

/// Solves and writes the clip into a file that does not have its name yet; draws it where that is wanted.
fn solve(
    args: &Retarget,
    job: &RetargetJob,
    format: Format,
) -> Result<(PreparedFile, Outcome, Option<Vec<u8>>), Failure> {
    interrupt::listen()?;
    let (count, frame_time) = job.frames();
    let mut sheet =
        args.preview.as_ref().map(|_| RetargetSheet::new(job.plan(), count, frame_time));
    let (file, report) = paths::prepare(&args.output, |file| {
        job.write(format, file, |pose| -> anyhow::Result<()> {
            interrupt::check()?;
            sheet.iter_mut().for_each(|sheet| sheet.add(pose));
            Ok(())
        })
    })?;
    sheet.iter_mut().for_each(|sheet| sheet.follow_floor(&report));
    let [source, target, result] =
        [&args.source, &args.target, &args.output].map(|path| file_name(path));
    let names = SheetNames { source: &source, target: &target, result: &result };
    let frames = [job.dropped_frames(), job.frame_offset()];
    let picture = sheet.map(|sheet| sheet.draw(job.source().clip(), frames, names));
    Ok((file, Outcome::new(job, report), picture))
}

/// Contacts are read and written only where they are detected.
fn check_contacts(args: &Retarget) -> Result<(), Failure> {
    let options = &args.options;
    let given =
        [("--contacts-from", &args.contacts_from), ("--write-contacts", &args.write_contacts)];
    let Some((option, _)) = given.into_iter().find(|given| given.1.is_some()) else {
        return Ok(());
    };
    let why = match () {
        () if options.method != Method::Ik => "--method copies rotations",
        () if options.contacts == ContactMode::Off => "--contacts is off",
        () if args.contacts_from.is_some()
            && options.contact_detector != ContactDetector::Displacement =>
        {
            "--contact-detector finds contacts of its own"
        }
        () => return Ok(()),
    };
    Err(Failure::usage(format!("{option} and other options do not go together: {why}")))
}

/// All files that are read.
fn inputs(args: &Retarget, known: &[CharacterHints; 2]) -> Vec<PathBuf> {
    let files = [&args.source, &args.target].into_iter().chain(&args.hints.map);
    let files = files.chain(&args.contacts_from).cloned();
    files.chain(known.iter().flat_map(CharacterHints::files)).collect()
}

/// All files that are written, the clip first.
fn outputs(args: &Retarget) -> Vec<&Path> {
    let more = args.preview.iter().chain(&args.report).chain(&args.write_contacts);
    let more = more.chain(&args.root_path);
    let more = more.map(AsRef::as_ref);
    [args.output.as_path()].into_iter().chain(more).collect()
}

/// Writes the rest. Only when all is whole, files take their names, the clip last: once it is there, all
/// is there.
fn write(
    args: &Retarget,
    clip: PreparedFile,
    outcome: &Outcome,
    picture: Option<Vec<u8>>,
    report: &Value,
) -> Result<(), Failure> {
    let mut files = Vec::new();
    if let (Some(path), Some(picture)) = (&args.preview, picture) {
        files.push(paths::prepare(path, |file| Ok(file.write_all(&picture)?))?.0);
    }
    if let Some(path) = &args.report {
        let json = |file: &mut (dyn Write + Send)| Ok(serde_json::to_writer_pretty(file, report)?);
        files.push(paths::prepare(path, json)?.0);
    }
    if let Some(path) = &args.write_contacts {
        files
            .push(paths::prepare(path, |file| Ok(file.write_all(outcome.contacts.as_bytes())?))?.0);
    }
    if let (Some(path), Some(way)) = (&args.root_path, &outcome.report.root_path) {
        let json = |file: &mut (dyn Write + Send)| Ok(serde_json::to_writer(file, way)?);
        files.push(paths::prepare(path, json)?.0);
    }
    files.push(clip);
    files.into_iter().try_for_each(PreparedFile::commit)
}

/// Everything that is known, for programs.
fn report([source, target]: &[Summary; 2], outcome: &Outcome, outputs: &[&Path]) -> Value {
    let result = &outcome.report;
    let written: Vec<String> = outputs.iter().map(|path| path.display().to_string()).collect();
    json!({ "source": source, "target": target, "result": result, "written": written })
}

/// Four lines on a good day.
fn tell(
    summaries: &[Summary; 2],
    outcome: &Outcome,
    wrote: &str,
    terminal: &Terminal,
) -> Result<(), Failure> {
    for (name, summary) in ["source", "target"].iter().zip(summaries) {
        tell_side(name, summary, terminal)?;
        if terminal.wants_details() {
            tree(&summary.joints, true).iter().try_for_each(|line| terminal.say(line))?;
        }
    }
    terminal.say(&format!("{}    {}", styled(NAME, "goals"), outcome.line()))?;
    if terminal.wants_details() {
        outcome.details().iter().try_for_each(|line| terminal.say(line))?;
    }
    let limits = outcome.limits(terminal.wants_details());
    for (place, limit) in limits.iter().enumerate() {
        let name = if place == 0 { styled(NAME, "limits").to_string() } else { " ".repeat(6) };
        terminal.say(&format!("{name}   {limit}"))?;
    }
    for (place, line) in outcome.verdict(terminal.wants_details()).iter().enumerate() {
        let name = if place == 0 { styled(NAME, "verdict").to_string() } else { " ".repeat(9) };
        terminal.say(&format!("{name}  {line}"))?;
    }
    outcome.report.warnings.iter().for_each(|warning| terminal.warn(warning));
    Ok(terminal.say(&format!("{}    {wrote}", styled(NAME, "wrote")))?)
}

/// What `source` or `target` is, and what would make it surer.
pub(super) fn tell_side(name: &str, summary: &Summary, terminal: &Terminal) -> Result<(), Failure> {
    terminal.say(&format!("{}   {}", styled(NAME, name), summary.line()))?;
    if let Some(hint) = summary.hint(&format!("--{name}-card")) {
        terminal.say(&format!("{}     {hint}", styled(NAME, "hint")))?;
    }
    Ok(())
}

/// The files, and what was done besides the main job.
fn wrote(outputs: &[&Path], outcome: &Outcome) -> String {
    let files: Vec<String> = outputs.iter().map(|path| path.display().to_string()).collect();
    files.join(", ") + &outcome.extras()
}
