//! What detection says of a clip.

use super::terrain::Terrain;
use super::tracks::Tracks;
use crate::contacts::Contact;

/// What a body touches over a clip.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The paths of its supports, without noise.
    pub(crate) calm: Tracks,
    /// What it moves on.
    pub(crate) terrain: Terrain,
    /// What it touches.
    pub(crate) contacts: Vec<Contact>,
}
