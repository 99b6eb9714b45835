//! The use of a joint's range in one frame.

use super::joint_limits::joint_range;
use super::joint_range::JointRange;
use crate::body::Anatomy;
use crate::limits::LimitMode;
use nalgebra::UnitQuaternion;
use rebone_skeleton::JointId;

/// Values and range of a joint in one frame, in its coordinates, radians: swing about X, swing about Z and twist of a
/// ball joint; the channels of the file of a joint that has fewer than three.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRangeUse {
    /// The joint of the target.
    pub joint: JointId,
    /// Values of its coordinates.
    pub values: Vec<f64>,
    /// Lower bounds.
    pub lower: Vec<f64>,
    /// Upper bounds.
    pub upper: Vec<f64>,
}

impl JointRangeUse {
    /// Reads a local rotation of a joint of the target; `None` for a joint without range, or that is not there. With [`LimitMode::Source`],
    /// ranges that the card does not state are widened to contain it.
    pub fn of(
        anatomy: &Anatomy,
        joint: JointId,
        local: &UnitQuaternion<f64>,
        mode: LimitMode,
    ) -> Option<Self> {
        anatomy.skeleton.joint(joint)?;
        Self::within(&joint_range(anatomy, joint), joint, local, mode)
    }

    #[doc(hidden)]
    pub fn within(
        range: &JointRange,
        joint: JointId,
        local: &UnitQuaternion<f64>,
        mode: LimitMode,
    ) -> Option<Self> {
        let count = range.motion.len();
        let values = range.read(local);
        let [lower, upper] = range.bounds(&values, mode);
        let [values, lower, upper] = [values, lower, upper].map(|list| list[..count].to_vec());
        let is_limited = lower.iter().any(|end| end.is_finite());
        is_limited.then_some(Self { joint, values, lower, upper })
    }
}
