//! A whole clip: its frames, then contacts, floor, verdict and root motion, which need more than one frame.

#[cfg(feature = "files")]
mod body_mask;
mod compare_self_contacts;
mod correct;
mod cycle;
mod energies;
mod evidence;
mod floor;
#[cfg(feature = "files")]
mod foot_roll;
mod ground;
mod input;
mod parallel;
mod resample;
mod root_motion;
mod self_contact;
mod solve;
mod solve_and_correct;
#[cfg(feature = "files")]
mod timing;

#[cfg(feature = "files")]
pub(crate) use body_mask::BodyMask;
pub use compare_self_contacts::compare_self_contacts;
#[cfg(feature = "files")]
pub(crate) use cycle::CycleBody;
pub(crate) use evidence::Evidence;
pub use input::ClipInput;
pub use resample::resampled;
#[cfg(feature = "files")]
pub(crate) use timing::FrameMapping;

use crate::align::Plan;
use crate::error::RetargetError;
use crate::frame::Retargeter;
use crate::math::poses;
use crate::options::RootMotion;
use crate::quality::Diagnosis;
use crate::report::Report;
use crate::watch::{Halt, Sink, Stopped, Watched};
use cycle::solve_cycle;
use rebone_skeleton::{Clip, Pose};
use root_motion::HipTrack;
use solve::emit;
use solve_and_correct::solve_and_correct;

/// Retargets a whole clip: its frames on all threads of the pool, then contacts and floor if the options want them.
///
/// # Errors
/// If the clip is no motion of the source's skeleton, or the target's joints do not form chains.
pub fn retarget_clip(plan: &Plan, clip: &Clip) -> Result<(Clip, Report), RetargetError> {
    plan.check_source(clip)?;
    Ok(to_clip(&Retargeter::new(plan.clone())?, &ClipInput::new(&plan.source, clip))?)
}

/// Retargets a clip and passes each pose of the target to `sink`, in order, from [`ClipInput::first`] on. The result
/// is held in memory only if later frames can change earlier ones: if contacts are enforced
/// ([`ContactMode`](crate::options::ContactMode)), the result is put on its floor, or its root motion is moved. Data
/// for the verdict is always held: some kilobytes per frame.
///
/// Frames are solved in blocks on all threads of the current `rayon` pool, or of the global one (without the feature
/// `rayon`: on the caller's). Poses and report are equal to the bit for any number of threads. `retargeter` is only
/// cloned.
///
/// # Errors
/// When the clip is no motion of the source's skeleton, or [`ClipInput::watch`] stops the work. The first error of `sink`, which ends
/// the work.
pub fn retarget_frames<E: From<RetargetError> + Send>(
    retargeter: &Retargeter,
    input: &ClipInput,
    sink: impl FnMut(&Pose) -> Result<(), E> + Send,
) -> Result<Report, E> {
    retargeter.plan().check_source(input.clip).map_err(RetargetError::from)?;
    // A cycle has two frames at least.
    let is_cycle = input.is_cycle && input.clip.len() > 1;
    let input = &ClipInput { is_cycle, ..*input };
    let solved = solved_frames(retargeter, input, sink);
    let (mut report, evidence) = solved.map_err(Halt::error::<RetargetError>)?;
    grade(retargeter.plan(), input, &mut report, evidence);
    Ok(report)
}

/// Retargets a clip as [`retarget_frames`] does, without a verdict; with the data for one.
pub(crate) fn solved_frames<E: Send>(
    retargeter: &Retargeter,
    input: &ClipInput,
    mut sink: impl FnMut(&Pose) -> Result<(), E> + Send,
) -> Result<(Report, Option<Evidence>), Halt<E>> {
    let mut error = None;
    let mut sink = |pose: &Pose| {
        sink(pose).map_err(|own| {
            error = Some(own);
            Stopped
        })
    };
    let solved = solve_frames(retargeter, input, &mut sink);
    solved.map_err(|Stopped| error.map_or(Halt::Stopped, Halt::Sink))
}

/// Retargets a clip as [`solved_frames`] does.
fn solve_frames(
    retargeter: &Retargeter,
    input: &ClipInput,
    sink: &mut Sink,
) -> Result<(Report, Option<Evidence>), Stopped> {
    let plan = retargeter.plan();
    let moves_root = plan.options.root != RootMotion::World;
    if !ground::needs_result(plan, input) && !moves_root && !input.is_cycle {
        let mut hips = input.wants_root_path.then(|| HipTrack::new(plan));
        let (mut report, evidence) = solve_and_correct(retargeter, input, None, &mut |pose| {
            if let Some(hips) = &mut hips {
                hips.add(pose);
            }
            sink(pose)
        })?;
        report.root_path = hips.map(|hips| hips.path(input));
        Watched::begin(input.watch, "verdict", 0).check()?;
        return Ok((report, evidence));
    }
    let (result, report, evidence) = solved_clip(retargeter, input)?;
    let mut pose = retargeter.plan().target.skeleton.rest_pose();
    emit(&result, &mut pose, sink)?;
    Watched::begin(input.watch, "verdict", 0).check()?;
    Ok((report, evidence))
}

/// Retargets all frames to a clip, applies floor and root motion, and grades the result.
fn to_clip(retargeter: &Retargeter, input: &ClipInput) -> Result<(Clip, Report), Stopped> {
    let (result, mut report, evidence) = solved_clip(retargeter, input)?;
    grade(retargeter.plan(), input, &mut report, evidence);
    Ok((result, report))
}

/// Retargets all frames to a clip, then applies floor and root motion.
fn solved_clip(
    retargeter: &Retargeter,
    input: &ClipInput,
) -> Result<(Clip, Report, Option<Evidence>), Stopped> {
    let plan = retargeter.plan();
    let (mut result, mut report, mut evidence) = if input.is_cycle {
        solve_cycle(retargeter, input)?
    } else {
        let mut result = Clip::new(&plan.target.skeleton, input.clip.frame_time);
        let (report, evidence) =
            solve_and_correct(retargeter, input, None, &mut |pose| keep(&mut result, pose))?;
        (result, report, evidence)
    };
    ground::move_to_floor(plan, input, &mut result, &mut report, &mut evidence);
    if input.wants_root_path || plan.options.root != RootMotion::World {
        report.root_path = Some(root_motion::apply(plan, input, &mut result));
    }
    Ok((result, report, evidence))
}

/// Grades the result, with a finding on its floor where that is far from zero.
pub(crate) fn grade(
    plan: &Plan,
    input: &ClipInput,
    report: &mut Report,
    evidence: Option<Evidence>,
) {
    let offset = ground::warn_of_offset(plan, input, report, &evidence);
    report.still = evidence.as_ref().is_some_and(|own| own.is_still(input.expects_motion));
    let graded = evidence.filter(|_| !report.still);
    report.verdict = graded.map(|own| own.verdict(plan, input.expects_motion));
    let Some(verdict) = &mut report.verdict else { return };
    let first = if input.reference { 2 } else { 0 };
    let diagnosis = Diagnosis::of_checked(&plan.source, input.clip);
    verdict.add_source_defects(&diagnosis, first);
    if let Some(text) = offset {
        verdict.note(text);
    }
}

fn keep(result: &mut Clip, pose: &Pose) -> Result<(), Stopped> {
    poses::push(result, pose);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::parallel::{BLOCKS_PER_THREAD, FRAMES_PER_BLOCK};
    use super::*;
    use crate::analyse::Hints;
    use crate::options::{LimitMode, Options};
    use crate::{align, analyse};
    use rebone_samples as samples;

    /// A sample longer than one wave of two threads, onto a rig whose limits are active.
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
        let frames = 3 * 2 * BLOCKS_PER_THREAD * FRAMES_PER_BLOCK + 7;
        let poses = poses.iter().cycle().take(frames).cloned();
        (
            Retargeter::new(plan).unwrap(),
            Clip::from_poses(&clip.skeleton, 1.0 / 30.0, poses).unwrap(),
        )
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let (retargeter, clip) = long();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let input = ClipInput::new(&retargeter.plan().source, &clip);
            pool.install(|| to_clip(&retargeter, &input).unwrap())
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
            to_clip(&retargeter, &ClipInput::new(&retargeter.plan().source, &clip)).unwrap();
        let plan = retargeter.plan().clone();
        let mut report = Report::new(&plan);
        let mut target = plan.target.skeleton.rest_pose();
        for (frame, source) in clip.poses().enumerate() {
            retargeter.frame(&source, &mut target).unwrap();
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
