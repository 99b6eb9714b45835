//! The target while it is posed: local and world transforms, one group of joints after another.

use super::source_pose::Observation;
use crate::align::{Group, Plan, Rule};
use crate::body::Side;
use crate::limits::{Binding, Coordinates, JointBox, coordinates};
use crate::options::{LimitMode, Method};
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::rotation::{direction, shortest_arc};
use rebone_skeleton::{JointId, Pose, WorldPose};

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
    /// The limits of joints that no stage moves, where their start may break them.
    boxes: Vec<Option<Coordinates>>,
    /// How far each variable of those joints was outside its box, radians: negative below it.
    outside: Vec<[f64; 3]>,
}

impl Posing {
    /// Allocates the pose of a plan's target.
    pub fn new(plan: &Plan) -> Self {
        let ids = || plan.target.skeleton.ids();
        // Stages have limits of their own, a copy has none.
        let is_free = |id: JointId| plan.options.method != Method::Ik || plan.solved[id.index()];
        let members =
            |group: &Group| ids().filter(|id| plan.groups[id.index()] == *group).collect();
        Self {
            locals: plan.target.locals.clone(),
            translations: plan.bones.clone(),
            world: WorldPose::zeros(plan.target.skeleton.len()),
            members: Group::ORDER.iter().map(members).collect(),
            outside: vec![[0.0; 3]; plan.target.skeleton.len()],
            boxes: ids().map(|id| if is_free(id) { None } else { limits(plan, id) }).collect(),
        }
    }

    /// Becomes a pose of the target's file.
    pub(crate) fn load(&mut self, plan: &Plan, pose: &Pose) {
        let metres = plan.target.metres_per_unit();
        self.locals.copy_from_slice(&pose.rotations);
        for (own, place) in self.translations.iter_mut().zip(&pose.translations) {
            *own = place * metres;
        }
        self.refresh_all(plan);
    }

    fn refresh_all(&mut self, plan: &Plan) {
        for index in 0..self.locals.len() {
            let (_, parent) = self.parent(plan, JointId(index));
            self.world.positions[index] = self.place(plan, JointId(index));
            self.world.rotations[index] = parent * self.locals[index];
        }
    }

    /// Turns the whole body about the middle of the hips.
    pub(crate) fn tilt(&mut self, plan: &Plan, turn: &UnitQuaternion<f64>) {
        let [left, right] = plan.target.hips().map(|hip| self.world.positions[hip.index()]);
        let (hips, translation_joint) = ((left + right) / 2.0, plan.translation_joint.index());
        let way = self.world.positions[translation_joint] - hips;
        let world = turn * self.world.rotations[translation_joint];
        let (_, parent) = self.parent(plan, plan.translation_joint);
        let local = parent.inverse() * world;
        self.locals[translation_joint] = UnitQuaternion::new_normalize(local.into_inner());
        self.translations[translation_joint] += parent.inverse() * (turn * way - way);
        self.refresh_all(plan);
    }

    /// Gives a joint a rotation in the world, as far as its limits allow where no stage moves it.
    pub(crate) fn aim(&mut self, plan: &Plan, joint: JointId, world: &UnitQuaternion<f64>) {
        let (_, parent) = self.parent(plan, joint);
        let local = UnitQuaternion::new_normalize((parent.inverse() * world).into_inner());
        self.locals[joint.index()] = match &self.boxes[joint.index()] {
            Some(limits) => limits.hold(&local, plan.options.limits).0,
            None => local,
        };
    }

    /// Becomes another posing of the same target.
    pub(crate) fn copy(&mut self, other: &Self) {
        self.locals.copy_from_slice(&other.locals);
        self.translations.copy_from_slice(&other.translations);
        self.world.positions.copy_from_slice(&other.world.positions);
        self.world.rotations.copy_from_slice(&other.world.rotations);
        self.outside.copy_from_slice(&other.outside);
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
            let (place, parent) = self.parent(plan, joint);
            let index = joint.index();
            if let Some(world) = wanted {
                let local = parent.inverse() * world;
                self.locals[index] = UnitQuaternion::new_normalize(local.into_inner());
            } else {
                self.locals[index] = plan.target.locals[index];
            }
            if let Some(limits) = &self.boxes[index] {
                (self.locals[index], self.outside[index]) =
                    limits.hold(&self.locals[index], plan.options.limits);
            }
            if let Rule::Above(source) = plan.rules[index] {
                let path = plan.on_path(&seen.world.positions[source.index()]);
                let along = parent.inverse() * (path - place);
                for axis in &plan.target.skeleton.joint(joint).translation_axes {
                    self.translations[index][axis.index()] = along[axis.index()];
                }
            }
            let stretched = plan.stretched(joint).and_then(|pair| plan.stretch(&seen.world, pair));
            if let Some(stretch) = stretched {
                self.translations[index] += parent.inverse() * stretch;
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
            Rule::Turn { source, post } => Some(seen.world.rotations[source.index()] * post),
            Rule::Twist(share) => Some(share.frame(&seen.frames) * from_anatomical()),
            // The T pose stands in the file's axes above the body.
            Rule::Above(source) => Some(
                seen.turns[source.index()]
                    * plan.inner_from_source.inverse()
                    * plan.inner_from_target
                    * target.t_pose.rotations[joint.index()],
            ),
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
        let (_, parent) = self.parent(plan, plan.translation_joint);
        self.translations[plan.translation_joint.index()] += parent.inverse() * by;
        for joint in plan.target.skeleton.ids().skip(plan.translation_joint.index()) {
            if plan.carried[joint.index()] {
                self.world.positions[joint.index()] += by;
            }
        }
    }

    /// Where the joints that no stage moves stand in their boxes.
    pub fn boxes(&self, mode: LimitMode) -> impl Iterator<Item = JointBox> + '_ {
        let limited = self.boxes.iter().enumerate();
        limited.filter_map(move |(k, limits)| {
            limits.as_ref()?.stand(JointId(k), &self.locals[k], mode)
        })
    }

    /// The limits that bound of the joints that no stage moves.
    pub fn bindings(&self) -> impl Iterator<Item = Binding> {
        self.outside.iter().enumerate().flat_map(move |(index, outside)| {
            let binds = |&k: &usize| outside[k].abs() > Binding::LEAST_ANGLE;
            (0..3).filter(binds).filter_map(move |k| {
                let value = self.boxes[index].as_ref()?.read(&self.locals[index])[k];
                Some(Binding::held(JointId(index), k, value, outside[k]))
            })
        })
    }

    /// The pose in the target file's units.
    pub fn write(&self, plan: &Plan, pose: &mut Pose) {
        let units = 1.0 / plan.target.metres_per_unit();
        pose.rotations.copy_from_slice(&self.locals);
        for (id, translation) in plan.target.skeleton.ids().zip(&mut pose.translations) {
            let stretched = self.translations[id.index()] != plan.bones[id.index()]
                && plan.stretched(id).is_some();
            let moves = id == plan.translation_joint
                || stretched
                || matches!(plan.rules[id.index()], Rule::Above(_));
            *translation = if moves {
                self.translations[id.index()] * units
            } else {
                plan.target.skeleton.joint(id).rest_translation
            };
        }
    }
}

/// The limits of a joint that no stage moves; `None` where its start is inside by definition.
fn limits(plan: &Plan, joint: JointId) -> Option<Coordinates> {
    Some(coordinates(&plan.target, joint)).filter(|own| !own.is_open(plan.options.limits))
}
