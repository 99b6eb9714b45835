//! Guesses of the program that a person should look at, the worst first.

use crate::request::Side;
use crate::summary::{CharacterSummary, RoleSummary};
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

/// Returns whether a person should look at a role: the program stops at it, or it is of a class of guesses of which more than
/// 2 % were wrong in real files with known roles: those with another joint for the role, and collar bones without a name
/// (docs/experiments.md).
fn is_doubtful(role: &RoleSummary) -> bool {
    let is_often_wrong = role.runner_up.is_some() || role.name.ends_with("Shoulder");
    !role.accepted || (role.confidence < CERTAIN && is_often_wrong)
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
        let Some(role) = joint.role.as_ref().filter(|role| is_doubtful(role)) else {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn role(name: &str, confidence: f64, runner_up: Option<&str>) -> RoleSummary {
        RoleSummary {
            name: name.to_owned(),
            confidence,
            accepted: confidence >= 0.5,
            reason: String::new(),
            runner_up: runner_up.map(str::to_owned),
        }
    }

    #[test]
    fn classes_of_guesses_that_are_hardly_ever_wrong_are_no_doubts() {
        for (own, expected) in [
            (role("leftLowerLeg", 0.84, None), false),
            (role("leftLowerLeg", 0.82, Some("j7")), true),
            (role("leftLowerLeg", 0.95, Some("j7")), false),
            (role("leftLowerLeg", 0.45, None), true),
            (role("leftShoulder", 0.80, None), true),
            (role("leftShoulder", 0.97, None), false),
            (role("leftIndex", 0.85, None), false),
        ] {
            assert_eq!(is_doubtful(&own), expected, "{own:?}");
        }
    }

    /// A rig with the names of Mixamo has no doubt: "LeftLeg is leftLowerLeg" is 84 % sure, and never was wrong.
    #[test]
    fn a_rig_with_known_names_has_no_doubts() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/characters/person.glb");
        let bytes = std::fs::read(path).unwrap();
        let character = rebone::Character::parse("person.glb", bytes, rebone::Selection::default());
        let character = character.unwrap();
        let anatomy = character.analyse().unwrap();
        let summary = CharacterSummary::new(&character, &anatomy);
        let least = summary.weakest_role.clone().unwrap();
        assert!(least.1 < CERTAIN, "{least:?}");
        assert_eq!(doubts([None, Some(&summary)]), []);
    }
}
