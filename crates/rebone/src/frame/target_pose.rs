//! The target pose while groups of joints are posed one after another.

use super::source_pose::SourcePose;
use crate::align::{Group, Plan, Rule};
use crate::options::Method;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::LimitMode;
use rebone_body::body::Side;
use rebone_body::limits::{ActiveLimit, JointRange, JointRangeUse, joint_range};
use rebone_skeleton::rotation::{direction, shortest_arc};
use rebone_skeleton::{JointId, Pose, WorldPose};

/// The target in one frame: inner world, +Y up, metres of a 1.7 m body.
///
/// Joints are valid up to the group that was posed last.
#[derive(Clone, Debug)]
pub(crate) struct TargetPose {
    /// Rotation of each joint relative to its parent; of the root, relative to the file's axes.
    pub(crate) locals: Vec<UnitQuaternion<f64>>,
    /// Translation of each joint in its parent's axes: rest translations, except for the translation joint.
    pub(crate) translations: Vec<Vector3<f64>>,
    /// World positions and rotations.
    pub(crate) world: WorldPose,
    /// Joints of each group, parents first, in the order of [`Group::ORDER`].
    members: Vec<Vec<JointId>>,
    /// Ranges of joints that no stage solves, if their start can violate them.
    range_uses: Vec<Option<JointRange>>,
    /// Violation of each variable of those joints by its start, radians: negative below the range.
    outside: Vec<[f64; 3]>,
}

impl TargetPose {
    /// Allocates the pose of a plan's target.
    pub(crate) fn new(plan: &Plan) -> Self {
        let ids = || plan.target.skeleton.ids();
        // Stages hold the limits of their joints; rotation copy has none.
        let is_free = |id: JointId| plan.options.method != Method::Ik || plan.solved[id.index()];
        let members =
            |group: &Group| ids().filter(|id| plan.groups[id.index()] == *group).collect();
        Self {
            locals: plan.target.calibration_rotations.clone(),
            translations: plan.bones.clone(),
            world: WorldPose::zeros(&plan.target.skeleton),
            members: Group::ORDER.iter().map(members).collect(),
            outside: vec![[0.0; 3]; plan.target.skeleton.len()],
            range_uses: ids().map(|id| if is_free(id) { None } else { limits(plan, id) }).collect(),
        }
    }

    /// Reads a pose in units of the target's file.
    pub(crate) fn set_pose(&mut self, plan: &Plan, pose: &Pose) {
        let metres = plan.target.metres_per_unit();
        self.locals.copy_from_slice(&pose.rotations);
        for (own, place) in self.translations.iter_mut().zip(&pose.translations) {
            *own = place * metres;
        }
        self.update_all(plan);
    }

    /// Updates the world transforms of all joints from the local ones.
    pub(crate) fn update_all(&mut self, plan: &Plan) {
        for index in 0..self.locals.len() {
            let (_, parent) = self.parent(plan, JointId(index));
            self.world.positions[index] = self.place(plan, JointId(index));
            self.world.rotations[index] = parent * self.locals[index];
        }
    }

    /// Rotates the whole body about the midpoint of the hips.
    pub(crate) fn tilt(&mut self, plan: &Plan, turn: &UnitQuaternion<f64>) {
        let [left, right] = plan.target.hips().map(|hip| self.world.positions[hip.index()]);
        let (hips, translation_joint) = ((left + right) / 2.0, plan.translation_joint.index());
        let way = self.world.positions[translation_joint] - hips;
        let world = turn * self.world.rotations[translation_joint];
        let (_, parent) = self.parent(plan, plan.translation_joint);
        let local = parent.inverse() * world;
        self.locals[translation_joint] = UnitQuaternion::new_normalize(local.into_inner());
        self.translations[translation_joint] += parent.inverse() * (turn * way - way);
        self.update_all(plan);
    }

    /// Sets the world rotation of a joint, clamped to its range if no stage solves it.
    pub(crate) fn set_world_rotation(
        &mut self,
        plan: &Plan,
        joint: JointId,
        world: &UnitQuaternion<f64>,
    ) {
        let (_, parent) = self.parent(plan, joint);
        let local = UnitQuaternion::new_normalize((parent.inverse() * world).into_inner());
        self.locals[joint.index()] = match &self.range_uses[joint.index()] {
            Some(limits) => limits.clamp(&local, plan.options.limits).0,
            None => local,
        };
    }

    /// Brings a joint that was turned after its stage into its range.
    pub(crate) fn hold_range(&mut self, plan: &Plan, joint: JointId) {
        let range = joint_range(&plan.target, joint);
        if plan.options.method == Method::Ik && !range.is_open(plan.options.limits) {
            let local = &mut self.locals[joint.index()];
            *local = range.clamp(local, plan.options.limits).0;
        }
    }

    /// Copies another pose of this target.
    pub(crate) fn copy(&mut self, other: &Self) {
        self.locals.copy_from_slice(&other.locals);
        self.translations.copy_from_slice(&other.translations);
        self.world.positions.copy_from_slice(&other.world.positions);
        self.world.rotations.copy_from_slice(&other.world.rotations);
        self.outside.copy_from_slice(&other.outside);
    }

    /// Returns the world rotation of a joint's anatomical axes.
    pub(crate) fn frame(&self, plan: &Plan, joint: JointId) -> UnitQuaternion<f64> {
        self.world.rotations[joint.index()] * plan.target.joint_from_anatomical[joint.index()]
    }

    /// Returns the world transform of a joint's parent; of the root, that of the file's axes.
    pub(crate) fn parent(
        &self,
        plan: &Plan,
        joint: JointId,
    ) -> (Vector3<f64>, UnitQuaternion<f64>) {
        match plan.target.skeleton[joint].parent {
            Some(parent) => {
                (self.world.positions[parent.index()], self.world.rotations[parent.index()])
            }
            None => (Vector3::zeros(), plan.inner_from_target),
        }
    }

    /// Returns the world position of a joint whose parent has been posed.
    pub(crate) fn place(&self, plan: &Plan, joint: JointId) -> Vector3<f64> {
        let (place, rotation) = self.parent(plan, joint);
        place + rotation * self.translations[joint.index()]
    }

    /// Poses the joints of a group by their rules: the closed-form start.
    ///
    /// `segments` holds the rotations since the T pose of the segments of all chains.
    pub(crate) fn start(
        &mut self,
        plan: &Plan,
        source_pose: &SourcePose,
        segments: &[UnitQuaternion<f64>],
        group: usize,
    ) {
        for member in 0..self.members[group].len() {
            let joint = self.members[group][member];
            let wanted = self.desired_rotation(plan, source_pose, segments, joint);
            let (place, parent) = self.parent(plan, joint);
            let index = joint.index();
            if let Some(world) = wanted {
                let local = parent.inverse() * world;
                self.locals[index] = UnitQuaternion::new_normalize(local.into_inner());
            } else {
                self.locals[index] = plan.target.calibration_rotations[index];
            }
            if let Some(limits) = &self.range_uses[index] {
                (self.locals[index], self.outside[index]) =
                    limits.clamp(&self.locals[index], plan.options.limits);
            }
            if let Rule::AncestorOfHips(source) = plan.rules[index] {
                let path = plan.scaled_to_target(&source_pose.world.positions[source.index()]);
                let along = parent.inverse() * (path - place);
                for axis in &plan.target.skeleton[joint].translation_axes {
                    self.translations[index][axis.index()] = along[axis.index()];
                }
            }
            if let Some(stretch) = self.stretch(plan, source_pose, joint) {
                self.translations[index] += parent.inverse() * stretch;
            }
            self.world.positions[index] = self.place(plan, joint);
            self.world.rotations[index] = parent * self.locals[index];
        }
    }

    /// Returns what the source displaces a joint by, in the inner world: a prop in the axes of its parent's segment.
    fn stretch(
        &self,
        plan: &Plan,
        source_pose: &SourcePose,
        joint: JointId,
    ) -> Option<Vector3<f64>> {
        let pair = plan.stretched(joint)?;
        if !plan.is_prop(joint) {
            return plan.stretch(&source_pose.world, pair);
        }
        let from = source_pose.frames[pair[1].index()];
        let to = self.frame(plan, plan.target.skeleton[joint].parent?);
        Some(to * (from.inverse() * plan.displacement(&source_pose.world, pair)?))
    }

    /// Rotates a joint in the world: `R ← rotation · R`.
    pub(crate) fn rotate(&mut self, plan: &Plan, joint: JointId, turn: &UnitQuaternion<f64>) {
        let (_, parent) = self.parent(plan, joint);
        let index = joint.index();
        self.locals[index] = parent.inverse() * turn * parent * self.locals[index];
    }

    /// Updates the world transforms of a group from its local ones.
    pub(crate) fn update_group(&mut self, plan: &Plan, group: usize) {
        for member in 0..self.members[group].len() {
            let joint = self.members[group][member];
            let (_, parent) = self.parent(plan, joint);
            self.world.positions[joint.index()] = self.place(plan, joint);
            self.world.rotations[joint.index()] = parent * self.locals[joint.index()];
        }
    }

    /// Returns the world rotation by a joint's rule; `None` if it keeps its rest pose.
    fn desired_rotation(
        &self,
        plan: &Plan,
        source_pose: &SourcePose,
        segments: &[UnitQuaternion<f64>],
        joint: JointId,
    ) -> Option<UnitQuaternion<f64>> {
        let target = &plan.target;
        let from_anatomical = || target.joint_from_anatomical[joint.index()].inverse();
        match plan.rules[joint.index()] {
            Rule::KeepRest => None,
            Rule::Copy(source) => Some(source_pose.frames[source.index()] * from_anatomical()),
            Rule::Chain(place) => Some(segments[place] * target.t_pose.rotations[joint.index()]),
            Rule::Collar(side, source) => {
                let carried = source_pose.frames[source.index()] * from_anatomical();
                Some(self.aimed_collar(plan, source_pose, side, joint, carried))
            }
            Rule::RelativeToRole { source: [source, over], above } => {
                let turn =
                    source_pose.frames[over.index()].inverse() * source_pose.frames[source.index()];
                Some(self.frame(plan, above) * turn * from_anatomical())
            }
            Rule::CopyRotation { source, post } => {
                Some(source_pose.world.rotations[source.index()] * post)
            }
            Rule::Twist(share) => Some(share.frame(&source_pose.frames) * from_anatomical()),
            // Above the body, the T pose is relative to the file's axes.
            Rule::AncestorOfHips(source) => Some(
                source_pose.turns[source.index()]
                    * plan.inner_from_source.inverse()
                    * plan.inner_from_target
                    * target.t_pose.rotations[joint.index()],
            ),
        }
    }

    /// Rotates a collar bone by the shortest arc so that it points at its shoulder's goal.
    fn aimed_collar(
        &self,
        plan: &Plan,
        source_pose: &SourcePose,
        side: Side,
        joint: JointId,
        carried: UnitQuaternion<f64>,
    ) -> UnitQuaternion<f64> {
        let shoulder = plan.target.body.arms[side.index()].upper;
        let wanted = self.shoulder_goal(plan, source_pose, side) - self.place(plan, joint);
        let t_pose = &plan.target.t_pose;
        let bone = t_pose.rotations[joint.index()].inverse()
            * (plan.target.place(shoulder) - plan.target.place(joint));
        match (direction(&(carried * bone)), direction(&wanted)) {
            (Some(from), Some(to)) => shortest_arc(&from, &to) * carried,
            _ => carried,
        }
    }

    /// Returns the goal position of a shoulder: its anchor on the chest, displaced as the source's,
    /// scaled.
    pub(crate) fn shoulder_goal(
        &self,
        plan: &Plan,
        source_pose: &SourcePose,
        side: Side,
    ) -> Vector3<f64> {
        let (source, target) = (&plan.source, &plan.target);
        let (chest, shoulder) = (source.body.chest(), source.body.arms[side.index()].upper);
        let from_chest = source_pose.world.positions[shoulder.index()]
            - source_pose.world.positions[chest.index()];
        let displaced = source_pose.frames[chest.index()].inverse() * from_chest
            - plan.girdle.source[side.index()];
        let chest = target.body.chest();
        let place =
            plan.girdle.target[side.index()] + displaced * plan.girdle.displacement[side.index()];
        self.world.positions[chest.index()] + self.frame(plan, chest) * place
    }

    /// Translates the whole body, metres in the inner world.
    pub(crate) fn translate_body(&mut self, plan: &Plan, by: Vector3<f64>) {
        let (_, parent) = self.parent(plan, plan.translation_joint);
        self.translations[plan.translation_joint.index()] += parent.inverse() * by;
        for joint in plan.target.skeleton.ids().skip(plan.translation_joint.index()) {
            if plan.carried[joint.index()] {
                self.world.positions[joint.index()] += by;
            }
        }
    }

    /// Returns values and ranges of joints that no stage solves.
    pub(crate) fn range_uses(&self, mode: LimitMode) -> impl Iterator<Item = JointRangeUse> + '_ {
        let limited = self.range_uses.iter().enumerate();
        limited.filter_map(move |(k, limits)| {
            JointRangeUse::within(limits.as_ref()?, JointId(k), &self.locals[k], mode)
        })
    }

    /// Returns the active limits of joints that no stage solves.
    pub(crate) fn active_limits(&self) -> impl Iterator<Item = ActiveLimit> {
        self.outside.iter().enumerate().flat_map(move |(index, outside)| {
            let binds = |&k: &usize| outside[k].abs() > ActiveLimit::MIN_ANGLE_RADIANS;
            (0..3).filter(binds).filter_map(move |k| {
                let value = self.range_uses[index].as_ref()?.read(&self.locals[index])[k];
                Some(ActiveLimit::clamped(JointId(index), k, value, outside[k]))
            })
        })
    }

    /// Writes the pose in units of the target's file.
    pub(crate) fn write(&self, plan: &Plan, pose: &mut Pose) {
        let units = 1.0 / plan.target.metres_per_unit();
        pose.rotations.copy_from_slice(&self.locals);
        for (id, translation) in plan.target.skeleton.ids().zip(&mut pose.translations) {
            let stretched = self.translations[id.index()] != plan.bones[id.index()]
                && plan.stretched(id).is_some();
            let moves = id == plan.translation_joint
                || stretched
                || matches!(plan.rules[id.index()], Rule::AncestorOfHips(_));
            *translation = if moves {
                self.translations[id.index()] * units
            } else {
                plan.target.skeleton[id].rest_translation
            };
        }
    }
}

/// Returns the range of a joint that no stage solves; `None` if its start cannot violate it.
fn limits(plan: &Plan, joint: JointId) -> Option<JointRange> {
    Some(joint_range(&plan.target, joint)).filter(|own| !own.is_open(plan.options.limits))
}
