//! How a retarget went, for people.

use crate::terminal::{ERROR, GOOD, WARNING, styled};
use rebone::quality::{Finding, Grade, Verdict};
use rebone::{GoalReport, LimitReport, Report, StageReport};

/// Metres of a 1.7 m body from its goals within which a stage is said to meet them.
const MET: f64 = 1e-4;
/// Degrees from what it should be within which a goal is said to be met.
const MET_DEGREES: f64 = 0.1;
/// Limits that never cost more, metres of a 1.7 m body, are told with all details only.
const WORTH_A_LINE: f64 = 1e-3;
/// Most limits that are told without all details.
const MOST_LINES: usize = 3;

/// How far from the goals, in one line.
pub(crate) fn goals(report: &Report) -> String {
    let stages = report.stages.iter();
    match stages.max_by(|a, b| a.worst.total_cmp(&b.worst)) {
        Some(stage) if stage.worst > MET => format!(
            "furthest off: {}, {} on average, {} in frame {} (on a body of 1.7 m)",
            stage.stage,
            centimetres(stage.end),
            centimetres(stage.worst),
            stage.worst_frame
        ),
        _ => format!("all met to {}", centimetres(MET)),
    }
}

/// A level in its colour.
pub(crate) fn level(level: Grade) -> String {
    let style = match level {
        Grade::Pass => GOOD,
        Grade::Look => WARNING,
        Grade::Fail => ERROR,
    };
    styled(style, level)
}

/// A reason in a line.
pub(crate) fn reason(reason: &Finding) -> String {
    let frames = reason.frames.map_or(String::new(), |[from, to]| match from == to {
        true => format!(" (frame {from})"),
        false => format!(" (frames {from} to {to})"),
    });
    format!("{}  {}{frames}", level(reason.verdict), reason.text)
}

/// How good a result is, and the worst reasons, or all, one in a line.
pub(crate) fn verdict(verdict: &Verdict, all: bool) -> Vec<String> {
    let most = if all { usize::MAX } else { MOST_LINES };
    let head = format!("{}, score {:.2}", level(verdict.verdict), verdict.score);
    let reasons = verdict.reasons.iter().take(most).map(reason);
    let more = verdict.reasons.len().saturating_sub(most);
    let more = (more > 0).then(|| format!("and {more} more, told by -v"));
    [head].into_iter().chain(reasons).chain(more).collect()
}

/// Each stage in a line, and below it its goals that were missed.
pub(crate) fn stages(report: &Report) -> Vec<String> {
    let lines = |stage: &StageReport| {
        let line = format!(
            "  {:13} {:>9} at the start, {:>9} left, {:>9} in frame {}; {:.1} iterations{}",
            stage.stage,
            centimetres(stage.start),
            centimetres(stage.end),
            centimetres(stage.worst),
            stage.worst_frame,
            stage.iterations,
            unconverged(stage.unconverged)
        );
        [line].into_iter().chain(stage.goals.iter().filter_map(goal)).collect::<Vec<_>>()
    };
    report.stages.iter().flat_map(lines).collect()
}

/// A goal that was missed.
fn goal(goal: &GoalReport) -> Option<String> {
    let amount = |amount: f64| match goal.unit {
        "m" => centimetres(amount),
        _ => format!("{amount:.1}°"),
    };
    let most = if goal.unit == "m" { MET } else { MET_DEGREES };
    let name = format!("{}, {}", goal.goal, goal.kind);
    let [mean, worst] = [amount(goal.mean), amount(goal.worst)];
    let line = format!("    {name:25} {mean:>9} off, {worst:>9} in frame {}", goal.worst_frame);
    (goal.worst > most).then_some(line)
}

/// The limits that cost most, or all, one in a line.
pub(crate) fn limits(report: &Report, all: bool) -> Vec<String> {
    let told = |limit: &&LimitReport| all || limit.worst > WORTH_A_LINE;
    let mut lines: Vec<String> = report.limits.iter().filter(told).map(limit).collect();
    if !all && lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES;
        lines.truncate(MOST_LINES);
        lines.push(format!("{more} more; -v tells all"));
    }
    lines
}

fn limit(limit: &LimitReport) -> String {
    let name = limit.joint.replace(char::is_control, "\u{FFFD}");
    let joint = match &limit.role {
        Some(role) => format!("{role} ({name})"),
        None => name,
    };
    let [least, most] = limit.range;
    format!(
        "{joint}: {} at {:.0}° (range {least:.0}° to {most:.0}°) in {}, {:.2} s, from {}; most in \
         {}: {:.1}° beyond, {}",
        limit.angle,
        limit.at,
        frames(limit.frames),
        limit.seconds,
        limit.first_frame,
        limit.worst_frame,
        limit.overshoot,
        centimetres(limit.worst)
    )
}

fn frames(count: usize) -> String {
    if count == 1 { "1 frame".to_owned() } else { format!("{count} frames") }
}

/// How many frames the solver gave up on, if any.
fn unconverged(count: usize) -> String {
    if count == 0 { String::new() } else { format!("; {} not converged", frames(count)) }
}

/// Metres of a 1.7 m body, for people.
fn centimetres(metres: f64) -> String {
    format!("{:.2} cm", 100.0 * metres)
}
