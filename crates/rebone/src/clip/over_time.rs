//! All frames of a clip and, where wanted, contacts over time.

use super::correct::correct;
use super::evidence::Evidence;
use super::input::ClipInput;
use super::solve::{Look, give, solve};
use crate::align::Plan;
use crate::contacts::{BodyPart, Correction, Found, Terrain, Tracks, find, find_by_thresholds};
use crate::frame::Retargeter;
use crate::options::{ContactDetector, ContactMode, Method, Options};
use crate::quality::{Seen, Watch};
use crate::report::{ContactReport, Report};
use rebone_skeleton::{Clip, Pose};
use std::convert::Infallible;
use std::ops::{Range, RangeInclusive};

/// Seconds a frame with which there is motion to see: between 4 and 10,000 frames a second.
const FRAME_TIMES: RangeInclusive<f64> = 1e-4..=0.25;

/// All frames, with the contacts that are wanted, and what is needed for a verdict on them; `None` where there is
/// nothing to see.
pub(crate) fn over_time<E: Send>(
    retargeter: &Retargeter,
    input: &ClipInput,
    mut sink: impl FnMut(&Pose) -> Result<(), E> + Send,
) -> Result<(Report, Option<Evidence>), E> {
    let plan = retargeter.plan();
    let &Options { method, contacts, .. } = &plan.options;
    let frames = input.frames(&plan.options);
    let is_motion = FRAME_TIMES.contains(&input.clip.frame_time) && !frames.is_empty();
    let watch = Watch::new(plan);
    let room = if is_motion { frames.len() } else { 0 };
    let mut seen = [0, 1].map(|body| Seen::new(&watch, body, input.clip.frame_time, room));
    if method == Method::Ik && contacts != ContactMode::Off && is_motion {
        let (report, evidence) = kept(retargeter, input, watch, seen, sink)?;
        return Ok((report, Some(evidence)));
    }
    let mut pose = plan.target.skeleton.rest_pose();
    let look = if is_motion { Look::Final } else { Look::No };
    let mut report = solve(retargeter, input, &watch, &mut seen, look, |poses| {
        give(poses, &mut pose, &mut sink)
    })?;
    if !is_motion && contacts != ContactMode::Off && report.frames > 1 {
        let rate = 1.0 / input.clip.frame_time;
        report.warnings.push(format!(
            "{rate:.3e} frames a second are no motion to see: no contacts are kept, and there is no verdict"
        ));
    }
    let evidence = is_motion.then(|| Evidence {
        first: frames.start,
        pieces: seen[0].tracks.pieces(input.begins_with_reference(&plan.options)),
        watch,
        seen,
        known: None,
    });
    Ok((report, evidence))
}

/// The same where contacts are kept.
fn kept<E: Send>(
    retargeter: &Retargeter,
    input: &ClipInput,
    watch: Watch,
    mut seen: [Seen; 2],
    sink: impl FnMut(&Pose) -> Result<(), E> + Send,
) -> Result<(Report, Evidence), E> {
    let plan = retargeter.plan();
    let mut result = Clip::new(&plan.target.skeleton, input.clip.frame_time);
    let solved = solve(retargeter, input, &watch, &mut seen, Look::First, |poses| {
        result.append(poses);
        Ok::<_, Infallible>(())
    });
    let Ok(mut report) = solved;
    let [source, target] = seen;
    let tracks = [&source.tracks, &target.tracks];
    let first = input.first(&plan.options);
    let pieces = tracks[0].pieces(input.begins_with_reference(&plan.options));
    let found = touched(plan, input, tracks[0], &pieces, &mut report);
    let correction = Correction::new(plan, tracks, &found, &pieces);
    let (slack, result) = correct(retargeter, &result, &correction, &watch, sink)?;
    report.contacts = Some(ContactReport::new(plan, &found, &slack, first));
    // A verdict finds contacts of both bodies by one rule.
    let is_found =
        input.contacts.is_none() && plan.options.contact_detector == ContactDetector::default();
    let known = is_found.then_some(found);
    Ok((report, Evidence { watch, seen: [source, result], first, pieces, known }))
}

/// What the source touches over pieces of a take.
fn touched(
    plan: &Plan,
    input: &ClipInput,
    source: &Tracks,
    pieces: &[Range<usize>],
    report: &mut Report,
) -> Found {
    let calm = source.calm(pieces);
    let metres = plan.source.metres_per_unit();
    let level = plan.options.floor.map(|height| Terrain::level(height * metres));
    if let Some(far) = level.as_ref().and_then(|level| level.far_from(source)) {
        let far = far / metres;
        report.warnings.push(format!(
            "the source never comes near the floor that is named: it is {far:.4} off"
        ));
    }
    let pitch = plan.source.soles.pitch_sigma();
    let terrain = level.unwrap_or_else(|| Terrain::find(&calm, pieces, pitch));
    let find = || match plan.options.contact_detector {
        ContactDetector::Displacement => find(&calm, &terrain, pieces, &BodyPart::ALL),
        ContactDetector::Threshold => find_by_thresholds(source, &terrain, pieces),
    };
    let contacts = input.given(&plan.options, pieces).unwrap_or_else(find);
    Found { calm, terrain, contacts }
}
