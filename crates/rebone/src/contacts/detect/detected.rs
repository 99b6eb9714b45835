//! What detection says of a clip.

use super::terrain::Terrain;
use super::tracks::SupportTrajectories;
use crate::contacts::Contact;

/// What a body touches over a clip.
#[derive(Clone, Debug)]
pub(crate) struct DetectedContacts {
    /// The paths of its supports, without noise.
    pub(crate) low_passed: SupportTrajectories,
    /// What it moves on.
    pub(crate) terrain: Terrain,
    /// What it touches.
    pub(crate) contacts: Vec<Contact>,
}
