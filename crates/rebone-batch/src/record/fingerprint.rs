//! Fingerprints of skeletons: which files can share a rig card.

use nalgebra::{UnitQuaternion, Vector3};
use rebone::rest_difference;
use rebone::skeleton::{Clip, JointId, Skeleton};

#[cfg(test)]
thread_local! {
    /// Number of comparisons of this thread.
    pub(crate) static COMPARISONS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Features of a skeleton by which files are grouped without an analysis, so that one rig card serves all of a group.
///
/// Stricter than [`rebone::Learner`] is with clips, because a card names joints: all names are equal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RigFingerprint {
    /// All names and the hierarchy.
    pub(crate) tree: Vec<u8>,
    /// Direction from the parent of each joint to it, of length 1, or 0 for a bone without length. Also 0 for the root
    /// and for a joint with position channels that carries all but the root: they hold the position of the body in its
    /// file.
    pub(crate) directions: Vec<Vector3<f64>>,
    /// Rest rotations of all joints.
    pub(crate) rest_rotations: Vec<UnitQuaternion<f64>>,
}

impl RigFingerprint {
    /// Describes a skeleton, whose bones have the lengths and directions of the first frame of a clip.
    pub(crate) fn new(skeleton: &Skeleton, first: &Clip) -> Self {
        let mut tree = Vec::new();
        for joint in skeleton.joints() {
            let parent = joint.parent.map_or(u64::MAX, |parent| parent.index() as u64);
            tree.extend((joint.name.len() as u64).to_le_bytes());
            tree.extend_from_slice(&joint.name);
            tree.extend(parent.to_le_bytes());
        }
        let direction = |id: JointId| {
            let moves = id.index() == 0 || !skeleton[id].translation_axes.is_empty();
            let is_position = moves && skeleton.carries_all(id);
            let bone = first.bone(skeleton, id).unwrap_or_default();
            if is_position { None } else { bone.try_normalize(1e-9) }.unwrap_or_default()
        };
        let rest_rotations = skeleton.joints().iter().map(|joint| joint.rest_rotation);
        Self {
            tree,
            directions: skeleton.ids().map(direction).collect(),
            rest_rotations: rest_rotations.collect(),
        }
    }

    /// Largest angle between two skeletons of one group, radians; `None` where they are of two.
    pub(crate) fn difference(&self, other: &Self) -> Option<f64> {
        #[cfg(test)]
        COMPARISONS.set(COMPARISONS.get() + 1);
        if self.tree != other.tree {
            return None;
        }
        let directions = [&*self.directions, &*other.directions];
        rest_difference(directions, [&*self.rest_rotations, &*other.rest_rotations])
    }
}
