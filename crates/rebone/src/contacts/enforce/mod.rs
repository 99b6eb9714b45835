//! Enforcement of contacts on the target: offsets of root and limb ends over time.

mod contact_target;
mod correction;
mod hand_clearance;
mod limb_state;
mod root_height;
mod segment_problem;
mod smooth_envelope;
mod tilt;
mod trunk_clearance;

pub(crate) use correction::ContactCorrection;
