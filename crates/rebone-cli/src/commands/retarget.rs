//! `rebone retarget`: the main job.

use crate::args::{RetargetArgs, Which};
use crate::engine::{self, PairFiles};
use crate::exit_code::Failure;
use crate::interrupt;
use crate::job_sheet;
use crate::paths::{self, Outputs, PreparedFile};
use crate::terminal::Terminal;
use crate::tree::tree;
use rebone::contacts;
use rebone::skeleton::Format;
use rebone::skeleton::file::FileKind;
use rebone::{ContactMode, Method, Report, RetargetJob, TravelScale, read_text};
use rebone_studio::CharacterSummary;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Memory from which it is told, bytes: any machine of today has this much free.
const MIN_TOLD_BYTES: usize = 100_000_000;

/// Reads, analyses, retargets, writes and reports.
pub(crate) fn run(args: &RetargetArgs, terminal: &Terminal) -> Result<(), Failure> {
    check_no_folder(args)?;
    check_contacts(args)?;
    let format = Format::of_name(&args.output).map_err(rebone::Error::from)?;
    check_unused(args, format)?;
    let outputs = outputs(args, format);
    let contacts_from: Vec<_> = args.contacts_from.iter().cloned().collect();
    rebone::check_outputs(&contacts_from, &outputs.paths())?;
    let job = job(args, format, &outputs, terminal)?;
    tell_memory(&job, format, terminal)?;
    let (clip, report, picture) = solve(args, &job, format)?;
    if args.write_contacts.is_some() && report.contacts.is_none() {
        let rate = 1.0 / job.frames().1;
        let message = format!("no contacts to write: {rate:.3e} frames a second are no motion");
        return Err(anyhow::Error::msg(message).into());
    }
    let summaries = [
        CharacterSummary::new(job.source(), &job.plan().source),
        CharacterSummary::new(job.target(), &job.plan().target),
    ];
    let written: Vec<String> =
        outputs.paths().iter().map(|path| path.display().to_string()).collect();
    let [source, target] = &summaries;
    let value = json!({ "source": source, "target": target, "result": report, "written": written });
    write(args, clip, &job, &report, picture, &value)?;
    terminal.json(&value)?;
    print(&summaries, &report, terminal)?;
    if args.preview.is_some() {
        let bodies = [job.source(), job.target()];
        bodies.into_iter().for_each(|body| engine::warn_of_sticks(body, terminal));
    }
    let extras = engine::extras(&report, job.dropped_frames());
    Ok(terminal.line("wrote", written.join(", ") + &extras)?)
}

/// Refuses a folder of clips: it is the work of a batch.
fn check_no_folder(args: &RetargetArgs) -> Result<(), Failure> {
    if args.target.is_dir() {
        let message = format!("{} is a folder: retarget takes one target", args.target.display());
        return Err(Failure::usage(message).with_help(
            "name one file in it; `rebone batch SOURCE --target RIG --target RIG -o OUT` takes several targets",
        ));
    }
    if !args.source.is_dir() {
        return Ok(());
    }
    let [source, target] = [&args.source, &args.target].map(|path| path.display());
    let message = format!("{source} is a folder: retarget takes one clip");
    Err(Failure::usage(message).with_help(format!(
        "retarget all clips in it with `rebone batch {source} --target {target} -o OUT`"
    )))
}

/// Reads and analyses both files, and prepares the retarget.
fn job(
    args: &RetargetArgs,
    format: Format,
    outputs: &Outputs,
    terminal: &Terminal,
) -> Result<RetargetJob, Failure> {
    let files = PairFiles {
        paths: [&args.source, &args.target],
        clip: args.clip.as_deref(),
        target_clip: &|_| Ok(None),
        hints: &args.hints,
        outputs,
    };
    let pair = files.open(terminal)?;
    let prepare = || {
        let job = pair.job(&args.options)?;
        job.check_format(format, &args.output)?;
        job.check_folder(format, &args.output)?;
        Ok(job)
    };
    let mut job =
        prepare().map_err(|error: rebone::Error| Failure::of_pair(error, &args.source))?;
    if let Some(path) = &args.contacts_from {
        job.set_contacts(&read_text(path, "contacts")?, path)?;
    }
    Ok(if args.root_path.is_some() { job.with_root_path() } else { job })
}

/// Says before a long clip how much memory it needs.
fn tell_memory(job: &RetargetJob, format: Format, terminal: &Terminal) -> Result<(), Failure> {
    let (bytes, frames) = (job.memory(format), job.frames().0);
    if bytes < MIN_TOLD_BYTES {
        return Ok(());
    }
    let megabytes = bytes.div_ceil(1_000_000);
    let text = format!("about {megabytes} MB for {frames} frames; --frames A..B takes a part");
    Ok(terminal.line("memory", text)?)
}

/// Solves and writes the clip into a file that does not have its name yet; draws the picture where one is wanted.
fn solve(
    args: &RetargetArgs,
    job: &RetargetJob,
    format: Format,
) -> Result<(PreparedFile, Report, Option<Vec<u8>>), Failure> {
    let mut shown = None;
    let (file, report) = paths::prepare(&args.output, |file| {
        let take = |clip| shown = args.preview.as_ref().map(|path| (path, clip));
        let watch = |_: &str, _, _| interrupt::check().is_ok();
        let written = job.write(format, file, Some(&watch), take);
        interrupt::check()?;
        Ok(written?)
    })?;
    let picture = shown.map(|(path, clip)| match paths::picture_kind(path) {
        FileKind::Gif => job_sheet::animate(job, &clip, &report, &args.output),
        _ => job_sheet::draw(job, &clip, &report, &args.output),
    });
    Ok((file, report, picture))
}

/// Refuses options that change nothing beside the others.
fn check_unused(args: &RetargetArgs, format: Format) -> Result<(), Failure> {
    let unused = args.options.unused(format, args.root_path.is_some());
    // The unit of a target is also that of a glTF's new joints.
    let unit =
        args.hints.of(Which::Source).unit.filter(|_| args.options.travel != TravelScale::Metric);
    let unit = unit.map(|_| ("unit", "--travel metric, or `target=` before the value"));
    match unused.into_iter().chain(unit).next() {
        Some((name, need)) => {
            Err(Failure::usage(format!("--{name} has no effect: it needs {need}")))
        }
        None => Ok(()),
    }
}

/// Refuses contacts in files where none are detected.
fn check_contacts(args: &RetargetArgs) -> Result<(), Failure> {
    let options = &args.options;
    let given =
        [("--contacts-from", &args.contacts_from), ("--write-contacts", &args.write_contacts)];
    let Some((option, _)) = given.into_iter().find(|given| given.1.is_some()) else {
        return Ok(());
    };
    let why = match () {
        () if options.method != Method::Ik => "only --method ik keeps contacts",
        () if options.contacts == ContactMode::Off => "--contacts is off",
        () => return Ok(()),
    };
    Err(Failure::usage(format!("{option} and other options do not go together: {why}")))
}

/// All files that are written, the clip first.
fn outputs(args: &RetargetArgs, format: Format) -> Outputs<'_> {
    let picture_kind = args.preview.as_deref().map_or(FileKind::Png, paths::picture_kind);
    Outputs::new(args.replace)
        .with(Some(&args.output), format.into())
        .with(args.preview.as_ref(), picture_kind)
        .with(args.report.as_ref(), FileKind::Report)
        .with(args.write_contacts.as_ref(), FileKind::Contacts)
        .with(args.root_path.as_ref(), FileKind::RootPath)
}

/// Writes all other files. They take their names when all are complete, the clip last: once it exists, all exist.
fn write(
    args: &RetargetArgs,
    clip: PreparedFile,
    job: &RetargetJob,
    report: &Report,
    picture: Option<Vec<u8>>,
    value: &Value,
) -> Result<(), Failure> {
    let mut files = Vec::new();
    let mut add = |path: &Path, bytes: Vec<u8>| -> Result<(), Failure> {
        files.push(paths::prepare(path, |file| Ok(file.write_all(&bytes)?))?.0);
        Ok(())
    };
    if let (Some(path), Some(picture)) = (&args.preview, picture) {
        add(path, picture)?;
    }
    let json = anyhow::Error::new;
    if let Some(path) = &args.report {
        add(path, serde_json::to_vec_pretty(value).map_err(json)?)?;
    }
    if let Some(path) = &args.write_contacts {
        let bytes = contacts::write(&job.contacts_of_file(report)).into_bytes();
        check_corrected(path, &bytes, args.replace.overwrite)?;
        add(path, bytes)?;
    }
    if let (Some(path), Some(root_path)) = (&args.root_path, &report.root_path) {
        add(path, serde_json::to_vec(root_path).map_err(json)?)?;
    }
    files.push(clip);
    files.into_iter().try_for_each(PreparedFile::commit)
}

/// Refuses to replace contacts that differ from what is written: they may have been corrected by hand.
fn check_corrected(path: &Path, bytes: &[u8], overwrites: bool) -> Result<(), Failure> {
    if overwrites || FileKind::of_file(path) != Some(FileKind::Contacts) {
        return Ok(());
    }
    if fs::read(path).is_ok_and(|earlier| earlier == bytes) {
        return Ok(());
    }
    let message = format!("{} holds other contacts, maybe corrected by hand", path.display());
    let help = "use them with --contacts-from, name another file, or replace them with --overwrite";
    Err(Failure::usage(message).with_help(help))
}

/// Prints four lines where all is well and no contact uncertain.
fn print(
    summaries: &[CharacterSummary; 2],
    report: &Report,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let all = terminal.wants_details();
    for (name, summary) in ["source", "target"].iter().zip(summaries) {
        engine::print_side(name, summary, terminal)?;
        if all {
            tree(&summary.joints, true).iter().try_for_each(|line| terminal.say(line))?;
        }
    }
    if let Some(line) = engine::helpers(report) {
        terminal.line("helpers", line)?;
    }
    terminal.line("goals", engine::goals(report))?;
    if all {
        engine::stages(report).iter().try_for_each(|line| terminal.say(line))?;
    }
    if let Some(line) = engine::uncertain_contacts(report) {
        terminal.line("contacts", line)?;
    }
    let verdict = match &report.verdict {
        None if report.still => Some(vec!["NONE, still: a pose has no grade".to_owned()]),
        verdict => verdict.as_ref().map(|own| engine::verdict(own, all)),
    };
    for (name, lines) in
        [("limits", engine::limits(report, all)), ("verdict", verdict.unwrap_or_default())]
    {
        for (index, line) in lines.iter().enumerate() {
            terminal.line(if index == 0 { name } else { "" }, line)?;
        }
    }
    report.warnings.iter().for_each(|warning| terminal.warn(warning));
    Ok(())
}
