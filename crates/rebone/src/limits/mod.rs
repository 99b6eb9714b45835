//! Joint limits: a box in the coordinates of each joint, by default or as a card states it.

mod active_limit;
mod channels;
mod defaults;
mod joint_limits;
mod joint_range;
mod names;

pub use active_limit::ActiveLimit;
pub(crate) use defaults::thigh_mid_swing;
pub use joint_limits::joint_range;
pub use joint_range::{JointRange, JointRangeUse};
pub use names::default_limits;
pub(crate) use names::{angle_name, variable_names};
