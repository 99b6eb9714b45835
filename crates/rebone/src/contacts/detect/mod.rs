//! Detection of contacts on the source.

mod detected;
mod displacement;
mod drift;
mod floor;
mod foot_slide;
mod slope;
mod sole_pivot;
mod spans;
mod terrain;
mod tracked_points;
mod tracks;

pub(crate) use detected::DetectedContacts;
pub(crate) use displacement::{CLOSE_DISPLACEMENT_METRES, detect_by_displacement, spread};
pub(crate) use floor::{Floor, floor};
pub(crate) use foot_slide::foot_slide;
pub(crate) use sole_pivot::{MAX_POINTS, PivotPath, weights_and_min_height};
pub(crate) use terrain::Terrain;
pub(crate) use tracked_points::TrackedPoints;
pub(crate) use tracks::{SupportTrajectories, horizontal, upright_hip_line};
