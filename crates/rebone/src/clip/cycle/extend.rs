//! The retarget of a cycle within margins.

use super::CycleBody;
use super::extended::Extended;
use crate::align::Plan;
use crate::clip::SolvedClip;
use crate::clip::contacts::solve_motion;
use crate::clip::evidence::Evidence;
use crate::clip::frames::{self, Record};
use crate::clip::input::ClipInput;
use crate::frame::Retargeter;
use crate::quality::TrackedJoints;
use crate::report::{CycleReport, KeptContact};
use crate::watch::Stopped;
use rebone_body::poses;
use rebone_skeleton::{Clip, WorldPose};

/// Retargets a closed cycle within margins; the result is closed as well.
pub(in crate::clip) fn solve_cycle(
    retargeter: &Retargeter,
    input: &ClipInput,
) -> Result<SolvedClip, Stopped> {
    let plan = retargeter.plan();
    let extended = Extended::new(&CycleBody::new(&plan.source), input.clip);
    let contacts = input.contacts.map(|contacts| extended.extend(contacts));
    let whole = ClipInput { clip: &extended.clip, contacts: contacts.as_deref(), ..*input };
    let solved = solve_motion(retargeter, &whole, Some(&extended))?;
    let mut clip = solved.clip;
    poses::keep(&mut clip, extended.cycle.clone());
    let cycle = close(plan, &mut clip);
    let tracked = TrackedJoints::new(plan);
    // The stages are reported of the cycle alone.
    let mut report = frames::solve(retargeter, input, &tracked, Record::Nothing)?.report;
    report.warnings = solved.report.warnings;
    report.cycle = Some(cycle);
    report.contacts = solved.report.contacts.map(|mut own| {
        let cut = |kept: KeptContact| {
            extended.cut(kept.contact.clone()).map(|contact| KeptContact { contact, ..kept })
        };
        own.contacts = own.contacts.into_iter().filter_map(cut).collect();
        own
    });
    let evidence = solved.evidence.map(|_| Evidence::new(tracked));
    Ok(SolvedClip { clip, report, evidence })
}

/// Closes what is left of the seam in a result.
fn close(plan: &Plan, result: &mut Clip) -> CycleReport {
    let report = CycleBody::of_target(plan).close(result);
    let mut world = WorldPose::zeros(&plan.target.skeleton);
    poses::edit(result, |_, pose| plan.carry_helpers(pose, &mut world));
    report
}
