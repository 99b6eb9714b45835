//! Formats for other programs: rotation tables and VRM poses.

#[cfg(feature = "files")]
mod result_writer;
mod rotation_table;
mod vrm;

#[cfg(feature = "files")]
pub(crate) use result_writer::ResultFile;
#[cfg(feature = "files")]
pub use result_writer::{WriteError, document, write_alone, write_calibration_pose};
pub use rotation_table::{Bind, BodyPlace, HelperOf, RotationTable, SourceJoint, TargetJoint};
pub use vrm::vrm_motion;
