//! A skeleton: joints in one flat array, parents first, validated once.

use crate::{EndSite, Joint, JointId};
use bstr::BStr;
use std::ops::Index;
use thiserror::Error;

/// A hierarchy of joints with one root.
///
/// Each joint follows its parent in [`joints`](Self::joints), so one loop from front to back
/// visits parents before children.
///
/// ```
/// use nalgebra::{UnitQuaternion, Vector3};
/// use rebone_skeleton::{Axis, Joint, JointId, Skeleton};
/// let joint = |name: &str, parent, height| Joint {
///     name: name.into(),
///     parent,
///     rest_translation: Vector3::new(0.0, height, 0.0),
///     rest_rotation: UnitQuaternion::identity(),
///     translation_axes: Vec::new(),
///     rotation_axes: Axis::ALL.to_vec(),
/// };
/// let joints = vec![joint("Hips", None, 1.0), joint("Spine", Some(JointId(0)), 0.2)];
/// let skeleton = Skeleton::new(joints, Vec::new())?;
/// assert_eq!(skeleton.find("Spine".into()), Some(JointId(1)));
/// # Ok::<(), rebone_skeleton::SkeletonError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    end_sites: Vec<EndSite>,
    /// The joints directly below each joint, in file order.
    children: Vec<Vec<JointId>>,
}

/// Reason why a list of joints is not a skeleton.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SkeletonError {
    /// There are no joints.
    #[error("a skeleton needs at least one joint")]
    Empty,
    /// The first joint has a parent.
    #[error("the first joint must be the root, but it has a parent")]
    RootHasParent,
    /// A second joint without parent.
    #[error("joint {0} has no parent, but only the first joint may be a root")]
    SecondRoot(usize),
    /// A joint stands before its parent.
    #[error("joint {0} stands before its parent {1}: parents come first")]
    ParentAfterChild(usize, usize),
    /// An end site names a joint that is not there.
    #[error("an end site has joint {0} as parent, but there are only {1} joints")]
    NoSuchJoint(usize, usize),
}

impl Skeleton {
    /// Checks that there is one root, that it comes first and that parents precede their children.
    ///
    /// # Errors
    /// Where one of that does not hold.
    pub fn new(joints: Vec<Joint>, end_sites: Vec<EndSite>) -> Result<Self, SkeletonError> {
        let root = joints.first().ok_or(SkeletonError::Empty)?;
        if root.parent.is_some() {
            return Err(SkeletonError::RootHasParent);
        }
        for (index, joint) in joints.iter().enumerate().skip(1) {
            let parent = joint.parent.ok_or(SkeletonError::SecondRoot(index))?;
            if parent.index() >= index {
                return Err(SkeletonError::ParentAfterChild(index, parent.index()));
            }
        }
        if let Some(site) = end_sites.iter().find(|site| site.parent.index() >= joints.len()) {
            return Err(SkeletonError::NoSuchJoint(site.parent.index(), joints.len()));
        }
        let mut children = vec![Vec::new(); joints.len()];
        for (index, joint) in joints.iter().enumerate() {
            if let Some(parent) = joint.parent {
                children[parent.index()].push(JointId(index));
            }
        }
        Ok(Self { joints, end_sites, children })
    }

    /// All joints, parents first.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// All end sites, in file order.
    pub fn end_sites(&self) -> &[EndSite] {
        &self.end_sites
    }

    /// The number of joints.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Never true: a skeleton has a root.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The joint of this index; `None` where it is of a larger skeleton. Where it cannot be, write `skeleton[id]`.
    pub fn joint(&self, id: JointId) -> Option<&Joint> {
        self.joints.get(id.index())
    }

    /// The ids of all joints, parents first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = JointId> + use<> {
        (0..self.joints.len()).map(JointId)
    }

    /// The first joint of that name.
    pub fn find(&self, name: &BStr) -> Option<JointId> {
        self.joints.iter().position(|joint| joint.name == name).map(JointId)
    }

    /// The joints directly below `joint`, in file order; none for a joint that is not there.
    pub fn children(&self, joint: JointId) -> impl DoubleEndedIterator<Item = JointId> + '_ {
        self.children.get(joint.index()).into_iter().flatten().copied()
    }

    /// The end sites directly below `joint`, in file order.
    pub fn end_sites_of(&self, joint: JointId) -> impl Iterator<Item = &EndSite> + '_ {
        self.end_sites.iter().filter(move |site| site.parent == joint)
    }

    /// `joint`, its parent, and so on up to the root; empty for a joint that is not there.
    pub fn path_to_root(&self, joint: JointId) -> impl Iterator<Item = JointId> + '_ {
        std::iter::successors(self.joint(joint).map(|_| joint), |&id| self[id].parent)
    }

    /// Returns whether `ancestor` is `joint` or above it.
    pub fn is_ancestor(&self, ancestor: JointId, joint: JointId) -> bool {
        self.path_to_root(joint).any(|id| id == ancestor)
    }

    /// Returns whether the ancestors of `joint` carry no other branch.
    pub fn carries_all(&self, joint: JointId) -> bool {
        self.path_to_root(joint).skip(1).all(|above| self.children(above).count() == 1)
    }

    /// The lowest joint that is `a` or above it and `b` or above it; the root where one of them is not there.
    pub fn lowest_common_ancestor(&self, a: JointId, b: JointId) -> JointId {
        self.path_to_root(a).find(|&id| self.is_ancestor(id, b)).unwrap_or(JointId(0))
    }
}

/// Joints of this skeleton by their ids. As with a slice, an index beyond the end panics: [`joint`](Skeleton::joint)
/// does not.
impl Index<JointId> for Skeleton {
    type Output = Joint;

    fn index(&self, id: JointId) -> &Joint {
        &self.joints[id.index()]
    }
}
