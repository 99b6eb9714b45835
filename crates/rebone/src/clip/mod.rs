//! A whole clip: its frames, then contacts, floor, verdict and root motion, which need more than one frame.

#[cfg(feature = "files")]
mod body_mask;
mod compare_self_contacts;
mod contacts;
mod cycle;
mod energies;
mod evidence;
mod floor;
mod frames;
mod ground;
mod input;
mod parallel;
mod root_motion;
mod self_contact;
#[cfg(feature = "files")]
mod timing;

#[cfg(feature = "files")]
pub(crate) use body_mask::BodyMask;
pub use compare_self_contacts::compare_self_contacts;
#[cfg(feature = "files")]
pub(crate) use cycle::CycleBody;
pub(crate) use evidence::Evidence;
pub use input::ClipInput;
#[cfg(feature = "files")]
pub(crate) use timing::FrameMapping;

use crate::align::Plan;
use crate::error::RetargetError;
use crate::frame::Retargeter;
use crate::options::RootMotion;
use crate::quality::Diagnosis;
use crate::report::Report;
use crate::watch::{Stopped, Watched};
use contacts::solve_motion;
use cycle::solve_cycle;
use rebone_skeleton::Clip;

/// A clip that is retargeted, before its verdict.
pub(crate) struct SolvedClip {
    pub(crate) clip: Clip,
    pub(crate) report: Report,
    /// Data for the verdict; `None` without visible motion.
    pub(crate) evidence: Option<Evidence>,
}

/// Retargets a whole clip, from [`ClipInput::first`] on: its frames on all threads of the current `rayon` pool, or of the
/// global one (without the feature `rayon`: on the caller's), then contacts, floor and root motion if the options want
/// them, then the verdict. Result and report are equal to the bit for any number of threads.
///
/// ```
/// use rebone::{ClipInput, Hints, Options, align, analyse, retarget_clip};
///
/// let [walk, rig] = [rebone_samples::walk().motion, rebone_samples::rigs().remove(0).motion];
/// let [source, target] = [analyse(&walk, &Hints::default())?, analyse(&rig, &Hints::default())?];
/// let plan = align(&source, &target, &Options::default());
/// let (clip, report) = retarget_clip(&plan, &ClipInput::new(&source, &walk.clip))?;
/// assert_eq!(report.frames, clip.len());
/// # Ok::<(), rebone::RetargetError>(())
/// ```
///
/// # Errors
/// When the clip is no motion of the source's skeleton, the target's joints do not form chains, or
/// [`ClipInput::watch`] stops the work.
pub fn retarget_clip(plan: &Plan, input: &ClipInput) -> Result<(Clip, Report), RetargetError> {
    plan.check_source(input.clip)?;
    // A cycle has two frames at least, all of them motion.
    let is_cycle = input.is_cycle && input.clip.len() > 1;
    let reference = input.reference && !is_cycle;
    let input = &ClipInput { is_cycle, reference, ..*input };
    let retargeter = Retargeter::new(plan.clone())?;
    let SolvedClip { clip, mut report, mut evidence } = solve_clip(&retargeter, input)?;
    if let Some(evidence) = &mut evidence {
        evidence.keep_result(&retargeter, input, &clip)?;
    }
    grade(&retargeter, input, &mut report, evidence)?;
    Ok((clip, report))
}

/// Retargets all frames, then applies contacts, floor and root motion.
pub(crate) fn solve_clip(
    retargeter: &Retargeter,
    input: &ClipInput,
) -> Result<SolvedClip, Stopped> {
    let plan = retargeter.plan();
    let mut solved = if input.is_cycle {
        solve_cycle(retargeter, input)?
    } else {
        solve_motion(retargeter, input, None)?
    };
    let SolvedClip { clip, report, evidence } = &mut solved;
    ground::move_to_floor(retargeter, input, clip, report, evidence)?;
    let moves_root = plan.options.root != RootMotion::World;
    if let (true, Some(evidence)) = (moves_root, evidence) {
        evidence.keep_result(retargeter, input, clip)?;
    }
    if input.wants_root_path || moves_root {
        report.root_path = Some(root_motion::apply(plan, input, clip));
    }
    Watched::begin(input.watch, "verdict", 0).check()?;
    Ok(solved)
}

/// Grades a result that was traced, with a finding on its floor where that is far from zero.
pub(crate) fn grade(
    retargeter: &Retargeter,
    input: &ClipInput,
    report: &mut Report,
    evidence: Option<Evidence>,
) -> Result<(), Stopped> {
    let plan = retargeter.plan();
    let offset = ground::warn_of_offset(retargeter, input, report, &evidence)?;
    let is_motion = evidence.is_some();
    let verdict = evidence.map(|own| own.verdict(retargeter, input)).transpose()?;
    report.verdict = verdict.flatten();
    report.still = is_motion && report.verdict.is_none();
    let Some(verdict) = &mut report.verdict else { return Ok(()) };
    let first = if input.reference { 2 } else { 0 };
    let diagnosis = Diagnosis::of_checked(&plan.source, input.clip);
    verdict.add_source_defects(&diagnosis, first);
    if let Some(text) = offset {
        verdict.note(text);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::parallel::{BLOCKS_PER_THREAD, FRAMES_PER_BLOCK};
    use super::*;
    use crate::options::Options;
    use crate::{align, analyse};
    use rebone_body::LimitMode;
    use rebone_body::analyse::Hints;
    use rebone_samples as samples;
    use rebone_skeleton::Pose;

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
            pool.install(|| retarget_clip(retargeter.plan(), &input).unwrap())
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
            retarget_clip(retargeter.plan(), &ClipInput::new(&retargeter.plan().source, &clip))
                .unwrap();
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
