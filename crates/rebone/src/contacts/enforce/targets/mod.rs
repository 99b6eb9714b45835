//! Targets of contacts: offsets that parts need, frame by frame.

pub(crate) mod adjacent;
pub(crate) mod contact_target;
pub(crate) mod segment_bodies;
