//! Calibration: from roles and motion to an anatomy, with the frames of its segments.

mod anatomy_of;
mod calibration;
mod feet;
mod fusion;
mod known;
mod motion;
mod root_scale;
mod same_rig;
mod search;
mod spine_bend;
mod standing;
mod standing_frames;
mod trunk_radii;
mod up_axis;
mod zero_pose;

pub(crate) use anatomy_of::anatomy_of;
pub use anatomy_of::with_frames;
pub use calibration::spread;
pub(crate) use feet::sole_height::sole_height_in;
#[cfg(feature = "files")]
pub(crate) use feet::soles::ahead_in_foot;
pub(crate) use feet::standing_indices::standing_indices;
pub(crate) use fusion::angle_fusion::within_ten_degrees;
pub(crate) use fusion::estimate::Estimate;
pub(crate) use fusion::rotation_fusion::{fuse_rotations, mean};
pub(crate) use known::{FormatUp, Known};
#[cfg(feature = "files")]
pub(crate) use root_scale::position_joints;
pub use root_scale::{RootUnit, root_unit};
pub use same_rig::rest_difference;
pub(crate) use same_rig::{calibrate_alike, same_rig};
pub use search::begins_with_reference;
