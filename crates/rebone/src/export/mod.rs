//! Output for other programs: files, rotation tables, VRM poses, clean hierarchies.

#[cfg(feature = "files")]
mod arrays;
#[cfg(feature = "files")]
mod clean_hierarchy;
#[cfg(feature = "files")]
mod npz;
#[cfg(feature = "files")]
mod result_writer;
mod rotation_table;
mod table_file;
#[cfg(feature = "files")]
mod vrm;

#[cfg(feature = "files")]
pub(crate) use arrays::{ResultArrays, round_pose};
#[cfg(feature = "files")]
pub use clean_hierarchy::clean_hierarchy;
#[cfg(feature = "files")]
pub(crate) use result_writer::{ResultFile, gltf_or_joints};
#[cfg(feature = "files")]
pub use result_writer::{document, write_alone, write_calibration_pose};
pub use rotation_table::RotationTable;
#[cfg(feature = "files")]
pub(crate) use vrm::vrm_motion;
