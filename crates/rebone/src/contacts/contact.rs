//! A contact: which part of the body, what it does, and when.

use super::body_part::BodyPart;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::ops::Range;

/// Motion of a part while it is in contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContactKind {
    /// Stationary.
    Plant,
    /// Stationary, while the foot rotates about a point of its sole.
    Pivot,
    /// Rolling of a foot: heel strike, flat, heel off, toe off.
    Roll,
    /// Moving along the surface.
    Slide,
    /// A hand stationary off the floor while the body moves: on a rail, on a bar.
    Hold,
}

/// Least confidence of a self-contact that is kept.
const MIN_CONFIDENCE: f64 = 0.5;

/// A contact of a part of the body, with the ground or with another part, over a range of frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// The part.
    pub part: BodyPart,
    /// The part of the body that a hand touches; `None` where the part is on the ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<BodyPart>,
    /// Its motion.
    pub kind: ContactKind,
    /// Its frames; serialised as `[start, end]`, end exclusive.
    #[serde(with = "frames")]
    pub frames: Range<usize>,
    /// Probability that the contact is real, 0 to 1.
    #[serde(default = "sure", deserialize_with = "confidence")]
    pub confidence: f64,
}

impl Contact {
    /// Returns whether a self-contact is likely enough to be kept where the surface of the source is a guess, or contacts are
    /// given: from a confidence of 0.5 on.
    pub fn is_likely(&self) -> bool {
        self.confidence >= MIN_CONFIDENCE
    }

    /// Returns whether two contacts have frames in common.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.frames.start < other.frames.end && other.frames.start < self.frames.end
    }

    /// Returns whether two contacts are of one pair of parts.
    pub(crate) fn has_parts_of(&self, other: &Self) -> bool {
        (self.part, self.on) == (other.part, other.on)
    }
}

fn sure() -> f64 {
    1.0
}

/// Reads a probability, 0 to 1.
fn confidence<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let confidence = f64::deserialize(from)?;
    match (0.0..=1.0).contains(&confidence) {
        true => Ok(confidence),
        false => Err(D::Error::custom(format!("found confidence {confidence}, expected 0 to 1"))),
    }
}

/// Ranges of frames as `[start, end]`, end exclusive.
mod frames {
    /// Upper bound of frame numbers, so that sums of two do not overflow.
    const MAX_FRAME: u64 = 1 << 40;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::ops::Range;

    pub(crate) fn serialize<S: Serializer>(
        frames: &Range<usize>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        [frames.start, frames.end].serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Range<usize>, D::Error> {
        let found = serde_json::Value::deserialize(from)?;
        let frame =
            |k: usize| found.get(k)?.as_u64().filter(|frame| *frame < MAX_FRAME)?.try_into().ok();
        match [frame(0), frame(1)] {
            [Some(start), Some(end)] if start < end && found.get(2).is_none() => Ok(start..end),
            _ => Err(D::Error::custom(format!(
                "found frames {found}, expected [FIRST, BEHIND THE LAST], counted from 0"
            ))),
        }
    }
}
