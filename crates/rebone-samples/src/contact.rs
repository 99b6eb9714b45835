//! Ground truth of contacts: known, because each sample is planned around them.

use std::ops::Range;

/// A body part that touches the floor in a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SamplePart {
    /// Left foot: heel, ball and toes.
    LeftFoot,
    /// Right foot.
    RightFoot,
    /// Left hand.
    LeftHand,
    /// Right hand.
    RightHand,
    /// Seat.
    Seat,
}

impl SamplePart {
    /// Both feet, left first.
    pub(crate) const FEET: [Self; 2] = [Self::LeftFoot, Self::RightFoot];
}

/// Frames during which a body part touches the floor.
///
/// ```
/// use rebone_samples::SamplePart;
/// let sit = rebone_samples::sit();
/// let seat = sit.contacts.iter().find(|contact| contact.part == SamplePart::Seat);
/// let frames = &seat.expect("the body sits").frames;
/// let seconds = frames.len() as f64 * sit.motion.clip.frame_time;
/// assert!((1.6..1.8).contains(&seconds));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundTruthContact {
    /// Body part.
    pub part: SamplePart,
    /// Frame numbers, half-open: the first frame of contact to the first frame after it.
    pub frames: Range<usize>,
}

impl GroundTruthContact {
    /// Takes the frames between two times in seconds, at `rate` frames per second.
    pub(crate) fn new(part: SamplePart, (from, until): (f64, f64), rate: f64) -> Self {
        Self { part, frames: (from * rate).ceil() as usize..(until * rate).floor() as usize + 1 }
    }
}
