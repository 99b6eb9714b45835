//! Contacts over time: what a body touches, found on the source over the whole clip, and kept on the target.
//!
//! Nothing here decides from one frame to the next: contacts are found over a whole clip at once, and
//! what moves the target is one least-squares problem over all frames. All lengths are metres of a 1.7 m body in the
//! inner world (+Y up), all times seconds, whatever the frame rate.

mod body_part;
mod contact;
mod detect;
mod enforce;
mod events;
mod file;

pub use body_part::BodyPart;
pub use contact::{Contact, ContactKind};
pub use detect::{Floor, floor};
pub(crate) use detect::{
    Found, Probe, Terrain, Tracks, find, find_by_thresholds, level, pieces, slips, upright_line,
};
pub(crate) use enforce::Correction;
pub use events::Events;
pub use file::{ContactsError, parse, write};
