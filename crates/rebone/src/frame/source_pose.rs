//! The source pose of one frame, as anatomical rotations and positions in the inner world.

use crate::align::Plan;
use nalgebra::UnitQuaternion;
use rebone_body::poses;
use rebone_skeleton::{JointId, Pose, WorldPose};

/// The source in one frame: inner world, +Y up, metres of a 1.7 m body.
#[derive(Clone, Debug)]
pub(crate) struct SourcePose {
    /// World positions and rotations of the source's joints.
    pub(crate) world: WorldPose,
    /// World rotation of each joint's anatomical frame.
    pub(crate) frames: Vec<UnitQuaternion<f64>>,
    /// World rotation of each joint's segment since the T pose.
    pub(crate) turns: Vec<UnitQuaternion<f64>>,
}

impl SourcePose {
    /// Allocates the pose of a plan's source.
    pub(crate) fn new(plan: &Plan) -> Self {
        let count = plan.source.skeleton.len();
        Self {
            world: WorldPose::zeros(&plan.source.skeleton),
            frames: vec![UnitQuaternion::identity(); count],
            turns: vec![UnitQuaternion::identity(); count],
        }
    }

    /// Reads a pose in units and axes of the source's file. Does not allocate.
    pub(crate) fn update(&mut self, plan: &Plan, pose: &Pose) {
        let anatomy = &plan.source;
        let scale = anatomy.metres_per_unit();
        poses::update(&mut self.world, &anatomy.skeleton, pose);
        for index in 0..self.world.positions.len() {
            let rotation = plan.inner_from_source * self.world.rotations[index];
            self.world.positions[index] =
                plan.inner_from_source * self.world.positions[index] * scale;
            self.world.rotations[index] = rotation;
            self.frames[index] = rotation * anatomy.joint_from_anatomical[index];
            self.turns[index] = rotation * anatomy.t_pose.rotations[index].inverse();
        }
    }

    /// Returns the midpoint of two joints.
    pub(crate) fn middle(&self, [a, b]: [JointId; 2]) -> nalgebra::Vector3<f64> {
        (self.world.positions[a.index()] + self.world.positions[b.index()]) / 2.0
    }

    /// Returns half the vector from the second joint to the first.
    pub(crate) fn half_line(&self, [a, b]: [JointId; 2]) -> nalgebra::Vector3<f64> {
        (self.world.positions[a.index()] - self.world.positions[b.index()]) / 2.0
    }
}
