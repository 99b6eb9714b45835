//! All frames of a clip and, if wanted, its contacts.

use super::SolvedClip;
use super::cycle::Extended;
use super::energies::with_energies;
use super::evidence::Evidence;
use super::frames::{self, Record, SolvedFrames};
use super::input::{ClipInput, cut_at_segments};
use super::parallel::edit_frames;
use super::self_contact::keep_self_contacts;
use crate::align::Plan;
use crate::contacts::{
    BodyPart, ContactCorrection, DetectedContacts, SupportTrajectories, Terrain,
    detect_by_displacement,
};
use crate::frame::Retargeter;
use crate::options::{ContactMode, Method, Options};
use crate::quality::{FRAME_TIMES, TrackedJoints, no_motion};
use crate::report::{ContactReport, Report};
use crate::watch::{Stopped, Watched};
use std::ops::Range;

/// Solves all frames and enforces contacts if wanted. Of a clip that is an extended cycle, contacts are those of the
/// cycle, repeated.
pub(crate) fn solve_motion(
    retargeter: &Retargeter,
    input: &ClipInput,
    cycle: Option<&Extended>,
) -> Result<SolvedClip, Stopped> {
    let plan = retargeter.plan();
    let &Options { method, contacts, .. } = &plan.options;
    let is_motion =
        FRAME_TIMES.contains(&input.clip.frame_time) && !input.frames(&plan.options).is_empty();
    let tracked = TrackedJoints::new(plan);
    if method == Method::Ik && contacts != ContactMode::Off && is_motion {
        return with_contacts(retargeter, input, cycle, tracked);
    }
    if method == Method::Energies && is_motion {
        return with_energies(retargeter, input, tracked);
    }
    let SolvedFrames { clip, mut report, .. } =
        frames::solve(retargeter, input, &tracked, Record::Nothing)?;
    if !is_motion && contacts != ContactMode::Off && report.frames > 1 {
        let text = no_motion(input.clip).unwrap_or_default();
        report.warnings.push(format!("{text}: no contacts are kept, and there is no verdict"));
    }
    let evidence = is_motion.then(|| Evidence::new(tracked));
    Ok(SolvedClip { clip, report, evidence })
}

/// Solves all frames, then detects and enforces contacts.
fn with_contacts(
    retargeter: &Retargeter,
    input: &ClipInput,
    cycle: Option<&Extended>,
    tracked: TrackedJoints,
) -> Result<SolvedClip, Stopped> {
    let plan = retargeter.plan();
    let SolvedFrames { mut clip, mut report, source, supports } =
        frames::solve(retargeter, input, &tracked, Record::Supports)?;
    let segments = &source.tracks.segments(input.begins_with_reference(&plan.options));
    let watched = Watched::begin(input.watch, "contacts", clip.len());
    let mut found = detect_source_contacts(plan, input, &source.tracks, segments, &mut report);
    if let Some(cycle) = cycle {
        let repeated = cycle.repeat(found.contacts);
        found.contacts = cut_at_segments(&repeated, 0, segments);
    }
    watched.check()?;
    let correction = ContactCorrection::new(plan, [&source.tracks, &supports], &found, segments);
    drop(supports);
    let slack = edit_frames((retargeter, &watched), &mut clip, &|worker, frame, pose| {
        worker.apply_offset(pose, &correction.offsets[frame])
    })?;
    drop(correction);
    let hands = match plan.self_contact_surfaces() {
        None => Vec::new(),
        Some(pair) => {
            let floors = floors(plan, &found.terrain);
            keep_self_contacts((retargeter, input, cycle), (pair, floors), segments, &mut clip)?
        }
    };
    report.warnings.extend(input.lost_self_contacts(&plan.options, segments, &hands));
    let first = input.first(&plan.options);
    report.contacts = Some(ContactReport::new(plan, &found, (&slack, hands), first));
    let known = input.contacts.is_none().then_some(found);
    let evidence = Evidence { tracked, source: Some(source), result: None, known };
    Ok(SolvedClip { clip, report, evidence: Some(evidence) })
}

/// Returns the heights of the floors of source and target; `None` of a slope, of steps, and of ground that is not known.
fn floors(plan: &Plan, terrain: &Terrain) -> Option<[f64; 2]> {
    let is_floor =
        terrain.levels.len() == 1 && terrain.normal.y > 0.999 && terrain.confidence > 0.5;
    is_floor.then(|| [terrain.levels[0], terrain.scaled_to_target(plan).levels[0]])
}

/// Detects the contacts of the source, or reads the given ones.
fn detect_source_contacts(
    plan: &Plan,
    input: &ClipInput,
    source: &SupportTrajectories,
    segments: &[Range<usize>],
    report: &mut Report,
) -> DetectedContacts {
    let low_passed = source.low_passed(segments);
    let metres = plan.source.metres_per_unit();
    let level = plan.options.floor.map(|height| Terrain::flat(height * metres));
    if let Some(far) = level.as_ref().and_then(|level| level.distance_to_motion(source)) {
        let far = far / metres;
        report.warnings.push(format!(
            "the source never comes near the floor that is named: it is {far:.4} off"
        ));
    }
    let pitch = plan.source.soles.pitch_sigma();
    let terrain = level.unwrap_or_else(|| Terrain::detect(&low_passed, segments, pitch));
    let find = || detect_by_displacement(&low_passed, &terrain, segments, &BodyPart::ALL);
    let contacts = input.given(&plan.options, segments).unwrap_or_else(find);
    DetectedContacts { low_passed, terrain, contacts }
}
