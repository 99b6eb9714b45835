//! The result of contact detection.

use super::terrain::Terrain;
use super::tracks::SupportTrajectories;
use crate::contacts::Contact;

/// The contacts of a body over a clip.
#[derive(Clone, Debug)]
pub(crate) struct DetectedContacts {
    /// Low-passed trajectories of its supports.
    pub(crate) low_passed: SupportTrajectories,
    /// The ground that it moves on.
    pub(crate) terrain: Terrain,
    /// Its contacts.
    pub(crate) contacts: Vec<Contact>,
}
