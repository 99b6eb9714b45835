//! Poses and clips that the library made or checked: their lengths agree, and frames are counted over their clip.

use nalgebra::UnitQuaternion;
use rebone_skeleton::{Clip, JointId, Pose, Skeleton, WorldPose};
use std::ops::Range;

const OF_SKELETON: &str = "poses and clips were checked where they came in";
const OF_CLIP: &str = "frames are counted over the clip";

/// Computes the world transforms of a pose.
pub fn world_of(skeleton: &Skeleton, pose: &Pose) -> WorldPose {
    rebone_skeleton::forward_kinematics(skeleton, pose).expect(OF_SKELETON)
}

/// Overwrites world transforms with those of a pose.
pub fn update(world: &mut WorldPose, skeleton: &Skeleton, pose: &Pose) {
    world.update(skeleton, pose).expect(OF_SKELETON);
}

/// Overwrites the world transforms of some joints, parents first, with those of a pose.
pub fn update_joints(world: &mut WorldPose, skeleton: &Skeleton, pose: &Pose, joints: &[JointId]) {
    world.update_joints(skeleton, pose, joints).expect(OF_SKELETON);
}

/// Returns a frame.
pub fn pose(clip: &Clip, frame: usize) -> Pose {
    clip.pose(frame).expect(OF_CLIP)
}

/// Returns the rotations of a frame.
pub fn rotations(clip: &Clip, frame: usize) -> &[UnitQuaternion<f64>] {
    clip.rotations(frame).expect(OF_CLIP)
}

/// Appends a frame.
pub fn push(clip: &mut Clip, pose: &Pose) {
    clip.push(pose).expect(OF_SKELETON);
}

/// Overwrites a frame.
pub fn set(clip: &mut Clip, frame: usize, pose: &Pose) {
    clip.set(frame, pose).expect(OF_CLIP);
}

/// Appends the frames of another clip.
pub fn append(clip: &mut Clip, later: &Clip) {
    clip.append(later).expect(OF_SKELETON);
}

/// Removes all other frames.
pub fn keep(clip: &mut Clip, frames: Range<usize>) {
    clip.keep(frames).expect(OF_CLIP);
}

/// Calls `change` on each frame; it keeps the number of joints.
pub fn edit(clip: &mut Clip, change: impl FnMut(usize, &mut Pose)) {
    clip.edit(change).expect(OF_SKELETON);
}

#[cfg(feature = "files")]
/// Builds a clip of poses.
pub fn clip(skeleton: &Skeleton, frame_time: f64, poses: impl IntoIterator<Item = Pose>) -> Clip {
    Clip::from_poses(skeleton, frame_time, poses).expect(OF_SKELETON)
}
