//! A whole clip: its frames, then what needs more than one of them: contacts, and the floor.

mod blocks;
mod correct;
mod root;
mod solve;

use crate::align::Plan;
use crate::contacts::{
    BodyPart, Contact, ContactRule, Correction, Keep, Terrain, find, find_classic,
};
use crate::ground::{floor, lift};
use crate::report::{ContactReport, Report};
use crate::understand::begins_with_reference;
use crate::verdict::{Footing, Seen, Watch, judge};
use crate::{Options, ReferenceFrame, Retargeter, RootMotion, Transfer};
use correct::correct;
use rebone_ik::IkError;
use rebone_skeleton::{Clip, Pose};
use solve::{Look, solve};
use std::convert::Infallible;
use std::ops::RangeInclusive;

/// Seconds a frame with which there is motion to see: between 4 and 10,000 frames a second.
const FRAME_TIMES: RangeInclusive<f64> = 1e-4..=0.25;

/// Retargets a whole clip: its frames on all threads of the pool, then contacts and floor where those are wanted.
///
/// # Errors
/// When the target's joints do not form chains.
pub fn retarget_clip(plan: &Plan, clip: &Clip) -> Result<(Clip, Report), IkError> {
    Ok(collect(&Retargeter::new(plan.clone())?, clip))
}

/// Retargets a clip: each pose of the target goes to `sink`, in the order of the frames, from [`first_frame`] on.
/// The result is held only where what comes late in a clip may change what comes early: where contacts are kept
/// ([`Keep`]), or the result is to be put on its floor, or its root motion somewhere else.
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
    clip: &Clip,
    mut sink: impl FnMut(&Pose) -> Result<(), E> + Send,
) -> Result<Report, E> {
    let Options { ground, root, .. } = retargeter.plan().options;
    if !ground && root == RootMotion::World {
        return over_time(retargeter, clip, sink);
    }
    let (result, report) = collect(retargeter, clip);
    let mut pose = retargeter.plan().target.skeleton.rest_pose();
    for frame in 0..result.len() {
        result.read(frame, &mut pose);
        sink(&pose)?;
    }
    Ok(report)
}

/// The first frame of a clip that is retargeted: 1 where the first is a reference pose and to be left out.
pub fn first_frame(plan: &Plan, clip: &Clip) -> usize {
    let drops = plan.options.reference_frame == ReferenceFrame::Drop;
    usize::from(drops && begins_with_reference(&plan.source, clip))
}

/// All frames, and then floor and root motion as they are wanted.
fn collect(retargeter: &Retargeter, clip: &Clip) -> (Clip, Report) {
    let plan = retargeter.plan();
    let mut result = Clip::new(&plan.target.skeleton, clip.frame_time);
    let Ok(mut report) = over_time(retargeter, clip, |pose| keep(&mut result, pose));
    if plan.options.ground {
        report.floor = floor(plan, &result);
        let level = report.floor.map_or(0.0, |floor| floor.level);
        lift(plan, &mut result, -level);
    }
    if plan.options.root != RootMotion::World {
        root::carry(plan, &mut result, report.reference_frame && first_frame(plan, clip) == 0);
    }
    (result, report)
}

fn keep(result: &mut Clip, pose: &Pose) -> Result<(), Infallible> {
    result.push(pose);
    Ok(())
}

/// All frames, with the contacts that are wanted, and a verdict on them.
fn over_time<E: Send>(
    retargeter: &Retargeter,
    clip: &Clip,
    sink: impl FnMut(&Pose) -> Result<(), E> + Send,
) -> Result<Report, E> {
    let plan = retargeter.plan();
    let Options { transfer, contacts, .. } = plan.options;
    let is_motion = FRAME_TIMES.contains(&clip.frame_time);
    let watch = Watch::new(plan);
    let mut seen = [0, 1].map(|body| Seen::new(&watch, body, clip.frame_time));
    if transfer == Transfer::Ik && contacts != Keep::Off && is_motion {
        return kept(retargeter, clip, &watch, seen, sink);
    }
    let looks = if is_motion { Look::Final } else { Look::No };
    let mut report = solve(retargeter, clip, &watch, &mut seen, looks, sink)?;
    if is_motion {
        say(&mut report, plan, &watch, seen, None);
    }
    Ok(report)
}

/// The same where contacts are kept.
fn kept<E: Send>(
    retargeter: &Retargeter,
    clip: &Clip,
    watch: &Watch,
    mut seen: [Seen; 2],
    sink: impl FnMut(&Pose) -> Result<(), E> + Send,
) -> Result<Report, E> {
    let plan = retargeter.plan();
    let mut result = Clip::new(&plan.target.skeleton, clip.frame_time);
    let solved =
        solve(retargeter, clip, watch, &mut seen, Look::First, |pose| keep(&mut result, pose));
    let Ok(mut report) = solved;
    let [source, target] = seen;
    let tracks = [&source.tracks, &target.tracks];
    let first = first_frame(plan, clip);
    let pieces = tracks[0].pieces(report.reference_frame && first == 0);
    let metres = plan.source.metres_per_unit();
    let level = plan.options.floor.map(|height| Terrain::level(height * metres));
    let pitch = plan.source.soles.pitch_sigma();
    let terrain = level.unwrap_or_else(|| Terrain::find(tracks[0], &pieces, pitch));
    let contacts = match (retargeter.contacts(), plan.options.contact_rule) {
        (Some(given), _) => within(given, first, tracks[0].len()),
        (None, ContactRule::Displacement) => find(tracks[0], &terrain, &pieces, &BodyPart::ALL),
        (None, ContactRule::Classic) => find_classic(tracks[0], &terrain, &pieces),
    };
    let correction = Correction::new(plan, tracks, &terrain, &contacts, &pieces);
    let (slack, result) = correct(retargeter, &result, &correction, watch, sink)?;
    report.contacts = Some(ContactReport::new(plan, &terrain, &contacts, &slack, first));
    say(&mut report, plan, watch, [source, result], Some((&terrain, &contacts)));
    Ok(report)
}

/// Puts the verdict into the report.
fn say(report: &mut Report, plan: &Plan, watch: &Watch, seen: [Seen; 2], known: Option<Footing>) {
    if report.frames > 0 {
        let feet = &BodyPart::ALL[..2];
        report.verdict = Some(judge(plan, watch, seen, known, feet).verdict);
    }
}

/// Contacts that somebody gave, by frames of the clip, as those of the frames from `first` on.
fn within(given: &[Contact], first: usize, count: usize) -> Vec<Contact> {
    let cut = |frame: usize| frame.saturating_sub(first).min(count);
    let own = |contact: &Contact| Contact {
        frames: cut(contact.frames.start)..cut(contact.frames.end),
        ..contact.clone()
    };
    given.iter().map(own).filter(|own| !own.frames.is_empty()).collect()
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
    use super::blocks::{AHEAD, BLOCK};
    use super::*;
    use crate::{Hints, LimitMode, align, samples, understand};

    /// A sample that is longer than what two threads have in hand at once, onto a rig whose limits bind.
    fn long() -> (Retargeter, Clip) {
        let named = |all: Vec<samples::Sample>, name: &str| {
            all.into_iter().find(|sample| sample.name == name).unwrap().motion
        };
        let clip = named(samples::clips(), "jump");
        let rig = named(samples::rigs(), "toy-a-pose");
        let [source, target] =
            [&clip, &rig].map(|motion| understand(motion, &Hints::default()).unwrap());
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
            pool.install(|| collect(&retargeter, &clip))
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
        let (_, by_blocks) = collect(&retargeter, &clip);
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
