//! The loop over one frame: read the source, pose the target, solve the stages.

use super::arm_turn::ArmTurn;
use super::egocentric_ends::place_ends;
use super::feet::{self, Feet};
use super::foot_state::FootState;
use super::pose_offset::PoseOffset;
use super::source_pose::SourcePose;
use super::stages::Stages;
use super::target_pose::TargetPose;
use crate::align::{Group, Plan, chains};
use crate::error::RetargetError;
use crate::options::Method;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::body::{Limb, Side};
use rebone_body::limits::{ActiveLimit, JointRangeUse};
use rebone_ik::{Goal, Solution};
use rebone_skeleton::{ClipError, Pose, WorldPose};

/// A plan with all memory that a frame needs. Solves frames in any order, without allocation.
///
/// Frames alone have no contacts: feet may slide and sink. [`LiveContacts`](crate::LiveContacts) holds the feet of a
/// stream of frames, [`retarget_clip`](crate::retarget_clip) enforces all contacts of a clip.
#[derive(Clone, Debug)]
pub struct Retargeter {
    plan: Plan,
    source_pose: SourcePose,
    target_pose: TargetPose,
    /// Without inverse kinematics: a copy of the target pose on which the stages evaluate their goals.
    copy_for_scoring: Option<TargetPose>,
    segments: Vec<UnitQuaternion<f64>>,
    stages: Stages,
    feet: Feet,
    /// How far their mesh bent the toes of the last frame.
    toe_bends: [f64; 2],
    solutions: [Option<Solution>; Group::ORDER.len()],
    /// Scratch memory for world transforms of the result.
    world: WorldPose,
}

impl Retargeter {
    /// Allocates the memory and sets up the problems of the stages.
    ///
    /// # Errors
    /// If the target's joints do not form chains, or egocentric coordinates are wanted of a body without a surface.
    pub fn new(plan: Plan) -> Result<Self, RetargetError> {
        if let Some(body) = plan.egocentric.as_ref().and_then(|map| map.without_trunk()) {
            return Err(RetargetError::NoSurface { body });
        }
        let count = plan.chains.iter().map(|chain| chain.target.len()).sum();
        let stages = Stages::new(&plan)?;
        Ok(Self {
            solutions: [None; Group::ORDER.len()],
            source_pose: SourcePose::new(&plan),
            target_pose: TargetPose::new(&plan),
            copy_for_scoring: (plan.options.method != Method::Ik).then(|| TargetPose::new(&plan)),
            stages,
            feet: Feet::new(&plan),
            toe_bends: [0.0; 2],
            world: WorldPose::zeros(&plan.target.skeleton),
            segments: vec![UnitQuaternion::identity(); count],
            plan,
        })
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the solutions of the stages in the last frame, in the order of [`Group::ORDER`].
    pub(crate) fn solutions(&self) -> impl Iterator<Item = (Group, &Solution)> + '_ {
        let pairs = Group::ORDER.into_iter().zip(&self.solutions);
        pairs.filter_map(|(group, solution)| Some((group, solution.as_ref()?)))
    }

    /// Returns the values and ranges of limited joints in the last frame. With
    /// [`LimitMode::Source`](crate::LimitMode), joints that no stage solves are left out unless the rig
    /// limits them: they take the source's rotations.
    pub fn range_uses(&self) -> impl Iterator<Item = JointRangeUse> + '_ {
        let mode = self.plan.options.limits;
        self.stages.range_uses(&self.target_pose).chain(self.target_pose.range_uses(mode))
    }

    /// Returns the goals of a group's stage in the last frame: name, goal, and error in metres of a 1.7 m body, or in
    /// radians ([`Goal::error_size`]).
    pub(crate) fn goals(&self, group: Group) -> impl Iterator<Item = (&str, &Goal, f64)> {
        self.solves().then(|| self.stages.goals(group)).into_iter().flatten()
    }

    /// Returns the limits that were active in the last frame.
    pub(crate) fn active_limits(&self) -> impl Iterator<Item = ActiveLimit> {
        let solved = self.solves().then(|| self.stages.active_limits());
        solved.into_iter().flatten().chain(self.target_pose.active_limits())
    }

    /// Returns whether stages pose the target; with other methods they only evaluate.
    fn solves(&self) -> bool {
        self.copy_for_scoring.is_none()
    }

    /// Retargets one pose.
    ///
    /// # Errors
    /// If a pose does not have as many joints as its skeleton, or `source` has transforms that are not finite; `target`
    /// stays as it was.
    pub fn frame(&mut self, source: &Pose, target: &mut Pose) -> Result<(), RetargetError> {
        source.check_for(&self.plan.source.skeleton)?;
        let expected = self.plan.target.skeleton.len();
        let lengths = [target.rotations.len(), target.translations.len()];
        if let Some(found) = lengths.into_iter().find(|&found| found != expected) {
            return Err(ClipError::Pose { found, expected }.into());
        }
        self.checked_frame(source, target);
        Ok(())
    }

    /// Retargets one pose. Both were checked.
    pub(crate) fn checked_frame(&mut self, source: &Pose, target: &mut Pose) {
        self.observe(source);
        Group::ORDER.into_iter().for_each(|group| self.solve(group));
        self.place_ends();
        self.write(target);
    }

    /// Reads a checked pose of the source: the first step of a frame, public for benches only.
    #[doc(hidden)]
    pub fn observe(&mut self, source: &Pose) {
        let Self { plan, source_pose, target_pose, segments, .. } = self;
        source_pose.update(plan, source);
        chains::apply(&plan.chains, &source_pose.turns, segments);
        target_pose.translations.copy_from_slice(&plan.bones);
    }

    /// Poses a group in closed form and solves its stage. Earlier groups of [`Group::ORDER`] must have been solved.
    #[doc(hidden)]
    pub fn solve(&mut self, group: Group) {
        let Self { plan, source_pose, target_pose, segments, stages, solutions, .. } = self;
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
        if self.copy_for_scoring.is_some() {
            if matches!(plan.options.method, Method::Copy | Method::Bind) {
                self.score(group);
            }
            return;
        }
        solutions[index] = stages.solve(plan, source_pose, target_pose, group);
        if solutions[index].is_some() {
            target_pose.update_group(plan, index);
        }
    }

    /// Evaluates the goals of a group's stage on the target pose.
    fn score(&mut self, group: Group) {
        let Self { plan, source_pose, target_pose, copy_for_scoring, stages, solutions, .. } = self;
        let Some(copy) = copy_for_scoring else { return };
        copy.copy(target_pose);
        let solution = stages.solve(plan, source_pose, copy, group);
        solutions[group.place()] =
            solution.map(|solution| Solution { cost: solution.start_cost, ..solution });
    }

    /// Places hands and feet by their egocentric coordinates, if that is the method.
    fn place_ends(&mut self) {
        let Self { plan, source_pose, target_pose, stages, .. } = self;
        let Some(map) = &plan.egocentric else { return };
        place_ends(plan, map, source_pose, target_pose, stages);
        Group::ORDER.into_iter().for_each(|group| self.score(group));
    }

    /// Returns the source in the last frame: inner world, metres of a 1.7 m body.
    pub(crate) fn source_world(&self) -> &WorldPose {
        &self.source_pose.world
    }

    /// Returns the target in the last frame: inner world, metres of a 1.7 m body.
    pub(crate) fn target_world(&self) -> &WorldPose {
        &self.target_pose.world
    }

    /// Returns whether toes of the target bend by themselves.
    pub(crate) fn bends_toes(&self) -> bool {
        self.feet.bends_toes()
    }

    /// Returns both feet of the target in the last frame.
    pub(crate) fn foot_states(&self) -> [FootState; 2] {
        let Self { plan, target_pose, toe_bends, .. } = self;
        Side::BOTH.map(|side| FootState::new(plan, target_pose, side, toe_bends[side.index()]))
    }

    /// Applies offsets to a pose of the target: tilt, translation, and end effectors by inverse kinematics; hands and
    /// feet keep their rotations in the world, but for their own. Returns the remaining distance of each end effector, metres of a 1.7 m
    /// body.
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
        let places = ends.map(|end| end.at(&target_pose.world, unit));
        target_pose.translate_body(plan, offset.root);
        let mut slack = [0.0; 4];
        for (k, limb) in Limb::ALL.into_iter().enumerate() {
            let turn = match limb {
                Limb::Arm(side) => offset.hands[side.index()],
                Limb::Leg(side) => offset.feet[side.index()],
            };
            let bends = matches!(limb, Limb::Leg(side) if offset.toes[side.index()] != 0.0);
            let by = match offset.ends[k] {
                Some(by) => by,
                None if turn != Vector3::zeros() || bends => offset.root,
                None => continue,
            };
            stages.move_end_effector(plan, target_pose, limb, places[k] + by);
            target_pose.update_group(plan, Group::of_limb(limb).place());
            if let (Some(tip), Some(rotation)) = (tips[k], rotations[k]) {
                let rotation = UnitQuaternion::from_scaled_axis(turn) * rotation;
                target_pose.set_world_rotation(plan, tip, &rotation);
                target_pose.update_group(plan, plan.groups[tip.index()].place());
            }
            match limb {
                Limb::Arm(side) => target_pose.update_group(plan, Group::Fingers(side).place()),
                Limb::Leg(side) => {
                    feet::bend_toes(plan, target_pose, side, offset.toes[side.index()]);
                }
            }
            slack[k] = (ends[k].at(&target_pose.world, unit) - places[k] - by).norm();
        }
        target_pose.write(plan, pose);
        plan.carry_helpers(pose, world);
        slack
    }

    /// Reads a checked pose of the source.
    pub(crate) fn read_source(&mut self, pose: &Pose) -> &WorldPose {
        self.source_pose.update(&self.plan, pose);
        &self.source_pose.world
    }

    /// Reads a pose of the target.
    pub(crate) fn read_target(&mut self, pose: &Pose) -> &WorldPose {
        self.target_pose.set_pose(&self.plan, pose);
        &self.target_pose.world
    }

    /// Reads a frame of the source and of the target, and evaluates the goals of all stages.
    pub(crate) fn score_frame(&mut self, source: &Pose, target: &Pose) {
        self.observe(source);
        self.target_pose.set_pose(&self.plan, target);
        Group::ORDER.into_iter().for_each(|group| self.score(group));
    }

    /// Turns the arms of a pose of the target, left and right.
    pub(crate) fn turn_arms(&mut self, pose: &mut Pose, turns: &[ArmTurn; 2]) {
        let Self { plan, target_pose, stages, world, .. } = self;
        target_pose.set_pose(plan, pose);
        for side in Side::BOTH {
            turns[side.index()].apply(plan, target_pose, stages, side);
        }
        target_pose.write(plan, pose);
        plan.carry_helpers(pose, world);
    }

    /// Sets the height by the supports and writes the checked pose of the target, helpers last: the last step of a frame.
    #[doc(hidden)]
    pub fn write(&mut self, target: &mut Pose) {
        let solves = self.solves();
        let Self { plan, source_pose, target_pose, feet, toe_bends, world, .. } = self;
        if solves {
            *toe_bends = feet.pose(plan, source_pose, target_pose);
            let rise = plan.supports.rise(&source_pose.world, &target_pose.world);
            target_pose.translate_body(plan, Vector3::y() * rise);
        }
        target_pose.write(plan, target);
        plan.carry_helpers(target, world);
    }
}
