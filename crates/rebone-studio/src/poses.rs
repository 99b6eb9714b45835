//! Poses of bodies in the world of the stage, as bytes.

use rebone::skeleton::WorldPose;
use rebone::skeleton::nalgebra::{Point3, Similarity3};

/// Bytes of a joint: place and rotation, seven 32-bit floats.
pub(crate) const JOINT_BYTES: usize = 28;

/// Appends a pose: for each joint in the file's order its place `x y z`, metres, and its rotation `x y z w`, little-endian.
pub(crate) fn write_pose(
    world: &WorldPose,
    world_from_file: &Similarity3<f64>,
    bytes: &mut Vec<u8>,
) {
    for (position, rotation) in world.positions.iter().zip(&world.rotations) {
        let place = world_from_file * Point3::from(*position);
        let rotation = world_from_file.isometry.rotation * rotation;
        write_numbers(place.coords.as_slice(), bytes);
        write_numbers(rotation.coords.as_slice(), bytes);
    }
}

/// Appends numbers as 32-bit floats, little-endian.
pub(crate) fn write_numbers(numbers: &[f64], bytes: &mut Vec<u8>) {
    bytes.extend(numbers.iter().flat_map(|number| (*number as f32).to_le_bytes()));
}
