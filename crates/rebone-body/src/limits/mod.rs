//! Joint limits: a box in the coordinates of each joint, by default or as a card states it.

mod active_limit;
mod channels;
mod defaults;
mod joint_limits;
mod joint_range;
mod mode;
mod names;
mod range_use;

pub use active_limit::ActiveLimit;
pub use defaults::thigh_mid_swing;
pub use joint_limits::joint_range;
pub use joint_range::JointRange;
pub use mode::LimitMode;
pub use names::{angle_name, default_limits, variable_names};
pub use range_use::JointRangeUse;
