//! A contact: which part of the body, what it does, and when.

use super::body_part::BodyPart;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::ops::Range;

/// What a part of the body does while it is in contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContactKind {
    /// It stays where it is.
    Plant,
    /// The same, while the foot turns about a point of its sole.
    Pivot,
    /// A foot rolls over: heel strike, flat, heel off, toe off.
    Roll,
    /// It moves along what it touches.
    Slide,
    /// A hand stays where it is, off the floor, while the body moves: on a rail, on a bar.
    Hold,
}

/// A part of the body that touches something for some time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// The part.
    pub part: BodyPart,
    /// What it does.
    pub kind: ContactKind,
    /// The frames, the first and behind the last.
    #[serde(with = "frames")]
    pub frames: Range<usize>,
    /// Probability that it is one.
    #[serde(default = "sure", deserialize_with = "confidence")]
    pub confidence: f64,
}

fn sure() -> f64 {
    1.0
}

/// A probability.
fn confidence<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let confidence = f64::deserialize(from)?;
    match (0.0..=1.0).contains(&confidence) {
        true => Ok(confidence),
        false => Err(D::Error::custom(format!("found confidence {confidence}, expected 0 to 1"))),
    }
}

/// Frames as `[first, behind the last]`.
mod frames {
    /// Frame numbers are smaller, so that sums of two do not overflow.
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
