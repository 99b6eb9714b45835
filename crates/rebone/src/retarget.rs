//! One frame after another: observe, pose, solve.

use crate::ReferenceFrame;
use crate::align::{Group, Plan, chains};
use crate::ground::{floor, lift};
use crate::limits::{Binding, JointBox};
use crate::observe::Observation;
use crate::posing::Posing;
use crate::report::Report;
use crate::stages::Stages;
use crate::understand::begins_with_reference;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_ik::{Goal, IkError, Solution};
use rebone_skeleton::{Clip, Pose};
use std::convert::Infallible;

/// A plan and the memory that a frame needs: solves frames in any order, without allocation.
#[derive(Clone, Debug)]
pub struct Retargeter {
    plan: Plan,
    seen: Observation,
    posing: Posing,
    segments: Vec<UnitQuaternion<f64>>,
    stages: Stages,
    solutions: [Option<Solution>; Group::ORDER.len()],
}

impl Retargeter {
    /// Sets up the memory and the stages' problems.
    ///
    /// # Errors
    /// When the target's joints do not form chains.
    pub fn new(plan: Plan) -> Result<Self, IkError> {
        let count = plan.chains.iter().map(|chain| chain.target.len()).sum();
        let stages = Stages::new(&plan)?;
        Ok(Self {
            solutions: [None; Group::ORDER.len()],
            seen: Observation::new(&plan),
            posing: Posing::new(&plan, &stages),
            stages,
            segments: vec![UnitQuaternion::identity(); count],
            plan,
        })
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How the stages of the last frame went, in their order.
    pub fn solutions(&self) -> impl Iterator<Item = (Group, &Solution)> + '_ {
        let pairs = Group::ORDER.into_iter().zip(&self.solutions);
        pairs.filter_map(|(group, solution)| Some((group, solution.as_ref()?)))
    }

    /// Where the limited joints stand in their boxes in the last frame. With
    /// [`LimitMode::Source`](crate::LimitMode), joints that no stage moves are left out unless the rig
    /// limits them: they take the source's own rotations.
    pub fn boxes(&self) -> impl Iterator<Item = JointBox> + '_ {
        let mode = self.plan.options.limits;
        self.stages.boxes(&self.posing).chain(self.posing.boxes(mode))
    }

    /// The goals of a group's stage in the last frame, with their names, and how far from being met
    /// they are: metres of a 1.7 m body, or radians ([`Goal::distance`]).
    pub fn goals(&self, group: Group) -> impl Iterator<Item = (&str, &Goal, f64)> {
        self.stages.goals(group)
    }

    /// The limits that bound in the last frame.
    pub fn bindings(&self) -> impl Iterator<Item = Binding> {
        self.stages.bindings().chain(self.posing.bindings())
    }

    /// The target's pose for a pose of the source.
    ///
    /// # Panics
    /// When a pose has not as many joints as its skeleton.
    pub fn frame(&mut self, source: &Pose, target: &mut Pose) {
        let Self { plan, seen, posing, segments, stages, solutions } = self;
        seen.update(plan, source);
        chains::apply(&plan.chains, &seen.turns, segments);
        posing.translations.copy_from_slice(&plan.bones);
        for (place, group) in Group::ORDER.into_iter().enumerate() {
            posing.start(plan, seen, segments, place);
            if group == Group::Body {
                let hips = plan.target.hips().map(|hip| posing.place(plan, hip));
                let wanted: Vector3<f64> = seen.middle(plan.source.hips()) * plan.path_scale;
                posing.shift(plan, wanted - (hips[0] + hips[1]) / 2.0);
            }
            solutions[place] = stages.solve(plan, seen, posing, group);
            if solutions[place].is_some() {
                posing.refresh(plan, place);
            }
        }
        let rise = plan.supports.rise(&seen.world, &posing.world);
        posing.shift(plan, Vector3::y() * rise);
        posing.write(plan, target);
    }
}

/// Retargets a whole clip: its frames one by one, then the floor where that is wanted.
///
/// # Errors
/// When the target's joints do not form chains.
pub fn retarget_clip(plan: &Plan, clip: &Clip) -> Result<(Clip, Report), IkError> {
    Ok(collect(&mut Retargeter::new(plan.clone())?, clip))
}

/// Retargets a clip without holding the result: each pose of the target goes to `sink`, in the order of
/// the frames, from [`first_frame`] on. Where the result is to be put on its floor, which the last frame
/// may change, it is held after all.
///
/// # Errors
/// The first error of `sink`, which ends the work.
///
/// # Panics
/// When the clip is not of the source's skeleton.
pub fn retarget_frames<E>(
    retargeter: &mut Retargeter,
    clip: &Clip,
    mut sink: impl FnMut(&Pose) -> Result<(), E>,
) -> Result<Report, E> {
    if !retargeter.plan.options.ground {
        return solve(retargeter, clip, sink);
    }
    let (result, report) = collect(retargeter, clip);
    let mut pose = retargeter.plan.target.skeleton.rest_pose();
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
fn collect(retargeter: &mut Retargeter, clip: &Clip) -> (Clip, Report) {
    let mut result = Clip::new(&retargeter.plan.target.skeleton, clip.frame_time);
    let pushed = solve(retargeter, clip, |pose| {
        result.push(pose);
        Ok::<_, Infallible>(())
    });
    let Ok(mut report) = pushed;
    let plan = &retargeter.plan;
    if plan.options.ground {
        report.floor = floor(plan, &result);
        let level = report.floor.map_or(0.0, |floor| floor.level);
        lift(plan, &mut result, -level);
    }
    (result, report)
}

fn solve<E>(
    retargeter: &mut Retargeter,
    clip: &Clip,
    mut sink: impl FnMut(&Pose) -> Result<(), E>,
) -> Result<Report, E> {
    let plan = &retargeter.plan;
    let mut report = Report::new(plan);
    report.reference_frame = begins_with_reference(&plan.source, clip);
    let frames = first_frame(plan, clip)..clip.len();
    let [mut source, mut target] =
        [&plan.source, &plan.target].map(|anatomy| anatomy.skeleton.rest_pose());
    for frame in frames.clone() {
        clip.read(frame, &mut source);
        retargeter.frame(&source, &mut target);
        report.record(frame, retargeter);
        sink(&target)?;
    }
    report.finish(frames.len(), clip.frame_time);
    Ok(report)
}
