//! Energies over a whole clip: rotation copy, then the poses that weigh contacts, penetration and likeness against each other.

use super::SolvedClip;
use super::evidence::Evidence;
use super::frames::{self, Record, SolvedFrames};
use super::input::ClipInput;
use crate::contacts::{BodyPart, Contact, SupportTrajectories, Terrain, detect_by_displacement};
use crate::energies::{ContactPairs, EnergyProblem};
use crate::frame::Retargeter;
use crate::quality::TrackedJoints;
use crate::report::Report;
use crate::surface::{BodyTransforms, SurfacePair};
use crate::watch::{Stopped, Watched};
use nalgebra::Vector3;
use rebone_body::body::Side;
use rebone_body::body::surface::Surface;
use rebone_body::poses;
use rebone_skeleton::Clip;
use std::ops::Range;
use std::sync::Arc;

/// The parts whose contacts the energies weigh.
const FEET: [BodyPart; 2] = [BodyPart::Foot(Side::Left), BodyPart::Foot(Side::Right)];

/// Solves all frames by rotation copy, then minimises the energies.
pub(super) fn with_energies(
    retargeter: &Retargeter,
    input: &ClipInput,
    tracked: TrackedJoints,
) -> Result<SolvedClip, Stopped> {
    let plan = retargeter.plan();
    let SolvedFrames { clip: start, report: copied, source, .. } =
        frames::solve(retargeter, input, &tracked, Record::Source)?;
    let tracks = &source.tracks;
    let segments = &tracks.segments(input.begins_with_reference(&plan.options));
    let mut report = Report { leading_pose: copied.leading_pose, ..Report::new(plan) };
    let surfaces = [&plan.source, &plan.target].map(Surface::of);
    report.warnings.extend(warnings(&surfaces));
    let pair =
        SurfacePair::between([&plan.source, &plan.target], surfaces.each_ref().map(Arc::as_ref));
    let pairs = contact_pairs(retargeter, input, (pair.as_ref(), start.len()), segments);
    let low_passed = tracks.low_passed(segments);
    let terrain = Terrain::detect(&low_passed, segments, plan.source.soles.pitch_sigma());
    let problem = EnergyProblem {
        plan,
        pair: pair.as_ref(),
        start: &start,
        pairs: &pairs,
        is_planted: &planted(&low_passed, &terrain, segments),
        source_ends: &limb_ends(tracks),
        terrain: &terrain.scaled_to_target(plan),
    };
    let begin = |windows| Watched::begin(input.watch, "energies", windows);
    let clip = problem.solve(segments, begin)?;
    score(retargeter, (input.clip, input.first(&plan.options)), &clip, &mut report);
    let evidence = Evidence { source: Some(source), ..Evidence::new(tracked) };
    Ok(SolvedClip { clip, report, evidence: Some(evidence) })
}

/// Reports how far a result is from the goals of the stages.
fn score(
    retargeter: &Retargeter,
    (source, first): (&Clip, usize),
    result: &Clip,
    report: &mut Report,
) {
    let mut worker = retargeter.clone();
    for frame in 0..result.len() {
        worker.score_frame(&poses::pose(source, first + frame), &poses::pose(result, frame));
        report.record(first + frame, &worker);
    }
    report.finish(result.len(), result.frame_time);
}

/// Bodies whose surface is the usual one of their skeleton.
fn warnings(surfaces: &[Arc<Surface>; 2]) -> impl Iterator<Item = String> + '_ {
    let named = ["source", "target"].into_iter().zip(surfaces);
    named.filter(|(_, surface)| !surface.has_skin()).map(|(body, _)| {
        format!(
            "the {body} has no skin that fits its skeleton: energies of contacts and penetration are by the usual surface of a \
             body of its proportions, which is up to 3 cm off"
        )
    })
}

/// Returns the ends of the limbs in each frame.
fn limb_ends(tracks: &SupportTrajectories) -> Vec<[Vector3<f64>; 4]> {
    let ends = |frame| std::array::from_fn(|limb| tracks.limb(frame, limb)[1]);
    (0..tracks.len()).map(ends).collect()
}

/// Returns for each frame whether the feet are in contact, left and right.
fn planted(
    tracks: &SupportTrajectories,
    terrain: &Terrain,
    segments: &[Range<usize>],
) -> Vec<[bool; 2]> {
    let mut planted = vec![[false; 2]; tracks.len()];
    for contact in detect_by_displacement(tracks, terrain, segments, &FEET) {
        for side in Side::BOTH.into_iter().filter(|side| contact.part == BodyPart::Foot(*side)) {
            planted[contact.frames.clone()].iter_mut().for_each(|own| own[side.index()] = true);
        }
    }
    planted
}

/// Returns the points that should touch in each frame of the source.
fn contact_pairs(
    retargeter: &Retargeter,
    input: &ClipInput,
    (pair, frames): (Option<&SurfacePair>, usize),
    segments: &[Range<usize>],
) -> Vec<ContactPairs> {
    let Some(pair) = pair else { return vec![ContactPairs::default(); frames] };
    let (plan, mut reader) = (retargeter.plan(), retargeter.clone());
    let first = input.first(&plan.options);
    let mut source = |frame: usize| -> BodyTransforms {
        let pose = poses::pose(input.clip, first + frame);
        pair.rigid_transforms(&plan.source, 0, reader.read_source(&pose))
    };
    let hands: Vec<_> = (0..frames).map(|frame| pair.near_hands(0, &source(frame))).collect();
    let mut contacts: Vec<Contact> =
        pair.find_contacts(&[0], &hands, segments, input.clip.frame_time);
    contacts.retain(|contact| !pair.is_guessed() || contact.is_likely());
    let of_frame = |frame: usize| {
        let mut own = contacts.iter().filter(|own| own.frames.contains(&frame)).peekable();
        if own.peek().is_none() {
            return ContactPairs::default();
        }
        ContactPairs::find(pair, &source(frame), own)
    };
    (0..frames).map(of_frame).collect()
}
