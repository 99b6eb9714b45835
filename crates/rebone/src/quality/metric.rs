//! Figures, their bounds, and what follows from them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

/// How good something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Grade {
    /// As it should be.
    Pass,
    /// Somebody should look at it.
    Look,
    /// Anybody would see that it is wrong.
    Fail,
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

/// What was measured of a result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Metric {
    /// Its name, as in `thresholds.toml`, which says what it is.
    pub name: &'static str,
    /// In plain words.
    pub label: &'static str,
    /// Its unit; empty of a plain number.
    pub unit: &'static str,
    /// The less, the better.
    pub value: f64,
    /// Beyond this somebody should look at it.
    pub look: f64,
    /// Beyond this it is wrong.
    pub fail: f64,
    /// How good it is.
    pub verdict: Grade,
}

/// A figure over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What it is: the name of a figure, or a foot.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// One value a frame.
    pub values: Vec<f64>,
}

/// Why a result is not better.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// In words.
    pub text: String,
    /// The frames where it is worst, the first and the last, counted from 0; `None` of the whole clip.
    pub frames: Option<[usize; 2]>,
    /// How bad it is.
    pub verdict: Grade,
    /// The figure over its bound, by which reasons are sorted.
    #[serde(skip)]
    weight: f64,
}

impl Finding {
    /// What is no figure.
    pub(crate) fn note(text: String) -> Self {
        Self { text, frames: None, verdict: Grade::Look, weight: 0.0 }
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bounds {
    look: f64,
    fail: f64,
    weight: f64,
}

/// The bounds of all figures.
static BOUNDS: LazyLock<BTreeMap<String, Bounds>> = LazyLock::new(|| {
    // A test reads it: it is part of the program.
    toml_edit::de::from_str(include_str!("thresholds.toml")).unwrap_or_default()
});

/// Names, what they are in words, and units.
const LABELS: [(&str, &str, &str); 21] = [
    ("events", "contacts that only one of the two has", ""),
    ("onset", "begin of contacts", "ms"),
    ("slide", "worst slide of a foot in contact", "cm"),
    ("floor", "height of the floor", "cm"),
    ("depth", "deepest sole in the floor", "cm"),
    ("float", "highest foot in contact", "cm"),
    ("arms", "places of the wrists", "%"),
    ("legs", "places of the ankles", "%"),
    ("limbs", "directions of limbs", "deg"),
    ("pelvis", "turn of the pelvis", "deg"),
    ("chest", "turn of the chest", "deg"),
    ("head", "turn of the head", "deg"),
    ("hands", "turn of the hands", "deg"),
    ("feet", "turn of the feet", "deg"),
    ("touch", "distances of hands that are near", "cm"),
    ("pops", "pops a minute", ""),
    ("jerk", "jerk over the source's", ""),
    ("path", "path over the floor", "cm"),
    ("heading", "heading", "deg"),
    ("late", "delay", "ms"),
    ("doubt", "doubt of what is understood", ""),
];

/// Gathers figures and reasons.
pub(crate) struct MetricCollector {
    pub(crate) frame_time: f64,
    pub(crate) figures: Vec<Metric>,
    pub(crate) source_defects: Vec<Finding>,
    pub(crate) curves: Vec<Curve>,
    reasons: Vec<Finding>,
}

impl MetricCollector {
    pub(crate) fn new(frame_time: f64) -> Self {
        let (figures, source_defects) = (Vec::new(), Vec::new());
        Self { frame_time, figures, source_defects, curves: Vec::new(), reasons: Vec::new() }
    }

    /// Adds a figure; where it is beyond its bounds, `text` says so of the frames where it is worst.
    pub(crate) fn figure(
        &mut self,
        name: &'static str,
        value: f64,
        frames: Option<Range<usize>>,
        text: impl FnOnce() -> String,
    ) {
        let label = LABELS.iter().find(|label| label.0 == name);
        let (Some((name, label, unit)), Some(bounds)) = (label, BOUNDS.get(name)) else { return };
        let Bounds { look, fail, .. } = *bounds;
        let verdict = level(value, bounds);
        if verdict > Grade::Pass {
            let frames = frames.as_ref().map(ends);
            self.reasons.push(Finding { text: text(), frames, verdict, weight: value / fail });
        }
        self.figures.push(Metric { name, label, unit, value, look, fail, verdict });
    }

    /// Adds what somebody should know, and may want so.
    pub(crate) fn note(&mut self, text: &str) {
        self.reasons.push(Finding::note(text.to_owned()));
    }

    /// Adds a figure over time.
    pub(crate) fn curve(&mut self, name: impl Into<String>, unit: &'static str, values: Vec<f64>) {
        self.curves.push(Curve { name: name.into(), unit, values });
    }

    /// Adds what is wrong with the source, by the bounds of a figure.
    pub(crate) fn source_defect(
        &mut self,
        name: &str,
        value: f64,
        frames: Range<usize>,
        text: String,
    ) {
        let Some(bounds) = BOUNDS.get(name) else { return };
        let verdict = level(value, bounds);
        if verdict > Grade::Pass {
            let frames = Some(ends(&frames));
            self.source_defects.push(Finding {
                text,
                frames,
                verdict,
                weight: value / bounds.fail,
            });
        }
    }

    /// The worst level, and the score.
    pub(crate) fn verdict(&self) -> (Grade, f64) {
        let worst = self.reasons.iter().map(|reason| reason.verdict).max().unwrap_or(Grade::Pass);
        let cost = |figure: &Metric| {
            let weight = BOUNDS.get(figure.name).map_or(0.0, |bounds| bounds.weight);
            weight * figure.value / figure.fail
        };
        let score = 1.0 / (1.0 + self.figures.iter().map(cost).sum::<f64>());
        (worst, if score.is_nan() { 0.0 } else { score })
    }

    /// The reasons, the worst first.
    pub(crate) fn reasons(&mut self) -> Vec<Finding> {
        let mut reasons = std::mem::take(&mut self.reasons);
        reasons.sort_by(|a, b| b.verdict.cmp(&a.verdict).then(b.weight.total_cmp(&a.weight)));
        reasons
    }
}

/// The first and the last frame.
fn ends(frames: &Range<usize>) -> [usize; 2] {
    [frames.start, frames.end.saturating_sub(1).max(frames.start)]
}

fn level(value: f64, bounds: &Bounds) -> Grade {
    match value {
        value if value >= bounds.fail || value.is_nan() => Grade::Fail,
        value if value >= bounds.look => Grade::Look,
        _ => Grade::Pass,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_figure_has_bounds_and_a_label() {
        assert_eq!(BOUNDS.len(), LABELS.len());
        for (name, label, _) in LABELS {
            let bounds = BOUNDS[name];
            assert!(
                0.0 < bounds.look && bounds.look < bounds.fail && bounds.weight > 0.0,
                "{name}"
            );
            assert!(!label.is_empty());
        }
    }
}
