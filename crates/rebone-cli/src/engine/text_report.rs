//! Text of a report.

use super::summary::percent;
use crate::terminal::{ERROR, GOOD, NAME, WARNING, counted, styled};
use rebone::quality::{Finding, Grade, Verdict};
use rebone::{GoalReport, LimitReport, Report, StageReport};
use rebone_studio::shown;
use std::collections::BTreeSet;

/// Distance within which goals count as met, metres of a 1.7 m body.
const MET_METRES: f64 = 1e-4;
/// Angle within which a goal counts as met, degrees.
const MET_DEGREES: f64 = 0.1;
/// Least cost of a limit that is listed without all details, metres of a 1.7 m body.
const MIN_LISTED_METRES: f64 = 1e-3;
/// Largest number of limits and findings that are listed without all details.
const MAX_LINES: usize = 3;

/// Additions to the main job, for the end of a line.
pub(crate) fn extras(report: &Report, dropped_frames: usize) -> String {
    let mut extras = String::new();
    if dropped_frames > 0 {
        extras += "; without the leading pose";
    }
    if let Some(floor) = report.floor {
        let confidence = percent(floor.confidence);
        let (from, to) = (floor.level, floor.moved_to.unwrap_or(floor.level));
        extras += &format!("; floor moved from height {from:.4} to {to:.4} ({confidence} sure)");
    }
    if let Some(cycle) = &report.cycle {
        let [first, last] = cycle.frames;
        let (seam, degrees) = (100.0 * cycle.seam_metres, cycle.seam_degrees);
        extras += &format!(
            "; loops: frames {first} to {last}, seam of {seam:.1} cm and {degrees:.0}° closed"
        );
    }
    extras
}

/// Helper joints that follow without a card; `None` where there are none.
pub(crate) fn helpers(report: &Report) -> Option<String> {
    let all = report.helpers.iter().map(|(joint, of)| format!("{joint} follows {of}"));
    let all: Vec<String> = all.collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// Largest distance from the solver's goals, in one line; where the grade is worse than PASS, what the grade measures.
pub(crate) fn goals(report: &Report) -> String {
    let stages = report.stages.iter();
    let worst = stages.max_by(|a, b| a.worst.total_cmp(&b.worst));
    let missed = worst.filter(|stage| stage.worst > MET_METRES).map(|stage| {
        format!(
            "furthest off: {}, {} on average, {} in frame {} (on a body of 1.7 m)",
            stage.stage,
            centimetres(stage.end),
            centimetres(stage.worst),
            stage.worst_frame
        )
    });
    let is_graded_down = report.verdict.as_ref().is_some_and(|own| own.verdict > Grade::Pass);
    match (missed, is_graded_down) {
        (Some(missed), false) => missed,
        (None, false) => format!("all met to {}", centimetres(MET_METRES)),
        (missed, true) => {
            let solved =
                missed.unwrap_or_else(|| format!("off by {} at most", centimetres(MET_METRES)));
            let when = if report.contacts.is_some() { " before contacts" } else { "" };
            format!("{solved}{when}; the verdict compares the result with the source")
        }
    }
}

/// The contacts of hands with the body that are uncertain and so not kept, in one line; `None` where there are none.
pub(crate) fn uncertain_contacts(report: &Report) -> Option<String> {
    let all = report.contacts.as_ref()?.contacts.iter();
    let uncertain: Vec<_> = all.filter(|own| own.is_uncertain()).map(|own| &own.contact).collect();
    let likeliest = uncertain.iter().max_by(|a, b| a.confidence.total_cmp(&b.confidence))?;
    let (part, on) = (likeliest.part, likeliest.on?);
    let sure = percent(likeliest.confidence);
    let count = counted(uncertain.len(), "uncertain hand contact");
    let [are, first] = if uncertain.len() > 1 { ["are", "most likely "] } else { ["is", ""] };
    Some(format!(
        "{count} {are} not kept: {first}{part} on {on} ({sure}); to keep one, raise its confidence to 0.5 in the file of \
         --write-contacts and give it to --contacts-from"
    ))
}

/// A grade in its colour.
pub(crate) fn grade(grade: Grade) -> String {
    let style = match grade {
        Grade::Pass => GOOD,
        Grade::Look => WARNING,
        Grade::Fail => ERROR,
    };
    styled(style, grade)
}

/// A finding in a line.
pub(crate) fn finding(finding: &Finding) -> String {
    format!("{}  {}", grade(finding.verdict), finding.in_words())
}

/// Findings, each in a line, and below it what usually helps, once per metric.
pub(crate) fn findings(findings: &[Finding]) -> Vec<String> {
    let mut given = BTreeSet::new();
    let mut lines = Vec::new();
    for own in findings {
        lines.push(finding(own));
        let help = own.help.filter(|help| given.insert(*help));
        lines.extend(help.map(|help| format!("      help: {help}")));
    }
    lines
}

/// A defect of the source in a line.
pub(crate) fn source_defect(defect: &Finding) -> String {
    format!("{}: {}", styled(NAME, "source"), finding(defect))
}

/// Grade and score of a result, its worst findings, and the defects of the source of grade FAIL; with `all` every finding with
/// what usually helps.
pub(crate) fn verdict(verdict: &Verdict, all: bool) -> Vec<String> {
    let head = format!("{}, score {:.2}", grade(verdict.verdict), verdict.score);
    let mut lines = vec![head];
    if all {
        lines.extend(findings(&verdict.reasons));
    } else {
        lines.extend(verdict.reasons.iter().take(MAX_LINES).map(finding));
        let more = verdict.reasons.len().saturating_sub(MAX_LINES);
        lines.extend((more > 0).then(|| format!("and {more} more, listed by -v")));
    }
    let is_failed = |defect: &&Finding| defect.verdict == Grade::Fail;
    lines.extend(verdict.source_defects.iter().filter(is_failed).map(source_defect));
    lines
}

/// A line for each stage, and below it its goals that were missed.
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
    let most = if goal.unit == "m" { MET_METRES } else { MET_DEGREES };
    let name = format!("{}, {}", goal.goal, goal.kind);
    let [mean, worst] = [amount(goal.mean), amount(goal.worst)];
    let line = format!("    {name:25} {mean:>9} off, {worst:>9} in frame {}", goal.worst_frame);
    (goal.worst > most).then_some(line)
}

/// A line for each of the limits that cost most, or for all.
pub(crate) fn limits(report: &Report, all: bool) -> Vec<String> {
    let is_listed = |limit: &&LimitReport| all || limit.worst > MIN_LISTED_METRES;
    let mut lines: Vec<String> = report.limits.iter().filter(is_listed).map(limit).collect();
    if !all && lines.len() > MAX_LINES {
        let more = lines.len() - MAX_LINES;
        lines.truncate(MAX_LINES);
        lines.push(format!("and {more} more, listed by -v"));
    }
    lines
}

fn limit(limit: &LimitReport) -> String {
    let name = shown(&limit.joint);
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
        counted(limit.frames, "frame"),
        limit.seconds,
        limit.first_frame,
        limit.worst_frame,
        limit.overshoot,
        centimetres(limit.worst)
    )
}

/// Number of frames without convergence, if any.
fn unconverged(count: usize) -> String {
    if count == 0 { String::new() } else { format!("; {} not converged", counted(count, "frame")) }
}

/// Metres of a 1.7 m body, as centimetres.
fn centimetres(metres: f64) -> String {
    format!("{:.2} cm", 100.0 * metres)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(verdict: Grade, worst: f64) -> String {
        let stage = StageReport { stage: "body".to_owned(), worst, ..StageReport::default() };
        let verdict = Verdict {
            verdict,
            score: 0.5,
            reasons: Vec::new(),
            source_defects: Vec::new(),
            metrics: Vec::new(),
            frames: 1,
        };
        goals(&Report { stages: vec![stage], verdict: Some(verdict), ..Report::default() })
    }

    #[test]
    fn goals_do_not_deny_the_verdict() {
        assert_eq!(line(Grade::Pass, 0.0), "all met to 0.01 cm");
        for grade in [Grade::Look, Grade::Fail] {
            for worst in [0.0, 0.02] {
                let line = line(grade, worst);
                assert!(!line.contains("met"), "{line}");
                assert!(
                    line.ends_with("the verdict compares the result with the source"),
                    "{line}"
                );
            }
        }
    }
}
