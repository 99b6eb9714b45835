//! `rebone check`: how good a result is.

use crate::args::{Check, Which};
use crate::engine::{self, Known, Loaded, Wanted};
use crate::exit_code::Failure;
use crate::paths;
use crate::terminal::{ERROR, GOOD, NAME, Terminal, WARNING, styled};
use rebone::skeleton::Clip;
use rebone::verdict::{Level, Reason, Verdict, check};
use std::path::Path;

/// Reads both, compares and tells.
pub(crate) fn run(args: &Check, terminal: &Terminal) -> Result<(), Failure> {
    let known =
        [Known::read(&args.hints.of(Which::Source))?, Known::read(&args.hints.of(Which::Target))?];
    let outputs: Vec<&Path> = args.csv.iter().map(AsRef::as_ref).collect();
    let files = [&args.source, &args.result].into_iter().chain(&args.hints.map).cloned();
    let inputs: Vec<_> = files.chain(known.iter().flat_map(Known::inputs)).collect();
    paths::check_outputs(&inputs, &outputs)?;
    let read = |path, clip: &Option<String>, which| {
        let wanted = Wanted { clip: clip.as_deref(), skin: args.hints.of(which).skin };
        engine::read_part(path, wanted, terminal)
    };
    let mut loaded = [
        read(&args.source, &args.clip, Which::Source)?,
        read(&args.result, &args.animation, Which::Target)?,
    ];
    if let Some(still) = loaded.iter().find(|own| own.clip().is_empty()) {
        return Err(still.without_motion());
    }
    let understood = engine::understand_both(loaded.each_ref(), &known, args.hints.map.as_deref())?;
    loaded[0].cut(args.frames)?.iter().for_each(|warning| terminal.warn(warning));
    let (plan, warnings) = engine::compare(&understood);
    let result = at_the_rate_of(&loaded, terminal);
    let verdict = check(&plan, loaded[0].clip(), &result);
    if let Some(path) = &args.csv {
        paths::write(path, |file| Ok(file.write_all(csv(&verdict).as_bytes())?))?;
    }
    warnings.iter().for_each(|warning| terminal.warn(warning));
    terminal.json_line(&verdict)?;
    tell(&verdict, terminal)?;
    match &args.csv {
        Some(path) => {
            Ok(terminal.say(&format!("{}    {}", styled(NAME, "wrote"), path.display()))?)
        }
        None => Ok(()),
    }
}

/// The result's clip with the source's frame time.
fn at_the_rate_of([source, result]: &[Loaded; 2], terminal: &Terminal) -> Clip {
    let [from, own] = [source, result].map(|loaded| loaded.clip().frame_time);
    let lengths = [source, result].map(|loaded| loaded.clip().len());
    let clip = match (own / from - 1.0).abs() < 1e-3 {
        true => result.clip().clone(),
        false => result.clip().resampled(from),
    };
    if clip.len() != lengths[0] {
        let (own, all) = (clip.len(), lengths[0]);
        terminal.warn(&format!(
            "the result has {own} frames for the source's {all}: the rest is left out"
        ));
    }
    clip
}

/// The verdict, its reasons, and all figures where they are wanted.
fn tell(verdict: &Verdict, terminal: &Terminal) -> Result<(), Failure> {
    let score = format!("score {:.2}, {} frames", verdict.score, verdict.frames);
    terminal.say(&format!("{}  {score}", word(verdict.verdict)))?;
    let line = |reason: &Reason| {
        let frames = reason.frames.map_or(String::new(), |[from, to]| match from == to {
            true => format!(" (frame {from})"),
            false => format!(" (frames {from} to {to})"),
        });
        format!("{}  {}{frames}", word(reason.verdict), reason.text)
    };
    verdict.reasons.iter().try_for_each(|reason| terminal.say(&format!("  {}", line(reason))))?;
    for defect in &verdict.source_defects {
        terminal.say(&format!("  {}: {}", styled(NAME, "source"), line(defect)))?;
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

fn word(level: Level) -> String {
    let style = match level {
        Level::Pass => GOOD,
        Level::Look => WARNING,
        Level::Fail => ERROR,
    };
    styled(style, level)
}

/// Figures frame by frame, a column each.
fn csv(verdict: &Verdict) -> String {
    let head = |own: &rebone::verdict::Curve| format!("{} [{}]", own.name, own.unit);
    let names: Vec<String> = verdict.curves.iter().map(head).collect();
    let mut text = format!("frame,{}\n", names.join(","));
    for frame in 0..verdict.frames {
        let values = verdict.curves.iter().map(|own| format!("{:.4}", own.values[frame]));
        text += &format!("{frame},{}\n", values.collect::<Vec<_>>().join(","));
    }
    text
}
