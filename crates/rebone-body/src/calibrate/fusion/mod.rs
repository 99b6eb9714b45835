//! Estimates of angles and frames, and their fusion.

pub(crate) mod angle_fusion;
pub(crate) mod estimate;
pub(crate) mod rotation_fusion;
