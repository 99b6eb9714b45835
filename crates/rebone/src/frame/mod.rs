//! One frame: reads the source pose, poses the target in closed form, and solves the stages.

mod arm_turn;
mod egocentric_ends;
mod feet;
mod foot_state;
mod pitch;
mod pose_offset;
mod retargeter;
mod source_pose;
mod stages;
mod target_pose;
mod toe_mesh;

pub(crate) use arm_turn::ArmTurn;
pub(crate) use foot_state::{FootState, FootTurn};
pub(crate) use pose_offset::PoseOffset;
pub use retargeter::Retargeter;
