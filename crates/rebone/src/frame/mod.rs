//! One frame: the source pose is read, the target is posed in closed form, stages solve the rest.

mod pose_offset;
mod retargeter;
mod source_pose;
mod stages;
mod target_pose;

pub(crate) use pose_offset::PoseOffset;
pub use retargeter::Retargeter;
pub use source_pose::SourcePose;
pub use stages::{
    BodyStage, JointFreedom, LimbPoints, LimbStage, PalmStage, StageChain, StageSolver, Stages,
};
pub use target_pose::TargetPose;
