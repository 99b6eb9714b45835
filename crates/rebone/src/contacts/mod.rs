//! Contacts over time: what a body touches, found on the source over the whole clip, and kept on the target.
//!
//! Nothing here decides from one frame to the next: contacts are found over a whole clip at once, and
//! what moves the target is one least-squares problem over all frames. All lengths are metres of a 1.7 m body in the
//! inner world (+Y up), all times seconds, whatever the frame rate.

mod body_part;
mod contact;
mod contact_match;
mod detect;
mod enforce;
mod file;

pub use body_part::BodyPart;
pub use contact::{Contact, ContactKind};
pub use contact_match::ContactMatch;
pub(crate) use detect::{
    DetectedContacts, SupportTrajectories, Terrain, TrackedPoints, detect_by_displacement,
    detect_by_thresholds, foot_slide, horizontal, segments, upright_hip_line,
};
pub use detect::{Floor, floor};
pub(crate) use enforce::ContactCorrection;
pub use file::{ContactsError, parse, write};
