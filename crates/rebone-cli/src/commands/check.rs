//! `rebone check`: how good a result is.

use crate::args::{Check, Which};
use crate::engine;
use crate::exit_code::Failure;
use crate::paths;
use crate::terminal::{NAME, Terminal, styled};
use rebone::quality::{Evaluation, Verdict, evaluate};
use rebone::{Character, CharacterHints, Options, Selection};
use std::path::Path;

/// Reads both, compares and tells.
pub(crate) fn run(args: &Check, terminal: &Terminal) -> Result<(), Failure> {
    let known = args.hints.read()?;
    let outputs: Vec<&Path> = args.csv.iter().map(AsRef::as_ref).collect();
    let files = [&args.source, &args.result].into_iter().chain(&args.hints.map).cloned();
    let inputs: Vec<_> = files.chain(known.iter().flat_map(CharacterHints::files)).collect();
    paths::check_outputs(&inputs, &outputs)?;
    let read = |path, clip: Option<&str>, which: Which| {
        let wanted = Selection { clip, skin: args.hints.of(which).skin };
        engine::read(path, wanted, &known[which as usize], terminal)
    };
    let source = read(&args.source, args.clip.as_deref(), Which::Source)?;
    let animation = match &args.animation {
        Some(name) => Some(name.clone()),
        None => animation_of(&args.result, &source, terminal)?,
    };
    let mut loaded = [source, read(&args.result, animation.as_deref(), Which::Target)?];
    let beside = [loaded[0].files_beside(), loaded[1].files_beside()].concat();
    paths::check_outputs(&beside, &outputs)?;
    loaded.iter().try_for_each(Character::check_clip)?;
    let analysed = engine::analyse_both(loaded.each_ref(), args.hints.map.as_deref())?;
    engine::cut(&mut loaded[0], args.frames)?.iter().for_each(|warning| terminal.warn(warning));
    let (plan, warnings) = engine::compare(&analysed, &Options::default());
    let first = args.frames.map_or(0, |range| range.start);
    let ratio = engine::at_one_rate(loaded.each_mut(), analysed.anatomies.each_ref())?;
    let begin = (first as f64 * ratio).round() as usize;
    tell_lengths(&loaded, ratio, terminal);
    let mut checked = evaluate(&plan, loaded[0].clip(), loaded[1].clip());
    checked.verdict.count_from(begin);
    if let Some(path) = &args.csv {
        paths::write(path, |file| Ok(file.write_all(csv(&checked, begin).as_bytes())?))?;
    }
    warnings.iter().for_each(|warning| terminal.warn(warning));
    terminal.json_line(&checked.verdict)?;
    tell(&checked.verdict, terminal)?;
    match &args.csv {
        Some(path) => {
            Ok(terminal.say(&format!("{}    {}", styled(NAME, "wrote"), path.display()))?)
        }
        None => Ok(()),
    }
}

/// The animation of a result with several: the one that is called as the source's clip.
fn animation_of(
    result: &Path,
    source: &Character,
    terminal: &Terminal,
) -> Result<Option<String>, Failure> {
    let (names, name) = engine::animation_of(result, source)?;
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

/// Says what of the two cannot be compared.
fn tell_lengths([source, result]: &[Character; 2], ratio: f64, terminal: &Terminal) {
    if (ratio - 1.0).abs() > 1e-9 {
        let rate = 1.0 / result.clip().frame_time;
        terminal.warn(&format!(
            "compared at the result's {rate:.6} frames a second: frames are those of the result"
        ));
    }
    let [own, all] = [result, source].map(|own| own.clip().len());
    if own != all {
        terminal.warn(&format!(
            "the result has {own} frames for the source's {all}: the rest is left out; where it was made of a part, \
             say --frames A..B, and 1.. where it is without its leading pose"
        ));
    }
}

/// Prints the verdict: defects of the source first, then findings with what usually helps, and all metrics with -v.
fn tell(verdict: &Verdict, terminal: &Terminal) -> Result<(), Failure> {
    let score = format!("score {:.2}, {} frames", verdict.score, verdict.frames);
    terminal.say(&format!("{}  {score}", engine::grade_text(verdict.verdict)))?;
    for defect in &verdict.source_defects {
        let line = engine::finding_text(defect);
        terminal.say(&format!("  {}: {line}", styled(NAME, "source")))?;
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
fn csv(checked: &Evaluation, first: usize) -> String {
    let head = |own: &rebone::quality::Curve| format!("{} [{}]", own.name, own.unit);
    let names: Vec<String> = checked.curves.iter().map(head).collect();
    let mut text = format!("frame,{}\n", names.join(","));
    for frame in 0..checked.verdict.frames {
        let values = checked.curves.iter().map(|own| format!("{:.4}", own.values[frame]));
        text += &format!("{},{}\n", frame + first, values.collect::<Vec<_>>().join(","));
    }
    text
}
