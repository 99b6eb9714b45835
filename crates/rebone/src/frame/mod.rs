//! One frame: the source pose is read, the target is posed in closed form, stages solve the rest.

mod pose_offset;
mod retargeter;
mod source_pose;
mod stages;
mod target_pose;

pub(crate) use pose_offset::PoseOffset;
pub use retargeter::Retargeter;
pub use source_pose::Observation;
pub use stages::{BodyStage, LimbPoints, LimbStage, Linkage, Moves, Optimiser, PalmStage, Stages};
pub use target_pose::Posing;
