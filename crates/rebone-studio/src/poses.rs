//! Poses of both bodies in one world, as bytes.

use rebone::Anatomy;
use rebone::skeleton::nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::{Pose, WorldPose};

/// Bytes of a joint: place and rotation, seven 32-bit floats.
pub(crate) const JOINT_BYTES: usize = 28;

/// Placement of a body in the world of the stage: +Y up, +Z ahead, metres of a target 1.7 m tall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// Turns the axes of the file.
    pub(crate) world_from_file: UnitQuaternion<f64>,
    /// Metres of the world for one unit of the file.
    pub(crate) metres: f64,
    /// Metres that the body is raised by.
    pub(crate) rise: f64,
}

impl Placement {
    /// Appends a pose: for each joint in the file's order its place `x y z` and its rotation `x y z w`, little-endian.
    /// Leaves out a pose that is not one of the skeleton, and returns whether it is.
    pub(crate) fn write(&self, anatomy: &Anatomy, pose: &Pose, bytes: &mut Vec<u8>) -> bool {
        let mut world = WorldPose::zeros(&anatomy.skeleton);
        if world.update(&anatomy.skeleton, pose).is_err() {
            return false;
        }
        for (position, rotation) in world.positions.iter().zip(&world.rotations) {
            let place = self.place(position);
            let rotation = self.world_from_file * rotation;
            let numbers = place.iter().chain(rotation.coords.iter());
            bytes.extend(numbers.flat_map(|number| (*number as f32).to_le_bytes()));
        }
        true
    }

    fn place(&self, position: &Vector3<f64>) -> Vector3<f64> {
        self.world_from_file * position * self.metres + Vector3::y() * self.rise
    }
}
