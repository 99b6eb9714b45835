//! A whole clip: its frames, then what needs more than one of them: contacts, and the floor.

mod blocks;

use crate::align::Plan;
use crate::contacts::{Contact, Correction, Keep, Probe, Terrain, Tracks, find, pieces};
use crate::ground::{floor, lift};
use crate::report::{ContactReport, Report};
use crate::understand::begins_with_reference;
use crate::{Options, ReferenceFrame, Retargeter, Transfer};
use blocks::in_blocks;
use rebone_ik::IkError;
use rebone_skeleton::{Clip, Pose};
use std::convert::Infallible;
use std::ops::{Range, RangeInclusive};

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
/// ([`Keep`]), or the result is to be put on its floor.
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
    if !retargeter.plan().options.ground {
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

/// All frames, and then the floor where that is wanted.
fn collect(retargeter: &Retargeter, clip: &Clip) -> (Clip, Report) {
    let plan = retargeter.plan();
    let mut result = Clip::new(&plan.target.skeleton, clip.frame_time);
    let Ok(mut report) = over_time(retargeter, clip, |pose| keep(&mut result, pose));
    if plan.options.ground {
        report.floor = floor(plan, &result);
        let level = report.floor.map_or(0.0, |floor| floor.level);
        lift(plan, &mut result, -level);
    }
    (result, report)
}

fn keep(result: &mut Clip, pose: &Pose) -> Result<(), Infallible> {
    result.push(pose);
    Ok(())
}

/// All frames, with the contacts that are wanted.
fn over_time<E: Send>(
    retargeter: &Retargeter,
    clip: &Clip,
    sink: impl FnMut(&Pose) -> Result<(), E> + Send,
) -> Result<Report, E> {
    let plan = retargeter.plan();
    let Options { transfer, contacts, .. } = plan.options;
    let keeps = transfer == Transfer::Ik && contacts != Keep::Off;
    if !keeps || !FRAME_TIMES.contains(&clip.frame_time) {
        return solve(retargeter, clip, None, sink);
    }
    let mut tracks = Probe::both(plan).map(|probe| Tracks::new(&probe, clip.frame_time));
    let mut result = Clip::new(&plan.target.skeleton, clip.frame_time);
    let kept = solve(retargeter, clip, Some(&mut tracks), |pose| keep(&mut result, pose));
    let Ok(mut report) = kept;
    let [source, target] = &tracks;
    let first = first_frame(plan, clip);
    let pieces = pieces(source, report.reference_frame && first == 0);
    let metres = plan.source.metres_per_unit();
    let level = plan.options.floor.map(|height| Terrain::level(height * metres));
    let pitch = plan.source.soles.pitch_sigma();
    let terrain = level.unwrap_or_else(|| Terrain::find(source, &pieces, pitch));
    let contacts = match retargeter.contacts() {
        Some(given) => within(given, first, source.len()),
        None => find(source, &terrain, &pieces),
    };
    let correction = Correction::new(plan, [source, target], &terrain, &contacts, &pieces);
    let slack = correct(retargeter, &result, &correction, sink)?;
    report.contacts = Some(ContactReport::new(plan, &terrain, &contacts, &slack, first));
    Ok(report)
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

/// Solves frame after frame; `tracks` get the paths of both bodies.
fn solve<E: Send>(
    retargeter: &Retargeter,
    clip: &Clip,
    mut tracks: Option<&mut [Tracks; 2]>,
    mut sink: impl FnMut(&Pose) -> Result<(), E> + Send,
) -> Result<Report, E> {
    let plan = retargeter.plan();
    let mut report = Report::new(plan);
    report.reference_frame = begins_with_reference(&plan.source, clip);
    let frames = first_frame(plan, clip)..clip.len();
    let count = frames.len();
    let probes = tracks.is_some().then(|| Probe::both(plan));
    let mut pose = plan.target.skeleton.rest_pose();
    let work = |worker: &mut Retargeter, frames, block: &mut Solved| {
        block.solve(worker, clip, frames, probes.as_ref());
    };
    in_blocks(
        retargeter,
        frames,
        || Solved::new(plan, clip),
        work,
        |block| {
            report.append(&block.report);
            for (all, own) in tracks.iter_mut().flat_map(|all| all.iter_mut()).zip(&block.tracks) {
                all.append(own);
            }
            give(&block.poses, &mut pose, &mut sink)
        },
    )?;
    report.finish(count, clip.frame_time);
    Ok(report)
}

/// Moves body, feet and hands of a result; how far each limb's end is from where it should be, frame by frame.
fn correct<E: Send>(
    retargeter: &Retargeter,
    result: &Clip,
    correction: &Correction,
    mut sink: impl FnMut(&Pose) -> Result<(), E> + Send,
) -> Result<Vec<[f64; 4]>, E> {
    let skeleton = &retargeter.plan().target.skeleton;
    let mut slack = Vec::new();
    let (mut pose, rest) = (skeleton.rest_pose(), skeleton.rest_pose());
    let new = || Corrected {
        pose: rest.clone(),
        poses: Clip::new(skeleton, result.frame_time),
        slack: Vec::new(),
    };
    let work = |worker: &mut Retargeter, frames: Range<usize>, block: &mut Corrected| {
        block.poses.keep(0..0);
        block.slack.clear();
        for frame in frames {
            result.read(frame, &mut block.pose);
            block.slack.push(worker.correct(&mut block.pose, &correction.moves[frame]));
            block.poses.push(&block.pose);
        }
    };
    in_blocks(retargeter, 0..result.len(), new, work, |block| {
        slack.extend_from_slice(&block.slack);
        give(&block.poses, &mut pose, &mut sink)
    })?;
    Ok(slack)
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

/// What came of solving a few frames.
struct Solved {
    source: Pose,
    target: Pose,
    poses: Clip,
    report: Report,
    /// Paths of both bodies, where those are wanted.
    tracks: [Tracks; 2],
}

impl Solved {
    /// Memory for one.
    fn new(plan: &Plan, clip: &Clip) -> Self {
        Self {
            source: plan.source.skeleton.rest_pose(),
            target: plan.target.skeleton.rest_pose(),
            poses: Clip::new(&plan.target.skeleton, clip.frame_time),
            report: Report::default(),
            tracks: Probe::both(plan).map(|probe| Tracks::new(&probe, clip.frame_time)),
        }
    }

    fn solve(
        &mut self,
        worker: &mut Retargeter,
        clip: &Clip,
        frames: Range<usize>,
        probes: Option<&[Probe; 2]>,
    ) {
        let Self { source, target, poses, report, tracks } = self;
        poses.keep(0..0);
        tracks.iter_mut().for_each(Tracks::clear);
        *report = Report::default();
        for frame in frames {
            clip.read(frame, source);
            worker.frame(source, target);
            report.record(frame, worker);
            poses.push(target);
            if let Some(probes) = probes {
                worker.track(probes, tracks);
            }
        }
    }
}

/// What came of correcting a few frames.
struct Corrected {
    pose: Pose,
    poses: Clip,
    slack: Vec<[f64; 4]>,
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
