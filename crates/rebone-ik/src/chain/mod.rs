//! Kinematic chains: links, variables, configurations.

mod configuration;
mod coordinates;
mod error;
mod link;
mod point;
pub(crate) mod so3;
mod tree;

pub use configuration::Configuration;
pub use error::IkError;
pub use link::{Link, LinkId, LinkMotion};
pub use point::{Point, PointRef};
pub use tree::{Base, Chain, Variable};
