//! `rebone retarget`: the main job.

use crate::args::{Retarget, Which};
use crate::engine::{self, Kind, Known, Outcome, Summary};
use crate::exit_code::Failure;
use crate::interrupt;
use crate::paths::{self, PreparedFile};
use crate::terminal::{NAME, Terminal, styled};
use crate::tree::tree;
use rebone::{Character, ContactDetector, ContactMode, Method, RootMotion, Selection};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Reads, understands, retargets, writes and tells.
pub(crate) fn run(args: &Retarget, terminal: &Terminal) -> Result<(), Failure> {
    let outputs = outputs(args);
    let known =
        [Known::read(&args.hints.of(Which::Source))?, Known::read(&args.hints.of(Which::Target))?];
    paths::check_outputs(&inputs(args, &known), &outputs)?;
    check_extension(&args.output)?;
    check_contacts(args)?;
    if args.options.root == RootMotion::RootBone && Kind::of(&args.output) == Kind::Vrma {
        let message = "--root root-bone: a .vrma has no joint above the hips; name a .vrm or .glb";
        return Err(Failure::usage(message.to_owned()));
    }
    let skins = [Which::Source, Which::Target].map(|which| args.hints.of(which).skin);
    let wanted = Selection { clip: args.clip.as_deref(), skin: skins[0] };
    let mut source = engine::read(&args.source, wanted, terminal)?;
    let wanted = Selection { skin: skins[1], ..Selection::default() };
    let target = engine::read(&args.target, wanted, terminal)?;
    source.check_clip()?;
    let map = args.hints.map.as_deref();
    let analysed = engine::analyse_both([&source, &target], &known, map)?;
    if !args.options.accept_guesses {
        engine::check_guesses(&source, &analysed.anatomies[0], Which::Source)?;
        engine::check_guesses(&target, &analysed.anatomies[1], Which::Target)?;
    }
    check_vrm(args, &target)?;
    paths::check_outputs(&[source.files_beside(), target.files_beside()].concat(), &outputs)?;
    engine::cut(&mut source, args.options.frames)?
        .iter()
        .for_each(|warning| terminal.warn(warning));
    interrupt::listen()?;
    let first = args.options.frames.map_or(0, |range| range.start);
    let timing = source.resample(&analysed.anatomies[0], args.options.fps, first)?;
    let (clip, outcome) = engine::retarget(&source, &target, &analysed, args, timing)?;
    if args.write_contacts.is_some() && outcome.report.contacts.is_none() {
        let rate = 1.0 / source.clip().frame_time;
        return Err(anyhow::anyhow!(
            "no contacts to write: {rate:.3e} frames a second are no motion"
        )
        .into());
    }
    let summaries = outcome.summaries(&source, &target);
    let report = report(&summaries, &outcome, &outputs);
    write(args, clip, &outcome, &report)?;
    terminal.json(&report)?;
    tell(&summaries, &outcome, &wrote(&outputs, &outcome), terminal)
}

/// Ends of names that say another format.
const FORMATS: [&str; 15] = [
    "abc", "amc", "asf", "blend", "c3d", "csv", "dae", "fbx", "json", "npz", "png", "toml", "usd",
    "usda", "usdc",
];

/// A clip is written as BVH, and not under the name of another format.
pub(super) fn check_extension(output: &Path) -> Result<(), Failure> {
    match output.extension() {
        Some(other) if FORMATS.iter().any(|format| other.eq_ignore_ascii_case(format)) => {
            Err(Failure::usage(format!(
                "cannot write {} as {}: name it {}, or .glb, .gltf, .vrm or .vrma",
                output.display(),
                other.display(),
                output.with_extension("bvh").display()
            )))
        }
        _ => Ok(()),
    }
}

/// Contacts are read and written only where they are looked for.
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

/// Whether a name is that of a VRM.
pub(super) fn is_vrm(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("vrm"))
}

/// A VRM says which joints are which bones: only one that was read can be written again, and as a whole.
fn check_vrm(args: &Retarget, target: &Character) -> Result<(), Failure> {
    if !is_vrm(&args.output) || (target.document().is_vrm() && !args.options.animation_only) {
        return Ok(());
    }
    let why =
        if target.document().is_vrm() { "joints and motion alone are" } else { "the target is" };
    let name = args.output.with_extension("glb");
    let (output, name) = (args.output.display(), name.display());
    Err(Failure::usage(format!("cannot write {output}: {why} no VRM; name it {name}, or .vrma")))
}

/// All files that are read.
fn inputs(args: &Retarget, known: &[Known; 2]) -> Vec<PathBuf> {
    let files = [&args.source, &args.target].into_iter().chain(&args.hints.map);
    let files = files.chain(&args.contacts_from).cloned();
    files.chain(known.iter().flat_map(Known::inputs)).collect()
}

/// All files that are written, the clip first.
fn outputs(args: &Retarget) -> Vec<&Path> {
    let more = args.preview.iter().chain(&args.report).chain(&args.write_contacts);
    let more = more.map(AsRef::as_ref);
    [args.output.as_path()].into_iter().chain(more).collect()
}

/// Writes the rest. Only when all is whole, files take their names, the clip last: once it is there, all
/// is there.
fn write(
    args: &Retarget,
    clip: PreparedFile,
    outcome: &Outcome,
    report: &Value,
) -> Result<(), Failure> {
    let mut files = Vec::new();
    if let (Some(path), Some(picture)) = (&args.preview, &outcome.picture) {
        files.push(paths::prepare(path, |file| Ok(file.write_all(picture)?))?.0);
    }
    if let Some(path) = &args.report {
        let json = |file: &mut (dyn Write + Send)| Ok(serde_json::to_writer_pretty(file, report)?);
        files.push(paths::prepare(path, json)?.0);
    }
    if let Some(path) = &args.write_contacts {
        let text = outcome.contacts();
        files.push(paths::prepare(path, |file| Ok(file.write_all(text.as_bytes())?))?.0);
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
