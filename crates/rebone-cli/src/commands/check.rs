//! `rebone check`: how good a result is.

use crate::args::{Check, Which};
use crate::engine::{self, Known, Loaded, Wanted};
use crate::exit_code::Failure;
use crate::paths;
use crate::terminal::{NAME, Terminal, styled};
use rebone::Anatomy;
use rebone::verdict::{Checked, Verdict, check};
use std::path::Path;

/// Frame times that differ by less are the same.
const SAME_RATE: f64 = 1e-3;

/// Reads both, compares and tells.
pub(crate) fn run(args: &Check, terminal: &Terminal) -> Result<(), Failure> {
    let known =
        [Known::read(&args.hints.of(Which::Source))?, Known::read(&args.hints.of(Which::Target))?];
    let outputs: Vec<&Path> = args.csv.iter().map(AsRef::as_ref).collect();
    let files = [&args.source, &args.result].into_iter().chain(&args.hints.map).cloned();
    let inputs: Vec<_> = files.chain(known.iter().flat_map(Known::inputs)).collect();
    paths::check_outputs(&inputs, &outputs)?;
    let read = |path, clip: Option<&str>, which| {
        let wanted = Wanted { clip, skin: args.hints.of(which).skin };
        engine::read_part(path, wanted, terminal)
    };
    let source = read(&args.source, args.clip.as_deref(), Which::Source)?;
    let animation = match &args.animation {
        Some(name) => Some(name.clone()),
        None => animation_of(&args.result, &source, terminal)?,
    };
    let mut loaded = [source, read(&args.result, animation.as_deref(), Which::Target)?];
    if let Some(still) = loaded.iter().find(|own| own.clip().is_empty()) {
        return Err(still.without_motion());
    }
    let understood = engine::understand_both(loaded.each_ref(), &known, args.hints.map.as_deref())?;
    loaded[0].cut(args.frames)?.iter().for_each(|warning| terminal.warn(warning));
    let (plan, warnings) = engine::compare(&understood);
    let ratio = at_one_rate(&mut loaded, &understood.anatomies, terminal)?;
    let mut checked = check(&plan, loaded[0].clip(), loaded[1].clip());
    let first = engine::scaled(args.frames.map_or(0, |range| range.start), ratio);
    checked.verdict.count_from(first);
    if let Some(path) = &args.csv {
        paths::write(path, |file| Ok(file.write_all(csv(&checked, first).as_bytes())?))?;
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
    source: &Loaded,
    terminal: &Terminal,
) -> Result<Option<String>, Failure> {
    let names = engine::clip_names(result)?;
    let name = source.clip_name();
    if names.len() < 2 || names.contains(&name) {
        return Ok(Some(name).filter(|name| names.contains(name)));
    }
    terminal.warn(&format!(
        "{} holds {} animations, none called {name}: the first is compared; name one with --animation",
        result.display(),
        names.len()
    ));
    Ok(None)
}

/// Brings the faster of the two to the rate of the other; how many frames there are for one of the source then.
fn at_one_rate(
    loaded: &mut [Loaded; 2],
    anatomies: &[Anatomy; 2],
    terminal: &Terminal,
) -> Result<f64, Failure> {
    let times = loaded.each_ref().map(|own| own.clip().frame_time);
    let mut ratio = 1.0;
    if (times[1] / times[0] - 1.0).abs() >= SAME_RATE {
        let faster = usize::from(times[1] < times[0]);
        let rate = 1.0 / times[1 - faster];
        loaded[faster].resample(&anatomies[faster], Some(rate))?;
        ratio = rate * times[0];
        if faster == 0 {
            terminal.warn(&format!(
                "compared at {rate:.4} frames a second, by which frames are counted"
            ));
        }
    }
    let [own, all] = [1, 0].map(|k: usize| loaded[k].clip().len());
    if own != all {
        terminal.warn(&format!(
            "the result has {own} frames for the source's {all}: the rest is left out"
        ));
    }
    Ok(ratio)
}

/// The verdict, its reasons, and all figures where they are wanted.
fn tell(verdict: &Verdict, terminal: &Terminal) -> Result<(), Failure> {
    let score = format!("score {:.2}, {} frames", verdict.score, verdict.frames);
    terminal.say(&format!("{}  {score}", engine::told_level(verdict.verdict)))?;
    let reasons = verdict.reasons.iter();
    reasons.map(engine::told_reason).try_for_each(|line| terminal.say(&format!("  {line}")))?;
    for defect in &verdict.source_defects {
        let line = engine::told_reason(defect);
        terminal.say(&format!("  {}: {line}", styled(NAME, "source")))?;
    }
    if terminal.wants_details() {
        for own in &verdict.figures {
            let (value, unit) = (own.value, own.unit);
            let bounds = format!("look {} fail {}", own.look, own.fail);
            terminal.say(&format!("  {:<34} {value:>9.2} {unit:<4} {bounds}", own.label))?;
        }
    }
    Ok(())
}

/// Figures frame by frame, a column each.
fn csv(checked: &Checked, first: usize) -> String {
    let head = |own: &rebone::verdict::Curve| format!("{} [{}]", own.name, own.unit);
    let names: Vec<String> = checked.curves.iter().map(head).collect();
    let mut text = format!("frame,{}\n", names.join(","));
    for frame in 0..checked.verdict.frames {
        let values = checked.curves.iter().map(|own| format!("{:.4}", own.values[frame]));
        text += &format!("{},{}\n", frame + first, values.collect::<Vec<_>>().join(","));
    }
    text
}
