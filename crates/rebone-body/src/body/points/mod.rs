//! Points of hands, feet and soles, and how far parts of the body reach.

pub(crate) mod directions;
pub(crate) mod extent;
pub(crate) mod foot_points;
pub(crate) mod hand_points;
pub(crate) mod sole;
