//! Prints what results of a batch leave open: weak guesses, warnings, leading poses, wide seams.

use super::{MAX_EXAMPLES, examples};
use crate::engine::percent;
use crate::exit_code::Failure;
use crate::terminal::Terminal;
use rebone::{MAX_SEAM, MIN_ROLE_CONFIDENCE};
use rebone_batch::manifest::ManifestLine;
use rebone_batch::{BatchOutcome, path_text};
use std::collections::{BTreeMap, BTreeSet};

/// Prints which results rest on weak guesses, and the most frequent warnings.
pub(super) fn say_doubts(outcome: &BatchOutcome, terminal: &Terminal) -> Result<(), Failure> {
    let is_unsure = |line: &&ManifestLine| {
        let confidence = line.result.as_ref().map(|result| result.confidence);
        confidence.is_some_and(|own| own.into_iter().fold(1.0, f64::min) < MIN_ROLE_CONFIDENCE)
    };
    let unsure = outcome.all().filter(is_unsure);
    let names: Vec<String> =
        unsure.filter_map(|line| line.output.as_deref()).map(path_text).collect();
    if !names.is_empty() {
        let line = format!(
            "{:>5}  from a clip or rig that is less than {} sure: {}",
            names.len(),
            percent(MIN_ROLE_CONFIDENCE),
            examples(&names, MAX_EXAMPLES)
        );
        terminal.line("unsure", line)?;
    }
    let mut warnings: BTreeMap<&str, usize> = BTreeMap::new();
    for warning in outcome.all().flat_map(|line| &line.warnings) {
        *warnings.entry(warning).or_default() += 1;
    }
    let mut warnings: Vec<_> = warnings.into_iter().collect();
    warnings.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    for (warning, count) in warnings.into_iter().take(MAX_EXAMPLES) {
        terminal.line("warning", format!("{count:>5}  {warning}"))?;
    }
    Ok(())
}

/// Counts clips without a leading pose, where one was to be dropped.
pub(super) fn say_leading_poses(
    outcome: &BatchOutcome,
    terminal: &Terminal,
) -> std::io::Result<()> {
    let is_without =
        |line: &&ManifestLine| line.result.as_ref().is_some_and(|result| result.no_leading_pose);
    let clip =
        |line: &ManifestLine| (line.input.clone(), line.part.as_ref().map(|part| part.index));
    let clips: BTreeSet<_> = outcome.all().filter(is_without).map(clip).collect();
    match clips.len() {
        0 => Ok(()),
        1 => terminal.line("leading", "    1  clip has no leading pose: it is whole"),
        count => terminal
            .line("leading", format!("{count:>5}  clips have no leading pose: they are whole")),
    }
}

/// Counts cycles whose seams are too wide for a cycle, and names the worst.
pub(super) fn say_seams(outcome: &BatchOutcome, terminal: &Terminal) -> std::io::Result<()> {
    let wide = |line| -> Option<(f64, String, [f64; 2])> {
        let ManifestLine { output, result, .. }: &ManifestLine = line;
        let seam = result.as_ref()?.seam?;
        let width = (seam[0] / MAX_SEAM[0]).max(seam[1] / MAX_SEAM[1]);
        (width > 1.0).then_some((width, path_text(output.as_deref()?), seam))
    };
    let mut wide: Vec<_> = outcome.all().filter_map(wide).collect();
    wide.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let Some((_, name, [metres, degrees])) = wide.first() else { return Ok(()) };
    let are = match wide.len() {
        1 => "cycle has a wide seam:",
        _ => "cycles have wide seams: worst",
    };
    let text =
        format!("{:>5}  {are} {name}, {:.0} cm and {degrees:.0}°", wide.len(), 100.0 * metres);
    terminal.line("seams", text)
}
