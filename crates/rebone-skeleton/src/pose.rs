//! Local and world poses, and forward kinematics.

use crate::Skeleton;
use nalgebra::{UnitQuaternion, Vector3};

/// The local transform (`parent_from_joint`) of each joint at one instant.
///
/// Both lists are indexed by [`JointId`](crate::JointId).
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// Position of each joint in its parent's frame, in file units.
    pub translations: Vec<Vector3<f64>>,
    /// Rotation of each joint against its parent, the rest rotation included.
    pub rotations: Vec<UnitQuaternion<f64>>,
}

/// The world transform (`world_from_joint`) of each joint at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldPose {
    /// Position of each joint in the world, in file units.
    pub positions: Vec<Vector3<f64>>,
    /// Rotation of each joint in the world.
    pub rotations: Vec<UnitQuaternion<f64>>,
}

impl WorldPose {
    /// A pose of `joints` joints, all at the origin and unrotated.
    pub fn zeros(joints: usize) -> Self {
        Self {
            positions: vec![Vector3::zeros(); joints],
            rotations: vec![UnitQuaternion::identity(); joints],
        }
    }

    /// Overwrites all transforms with those of `pose`, without allocation.
    ///
    /// # Panics
    /// When `self`, `skeleton` and `pose` differ in their number of joints.
    pub fn update(&mut self, skeleton: &Skeleton, pose: &Pose) {
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let (translation, rotation) = (pose.translations[index], pose.rotations[index]);
            let (position, rotation) = match joint.parent {
                None => (translation, rotation),
                Some(parent) => {
                    let parent_rotation = self.rotations[parent.index()];
                    let position = self.positions[parent.index()] + parent_rotation * translation;
                    (position, parent_rotation * rotation)
                }
            };
            self.positions[index] = position;
            self.rotations[index] = rotation;
        }
    }

    /// The least and the greatest coordinates of all joints, in file units.
    pub fn bounds(&self) -> [Vector3<f64>; 2] {
        let ends = [f64::INFINITY, f64::NEG_INFINITY].map(Vector3::repeat);
        self.positions.iter().fold(ends, |[low, high], own| [low.inf(own), high.sup(own)])
    }
}

impl Skeleton {
    /// The pose in which nothing is animated.
    pub fn rest_pose(&self) -> Pose {
        Pose {
            translations: self.joints().iter().map(|joint| joint.rest_translation).collect(),
            rotations: self.joints().iter().map(|joint| joint.rest_rotation).collect(),
        }
    }
}

/// Computes world transforms from local ones: `world = parent_world * local`, parents first.
///
/// ```
/// # std::env::set_current_dir("../../data/clips")?;
/// use rebone_skeleton::{Document, forward_kinematics};
/// let motion = Document::open("walk.bvh", None)?.clip(None)?.motion;
/// let world = forward_kinematics(&motion.skeleton, &motion.clip.pose(0));
/// let [low, high] = world.bounds();
/// assert!(low.y > -1.0 && high.y < 180.0, "centimetres");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn forward_kinematics(skeleton: &Skeleton, pose: &Pose) -> WorldPose {
    let mut world = WorldPose::zeros(skeleton.len());
    world.update(skeleton, pose);
    world
}
