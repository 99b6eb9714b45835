//! Formats for other programs: rotation tables and VRM poses.

mod rotation_table;
mod vrm;

pub use rotation_table::{Bind, BodyPlace, HelperOf, RotationTable, SourceJoint, TargetJoint};
pub use vrm::vrm_motion;
