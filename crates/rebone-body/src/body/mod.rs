//! A body: roles of joints, parts, anatomy, and what all later steps read of them.

#[cfg(feature = "files")]
mod added_root;
mod anatomy;
mod axes;
mod calibration_source;
mod common_joints;
mod correction;
mod joint_limits;
mod limb;
mod parts;
mod points;
mod role;
mod role_name;
mod segment;
#[doc(hidden)]
pub mod surface;

pub use anatomy::{Anatomy, BODY_HEIGHT, CENTIMETRES_PER_METRE, METRES_PER_CENTIMETRE, finger_tip};
pub(crate) use anatomy::{MAX_STANDING_SIGMA, TRUNK_RADII_METRES, tip_of};
pub(crate) use axes::{
    arm_in_t_pose, end_of, finger_in_t_pose, frame, hanging_leg, inherit, sideways, t_pose_frames,
    turned_to,
};
pub use axes::{tip, turn_and_scale};
pub use calibration_source::{CalibrationSource, SoleSource};
pub(crate) use calibration_source::{LEVEL_PITCH_SIGMA, STANDING_PITCH_SIGMA};
pub(crate) use common_joints::CommonJoints;
pub(crate) use correction::Correction;
pub use joint_limits::{BALL, JointEntry, Ranges, SignedAxis, channel_name};
pub use limb::Limb;
pub use parts::{Arm, Body, Landmark, Leg};
pub(crate) use parts::{bone_end, check_size};
pub use points::extent::Extent;
pub use points::sole::{Sole, skin_soles};
pub(crate) use points::sole::{end_of_foot, placed_feet, placed_foot};
pub use role::{Assigned, Finger, Role, Roles, Side};
pub(crate) use role::{StatedRole, follows};
pub use segment::{BodySegment, SegmentSet};
