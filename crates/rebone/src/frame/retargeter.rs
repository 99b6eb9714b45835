//! One frame after another: observe, pose, solve.

use super::pose_offset::PoseOffset;
use super::source_pose::SourcePose;
use super::stages::Stages;
use super::target_pose::TargetPose;
use crate::align::{Group, Plan, chains};
use crate::body::Limb;
use crate::limits::{ActiveLimit, JointRangeUse};
use crate::options::Method;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_ik::{Goal, IkError, Solution};
use rebone_skeleton::{Pose, WorldPose};

/// A plan and the memory that a frame needs: solves frames in any order, without allocation.
#[derive(Clone, Debug)]
pub struct Retargeter {
    plan: Plan,
    source_pose: SourcePose,
    target_pose: TargetPose,
    /// Where nothing is solved: a copy of the pose, on which stages tell how far from their goals it is.
    copy_for_scoring: Option<TargetPose>,
    segments: Vec<UnitQuaternion<f64>>,
    stages: Stages,
    solutions: [Option<Solution>; Group::ORDER.len()],
    /// Room for the frames of the result.
    world: WorldPose,
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
            source_pose: SourcePose::new(&plan),
            target_pose: TargetPose::new(&plan),
            copy_for_scoring: (plan.options.method != Method::Ik).then(|| TargetPose::new(&plan)),
            stages,
            world: WorldPose::zeros(plan.target.skeleton.len()),
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
    /// [`LimitMode::Source`](crate::options::LimitMode), joints that no stage offset are left out unless the rig
    /// limits them: they take the source's own rotations.
    pub fn range_uses(&self) -> impl Iterator<Item = JointRangeUse> + '_ {
        let mode = self.plan.options.limits;
        self.stages.range_uses(&self.target_pose).chain(self.target_pose.range_uses(mode))
    }

    /// The goals of a group's stage in the last frame, with their names, and how far from being met
    /// they are: metres of a 1.7 m body, or radians ([`Goal::error_size`]).
    pub fn goals(&self, group: Group) -> impl Iterator<Item = (&str, &Goal, f64)> {
        self.solves().then(|| self.stages.goals(group)).into_iter().flatten()
    }

    /// The limits that bound in the last frame.
    pub fn active_limits(&self) -> impl Iterator<Item = ActiveLimit> {
        let solved = self.solves().then(|| self.stages.active_limits());
        solved.into_iter().flatten().chain(self.target_pose.active_limits())
    }

    /// Whether the stages move anything.
    fn solves(&self) -> bool {
        self.copy_for_scoring.is_none()
    }

    /// The target's pose for a pose of the source.
    ///
    /// # Panics
    /// When a pose has not as many joints as its skeleton.
    pub fn frame(&mut self, source: &Pose, target: &mut Pose) {
        self.observe(source);
        Group::ORDER.into_iter().for_each(|group| self.solve(group));
        self.write(target);
    }

    /// The first step of a frame, public for benches alone, as are the others: takes a pose of the source.
    ///
    /// # Panics
    /// When it has not as many joints as the source's skeleton.
    #[doc(hidden)]
    pub fn observe(&mut self, source: &Pose) {
        let Self { plan, source_pose, target_pose, segments, .. } = self;
        source_pose.update(plan, source);
        chains::apply(&plan.chains, &source_pose.turns, segments);
        target_pose.translations.copy_from_slice(&plan.bones);
    }

    /// Starts a group in closed form and solves its stage. Those before it in [`Group::ORDER`] must have
    /// been solved.
    #[doc(hidden)]
    pub fn solve(&mut self, group: Group) {
        let Self {
            plan,
            source_pose,
            target_pose,
            copy_for_scoring,
            segments,
            stages,
            solutions,
            ..
        } = self;
        let index = group.place();
        target_pose.start(plan, source_pose, segments, index);
        if group == Group::Body {
            let hips = plan.target.hips().map(|hip| {
                let stretch =
                    plan.stretched(hip).and_then(|pair| plan.stretch(&source_pose.world, pair));
                target_pose.place(plan, hip) + stretch.unwrap_or_else(Vector3::zeros)
            });
            let wanted = plan.scaled_to_target(&source_pose.middle(plan.source.hips()));
            target_pose.translate_body(plan, wanted - (hips[0] + hips[1]) / 2.0);
        }
        if let Some(copy_for_scoring) = copy_for_scoring {
            copy_for_scoring.copy(target_pose);
            let solution = stages.solve(plan, source_pose, copy_for_scoring, group);
            solutions[index] =
                solution.map(|solution| Solution { cost: solution.start_cost, ..solution });
            return;
        }
        solutions[index] = stages.solve(plan, source_pose, target_pose, group);
        if solutions[index].is_some() {
            target_pose.update_group(plan, index);
        }
    }

    /// The source in the last frame: inner world, metres of a 1.7 m body.
    pub(crate) fn source_world(&self) -> &WorldPose {
        &self.source_pose.world
    }

    /// The target as it stands: inner world, metres of a 1.7 m body.
    pub(crate) fn target_world(&self) -> &WorldPose {
        &self.target_pose.world
    }

    /// Moves the body and the ends of limbs of a pose of the target; hands and feet keep their rotations in the
    /// world. How far each end is from its place then, metres of a 1.7 m body.
    pub(crate) fn apply_offset(&mut self, pose: &mut Pose, offset: &PoseOffset) -> [f64; 4] {
        let Self { plan, target_pose, stages, world, .. } = self;
        target_pose.set_pose(plan, pose);
        if *offset == PoseOffset::default() {
            return [0.0; 4];
        }
        let unit = plan.target.metres_per_unit();
        let ends = Limb::ALL.map(|limb| limb.end(&plan.target));
        let tips = Limb::ALL.map(|limb| limb.tip(&plan.target));
        let rotations = tips.map(|tip| tip.map(|tip| target_pose.world.rotations[tip.index()]));
        if offset.tilt != Vector3::zeros() {
            target_pose.tilt(plan, &UnitQuaternion::from_scaled_axis(offset.tilt));
        }
        let places = ends.map(|end| end.place(&target_pose.world, unit));
        target_pose.translate_body(plan, offset.root);
        let mut slack = [0.0; 4];
        for (k, limb) in Limb::ALL.into_iter().enumerate() {
            let Some(by) = offset.ends[k] else { continue };
            stages.move_end_effector(plan, target_pose, limb, places[k] + by);
            target_pose.update_group(plan, Group::of_limb(limb).place());
            if let (Some(tip), Some(rotations)) = (tips[k], rotations[k]) {
                target_pose.set_world_rotation(plan, tip, &rotations);
                target_pose.update_group(plan, plan.groups[tip.index()].place());
            }
            if let Limb::Arm(side) = limb {
                target_pose.update_group(plan, Group::Fingers(side).place());
            }
            slack[k] = (ends[k].place(&target_pose.world, unit) - places[k] - by).norm();
        }
        target_pose.write(plan, pose);
        plan.carry_helpers(pose, world);
        slack
    }

    /// Sets the height by what bears on the ground, and overwrites the target's pose, helpers last.
    ///
    /// # Panics
    /// When that has not as many joints as the target's skeleton.
    #[doc(hidden)]
    pub fn write(&mut self, target: &mut Pose) {
        let solves = self.solves();
        let Self { plan, source_pose, target_pose, world, .. } = self;
        if solves {
            let rise = plan.supports.rise(&source_pose.world, &target_pose.world);
            target_pose.translate_body(plan, Vector3::y() * rise);
        }
        target_pose.write(plan, target);
        plan.carry_helpers(target, world);
    }
}
