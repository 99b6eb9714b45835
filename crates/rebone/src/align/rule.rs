//! Where the closed-form start takes the rotation of a target joint from.

use super::twists::TwistShare;
use crate::body::Side;
use nalgebra::UnitQuaternion;
use rebone_skeleton::JointId;

/// How the closed-form start turns one target joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// As in the calibration pose, against its parent.
    KeepRest,
    /// The anatomical frame of this source joint, in the world.
    Copy(JointId),
    /// This place in the segments of all chains: see [`ChainLink`](super::chains::ChainLink).
    Chain(usize),
    /// The frame of this source collar, or chest, then aimed at the shoulder's place.
    Collar(Side, JointId),
    /// The turn of a source joint against the role above it.
    RelativeToRole {
        /// The source joint, and the joint of the role above it.
        source: [JointId; 2],
        /// The joint of the same role on the target.
        above: JointId,
    },
    /// The frame of a source bone with a share of its axial turn.
    Twist(TwistShare),
    /// The world rotation of a source joint, and behind it what differs between the two joints in poses that
    /// count as the same: rotation copy.
    CopyRotation {
        /// The source joint.
        source: JointId,
        /// `source⁻¹ target`, in those poses.
        post: UnitQuaternion<f64>,
    },
    /// The turn since calibration of this source joint above the body, and its path, scaled.
    AncestorOfHips(JointId),
}
