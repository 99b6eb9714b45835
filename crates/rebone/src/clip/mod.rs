//! A whole clip: its frames, then what needs more than one of them: contacts, the floor, a verdict, and root motion.

mod body_mask;
mod correct;
mod evidence;
mod floor;
mod input;
mod parallel;
mod resample;
mod root_motion;
mod solve;
#[cfg(feature = "files")]
mod timing;

pub use body_mask::BodyMask;
pub use floor::lift;
pub use input::ClipInput;
pub use resample::resampled;
#[cfg(feature = "files")]
pub use timing::{ClipError, FrameMapping};

use crate::align::Plan;
use crate::contacts::find;
use crate::contacts::floor;
use crate::contacts::{BodyPart, Correction, Found, Terrain, Tracks, find_by_thresholds};
use crate::frame::Retargeter;
use crate::options::{ContactDetector, ContactMode, Method, Options, RootMotion};
use crate::quality::{Seen, Watch};
use crate::report::{ContactReport, Report};
use correct::correct;
use evidence::Evidence;
use rebone_ik::IkError;
use rebone_skeleton::{Clip, Pose};
use solve::{Look, solve};
use std::convert::Infallible;
use std::ops::{Range, RangeInclusive};

/// Seconds a frame with which there is motion to see: between 4 and 10,000 frames a second.
const FRAME_TIMES: RangeInclusive<f64> = 1e-4..=0.25;

/// Retargets a whole clip: its frames on all threads of the pool, then contacts and floor where those are wanted.
///
/// # Errors
/// When the target's joints do not form chains.
pub fn retarget_clip(plan: &Plan, clip: &Clip) -> Result<(Clip, Report), IkError> {
    Ok(collect(&Retargeter::new(plan.clone())?, &ClipInput::new(&plan.source, clip)))
}

/// Retargets a clip: each pose of the target goes to `sink`, in the order of the frames, from [`ClipInput::first`] on.
/// The result is held only where what comes late in a clip may change what comes early: where contacts are kept
/// ([`ContactMode`]), or the result is to be put on its floor, or its root motion somewhere else. What a verdict needs is
/// always held: some kilobytes a frame.
///
/// Frames are solved in blocks on all threads of the `rayon` pool that this is called in, or of the global
/// one (without the feature `rayon`: on the caller's); poses and report are the same to the bit whatever their
/// number. `retargeter` only says how.
///
/// # Errors
/// The first error of `sink`, which ends the work.
///
/// # Panics
/// When the clip is not of the source's skeleton.
pub fn retarget_frames<E: Send>(
    retargeter: &Retargeter,
    input: &ClipInput,
    mut sink: impl FnMut(&Pose) -> Result<(), E> + Send,
) -> Result<Report, E> {
    let &Options { ground, root, .. } = &retargeter.plan().options;
    if !ground && root == RootMotion::World {
        let (mut report, evidence) = over_time(retargeter, input, sink)?;
        report.verdict = evidence.map(|own| own.verdict(retargeter.plan()));
        return Ok(report);
    }
    let (result, report) = collect(retargeter, input);
    let mut pose = retargeter.plan().target.skeleton.rest_pose();
    give(&result, &mut pose, &mut sink)?;
    Ok(report)
}

/// All frames, and then floor and root motion as they are wanted.
fn collect(retargeter: &Retargeter, input: &ClipInput) -> (Clip, Report) {
    let plan = retargeter.plan();
    let mut result = Clip::new(&plan.target.skeleton, input.clip.frame_time);
    let Ok((mut report, mut evidence)) =
        over_time(retargeter, input, |pose| keep(&mut result, pose));
    if plan.options.ground {
        report.floor = floor(plan, &result);
        let level = report.floor.map_or(0.0, |floor| floor.level);
        lift(plan, &mut result, -level);
        let rise = -level * plan.target.metres_per_unit();
        evidence.iter_mut().for_each(|own| own.seen[1].tracks.rise(rise));
    }
    report.verdict = evidence.map(|own| own.verdict(plan));
    if plan.options.root != RootMotion::World {
        root_motion::carry(plan, &mut result, input.begins_with_reference(&plan.options));
    }
    (result, report)
}

fn keep(result: &mut Clip, pose: &Pose) -> Result<(), Infallible> {
    result.push(pose);
    Ok(())
}

/// All frames, with the contacts that are wanted, and what is needed for a verdict on them; `None` where there is
/// nothing to see.
fn over_time<E: Send>(
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

/// Hands over what was made; `pose` is memory for it.
fn give<E>(
    poses: &Clip,
    pose: &mut Pose,
    sink: &mut impl FnMut(&Pose) -> Result<(), E>,
) -> Result<(), E> {
    (0..poses.len()).try_for_each(|frame| {
        poses.read(frame, pose);
        sink(pose)
    })
}

#[cfg(test)]
mod tests {
    use super::parallel::{AHEAD, BLOCK};
    use super::*;
    use crate::analyse::Hints;
    use crate::options::LimitMode;
    use crate::{align, analyse};
    use rebone_samples as samples;

    /// A sample that is longer than what two threads have in hand at once, onto a rig whose limits bind.
    fn long() -> (Retargeter, Clip) {
        let named = |all: Vec<samples::Sample>, name: &str| {
            all.into_iter().find(|sample| sample.name == name).unwrap().motion
        };
        let clip = named(samples::clips(), "jump");
        let rig = named(samples::rigs(), "toy-a-pose");
        let [source, target] =
            [&clip, &rig].map(|motion| analyse(motion, &Hints::default()).unwrap());
        let options = Options { limits: LimitMode::Strict, ..Options::default() };
        let plan = align(&source, &target, &options);
        let poses: Vec<Pose> = clip.clip.poses().collect();
        let frames = 3 * 2 * AHEAD * BLOCK + 7;
        let poses = poses.iter().cycle().take(frames).cloned();
        (Retargeter::new(plan).unwrap(), Clip::from_poses(&clip.skeleton, 1.0 / 30.0, poses))
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let (retargeter, clip) = long();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| collect(&retargeter, &ClipInput::new(&retargeter.plan().source, &clip)))
        };
        let one = on(1);
        assert_eq!(one.0.len(), clip.len());
        assert!(!one.1.limits.is_empty());
        for threads in [2, 5] {
            assert_eq!(on(threads), one);
        }
    }

    #[test]
    fn blocks_add_up_to_what_frames_do() {
        let (mut retargeter, clip) = long();
        let (_, by_blocks) =
            collect(&retargeter, &ClipInput::new(&retargeter.plan().source, &clip));
        let plan = retargeter.plan().clone();
        let mut report = Report::new(&plan);
        let mut target = plan.target.skeleton.rest_pose();
        for (frame, source) in clip.poses().enumerate() {
            retargeter.frame(&source, &mut target);
            report.record(frame, &retargeter);
        }
        report.finish(clip.len(), clip.frame_time);
        assert_eq!(by_blocks.stages.len(), report.stages.len());
        for (stage, other) in by_blocks.stages.iter().zip(&report.stages) {
            assert_eq!(
                [stage.worst_frame, stage.unconverged],
                [other.worst_frame, other.unconverged]
            );
            assert_eq!(stage.worst, other.worst);
            let means = [stage.start - other.start, stage.end - other.end];
            assert!(means.iter().all(|mean| mean.abs() < 1e-12), "{means:?}");
        }
        let told = |report: &Report| -> Vec<_> {
            let limits = report.limits.iter();
            limits.map(|limit| (limit.joint.clone(), limit.frames, limit.worst_frame)).collect()
        };
        assert_eq!(told(&by_blocks), told(&report));
    }
}
