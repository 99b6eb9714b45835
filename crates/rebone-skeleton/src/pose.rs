//! Local and world poses, and forward kinematics.

use crate::{ClipError, JointId, Skeleton};
use nalgebra::{UnitQuaternion, Vector3, Vector4};

/// The local transform (`parent_from_joint`) of each joint at one instant.
///
/// Both lists are indexed by [`JointId`].
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

impl Pose {
    /// Checks that there is a rotation and a translation for each of `expected` joints.
    pub(crate) fn check_len(&self, expected: usize) -> Result<(), ClipError> {
        let lengths = [self.rotations.len(), self.translations.len()];
        let other = lengths.into_iter().find(|&found| found != expected);
        other.map_or(Ok(()), |found| Err(ClipError::Pose { found, expected }))
    }

    /// Checks that this is a pose of `skeleton` that can be computed with.
    ///
    /// # Errors
    /// When it has another number of joints, or transforms that are not finite.
    pub fn check_for(&self, skeleton: &Skeleton) -> Result<(), ClipError> {
        self.check_len(skeleton.len())?;
        // Times 0, a number that is not finite is NaN.
        let places: Vector3<f64> = self.translations.iter().map(|place| place * 0.0).sum();
        let turns: Vector4<f64> = self.rotations.iter().map(|turn| turn.coords * 0.0).sum();
        if places.sum() + turns.sum() == 0.0 {
            return Ok(());
        }
        let is_finite = |index: usize| {
            let numbers = self.translations[index].iter().chain(&self.rotations[index].coords);
            numbers.into_iter().all(|number| number.is_finite())
        };
        let wrong = (0..skeleton.len()).find(|&index| !is_finite(index)).unwrap_or_default();
        let joint = skeleton.joints()[wrong].name.to_string();
        Err(ClipError::NotFinite { frame: 0, joint })
    }
}

impl WorldPose {
    /// A pose of `skeleton` with all joints at the origin and unrotated.
    pub fn zeros(skeleton: &Skeleton) -> Self {
        let joints = skeleton.len();
        Self {
            positions: vec![Vector3::zeros(); joints],
            rotations: vec![UnitQuaternion::identity(); joints],
        }
    }

    /// Overwrites all transforms with those of `pose`, without allocation.
    ///
    /// # Errors
    /// When `self`, `skeleton` and `pose` differ in their number of joints; `self` stays as it was.
    pub fn update(&mut self, skeleton: &Skeleton, pose: &Pose) -> Result<(), ClipError> {
        self.check_len(skeleton, pose)?;
        self.compute(skeleton, pose);
        Ok(())
    }

    /// As [`update`](Self::update) for some joints, parents first; the transforms of their parents count as they are. Joints that the
    /// skeleton does not have are left out.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub fn update_joints(
        &mut self,
        skeleton: &Skeleton,
        pose: &Pose,
        joints: &[JointId],
    ) -> Result<(), ClipError> {
        self.check_len(skeleton, pose)?;
        for &id in joints {
            if let Some(joint) = skeleton.joint(id) {
                self.place(id.index(), joint.parent, pose);
            }
        }
        Ok(())
    }

    fn check_len(&self, skeleton: &Skeleton, pose: &Pose) -> Result<(), ClipError> {
        let expected = skeleton.len();
        pose.check_len(expected)?;
        for found in [self.positions.len(), self.rotations.len()] {
            if found != expected {
                return Err(ClipError::Pose { found, expected });
            }
        }
        Ok(())
    }

    /// Computes the world transforms of a pose of `skeleton`.
    pub(crate) fn of(skeleton: &Skeleton, pose: &Pose) -> Self {
        let mut world = Self::zeros(skeleton);
        world.compute(skeleton, pose);
        world
    }

    /// Overwrites all transforms: all three have as many joints.
    pub(crate) fn compute(&mut self, skeleton: &Skeleton, pose: &Pose) {
        for (index, joint) in skeleton.joints().iter().enumerate() {
            self.place(index, joint.parent, pose);
        }
    }

    /// Overwrites the transform of a joint by that of its parent and the pose.
    fn place(&mut self, index: usize, parent: Option<JointId>, pose: &Pose) {
        let (translation, rotation) = (pose.translations[index], pose.rotations[index]);
        let (position, rotation) = match parent {
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

    /// The least and the greatest coordinates of all joints, in file units.
    pub fn bounds(&self) -> [Vector3<f64>; 2] {
        bounds(self.positions.iter().copied())
    }
}

/// Returns the lowest and the highest coordinates of places; infinite, the lowest above, of none.
pub(crate) fn bounds(places: impl IntoIterator<Item = Vector3<f64>>) -> [Vector3<f64>; 2] {
    let ends = [f64::INFINITY, f64::NEG_INFINITY].map(Vector3::repeat);
    places.into_iter().fold(ends, |[low, high], own| [low.inf(&own), high.sup(&own)])
}

impl Skeleton {
    /// The pose in which nothing is animated.
    pub fn rest_pose(&self) -> Pose {
        Pose {
            translations: self.joints().iter().map(|joint| joint.rest_translation).collect(),
            rotations: self.joints().iter().map(|joint| joint.rest_rotation).collect(),
        }
    }

    /// World transforms of the rest pose.
    pub fn rest_world(&self) -> WorldPose {
        WorldPose::of(self, &self.rest_pose())
    }
}

/// Computes world transforms from local ones: `world = parent_world * local`, parents first.
///
/// ```
/// # std::env::set_current_dir("../../data/clips")?;
/// use rebone_skeleton::{Document, forward_kinematics};
/// let motion = Document::open("walk.bvh", None)?.clip(None)?.motion;
/// let world = forward_kinematics(&motion.skeleton, &motion.skeleton.rest_pose())?;
/// let [low, high] = world.bounds();
/// assert!(low.y > -1.0 && high.y < 180.0, "centimetres");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the pose has not as many joints as the skeleton.
pub fn forward_kinematics(skeleton: &Skeleton, pose: &Pose) -> Result<WorldPose, ClipError> {
    let mut world = WorldPose::zeros(skeleton);
    world.update(skeleton, pose)?;
    Ok(world)
}
