//! Joint limits: a box in the coordinates of each joint, by default or as a card states it.

mod active_limit;
mod channels;
mod defaults;
mod joint_limits;
mod joint_range;
mod names;

pub use active_limit::Binding;
pub(crate) use defaults::middle_of_swings;
pub use joint_limits::coordinates;
pub use joint_range::{Coordinates, JointBox};
pub use names::examples;
pub(crate) use names::{angle_name, variable_names};
