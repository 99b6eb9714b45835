//! Our own clips and rigs: what the demo, the tests and the benches run on.
//!
//! All of it is computed, by the same steps on each machine, from a few tables in this module;
//! `data/` in the repository is what it writes. The clips play on one skeleton as an optical
//! capture system delivers it; the rigs are nine other skeletons, each with another topology.

mod body;

mod build;

mod capture;

mod clips;

mod curve;

mod foot;

mod plan;

mod posture;

mod rigs;

mod two_bone;

pub use clips::{climb, jump, reach, sit, walk, wave};

use crate::contacts::BodyPart;
use crate::understand::Side;
use rebone_skeleton::Motion;
use std::ops::Range;

/// A clip or a rig that comes with the library.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// A short name, also that of its file.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub about: &'static str,
    /// The skeleton and its frames; a rig has one frame, the rest pose.
    pub motion: Motion,
    /// When which foot stands flat and still, in order of time for each foot; empty for rigs.
    pub planted: Vec<Planted>,
    /// What touches the floor when: feet from heel strike to toe off, hands and seat where they are put down.
    pub touching: Vec<Touching>,
}

/// Frames during which a part of the body touches the floor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touching {
    /// The part.
    pub part: BodyPart,
    /// The frames, the first and behind the last.
    pub frames: Range<usize>,
}

impl Touching {
    /// Between two times in seconds, at so many frames a second.
    fn new(part: BodyPart, (from, until): (f64, f64), rate: f64) -> Self {
        Self { part, frames: (from * rate).ceil() as usize..(until * rate).floor() as usize + 1 }
    }
}

/// Frames during which a foot stands: ankle and toe joint do not move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planted {
    /// Whose foot.
    pub side: Side,
    /// The frames, the first and behind the last.
    pub frames: Range<usize>,
}

/// The six clips: walk, reach, jump, sit, wave, climb. Centimetres, Y up, facing +Z, T-pose at rest.
pub fn clips() -> Vec<Sample> {
    vec![walk(), reach(), jump(), sit(), wave(), climb()]
}

/// The nine rigs.
pub fn rigs() -> Vec<Sample> {
    rigs::all()
}
