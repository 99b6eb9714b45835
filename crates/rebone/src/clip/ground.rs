//! Height of the result's floor: kept, moved to zero, or moved to the rig's own floor.

use super::evidence::Evidence;
use super::floor::lift;
use super::input::ClipInput;
use crate::align::Plan;
use crate::contacts::floor;
use crate::frame::Retargeter;
use crate::options::GroundMode;
use crate::report::{GroundReport, Report};
use crate::watch::Stopped;
use rebone_body::body::{METRES_PER_CENTIMETRE, turn_and_scale};
use rebone_body::poses;
use rebone_skeleton::{Clip, WorldPose};

/// Largest height of a floor that counts as zero: 8 cm on a body of 1.8 m, in metres of a 1.7 m body.
const MAX_FLOOR_OFFSET_METRES: f64 = 8.0 * METRES_PER_CENTIMETRE;

/// Largest height of a floor that counts as zero where the meshes of both bodies show their soles.
const MAX_SKIN_FLOOR_OFFSET_METRES: f64 = METRES_PER_CENTIMETRE;

/// Least probability of a source's floor that moves a result or warns.
const MIN_FLOOR_CONFIDENCE: f64 = 0.5;

/// Moves the result to the floor that the options ask for, and reports it.
pub(super) fn move_to_floor(
    retargeter: &Retargeter,
    input: &ClipInput,
    result: &mut Clip,
    report: &mut Report,
    evidence: &Option<Evidence>,
) -> Result<(), Stopped> {
    let plan = retargeter.plan();
    let target_level = match plan.options.ground {
        GroundMode::On => 0.0,
        GroundMode::Auto
            if input.has_rig_floor
                && !plan.is_same_rig()
                && offset(retargeter, input, evidence)?.is_some() =>
        {
            rig_floor(plan)
        }
        GroundMode::Auto | GroundMode::Keep => return Ok(()),
    };
    let found = floor(plan, result);
    let rise = found.map_or(0.0, |floor| target_level - floor.level);
    report.floor =
        found.map(|floor| GroundReport::new(floor, Some(target_level).filter(|_| plan.can_lift())));
    lift(plan, result, rise);
    Ok(())
}

/// Warns of a source's floor far from zero whose heights are kept; `verdict` then has a finding as well.
pub(super) fn warn_of_offset(
    retargeter: &Retargeter,
    input: &ClipInput,
    report: &mut Report,
    evidence: &Option<Evidence>,
) -> Result<Option<String>, Stopped> {
    let plan = retargeter.plan();
    if plan.options.ground != GroundMode::Auto || input.has_rig_floor || plan.is_same_rig() {
        return Ok(None);
    }
    let Some(offset) = offset(retargeter, input, evidence)? else { return Ok(None) };
    let height = offset / plan.source.metres_per_unit();
    let text = format!(
        "the source's floor is at height {height:.4} of its file, and the result's accordingly: --ground on moves it to \
         0, --ground keep accepts it"
    );
    report.warnings.push(text.clone());
    Ok(Some(text))
}

/// Height of the source's floor in metres of a 1.7 m body, where it is known and far from zero.
fn offset(
    retargeter: &Retargeter,
    input: &ClipInput,
    evidence: &Option<Evidence>,
) -> Result<Option<f64>, Stopped> {
    let plan = retargeter.plan();
    let stated = plan.options.floor.map(|height| height * plan.source.metres_per_unit());
    let level = match (stated, evidence) {
        (Some(_), _) => stated,
        (None, Some(evidence)) => found_floor(retargeter, input, evidence)?,
        (None, None) => None,
    };
    let have_skin = [&plan.source, &plan.target].iter().all(|body| body.skin_soles.is_some());
    let most = if have_skin { MAX_SKIN_FLOOR_OFFSET_METRES } else { MAX_FLOOR_OFFSET_METRES };
    Ok(level.filter(|level| level.abs() > most))
}

/// Height of the source's floor by its motion, where it is known.
fn found_floor(
    retargeter: &Retargeter,
    input: &ClipInput,
    evidence: &Evidence,
) -> Result<Option<f64>, Stopped> {
    let found = match (&evidence.known, &evidence.source) {
        (Some(found), _) => Some((found.terrain.levels[0], found.terrain.confidence)),
        (None, Some(source)) => source.tracks.floor(),
        // Traced once more for the verdict: it is as large as the result, which is in memory now.
        (None, None) => evidence.trace(retargeter, input, 0, input.clip)?.tracks.floor(),
    };
    let is_known = |found: &(f64, f64)| found.1 >= MIN_FLOOR_CONFIDENCE;
    Ok(found.filter(is_known).map(|found| found.0))
}

/// Height of the rig's lowest support as it stands in its calibration pose with its rest translations, in the target
/// file's units.
fn rig_floor(plan: &Plan) -> f64 {
    let target = &plan.target;
    let mut world = WorldPose::zeros(&target.skeleton);
    poses::update(&mut world, &target.skeleton, &target.calibration_pose());
    turn_and_scale(&mut world, &plan.inner_from_target, target.metres_per_unit());
    let lowest = plan.supports.lowest(&world);
    if lowest.is_finite() { lowest / target.metres_per_unit() } else { 0.0 }
}
