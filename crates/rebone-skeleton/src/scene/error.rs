//! Errors of scenes.

use super::Node;
use crate::SkeletonError;
use thiserror::Error;

/// Reason why a scene has no usable skeleton.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArmatureError {
    /// No node is a joint.
    #[error("found no joints: the scene has no skin, and no node that could be a bone")]
    NoJoints,
    /// Some nodes are their own ancestors.
    #[error("found node {0} below itself, expected a tree of nodes")]
    Loop(usize),
    /// A scale that leaves no size to what it carries.
    #[error(
        "found the scale {scale} at node {node}, {name}, which carries joints: expected scales that leave it a size; \
         apply the scale in the program that the file comes from"
    )]
    Scale {
        /// The node's index.
        node: usize,
        /// Its name, quoted.
        name: String,
        /// The three scales.
        scale: String,
    },
    /// The nodes do not form a skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
}

impl ArmatureError {
    /// Names a node whose scale leaves no size.
    pub(super) fn of_scale(node: usize, own: &Node) -> Self {
        let [x, y, z] = own.local.scale.into();
        Self::Scale {
            node,
            name: format!("{:?}", own.name.to_string()),
            scale: format!("{x} {y} {z}"),
        }
    }
}
