//! One frame: reads the source pose, poses the target in closed form, and solves the stages.

mod arm_turn;
mod feet;
mod pose_offset;
mod retargeter;
mod source_pose;
mod stages;
mod target_pose;

pub(crate) use arm_turn::ArmTurn;
pub(crate) use pose_offset::PoseOffset;
pub use retargeter::Retargeter;
