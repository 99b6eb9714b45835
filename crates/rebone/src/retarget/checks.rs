//! Checks that options fit the characters and the format of the result.

use super::added_root::check_root_bone;
use crate::align::Plan;
use crate::clip::BodyMask;
use crate::error::Error;
use crate::options::{GroundMode, Options, RootMotion};
use rebone_body::Character;
use rebone_skeleton::Format;
use std::path::Path;

/// Largest ratio of a target's travel to the travel that its legs say.
const MAX_TRAVEL_RATIO: f64 = 100.0;

/// Checks that a character's file can be written in a format, under a name.
///
/// # Errors
/// When the format does not hold what the options ask for, or is a VRM and the target is none.
pub(super) fn check_format(
    target: &Character,
    options: &Options,
    format: Format,
    name: &Path,
) -> Result<(), Error> {
    if options.root == RootMotion::RootBone && format == Format::Vrma {
        let message = "--root root-bone: a .vrma has no joint above the hips; name a .vrm or .glb";
        return Err(Error::Conflict(message.to_owned()));
    }
    let is_vrm = target.document().is_vrm();
    if format != Format::Vrm || (is_vrm && !options.animation_only) {
        return Ok(());
    }
    let why = if is_vrm { "joints and motion alone are" } else { "the target is" };
    let (other, name) = (name.with_extension("glb"), name.display().to_string());
    Err(Error::NoVrm { name, why, other })
}

/// Checks that the options fit both bodies.
pub(super) fn check_plan(plan: &Plan, target: &Character) -> Result<(), Error> {
    check_root_bone(plan, target)?;
    let ratio = plan.travel_scale / plan.path_scale;
    if !(1.0 / MAX_TRAVEL_RATIO..MAX_TRAVEL_RATIO).contains(&ratio) {
        return Err(Error::Conflict(format!(
            "--travel metric: by their units the target would go {ratio:.3e} times as far as its legs say: state \
             units with --unit"
        )));
    }
    Ok(())
}

/// Checks that a mask does not leave out the joint that root motion or floor move.
pub(super) fn check_mask(plan: &Plan, mask: Option<&BodyMask>) -> Result<(), Error> {
    let options = &plan.options;
    let stays = mask.is_some_and(|mask| !mask.follows(plan.translation_joint));
    let moves = [
        ("--ground on", options.ground == GroundMode::On),
        ("--root", options.root != RootMotion::World),
    ];
    match moves.into_iter().find(|own| own.1 && stays) {
        Some((option, _)) => Err(Error::Conflict(format!(
            "{option} moves the hips, which --only leaves out: add hips or lower to --only"
        ))),
        None => Ok(()),
    }
}
