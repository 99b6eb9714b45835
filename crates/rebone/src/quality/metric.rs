//! Metrics, their thresholds, grades and findings.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

/// Grade of a metric or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Grade {
    /// No visible defect.
    Pass,
    /// To be looked at.
    Look,
    /// Visible defect.
    Fail,
}

impl Grade {
    /// All grades, the worst last.
    pub const ALL: [Self; 3] = [Self::Pass, Self::Look, Self::Fail];

    /// Scores that results of this grade can have, by the thresholds of all metrics.
    pub fn scores(self) -> RangeInclusive<f64> {
        let sum = |part: fn(&Thresholds) -> f64| METRICS.values().map(part).sum::<f64>();
        let least_weight = METRICS.values().map(|entry| entry.weight).fold(1.0, f64::min);
        let [least_cost, most_cost] = match self {
            Self::Pass => [0.0, sum(|entry| entry.weight * entry.look / entry.fail)],
            Self::Look => [0.0, sum(|entry| entry.weight)],
            Self::Fail => [least_weight, f64::INFINITY],
        };
        let rounding = 1e-9;
        1.0 / (1.0 + most_cost) - rounding..=1.0 / (1.0 + least_cost) + rounding
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str(match self {
            Self::Pass => "PASS",
            Self::Look => "LOOK",
            Self::Fail => "FAIL",
        })
    }
}

/// One measure of a result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Metric {
    /// Name, as in `thresholds.toml`, which describes it.
    pub name: &'static str,
    /// Label for people.
    pub label: &'static str,
    /// Unit; empty for a plain number.
    pub unit: &'static str,
    /// Value: smaller is better.
    pub value: f64,
    /// Threshold of LOOK.
    pub look: f64,
    /// Threshold of FAIL.
    pub fail: f64,
    /// Grade.
    pub verdict: Grade,
}

impl Metric {
    /// A value by the thresholds of a metric; `None` of a name that no metric has.
    ///
    /// ```
    /// use rebone::quality::{Grade, Metric};
    ///
    /// assert_eq!(Metric::of("contact_mismatch", 0.0).map(|own| own.verdict), Some(Grade::Pass));
    /// ```
    pub fn of(name: &str, value: f64) -> Option<Self> {
        let (name, entry) = METRICS.get_key_value(name)?;
        let Thresholds { label, unit, look, fail, .. } = entry;
        let (look, fail, verdict) = (*look, *fail, grade(value, entry));
        Some(Self { name, label, unit, value, look, fail, verdict })
    }
}

/// A metric over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Name of a metric, or of a foot.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    /// One value per frame.
    pub values: Vec<f64>,
}

/// A reason against a result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Text, with the limb.
    pub text: String,
    /// The frames where it is worst: the first and the last, both included, counted from 0; `None` for the whole clip.
    pub frames: Option<[usize; 2]>,
    /// Grade.
    pub verdict: Grade,
    /// Usual remedy; missing for notes and defects of the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<&'static str>,
    /// The metric over its threshold, by which findings are sorted.
    #[serde(skip)]
    weight: f64,
}

impl Finding {
    /// A finding without a metric.
    pub(crate) fn note(text: String) -> Self {
        Self { text, frames: None, verdict: Grade::Look, help: None, weight: 0.0 }
    }

    /// Its text with the frames: `left foot slides by 3 cm (frames 10 to 20)`.
    pub fn in_words(&self) -> String {
        let frames = self.frames.map_or(String::new(), |[from, to]| match from == to {
            true => format!(" (frame {from})"),
            false => format!(" (frames {from} to {to})"),
        });
        format!("{}{frames}", self.text)
    }
}

/// A metric's entry in `thresholds.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Thresholds {
    label: String,
    unit: String,
    #[allow(dead_code, reason = "docs/verdict.md is generated from it")]
    measures: String,
    look: f64,
    fail: f64,
    weight: f64,
    /// What other metrics see as well; without it only this one sees it.
    fault: Option<String>,
    help: String,
}

/// Entries of all metrics by name.
static METRICS: LazyLock<BTreeMap<String, Thresholds>> = LazyLock::new(|| {
    // A test reads it: it is part of the program.
    toml_edit::de::from_str(include_str!("thresholds.toml")).unwrap_or_default()
});

/// Collects metrics and findings.
pub(crate) struct MetricCollector {
    pub(crate) frame_time: f64,
    pub(crate) metrics: Vec<Metric>,
    pub(crate) source_defects: Vec<Finding>,
    pub(crate) curves: Vec<Curve>,
    reasons: Vec<Finding>,
}

impl MetricCollector {
    pub(crate) fn new(frame_time: f64) -> Self {
        let (metrics, source_defects) = (Vec::new(), Vec::new());
        Self { frame_time, metrics, source_defects, curves: Vec::new(), reasons: Vec::new() }
    }

    /// Adds a metric; beyond its thresholds, adds a finding with `text` for the worst frames.
    pub(crate) fn metric(
        &mut self,
        name: &'static str,
        value: f64,
        frames: Option<Range<usize>>,
        text: impl FnOnce() -> String,
    ) {
        let (Some(metric), Some(entry)) = (Metric::of(name, value), METRICS.get(name)) else {
            return;
        };
        let verdict = metric.verdict;
        if verdict > Grade::Pass {
            let (frames, weight) = (frames.as_ref().map(ends), value / metric.fail);
            let help = Some(entry.help.as_str());
            self.reasons.push(Finding { text: text(), frames, verdict, help, weight });
        }
        self.metrics.push(metric);
    }

    /// Adds a note.
    pub(crate) fn note(&mut self, text: &str) {
        self.reasons.push(Finding::note(text.to_owned()));
    }

    /// Adds a metric over time.
    pub(crate) fn curve(&mut self, name: impl Into<String>, unit: &'static str, values: Vec<f64>) {
        self.curves.push(Curve { name: name.into(), unit, values });
    }

    /// Adds a defect of the source, by the thresholds of a metric.
    pub(crate) fn source_defect(
        &mut self,
        name: &str,
        value: f64,
        frames: Range<usize>,
        text: String,
    ) {
        let Some(entry) = METRICS.get(name) else { return };
        let verdict = grade(value, entry);
        if verdict > Grade::Pass {
            let (frames, weight) = (Some(ends(&frames)), value / entry.fail);
            self.source_defects.push(Finding { text, frames, verdict, help: None, weight });
        }
    }

    /// Grade and score of the result.
    pub(crate) fn verdict(&self) -> (Grade, f64) {
        let worst = self.reasons.iter().map(|reason| reason.verdict).max().unwrap_or(Grade::Pass);
        (worst, score(&self.metrics))
    }

    /// Findings, the worst first.
    pub(crate) fn reasons(&mut self) -> Vec<Finding> {
        let mut reasons = std::mem::take(&mut self.reasons);
        reasons.sort_by(|a, b| b.verdict.cmp(&a.verdict).then(b.weight.total_cmp(&a.weight)));
        reasons
    }
}

/// Returns the score of a result: each fault counts once, by the metric that sees it most.
fn score(metrics: &[Metric]) -> f64 {
    let mut costs: BTreeMap<&str, f64> = BTreeMap::new();
    for Metric { name, value, fail, .. } in metrics {
        let Some(entry) = METRICS.get(*name) else { continue };
        let cost = entry.weight * value / fail;
        if cost.is_nan() {
            return 0.0;
        }
        let most = costs.entry(entry.fault.as_deref().unwrap_or(name)).or_default();
        *most = most.max(cost);
    }
    1.0 / (1.0 + costs.values().sum::<f64>())
}

/// The first and the last frame.
fn ends(frames: &Range<usize>) -> [usize; 2] {
    [frames.start, frames.end.saturating_sub(1).max(frames.start)]
}

fn grade(value: f64, entry: &Thresholds) -> Grade {
    match value {
        value if value >= entry.fail || value.is_nan() => Grade::Fail,
        value if value >= entry.look => Grade::Look,
        _ => Grade::Pass,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grade_rules_scores_out() {
        let holds = |grade: Grade, score: f64| grade.scores().contains(&score);
        assert!(Grade::ALL.iter().all(|grade| !holds(*grade, 2.0) && !holds(*grade, f64::NAN)));
        assert!(holds(Grade::Pass, 1.0) && holds(Grade::Look, 1.0) && !holds(Grade::Fail, 1.0));
        assert!(!holds(Grade::Pass, 0.05) && holds(Grade::Look, 0.1) && holds(Grade::Fail, 0.0));
    }

    #[test]
    fn a_fault_that_several_metrics_see_counts_once() {
        let scored = |values: &[(&'static str, f64)]| {
            let mut collector = MetricCollector::new(0.1);
            values
                .iter()
                .for_each(|&(name, value)| collector.metric(name, value, None, String::new));
            collector.verdict().1
        };
        let leg = scored(&[("leg_direction", 40.0)]);
        assert!((leg - 0.5).abs() < 1e-12);
        assert_eq!(scored(&[("legs", 15.0), ("leg_direction", 40.0)]), leg);
        assert_eq!(scored(&[("legs", 30.0), ("leg_direction", 10.0)]), leg);
        assert!(scored(&[("feet", 1.0), ("leg_direction", 40.0)]) < leg);
        assert_eq!(scored(&[("legs", f64::NAN), ("leg_direction", 40.0)]), 0.0);
    }

    #[test]
    fn each_metric_has_thresholds_a_label_and_help() {
        assert_eq!(METRICS.len(), 26);
        for (name, entry) in METRICS.iter() {
            assert!(0.0 < entry.look && entry.look < entry.fail && entry.weight > 0.0, "{name}");
            assert!(!entry.label.is_empty() && !entry.help.is_empty(), "{name}");
            assert!(!entry.measures.is_empty(), "{name}");
        }
    }
}
