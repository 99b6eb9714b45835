//! The confidence gate: roles and calibrations that are too uncertain to use without asking.

use crate::body::{Anatomy, CalibrationSource};
use crate::error::CharacterError;
use rebone_skeleton::JointId;
use rebone_skeleton::selector::select;
use std::path::Path;

/// Least probability of a role or a floor that is used without asking.
pub const MIN_ROLE_CONFIDENCE: f64 = 0.5;

/// Least probability that a calibration is right to 10 degrees which is used without asking: that of a standard
/// deviation of 30 degrees.
pub const MIN_CALIBRATION_CONFIDENCE: f64 = 0.26;

/// Whether a calibration is used without asking: one that is stated always is, and of one that is taken over from
/// another file, that file is asked. One on a motion, in which the body never stands, needs limbs of likely proportions
/// where names do not say which they are.
pub fn accepts_calibration(anatomy: &Anatomy) -> bool {
    let is_stated =
        matches!(anatomy.calibration, CalibrationSource::Given | CalibrationSource::SameRig);
    let is_sure = anatomy.confidence >= MIN_CALIBRATION_CONFIDENCE;
    is_stated || is_sure && anatomy.limb_confidence >= MIN_ROLE_CONFIDENCE
}

/// Checks that roles and calibration of a file are certain enough to use without asking.
///
/// # Errors
/// When a guess is too uncertain; holds the lines of a card that settle it.
pub fn check_confidence(path: &Path, anatomy: &Anatomy) -> Result<(), CharacterError> {
    let name = |id: JointId| select(&anatomy.skeleton, id);
    let (mut doubts, mut roles) = (Vec::new(), Vec::new());
    let mut lines = String::new();
    let doubts_limbs = anatomy.limb_confidence < MIN_ROLE_CONFIDENCE;
    if !accepts_calibration(anatomy) && doubts_limbs {
        let limbs = percent(anatomy.limb_confidence);
        doubts.push(format!(
            "whether its arms and legs are that: their lengths are no body's ({limbs})"
        ));
        let limb = |id: JointId| anatomy.roles.of(id);
        roles.extend(anatomy.body.limbs().filter_map(limb));
    } else if !accepts_calibration(anatomy) {
        doubts.push(format!("in which pose it stands straight ({})", percent(anatomy.confidence)));
        lines += "pose_from = \"rest\" # or \"FILE:FRAME\": where it stands straight\n";
    }
    for (id, assigned) in anatomy.skeleton.ids().zip(&anatomy.roles.by_joint) {
        let Some(assigned) = assigned else { continue };
        let role = assigned.role;
        if assigned.confidence < MIN_ROLE_CONFIDENCE && !roles.contains(&role) {
            let other = assigned.runner_up.map_or(String::new(), |id| format!(" or {}", name(id)));
            let confidence = percent(assigned.confidence);
            doubts.push(format!("whether {} is {}{other} ({confidence})", role.name(), name(id)));
            roles.push(role);
        }
    }
    if doubts.is_empty() {
        return Ok(());
    }
    if !roles.is_empty() {
        lines += "[roles]\n";
    }
    for role in roles {
        let joints: Vec<String> = anatomy.roles.joints(role).map(name).collect();
        lines += &match &joints[..] {
            [joint] if !role.is_list() => format!("{} = {joint:?}\n", role.name()),
            joints => format!("{} = {joints:?}\n", role.name()),
        };
    }
    let (path, card_lines) = (path.to_owned(), lines.trim_end().to_owned());
    Err(CharacterError::LowConfidence { path, doubts, card_lines })
}

fn percent(probability: f64) -> String {
    format!("{:.0} %", 100.0 * probability)
}
