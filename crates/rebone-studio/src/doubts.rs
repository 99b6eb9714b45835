//! Guesses of the program that a person should look at, the worst first.

use crate::request::Side;
use crate::summary::CharacterSummary;
use serde::Serialize;

/// Probability from which a guess is no doubt.
const CERTAIN: f64 = 0.9;

/// A guess that a person should look at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Doubt {
    side: Side,
    /// `role`, `calibration` or `warning`.
    kind: &'static str,
    text: String,
    /// Probability that the guess is right; `null` of a warning.
    confidence: Option<f64>,
    /// The joint it is about.
    joint: Option<usize>,
    /// The program stops at it unless guesses are accepted.
    blocks: bool,
}

/// Returns the doubts of both sides: guesses below confidence, the least certain first, then warnings.
pub(crate) fn doubts(sides: [Option<&CharacterSummary>; 2]) -> Vec<Doubt> {
    let sides = [Side::Source, Side::Target].into_iter().zip(sides);
    let known = sides.filter_map(|(side, summary)| Some((side, summary?)));
    let mut all: Vec<Doubt> = known.flat_map(|(side, summary)| of_side(side, summary)).collect();
    let key = |doubt: &Doubt| doubt.confidence.unwrap_or(1.0);
    all.sort_by(|a, b| b.blocks.cmp(&a.blocks).then(key(a).total_cmp(&key(b))));
    all
}

fn of_side(side: Side, summary: &CharacterSummary) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    if summary.calibration_confidence < CERTAIN || !summary.calibration_accepted {
        doubts.push(Doubt {
            side,
            kind: "calibration",
            text: summary.calibration.clone(),
            confidence: Some(summary.calibration_confidence),
            joint: None,
            blocks: !summary.calibration_accepted,
        });
    }
    for joint in &summary.joints {
        let Some(role) = joint.role.as_ref().filter(|role| role.confidence < CERTAIN) else {
            continue;
        };
        doubts.push(Doubt {
            side,
            kind: "role",
            text: format!("{} is {}: {}", role.name, joint.name, role.reason),
            confidence: Some(role.confidence),
            joint: Some(joint.index),
            blocks: !role.accepted,
        });
    }
    doubts.extend(summary.warnings.iter().map(|text| Doubt {
        side,
        kind: "warning",
        text: text.clone(),
        confidence: None,
        joint: None,
        blocks: false,
    }));
    doubts
}
