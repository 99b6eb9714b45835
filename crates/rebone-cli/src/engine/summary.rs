//! Lines on an analysed character.

use super::file_name;
use crate::exit_code::Failure;
use crate::terminal::{Terminal, counted};
use rebone::MIN_ROLE_CONFIDENCE;
use rebone_studio::{CharacterSummary, shown};
use std::path::Path;

/// Least confidence of what is shown as certain.
pub(crate) const CERTAIN_CONFIDENCE: f64 = 0.8;

/// Largest number of clips of a file that are named in a line.
const MAX_NAMED_CLIPS: usize = 8;

/// The summary in one line.
pub(crate) fn summary_line(summary: &CharacterSummary) -> String {
    line(summary, "")
}

/// The summary of a source in one line, which says the clip of a file with several, by the number that `--clip` takes.
pub(crate) fn source_line(summary: &CharacterSummary) -> String {
    let all = &summary.clips;
    let Some(index) = summary.clip.filter(|index| all.len() > 1 && *index < all.len()) else {
        return line(summary, "");
    };
    let names = clip_names(summary).take(MAX_NAMED_CLIPS);
    let names = names.chain((all.len() > MAX_NAMED_CLIPS).then(|| "…".to_owned()));
    let names = names.collect::<Vec<_>>().join(", ");
    let (name, count) = (shown(&all[index]), all.len());
    line(summary, &format!("clip {index} \"{name}\" of {count} ({names}; --clip takes another), "))
}

/// Prints the summary of source or target, and what would make it more certain.
pub(crate) fn print_side(
    name: &str,
    summary: &CharacterSummary,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let line = if name == "source" { source_line } else { summary_line };
    terminal.line(name, line(summary))?;
    let hint = hint(summary, &format!("--{name}-card"));
    Ok(hint.map_or(Ok(()), |hint| terminal.line("hint", hint))?)
}

/// All clips of a file with several, or with an empty one, each with its number and name.
pub(crate) fn clip_list(summary: &CharacterSummary) -> Option<String> {
    let names = clip_names(summary).enumerate().map(|(index, name)| format!("{index} {name}"));
    let is_listed = summary.clips.len() > 1 || !summary.empty_clips.is_empty();
    is_listed.then(|| names.collect::<Vec<_>>().join(", "))
}

/// Names of all clips, with a remark on empty ones.
fn clip_names(summary: &CharacterSummary) -> impl Iterator<Item = String> {
    summary.clips.iter().enumerate().map(|(index, name)| {
        let remark = if summary.empty_clips.contains(&index) { " (empty)" } else { "" };
        shown(name) + remark
    })
}

/// The summary in one line, with remarks on its clip.
fn line(summary: &CharacterSummary, clip: &str) -> String {
    let (roles, joints) = (summary.role_count(), summary.joints.len());
    let axis = |name, axis: &Option<String>| {
        axis.as_ref().map_or(String::new(), |axis| format!(", {name} {axis}"))
    };
    format!(
        "{}: {clip}{}, {roles} of {} {} a role{}{}{}, {}; {}",
        file_name(Path::new(&summary.file)),
        duration(summary.frames, summary.frame_time),
        counted(joints, "joint"),
        if joints == 1 { "has" } else { "have" },
        axis("up", &summary.up),
        axis("facing", &summary.facing),
        summary
            .unit
            .map_or(String::new(), |unit| format!(", {:.2} m tall", summary.stature * unit)),
        summary.calibration,
        sureness(summary)
    )
}

/// Advice where the calibration is hardly more than a guess; `option` is the one that takes its card.
pub(crate) fn hint(summary: &CharacterSummary, option: &str) -> Option<String> {
    if summary.calibration_confidence >= MIN_ROLE_CONFIDENCE || !summary.warnings.is_empty() {
        return None;
    }
    let path = Path::new(&summary.file);
    let card = path.with_extension("toml");
    let (file, card) = (summary.file.as_str(), file_name(&card));
    let of_target = if option == "--target-card" { "target=" } else { "" };
    Some(format!(
        "learn from more clips (`rebone card {file} --learn CLIP... -o {card}`, then `{option} {card}`), \
         or name a pose in which it stands straight (`--pose-from {of_target}FILE:FRAME`); check with \
         `--preview`"
    ))
}

/// Lowest confidence, and of which part where it is low.
fn sureness(summary: &CharacterSummary) -> String {
    let sure = format!("{} sure", percent(summary.confidence));
    match &summary.weakest_role {
        _ if summary.confidence >= CERTAIN_CONFIDENCE => sure,
        Some((role, least)) if *least <= summary.calibration_confidence => {
            format!("{sure}, least of {role}")
        }
        _ => format!("{sure}, least of the calibration"),
    }
}

/// `no motion`, `1 frame`, or `120 frames at 29.97/s`.
pub(crate) fn duration(frames: usize, frame_time: f64) -> String {
    let count = counted(frames, "frame");
    match frames {
        0 => return "no motion".to_owned(),
        1 => return count,
        _ => (),
    }
    let rate = format!("{:.2}", 1.0 / frame_time);
    format!("{count} at {}/s", rate.trim_end_matches('0').trim_end_matches('.'))
}

/// A probability in percent.
pub(crate) fn percent(probability: f64) -> String {
    format!("{:.0} %", 100.0 * probability)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_at_most_two_decimals() {
        assert_eq!(duration(120, 0.0083333), "120 frames at 120/s");
        assert_eq!(duration(2, 1.0 / 29.97), "2 frames at 29.97/s");
        assert_eq!(duration(2, 1.0), "2 frames at 1/s");
        assert_eq!(duration(1, 1.0), "1 frame");
        assert_eq!(duration(0, 1.0), "no motion");
    }
}
