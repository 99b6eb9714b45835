//! Joint limits: a box in the coordinates of each joint, by default or as a card states it.

mod active_limit;
mod channels;
mod defaults;
mod joint_limits;
mod joint_range;
mod names;
mod range_use;

pub(crate) use active_limit::ActiveLimit;
pub(crate) use defaults::thigh_mid_swing;
pub(crate) use joint_limits::joint_range;
pub(crate) use joint_range::JointRange;
pub(crate) use names::{angle_name, default_limits, variable_names};
pub use range_use::JointRangeUse;
