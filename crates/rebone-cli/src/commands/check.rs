//! `rebone check`: how good a result is.

use crate::args::CheckArgs;
use crate::engine::{self, PairFiles};
use crate::exit_code::Failure;
use crate::paths::{self, Outputs};
use crate::terminal::{Terminal, counted};
use rebone::quality::{Evaluation, Verdict};
use rebone::skeleton::file::FileKind;
use rebone::skeleton::{Document, Format};
use rebone::{Character, CharacterHints, ComparedPair, RetargetError, Selection, clip_of_result};
use std::path::Path;

/// Reads both files, compares them and prints the verdict.
pub(crate) fn run(args: &CheckArgs, terminal: &Terminal) -> Result<(), Failure> {
    if Format::of_name(&args.result) == Ok(Format::Npz) {
        let message = format!("{}: arrays are not read back", args.result.display());
        let help =
            "their grade is in the manifest of the batch; check another format of the result";
        return Err(Failure::usage(message).with_help(help));
    }
    let outputs = Outputs::new(args.replace).with(args.csv.as_ref(), FileKind::Csv);
    let clip = args.clip.clone().or_else(|| clip_of_source(args));
    let files = PairFiles {
        paths: [&args.source, args.rig.as_ref().unwrap_or(&args.result)],
        clip: clip.as_deref(),
        target_clip: &|source| match args.rig {
            Some(_) => Ok(None),
            None => clip_to_check(args, source, terminal),
        },
        hints: &args.hints,
        outputs: &outputs,
    };
    let files = files.open(terminal)?;
    let [source, target] = &files.characters;
    let frames = args.frames.map_or((0, None), |range| (range.start, range.end));
    let result = match &args.rig {
        Some(_) => &read_result(args, source, terminal)?,
        None => target,
    };
    let pair = files.compare(result, frames, args.cycle)?;
    let begin = pair.begin;
    warn_of_lengths(&pair, terminal);
    let mut evaluation = match (pair.evaluate(), &args.csv) {
        (Err(RetargetError::NoVerdict(why)), None) => {
            terminal.json_line(&serde_json::json!({ "verdict": "NONE", "reason": why }))?;
            return Ok(terminal.say(&format!("NONE  {why}"))?);
        }
        (evaluation, _) => evaluation.map_err(anyhow::Error::new)?,
    };
    evaluation.verdict.count_from(begin);
    if let Some(path) = &args.csv {
        let text = csv(&evaluation, begin);
        paths::write(path, |file| Ok(file.write_all(text.as_bytes())?))?;
    }
    pair.warnings.iter().for_each(|warning| terminal.warn(warning));
    terminal.json_line(&evaluation.verdict)?;
    print(&evaluation.verdict, terminal)?;
    Ok(args.csv.iter().try_for_each(|path| terminal.line("wrote", path.display()))?)
}

/// The clip of a source with several that has the name of the result's: of its only one, or of the named one.
fn clip_of_source(args: &CheckArgs) -> Option<String> {
    let names = |path: &Path| -> Option<Vec<String>> {
        let clips = Document::clips_at(path, None).ok()?;
        Some(clips.into_iter().map(|clip| clip.name).collect())
    };
    let of_source = names(&args.source).filter(|names| names.len() > 1)?;
    let of_result = names(&args.result)?;
    let wanted = match &args.animation {
        Some(name) if !of_result.contains(name) => of_result.get(name.parse::<usize>().ok()?)?,
        Some(name) => name,
        None => of_result.first().filter(|_| of_result.len() == 1)?,
    };
    of_source.into_iter().find(|name| name == wanted)
}

/// Reads the result as its file holds it; its rig is another file.
fn read_result(
    args: &CheckArgs,
    source: &Character,
    terminal: &Terminal,
) -> Result<Character, Failure> {
    let clip = clip_to_check(args, source, terminal)?;
    let selection = Selection { clip: clip.as_deref().map(Into::into), character: None };
    engine::read(&args.result, selection, &CharacterHints::default(), terminal)
}

/// The clip of the result: the one that is named, or that of the source's name.
fn clip_to_check(
    args: &CheckArgs,
    source: &Character,
    terminal: &Terminal,
) -> Result<Option<String>, Failure> {
    match &args.animation {
        Some(name) => Ok(Some(name.clone())),
        None => animation_of(&args.result, source, terminal),
    }
}

/// The animation of a result with several: the one with the name of the source's clip.
fn animation_of(
    result: &Path,
    source: &Character,
    terminal: &Terminal,
) -> Result<Option<String>, Failure> {
    let (names, name) = clip_of_result(result, source)?;
    if name.is_none() && names.len() > 1 {
        terminal.warn(&format!(
            "{} holds {} animations, none called {}: the first is compared; name one with --animation",
            result.display(),
            names.len(),
            source.clip_name()
        ));
    }
    Ok(name.filter(|_| names.len() > 1))
}

/// Warns of rates and lengths that differ.
fn warn_of_lengths(pair: &ComparedPair, terminal: &Terminal) {
    let [source, result] = &pair.characters;
    if (pair.ratio - 1.0).abs() > 1e-9 {
        let rate = 1.0 / result.clip().frame_time;
        terminal.warn(&format!(
            "compared at the result's {rate:.6} frames a second: frames are those of the result"
        ));
    }
    let [own, all] = [result, source].map(|own| own.clip().len());
    if own != all {
        let own = counted(own, "frame");
        terminal.warn(&format!(
            "the result has {own} for the source's {all}: the rest is left out; give --frames A..B where it was made \
             of a part, --loop A..B of a cycle, and 1.. where its leading pose was dropped"
        ));
    }
}

/// Prints the verdict: defects of the source first, then findings with what usually helps, and all metrics with -v.
fn print(verdict: &Verdict, terminal: &Terminal) -> Result<(), Failure> {
    let frames = counted(verdict.frames, "frame");
    let score = format!("score {:.2}, {frames}", verdict.score);
    terminal.say(&format!("{}  {score}", engine::grade_text(verdict.verdict)))?;
    for defect in &verdict.source_defects {
        terminal.say(&format!("  {}", engine::source_defect_text(defect)))?;
    }
    let findings = engine::findings(&verdict.reasons);
    findings.iter().try_for_each(|line| terminal.say(&format!("  {line}")))?;
    if terminal.wants_details() {
        for own in &verdict.metrics {
            let (value, unit) = (own.value, own.unit);
            let thresholds = format!("look {} fail {}", own.look, own.fail);
            terminal.say(&format!("  {:<34} {value:>9.2} {unit:<4} {thresholds}", own.label))?;
        }
    }
    Ok(())
}

/// Metrics frame by frame, one per column.
fn csv(evaluation: &Evaluation, first: usize) -> String {
    let head = |own: &rebone::quality::Curve| format!("{} [{}]", own.name, own.unit);
    let names: Vec<String> = evaluation.curves.iter().map(head).collect();
    let mut text = format!("frame,{}\n", names.join(","));
    for frame in 0..evaluation.verdict.frames {
        let values = evaluation.curves.iter().map(|own| format!("{:.4}", own.values[frame]));
        text += &format!("{},{}\n", frame + first, values.collect::<Vec<_>>().join(","));
    }
    text
}
