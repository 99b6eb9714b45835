//! The target as a function of its variables: rotation vectors of joints and an offset of the body, with their gradient.

use crate::align::Plan;
use crate::math::left_jacobian;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_body::body::Anatomy;
use rebone_skeleton::{JointId, Pose, WorldPose};

/// Length of the body's offset per unit of its variable, metres: it moves all ends at once, a rotation one limb.
const OFFSET_METRES: f64 = 0.2;

/// The joints that have variables, and all that they need.
#[derive(Clone, Debug)]
pub(super) struct VariableBody<'a> {
    pub(super) plan: &'a Plan,
    /// Joints with a rotation vector.
    joints: Vec<JointId>,
    /// For each joint of the skeleton the place of its rotation vector.
    places: Vec<Option<usize>>,
    /// Whether the body can be offset.
    moves: bool,
}

/// A frame of the start: rotations and translations of all joints, metres of a 1.7 m body.
#[derive(Clone, Debug)]
pub(super) struct StartPose {
    rotations: Vec<UnitQuaternion<f64>>,
    translations: Vec<Vector3<f64>>,
}

/// Gradient of a cost by the places of points that joints carry: forces and their torques about each joint.
#[derive(Clone, Debug)]
pub(super) struct Forces(Vec<[Vector3<f64>; 2]>);

impl<'a> VariableBody<'a> {
    /// Of the joints of the target's trunk, neck, arms and legs that turn freely; fingers and toes keep their rotations.
    pub(super) fn new(plan: &'a Plan) -> Self {
        let skeleton = &plan.target.skeleton;
        let is_free = |id: &JointId| skeleton[*id].rotation_axes.len() == 3;
        let mut joints: Vec<JointId> = body_joints(&plan.target).filter(is_free).collect();
        joints.sort_unstable();
        joints.dedup();
        let mut places = vec![None; skeleton.len()];
        joints.iter().enumerate().for_each(|(place, id)| places[id.index()] = Some(place));
        let moves = skeleton[plan.translation_joint].translation_axes.len() == 3;
        Self { plan, joints, places, moves }
    }

    /// Returns the number of variables of a frame.
    pub(super) fn width(&self) -> usize {
        3 * self.joints.len() + 3
    }

    /// Returns the rotation vectors among the variables of a frame.
    pub(super) fn rotations<'x>(&self, x: &'x [f64]) -> &'x [f64] {
        &x[..3 * self.joints.len()]
    }

    /// Returns the offset of the body in the world.
    pub(super) fn offset(&self, x: &[f64]) -> Vector3<f64> {
        if self.moves {
            Vector3::from_column_slice(&x[3 * self.joints.len()..]) * OFFSET_METRES
        } else {
            Vector3::zeros()
        }
    }

    /// Adds the gradient by the offset to that by the variables.
    pub(super) fn add_offset_gradient(&self, by_offset: &Vector3<f64>, gradient: &mut [f64]) {
        if self.moves {
            let own = gradient[3 * self.joints.len()..].iter_mut();
            own.zip(by_offset.iter()).for_each(|(to, by)| *to += by * OFFSET_METRES);
        }
    }

    fn rotation_vector(&self, x: &[f64], place: usize) -> Vector3<f64> {
        Vector3::from_column_slice(&x[3 * place..3 * place + 3])
    }

    /// Reads a pose of the target's file.
    pub(super) fn start(&self, pose: &Pose) -> StartPose {
        let metres = self.plan.target.metres_per_unit();
        let translations = pose.translations.iter().map(|own| own * metres).collect();
        StartPose { rotations: pose.rotations.clone(), translations }
    }

    /// Poses the start with the variables of a frame.
    pub(super) fn pose(&self, start: &StartPose, x: &[f64], world: &mut WorldPose) {
        for id in self.plan.target.skeleton.ids() {
            let index = id.index();
            let (position, rotation) = self.parent(id, world);
            let mut local = start.rotations[index];
            if let Some(place) = self.places[index] {
                local *= UnitQuaternion::from_scaled_axis(self.rotation_vector(x, place));
            }
            world.positions[index] = position + rotation * start.translations[index];
            if id == self.plan.translation_joint {
                world.positions[index] += self.offset(x);
            }
            world.rotations[index] = rotation * local;
        }
    }

    /// Writes the variables of a frame into a pose of the target's file.
    pub(super) fn write(&self, pose: &mut Pose, x: &[f64], world: &mut WorldPose) {
        let start = self.start(pose);
        self.pose(&start, x, world);
        for (place, id) in self.joints.iter().enumerate() {
            let local = &mut pose.rotations[id.index()];
            let turned = *local * UnitQuaternion::from_scaled_axis(self.rotation_vector(x, place));
            *local = UnitQuaternion::new_normalize(turned.into_inner());
        }
        let (_, parent) = self.parent(self.plan.translation_joint, world);
        let units = 1.0 / self.plan.target.metres_per_unit();
        let by = parent.inverse() * self.offset(x) * units;
        pose.translations[self.plan.translation_joint.index()] += by;
    }

    fn parent(&self, id: JointId, world: &WorldPose) -> (Vector3<f64>, UnitQuaternion<f64>) {
        match self.plan.target.skeleton[id].parent.map(JointId::index) {
            Some(parent) => (world.positions[parent], world.rotations[parent]),
            None => (Vector3::zeros(), self.plan.inner_from_target),
        }
    }

    /// Returns forces of zero.
    pub(super) fn forces(&self) -> Forces {
        Forces(vec![[Vector3::zeros(); 2]; self.plan.target.skeleton.len()])
    }

    /// Adds the gradient by the variables of a frame, given that by the points that joints carry; these become zero.
    pub(super) fn add_gradient(
        &self,
        (world, x): (&WorldPose, &[f64]),
        forces: &mut Forces,
        gradient: &mut [f64],
    ) {
        let skeleton = &self.plan.target.skeleton;
        for index in (0..skeleton.len()).rev() {
            let id = JointId(index);
            let [force, torque] = std::mem::replace(&mut forces.0[index], [Vector3::zeros(); 2]);
            if force == Vector3::zeros() && torque == Vector3::zeros() {
                continue;
            }
            if let Some(place) = self.places[index] {
                let vector = self.rotation_vector(x, place);
                let before = world.rotations[index] * UnitQuaternion::from_scaled_axis(-vector);
                let own = left_jacobian(&vector).transpose() * (before.inverse() * torque);
                let to = gradient[3 * place..3 * place + 3].iter_mut();
                to.zip(own.iter()).for_each(|(to, by)| *to += by);
            }
            if id == self.plan.translation_joint {
                self.add_offset_gradient(&force, gradient);
            }
            if let Some(parent) = skeleton[id].parent.map(JointId::index) {
                let lever = world.positions[index] - world.positions[parent];
                forces.0[parent][0] += force;
                forces.0[parent][1] += torque + lever.cross(&force);
            }
        }
    }
}

impl Forces {
    /// Adds the gradient by the place of a point that a joint carries.
    pub(super) fn push(
        &mut self,
        world: &WorldPose,
        joint: JointId,
        place: &Vector3<f64>,
        by_place: &Vector3<f64>,
    ) {
        let [force, torque] = &mut self.0[joint.index()];
        *force += by_place;
        *torque += (place - world.positions[joint.index()]).cross(by_place);
    }
}

/// Returns the joints of trunk, neck, arms and legs, without those that share twists.
fn body_joints(anatomy: &Anatomy) -> impl Iterator<Item = JointId> + '_ {
    let body = &anatomy.body;
    let arms = body.arms.iter().flat_map(|arm| {
        [arm.collar, Some(arm.upper), Some(arm.lower), arm.hand].into_iter().flatten()
    });
    let legs = body.legs.iter().flat_map(|leg| [leg.upper, leg.lower, leg.foot]);
    body.trunk.iter().chain(&body.neck).copied().chain(arms).chain(legs)
}
