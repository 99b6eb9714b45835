//! All frames of a clip and, if wanted, its contacts.

use super::correct::correct;
use super::cycle::Extended;
use super::energies::with_energies;
use super::evidence::Evidence;
use super::input::{ClipInput, cut_at_segments};
use super::self_contact::SelfContactInput;
use super::solve::{Record, emit, solve};
use crate::align::Plan;
use crate::contacts::{
    BodyPart, ContactCorrection, DetectedContacts, SupportTrajectories, Terrain,
    detect_by_displacement, detect_by_thresholds,
};
use crate::frame::Retargeter;
use crate::math::poses;
use crate::options::{ContactDetector, ContactMode, Method, Options};
use crate::quality::{BodyTrace, FRAME_TIMES, TrackedJoints, no_motion};
use crate::report::{ContactReport, Report};
use crate::watch::{Sink, Stopped, Watched};
use rebone_skeleton::Clip;
use std::ops::Range;

/// Solves all frames, enforces contacts if wanted, and returns the data for a verdict; `None` without visible motion. Of a
/// clip that is an extended cycle, contacts are those of the cycle, repeated.
pub(crate) fn solve_and_correct(
    retargeter: &Retargeter,
    input: &ClipInput,
    cycle: Option<&Extended>,
    sink: &mut Sink,
) -> Result<(Report, Option<Evidence>), Stopped> {
    let plan = retargeter.plan();
    let &Options { method, contacts, .. } = &plan.options;
    let frames = input.frames(&plan.options);
    let is_motion = FRAME_TIMES.contains(&input.clip.frame_time) && !frames.is_empty();
    let tracked = TrackedJoints::new(plan);
    let room = if is_motion { frames.len() } else { 0 };
    let mut traces = [0, 1].map(|body| BodyTrace::new(&tracked, body, input.clip.frame_time, room));
    if method == Method::Ik && contacts != ContactMode::Off && is_motion {
        let (report, evidence) = with_contacts(retargeter, (input, cycle), tracked, traces, sink)?;
        return Ok((report, Some(evidence)));
    }
    if method == Method::Energies && is_motion {
        let (report, evidence) = with_energies(retargeter, input, tracked, traces, sink)?;
        return Ok((report, Some(evidence)));
    }
    let mut pose = plan.target.skeleton.rest_pose();
    let record = if is_motion { Record::Both } else { Record::Nothing };
    let mut report = solve(retargeter, input, &tracked, &mut traces, record, &mut |poses| {
        emit(poses, &mut pose, sink)
    })?;
    if !is_motion && contacts != ContactMode::Off && report.frames > 1 {
        let text = no_motion(input.clip).unwrap_or_default();
        report.warnings.push(format!("{text}: no contacts are kept, and there is no verdict"));
    }
    let evidence = is_motion.then(|| Evidence {
        first: frames.start,
        segments: traces[0].tracks.segments(input.begins_with_reference(&plan.options)),
        tracked,
        traces,
        known: None,
    });
    Ok((report, evidence))
}

/// Solves all frames, then detects and enforces contacts.
fn with_contacts(
    retargeter: &Retargeter,
    (input, cycle): (&ClipInput, Option<&Extended>),
    tracked: TrackedJoints,
    mut traces: [BodyTrace; 2],
    sink: &mut Sink,
) -> Result<(Report, Evidence), Stopped> {
    let plan = retargeter.plan();
    let mut result = Clip::new(&plan.target.skeleton, input.clip.frame_time);
    let mut report =
        solve(retargeter, input, &tracked, &mut traces, Record::Source, &mut |poses| {
            poses::append(&mut result, poses);
            Ok(())
        })?;
    let [source, target] = traces;
    let tracks = [&source.tracks, &target.tracks];
    let first = input.first(&plan.options);
    let segments = tracks[0].segments(input.begins_with_reference(&plan.options));
    let watched = Watched::begin(input.watch, "contacts", result.len());
    let mut found = detect_source_contacts(plan, input, tracks[0], &segments, &mut report);
    if let Some(cycle) = cycle {
        let repeated = cycle.repeat(found.contacts);
        found.contacts = cut_at_segments(&repeated, 0, &segments);
    }
    watched.check()?;
    let correction = ContactCorrection::new(plan, tracks, &found, &segments);
    let watched = (retargeter, &watched);
    let (slack, hands, result) = match plan.self_contact_surfaces() {
        None => {
            let (slack, trace) = correct(watched, &result, &correction, &tracked, sink)?;
            (slack, Vec::new(), trace)
        }
        Some(pair) => {
            let mut corrected = Clip::new(&plan.target.skeleton, input.clip.frame_time);
            let (slack, trace) = correct(watched, &result, &correction, &tracked, &mut |pose| {
                poses::push(&mut corrected, pose);
                Ok(())
            })?;
            let floors = floors(plan, &found.terrain);
            let result = &corrected;
            let arms = SelfContactInput { retargeter, input, cycle, pair, floors, result };
            let (trace, hands) = arms.turn_arms(&segments, (trace, &tracked), sink)?;
            (slack, hands, trace)
        }
    };
    report.warnings.extend(input.lost_self_contacts(&plan.options, &segments, &hands));
    report.contacts = Some(ContactReport::new(plan, &found, (&slack, hands), first));
    // A verdict detects contacts of both bodies with the default detector.
    let is_found =
        input.contacts.is_none() && plan.options.contact_detector == ContactDetector::default();
    let known = is_found.then_some(found);
    Ok((report, Evidence { tracked, traces: [source, result], first, segments, known }))
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
    let find = || match plan.options.contact_detector {
        ContactDetector::Displacement => {
            detect_by_displacement(&low_passed, &terrain, segments, &BodyPart::ALL)
        }
        ContactDetector::Threshold => detect_by_thresholds(source, &terrain, segments),
    };
    let contacts = input.given(&plan.options, segments).unwrap_or_else(find);
    DetectedContacts { low_passed, terrain, contacts }
}
