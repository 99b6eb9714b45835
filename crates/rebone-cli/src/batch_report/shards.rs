//! Prints what a survey for cards found, and what a merge of shards holds.

use super::{plan::say_class, say_worst};
use crate::exit_code::{ExitCode, Failure};
use crate::terminal::{Terminal, counted};
use rebone_batch::{CardState, CardsOutcome, MergedShards, WorstResult, path_text};
use serde_json::{Value, json};

/// Largest number of files that are named.
const MAX_UNREAD: usize = 10;

/// Grades, in the order in which they are counted.
const GRADES: [&str; 3] = ["PASS", "LOOK", "FAIL"];

/// Exit code of a survey for cards: a class without a card leaves its clips undone.
pub(crate) fn cards_exit_code(outcome: &CardsOutcome) -> ExitCode {
    let is_fault = outcome.classes.iter().any(|own| matches!(own.card, CardState::Fault(_)));
    if is_fault { ExitCode::Partial } else { ExitCode::Success }
}

/// Prints the card of each rig class.
pub(crate) fn cards(outcome: &CardsOutcome, terminal: &Terminal) -> Result<(), Failure> {
    let classes = outcome.classes.iter().map(|class| say_class(class, "made", terminal));
    let classes: Vec<Value> = classes.collect::<std::io::Result<_>>()?;
    let CardsOutcome { files, waiting, unread, .. } = outcome;
    for (path, fault) in unread.iter().take(MAX_UNREAD) {
        terminal.warn(&format!("{}: {}", path.display(), fault.message));
    }
    let more = match waiting {
        0 => String::new(),
        count => format!(", {count} of them had waited for a card"),
    };
    let text = format!("{}{more}; {} cannot be read", counted(*files, "file"), unread.len());
    terminal.line("surveyed", text)?;
    let unread =
        unread.iter().map(|(path, fault)| json!({ "input": path_text(path), "error": fault }));
    Ok(terminal.json(&json!({
        "rig_classes": classes, "files": files, "waiting": waiting, "unread": unread.collect::<Vec<_>>(),
    }))?)
}

/// Prints the counts of a merged manifest, the results to look at first, and the shards that are missing.
pub(crate) fn merged_shards(merged: &MergedShards, terminal: &Terminal) -> Result<(), Failure> {
    let [done, failed, no_card, skipped] = merged.counts;
    let found = merged.shards as usize - merged.missing.len() - merged.unfinished.len();
    terminal.line("merged", format!("{found} of {} shards", merged.shards))?;
    let counts =
        format!("{done} done, {failed} failed, {no_card} without a card, {skipped} skipped");
    terminal.line("results", counts)?;
    let verdicts = GRADES.map(|word| merged.verdicts.get(word).copied().unwrap_or_default());
    if verdicts.iter().sum::<usize>() > 0 {
        let [pass, look, fail] = verdicts;
        terminal.line("verdicts", format!("{pass} PASS, {look} LOOK, {fail} FAIL"))?;
    }
    for WorstResult { verdict, score, output, reason } in &merged.worst {
        say_worst(verdict, *score, &path_text(output), reason.as_deref(), terminal)?;
    }
    let other = "with other options, or made by another version, than most results";
    for (word, numbers, rest) in [
        ("missing", &merged.missing, "and merge again"),
        ("unfinished", &merged.unfinished, "and merge again"),
        (other, &merged.mixed, "again with the same"),
    ] {
        if !numbers.is_empty() {
            let count = numbers.len();
            terminal.warn(&format!(
                "{} {word}: {}; make {} {rest}",
                counted(count, "shard"),
                ranges(numbers),
                if count == 1 { "it" } else { "them" }
            ));
        }
    }
    terminal.line("wrote", merged.manifest.display())?;
    let worst = merged.worst.iter().map(|own| {
        json!({ "verdict": own.verdict, "score": own.score, "output": path_text(&own.output), "reason": own.reason })
    });
    Ok(terminal.json(&json!({
        "shards": merged.shards, "missing": merged.missing, "unfinished": merged.unfinished,
        "mixed": merged.mixed,
        "done": done, "failed": failed, "no_card": no_card, "skipped": skipped,
        "verdicts": merged.verdicts, "worst": worst.collect::<Vec<_>>(),
        "manifest": merged.manifest.display().to_string(),
    }))?)
}

/// Numbers in their order as ranges, `0-3,7`, as `sbatch --array` takes them.
fn ranges(numbers: &[u32]) -> String {
    let mut ranges: Vec<[u32; 2]> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some([_, last]) if *last + 1 == number => *last = number,
            _ => ranges.push([number; 2]),
        }
    }
    let text = |&[first, last]: &[u32; 2]| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    ranges.iter().map(text).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_follow_each_other_are_ranges() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
    }
}
