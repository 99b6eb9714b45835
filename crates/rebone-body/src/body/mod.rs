//! A body: roles of joints, parts, anatomy, and what all later steps read of them.

mod added_root;
mod anatomy;
mod axes;
mod calibration_source;
mod common_joints;
mod correction;
mod joint_limits;
mod limb;
mod parts;
#[cfg(feature = "files")]
mod points;
mod role;
mod role_name;
mod segment;
#[doc(hidden)]
#[doc(hidden)]
pub mod surface;

pub use anatomy::CENTIMETRES_PER_METRE;
pub(crate) use anatomy::MAX_STANDING_SIGMA;
pub use anatomy::METRES_PER_CENTIMETRE;
pub(crate) use anatomy::TRUNK_RADII_METRES;
pub use anatomy::finger_tip;
pub(crate) use anatomy::tip_of;
pub use anatomy::{Anatomy, BODY_HEIGHT};
pub use axes::tip;
pub use axes::turn_and_scale;
pub(crate) use axes::{
    arm_in_t_pose, end_of, finger_in_t_pose, frame, hanging_leg, inherit, sideways, t_pose_frames,
    turned_to,
};
pub use calibration_source::CalibrationSource;
pub use calibration_source::SoleSource;
pub(crate) use calibration_source::{LEVEL_PITCH_SIGMA, STANDING_PITCH_SIGMA};
pub(crate) use common_joints::CommonJoints;
pub(crate) use correction::Correction;
pub use joint_limits::{BALL, Ranges, channel_name};
pub use joint_limits::{JointEntry, SignedAxis};
pub use limb::Limb;
pub(crate) use parts::bone_end;
pub(crate) use parts::check_size;
pub use parts::{Arm, Body, Landmark, Leg};
pub use points::extent::Extent;
pub(crate) use points::sole::end_of_foot;
pub(crate) use points::sole::placed_feet;
pub(crate) use points::sole::placed_foot;
pub use points::sole::{Sole, skin_soles};
pub use role::{Assigned, Finger, Role, Roles, Side};
pub(crate) use role::{StatedRole, follows};
pub use segment::{BodySegment, SegmentSet};
