//! Calibration: from roles and motion to an anatomy, with the frames of its segments.

mod anatomy_of;
mod angle_fusion;
mod ankle;
mod calibration;
mod estimate;
mod foot;
mod known;
mod motion;
mod root_scale;
mod rotation_fusion;
mod same_rig;
mod search;
mod sole_height;
mod soles;
mod spine_bend;
mod standing;
mod standing_frames;
mod standing_indices;
mod still_toes;
mod trunk_radii;
mod up_axis;
mod zero_pose;

pub(crate) use anatomy_of::anatomy_of;
pub use anatomy_of::with_frames;
pub(crate) use angle_fusion::within_ten_degrees;
pub use calibration::spread;
pub(crate) use estimate::Estimate;
pub(crate) use known::{FormatUp, Known};
#[cfg(feature = "files")]
pub(crate) use root_scale::position_joints;
pub use root_scale::{RootUnit, root_unit};
pub(crate) use rotation_fusion::{fuse_rotations, mean};
pub use same_rig::rest_difference;
pub(crate) use same_rig::{calibrate_alike, same_rig};
pub use search::begins_with_reference;
pub(crate) use sole_height::sole_height_in;
pub(crate) use soles::ahead_in_foot;
pub(crate) use standing_indices::standing_indices;
