//! Ranges of joints and signed axes, as a card states them.

use crate::error::ValueError;
use nalgebra::{Unit, Vector3};
use rebone_skeleton::Axis;
use std::fmt;
use std::str::FromStr;

/// An entry of a card on a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointEntry<T> {
    /// Selector of the joint.
    pub joint: String,
    /// The stated value.
    pub value: T,
    /// The line of the card, counted from 1; 0 for a card that was not read.
    pub line: usize,
}

/// Lower and upper bounds of a joint's variables by name, degrees: `swing_x`, `swing_z` and `twist` of a ball joint, or
/// the channels `x`, `y`, `z`.
#[doc(hidden)]
pub type Ranges = Vec<(String, [f64; 2])>;

/// A coordinate axis with its sign, written `+Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedAxis {
    /// The axis.
    pub axis: Axis,
    /// True for its negative direction.
    pub negative: bool,
}

impl SignedAxis {
    /// The axis nearest to a direction.
    pub(crate) fn nearest(direction: &Vector3<f64>) -> Self {
        let axis = Axis::ALL[direction.iamax()];
        Self { axis, negative: direction[axis.index()] < 0.0 }
    }

    /// The direction.
    pub fn unit(self) -> Unit<Vector3<f64>> {
        if self.negative { -self.axis.unit() } else { self.axis.unit() }
    }
}

impl FromStr for SignedAxis {
    type Err = ValueError;

    /// Reads `x`, `+X`, `-z` and so on.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        let (negative, name) = match text.strip_prefix('-') {
            Some(name) => (true, name),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let named = |axis: &Axis| format!("{axis:?}").eq_ignore_ascii_case(name);
        let axis = Axis::ALL.into_iter().find(named);
        let axis =
            axis.ok_or_else(|| ValueError("expected an axis: x, y, z, -x, -y or -z".to_owned()))?;
        Ok(Self { axis, negative })
    }
}

impl fmt::Display for SignedAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", if self.negative { '-' } else { '+' }, self.axis)
    }
}

/// Names of the variables of a ball joint in cards.
#[doc(hidden)]
pub const BALL: [&str; 3] = ["swing_x", "swing_z", "twist"];

/// The name of a channel's angle in cards.
#[doc(hidden)]
pub fn channel_name(axis: Axis) -> &'static str {
    ["x", "y", "z"][axis.index()]
}
