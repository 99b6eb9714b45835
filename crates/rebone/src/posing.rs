//! The target while it is posed: local and world transforms, one group of joints after another.

use crate::align::{Group, Plan, Rule};
use crate::limits::{JointBox, joint_box};
use crate::observe::Observation;
use crate::understand::Side;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{
    JointId, Pose, WorldPose,
    rotation::{direction, shortest_arc},
};

/// The target in one frame, in the inner world: +Y up, metres of a 1.7 m body.
///
/// Joints are valid up to the group that was posed last.
#[derive(Clone, Debug)]
pub struct Posing {
    /// Rotation of each joint against its parent (of the root: against the file's axes).
    pub locals: Vec<UnitQuaternion<f64>>,
    /// Place of each joint in its parent's frame: the bones, but for the carrier.
    pub translations: Vec<Vector3<f64>>,
    /// World places and rotations.
    pub world: WorldPose,
    /// Joints of each group, parents first, in the order of [`Group::ORDER`].
    members: Vec<Vec<JointId>>,
    /// Limits of joints that no stage turns; `None` where nothing can be outside.
    guards: Vec<Option<JointBox>>,
}

impl Posing {
    /// Room for the target of `plan`.
    pub fn new(plan: &Plan) -> Self {
        let ids = || plan.target.skeleton.ids();
        let members =
            |group: &Group| ids().filter(|id| plan.groups[id.index()] == *group).collect();
        Self {
            locals: plan.target.locals.clone(),
            translations: plan.bones.clone(),
            world: WorldPose::zeros(plan.target.skeleton.len()),
            members: Group::ORDER.iter().map(members).collect(),
            guards: vec![None; plan.target.skeleton.len()],
        }
    }

    /// Keeps all joints but those of `free` inside their limits.
    pub fn guard(&mut self, plan: &Plan, free: impl Iterator<Item = JointId>) {
        let guard = |joint| Some(joint_box(&plan.target, joint));
        self.guards = plan.target.skeleton.ids().map(guard).collect();
        free.for_each(|joint| self.guards[joint.index()] = None);
        for guard in &mut self.guards {
            *guard = guard.take().filter(|guard| !guard.is_open(plan.options.limits));
        }
    }

    /// World rotation of a joint's anatomical frame.
    pub fn frame(&self, plan: &Plan, joint: JointId) -> UnitQuaternion<f64> {
        self.world.rotations[joint.index()] * plan.target.joint_from_anatomical[joint.index()]
    }

    /// World transform of what a joint hangs on.
    pub fn parent(&self, plan: &Plan, joint: JointId) -> (Vector3<f64>, UnitQuaternion<f64>) {
        match plan.target.skeleton.joint(joint).parent {
            Some(parent) => {
                (self.world.positions[parent.index()], self.world.rotations[parent.index()])
            }
            None => (Vector3::zeros(), plan.inner_from_target),
        }
    }

    /// World place of a joint whose parent has been posed.
    pub fn place(&self, plan: &Plan, joint: JointId) -> Vector3<f64> {
        let (place, rotation) = self.parent(plan, joint);
        place + rotation * self.translations[joint.index()]
    }

    /// Gives the joints of a group the orientations of their rules: the closed-form start.
    ///
    /// `segments` holds the turns since the T pose of all chains' segments.
    pub fn start(
        &mut self,
        plan: &Plan,
        seen: &Observation,
        segments: &[UnitQuaternion<f64>],
        group: usize,
    ) {
        for member in 0..self.members[group].len() {
            let joint = self.members[group][member];
            let wanted = self.wanted(plan, seen, segments, joint);
            let (_, parent) = self.parent(plan, joint);
            let index = joint.index();
            if let Some(world) = wanted {
                self.locals[index] = parent.inverse() * world;
            } else {
                self.locals[index] = plan.target.locals[index];
            }
            if let Some(guard) = &self.guards[index] {
                self.locals[index] = guard.hold(&self.locals[index], plan.options.limits);
            }
            self.world.positions[index] = self.place(plan, joint);
            self.world.rotations[index] = parent * self.locals[index];
        }
    }

    /// Turns a joint in the world, before what it already is: `R ← turn R`.
    pub fn turn(&mut self, plan: &Plan, joint: JointId, turn: &UnitQuaternion<f64>) {
        let (_, parent) = self.parent(plan, joint);
        let index = joint.index();
        self.locals[index] = parent.inverse() * turn * parent * self.locals[index];
    }

    /// Brings the world transforms of a group up to date with its local ones.
    pub fn refresh(&mut self, plan: &Plan, group: usize) {
        for member in 0..self.members[group].len() {
            let joint = self.members[group][member];
            let (_, parent) = self.parent(plan, joint);
            self.world.positions[joint.index()] = self.place(plan, joint);
            self.world.rotations[joint.index()] = parent * self.locals[joint.index()];
        }
    }

    /// The world rotation that a joint's rule gives it; `None` where it keeps its rest pose.
    fn wanted(
        &self,
        plan: &Plan,
        seen: &Observation,
        segments: &[UnitQuaternion<f64>],
        joint: JointId,
    ) -> Option<UnitQuaternion<f64>> {
        let target = &plan.target;
        let from_anatomical = || target.joint_from_anatomical[joint.index()].inverse();
        match plan.rules[joint.index()] {
            Rule::Rest => None,
            Rule::Copy(source) => Some(seen.frames[source.index()] * from_anatomical()),
            Rule::Chain(place) => Some(segments[place] * target.t_pose.rotations[joint.index()]),
            Rule::Collar(side, source) => {
                let carried = seen.frames[source.index()] * from_anatomical();
                Some(self.aimed_collar(plan, seen, side, joint, carried))
            }
            Rule::Follow { source: [source, over], above } => {
                let turn = seen.frames[over.index()].inverse() * seen.frames[source.index()];
                Some(self.frame(plan, above) * turn * from_anatomical())
            }
        }
    }

    /// Turns a collar bone by the shortest way so that it points at its shoulder's wanted place.
    fn aimed_collar(
        &self,
        plan: &Plan,
        seen: &Observation,
        side: Side,
        joint: JointId,
        carried: UnitQuaternion<f64>,
    ) -> UnitQuaternion<f64> {
        let shoulder = plan.target.body.arms[side.index()].upper;
        let wanted = self.shoulder_goal(plan, seen, side) - self.place(plan, joint);
        let t_pose = &plan.target.t_pose;
        let bone = t_pose.rotations[joint.index()].inverse()
            * (plan.target.place(shoulder) - plan.target.place(joint));
        match (direction(&(carried * bone)), direction(&wanted)) {
            (Some(from), Some(to)) => shortest_arc(&from, &to) * carried,
            _ => carried,
        }
    }

    /// Where a shoulder should be: its anchor on the chest, displaced as the source's, by half widths.
    pub fn shoulder_goal(&self, plan: &Plan, seen: &Observation, side: Side) -> Vector3<f64> {
        let (source, target) = (&plan.source, &plan.target);
        let (chest, shoulder) = (source.body.chest(), source.body.arms[side.index()].upper);
        let from_chest =
            seen.world.positions[shoulder.index()] - seen.world.positions[chest.index()];
        let displaced =
            seen.frames[chest.index()].inverse() * from_chest - plan.girdle.source[side.index()];
        let chest = target.body.chest();
        let place = plan.girdle.target[side.index()] + displaced * plan.girdle.width;
        self.world.positions[chest.index()] + self.frame(plan, chest) * place
    }

    /// Moves the whole body.
    pub fn shift(&mut self, plan: &Plan, by: Vector3<f64>) {
        let (_, parent) = self.parent(plan, plan.carrier);
        self.translations[plan.carrier.index()] += parent.inverse() * by;
        for joint in plan.target.skeleton.ids().skip(plan.carrier.index()) {
            if plan.carried[joint.index()] {
                self.world.positions[joint.index()] += by;
            }
        }
    }

    /// The pose in the target file's units.
    pub fn write(&self, plan: &Plan, pose: &mut Pose) {
        let units = 1.0 / plan.target.metres_per_unit();
        pose.rotations.copy_from_slice(&self.locals);
        for (joint, translation) in plan.target.skeleton.joints().iter().zip(&mut pose.translations)
        {
            *translation = joint.rest_translation;
        }
        pose.translations[plan.carrier.index()] = self.translations[plan.carrier.index()] * units;
    }
}
