//! Rules of the closed-form start.

use crate::align::rules::twists::TwistShare;
use nalgebra::UnitQuaternion;
use rebone_body::body::Side;
use rebone_skeleton::JointId;

/// Rule by which the closed-form start rotates one target joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rule {
    /// Keeps the calibration pose relative to its parent.
    KeepRest,
    /// Takes the anatomical rotation of this source joint, in the world.
    Copy(JointId),
    /// Takes this index in the segments of all chains: see [`ChainLink`](crate::align::chains::ChainLink).
    Chain(usize),
    /// Takes the anatomical rotation of this source collar bone, or chest, then aims at the shoulder's goal.
    Collar(Side, JointId),
    /// Takes the rotation of a source joint relative to the joint of the role above it.
    RelativeToRole {
        /// The source joint, and the joint of the role above it.
        source: [JointId; 2],
        /// The joint of the same role on the target.
        above: JointId,
    },
    /// Takes the rotation of a source bone with a share of its axial rotation.
    Twist(TwistShare),
    /// Rotation copy: the world rotation of a source joint, times the offset of the two joints in matching poses.
    CopyRotation {
        /// The source joint.
        source: JointId,
        /// `source⁻¹ target`, in those poses.
        post: UnitQuaternion<f64>,
    },
    /// Takes rotation since calibration and scaled path of this source joint above the body.
    AncestorOfHips(JointId),
}
