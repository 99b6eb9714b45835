//! Contacts: detected on the source over a whole clip, and enforced on the target.
//!
//! Detection reads a whole clip at once, and the corrections of the target are one least-squares problem over all
//! frames. Lengths are metres of a 1.7 m body in the inner world (+Y up), times are seconds, at any frame rate.

mod body_part;
mod contact;
mod contact_match;
mod detect;
mod enforce;
mod file;

pub use body_part::BodyPart;
pub use contact::{Contact, ContactKind};
pub(crate) use contact_match::ContactMatch;
pub use contact_match::count_matches;
pub(crate) use detect::{
    CLOSE_DISPLACEMENT_METRES, DetectedContacts, Floor, MAX_POINTS, PivotPath, SupportTrajectories,
    Terrain, TrackedPoints, detect_by_displacement, floor, foot_slide, horizontal,
    upright_hip_line, weights_and_min_height,
};
pub(crate) use enforce::{ContactCorrection, MAX_FLOAT_METRES};
pub use file::{parse, write};
