//! A body: roles of joints, parts, anatomy, and what all later steps read of them.

#[cfg(feature = "files")]
mod added_root;
mod anatomy;
mod axes;
mod calibration_source;
mod common_joints;
mod correction;
mod directions;
mod extent;
mod foot_points;
mod hand_points;
mod joint_limits;
mod limb;
mod parts;
mod role;
mod role_name;
mod segment;
mod sole;
pub(crate) mod surface;

pub use anatomy::{Anatomy, BODY_HEIGHT};
pub(crate) use anatomy::{
    CENTIMETRES_PER_METRE, MAX_STANDING_SIGMA, METRES_PER_CENTIMETRE, TRUNK_RADII_METRES,
    finger_tip, tip_of,
};
pub(crate) use axes::{
    arm_in_t_pose, end_of, finger_in_t_pose, frame, hanging_leg, inherit, sideways, t_pose_frames,
    tip, turn_and_scale, turned_to,
};
pub use calibration_source::CalibrationSource;
pub(crate) use calibration_source::{LEVEL_PITCH_SIGMA, STANDING_PITCH_SIGMA, SoleSource};
pub(crate) use common_joints::CommonJoints;
pub(crate) use correction::Correction;
pub(crate) use extent::Extent;
pub(crate) use joint_limits::{BALL, Ranges, channel_name};
pub use joint_limits::{JointEntry, SignedAxis};
pub(crate) use limb::Limb;
pub use parts::{Arm, Body, Landmark, Leg};
pub(crate) use parts::{bone_end, check_size};
pub use role::{Assigned, Finger, Role, Roles, Side};
pub(crate) use role::{StatedRole, follows};
pub(crate) use segment::{BodySegment, SegmentSet};
pub(crate) use sole::{Sole, end_of_foot, placed_feet, placed_foot, skin_soles};
