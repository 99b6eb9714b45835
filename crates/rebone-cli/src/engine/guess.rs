//! Guesses that are too weak to go on without asking.

use super::percent;
use crate::args::Which;
use crate::exit_code::{ExitCode, Failure};
use rebone::Character;
use rebone::body::{Anatomy, CalibrationSource};
use rebone::skeleton::JointId;
use rebone::skeleton::selector::select;

/// The least probability of a role or a floor that is used without asking.
pub(crate) const SURE_ENOUGH: f64 = 0.5;

/// The least probability that a calibration is right to 10 degrees which is used without asking: that of
/// a standard deviation of 30 degrees.
const CALIBRATED: f64 = 0.26;

/// Whether the calibration is used without asking. One that a card or the user gives is, however sure the
/// card says it was; of one that is taken over from another file, that file is asked.
pub(super) fn accepts(anatomy: &Anatomy) -> bool {
    let is_given =
        matches!(anatomy.calibration, CalibrationSource::Given | CalibrationSource::Kind);
    is_given || anatomy.confidence >= CALIBRATED
}

/// Refuses where a guess is too weak; the help holds the lines for the card, best guess filled in.
pub(crate) fn check(loaded: &Character, anatomy: &Anatomy, which: Which) -> Result<(), Failure> {
    let name = |id: JointId| select(&anatomy.skeleton, id);
    let (mut said, mut roles) = (Vec::new(), Vec::new());
    let mut lines = String::new();
    if !accepts(anatomy) {
        said.push(format!("in which pose it stands straight ({})", percent(anatomy.confidence)));
        lines += "pose_from = \"rest\" # or \"FILE:FRAME\": where it stands straight\n";
    }
    for (id, assigned) in anatomy.skeleton.ids().zip(&anatomy.roles.by_joint) {
        let Some(assigned) = assigned else { continue };
        let role = assigned.role;
        if assigned.confidence < SURE_ENOUGH && !roles.contains(&role) {
            let other = assigned.runner_up.map_or(String::new(), |id| format!(" or {}", name(id)));
            let sure = percent(assigned.confidence);
            said.push(format!("whether {} is {}{other} ({sure})", role.name(), name(id)));
            roles.push(role);
        }
    }
    if said.is_empty() {
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
    let path = loaded.path().display();
    let option = match which {
        Which::Source => "--source-card",
        Which::Target => "--target-card",
    };
    let message = format!("{path}: not sure {}", said.join("; "));
    Err(Failure::new(ExitCode::Guess, anyhow::Error::msg(message)).with_help(format!(
        "put this into a card, corrected where it is wrong, and give it with {option}; or go on \
         with --accept-guesses:\n{}",
        lines.trim_end()
    )))
}
