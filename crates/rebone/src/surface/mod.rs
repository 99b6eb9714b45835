//! Two surfaces together: distances of arms from the body, on source and target.

mod fingers;
mod gaps;
mod in_frame;
mod pair;
mod probes;
mod transforms;

pub(crate) use gaps::{ArmGap, HAND_GAP_METRES};
pub(crate) use pair::SurfacePair;
pub(crate) use probes::Probe;
pub(crate) use transforms::{ArmPose, BodyTransforms};
