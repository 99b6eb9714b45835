//! Detection of contacts on the source.

mod detected;
mod displacement;
mod floor;
mod foot_slide;
mod segments;
mod slope;
mod sole_pivot;
mod spans;
mod terrain;
mod threshold;
mod tracks;

pub(crate) use detected::Found;
pub(crate) use displacement::{CLOSES, find, spread};
pub use floor::{Floor, floor};
pub(crate) use foot_slide::slips;
pub(crate) use segments::pieces;
pub(crate) use sole_pivot::{MOST, Part, soft_minimum};
pub(crate) use terrain::Terrain;
pub(crate) use threshold::find_by_thresholds;
pub(crate) use tracks::{Probe, Tracks, level, upright_line};
