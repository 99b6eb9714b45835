//! Enforcement of contacts on the target: offsets of root and limb ends over time.

mod correction;
mod hand_clearance;
mod level_soles;
mod limb_state;
mod root_height;
mod segment_problem;
mod smooth_envelope;
mod targets;
mod tilt;
mod trunk_clearance;
mod turned_feet;
mod whole_foot;

pub(crate) use correction::ContactCorrection;
pub(crate) use targets::segment_bodies::MAX_FLOAT_METRES;
