//! Reads the source pose of one frame as segment frames and places in the inner world.

use crate::align::Plan;
use nalgebra::UnitQuaternion;
use rebone_skeleton::{JointId, Pose, WorldPose};

/// What a viewer sees of the source in one frame: +Y up, metres of a 1.7 m body.
#[derive(Clone, Debug)]
pub struct SourcePose {
    /// World places and rotations of the source's joints.
    pub world: WorldPose,
    /// World rotation of each joint's anatomical frame.
    pub frames: Vec<UnitQuaternion<f64>>,
    /// World turn of each joint's segment since the T pose.
    pub turns: Vec<UnitQuaternion<f64>>,
}

impl SourcePose {
    /// Room for the observations that `plan` needs.
    pub fn new(plan: &Plan) -> Self {
        let count = plan.source.skeleton.len();
        Self {
            world: WorldPose::zeros(count),
            frames: vec![UnitQuaternion::identity(); count],
            turns: vec![UnitQuaternion::identity(); count],
        }
    }

    /// Reads a pose of the source's file. Allocates nothing.
    pub fn update(&mut self, plan: &Plan, pose: &Pose) {
        let anatomy = &plan.source;
        let scale = anatomy.metres_per_unit();
        self.world.update(&anatomy.skeleton, pose);
        for index in 0..self.world.positions.len() {
            let rotation = plan.inner_from_source * self.world.rotations[index];
            self.world.positions[index] =
                plan.inner_from_source * self.world.positions[index] * scale;
            self.world.rotations[index] = rotation;
            self.frames[index] = rotation * anatomy.joint_from_anatomical[index];
            self.turns[index] = rotation * anatomy.t_pose.rotations[index].inverse();
        }
    }

    /// The point halfway between two joints.
    pub fn middle(&self, [a, b]: [JointId; 2]) -> nalgebra::Vector3<f64> {
        (self.world.positions[a.index()] + self.world.positions[b.index()]) / 2.0
    }

    /// Half the line from the second joint to the first.
    pub fn half_line(&self, [a, b]: [JointId; 2]) -> nalgebra::Vector3<f64> {
        (self.world.positions[a.index()] - self.world.positions[b.index()]) / 2.0
    }
}
