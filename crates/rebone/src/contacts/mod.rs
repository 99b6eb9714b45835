//! Contacts over time: what a body touches, found on the source over the whole clip, and kept on the target.
//!
//! Nothing here decides from one frame to the next: contacts are found over a whole clip at once, and
//! what moves the target is one least-squares problem over all frames. All lengths are metres of a 1.7 m body in the
//! inner world (+Y up), all times seconds, whatever the frame rate.

mod detect;
mod enforce;
mod events;
mod file;

pub use detect::{Floor, floor};
pub(crate) use detect::{
    Probe, Terrain, Tracks, find, find_by_thresholds, level, pieces, slips, upright_line,
};
pub(crate) use enforce::Correction;
pub use events::Events;
pub use file::{ContactsError, parse, write};

use crate::align::SupportPoint;
use crate::body::Limb;
use crate::body::Side;
use crate::options::ContactMode;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

impl ContactMode {
    /// Lists the parts whose contacts are kept.
    pub(crate) fn parts(self) -> &'static [BodyPart] {
        match self {
            Self::Off => &[],
            Self::Soft | Self::Feet => &BodyPart::FEET,
            Self::All | Self::Lock => &BodyPart::ALL,
        }
    }
}

/// A part of the body that can be in contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum BodyPart {
    /// Heel, ball and toes of a side.
    Foot(Side),
    /// A hand, by its wrist.
    Hand(Side),
    /// A knee.
    Knee(Side),
    /// An elbow.
    Elbow(Side),
    /// What one sits on.
    Seat,
    /// The back, by the chest.
    Back,
    /// The head.
    Head,
}

impl BodyPart {
    /// All parts, feet first.
    pub const ALL: [Self; 11] = {
        use Side::{Left, Right};
        [
            Self::Foot(Left),
            Self::Foot(Right),
            Self::Hand(Left),
            Self::Hand(Right),
            Self::Knee(Left),
            Self::Knee(Right),
            Self::Elbow(Left),
            Self::Elbow(Right),
            Self::Seat,
            Self::Back,
            Self::Head,
        ]
    };

    /// Those that stand.
    pub(crate) const FEET: [Self; 2] = [Self::Foot(Side::Left), Self::Foot(Side::Right)];

    /// The part that a point of the body belongs to.
    pub fn of(point: SupportPoint) -> Self {
        match point {
            SupportPoint::Heel(side) | SupportPoint::Ball(side) | SupportPoint::Toes(side) => {
                Self::Foot(side)
            }
            SupportPoint::Hand(side) => Self::Hand(side),
            SupportPoint::Elbow(side) => Self::Elbow(side),
            SupportPoint::Knee(side) => Self::Knee(side),
            SupportPoint::Seat => Self::Seat,
            SupportPoint::Back => Self::Back,
            SupportPoint::Head => Self::Head,
        }
    }

    /// The limb that it is the end of, by its place in [`Limb::ALL`].
    pub(crate) fn limb(self) -> Option<usize> {
        let limb = match self {
            Self::Foot(side) => Limb::Leg(side),
            Self::Hand(side) => Limb::Arm(side),
            _ => return None,
        };
        Limb::ALL.iter().position(|own| *own == limb)
    }

    /// Its points among those of a body.
    pub(crate) fn points(self, points: &[SupportPoint]) -> Vec<usize> {
        (0..points.len()).filter(|&k| Self::of(points[k]) == self).collect()
    }
}

impl fmt::Display for BodyPart {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        let side = |side: &Side| if *side == Side::Left { "left" } else { "right" };
        match self {
            Self::Foot(own) => write!(to, "{} foot", side(own)),
            Self::Hand(own) => write!(to, "{} hand", side(own)),
            Self::Knee(own) => write!(to, "{} knee", side(own)),
            Self::Elbow(own) => write!(to, "{} elbow", side(own)),
            Self::Seat => to.write_str("seat"),
            Self::Back => to.write_str("back"),
            Self::Head => to.write_str("head"),
        }
    }
}

impl From<BodyPart> for String {
    fn from(part: BodyPart) -> Self {
        part.to_string()
    }
}

impl TryFrom<String> for BodyPart {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let find = Self::ALL.into_iter().find(|part| part.to_string() == name);
        find.ok_or_else(|| {
            let names: Vec<String> = Self::ALL.iter().map(Self::to_string).collect();
            format!("no part of the body is called {name:?}: expected one of {}", names.join(", "))
        })
    }
}

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
    #[serde(with = "crate::contacts::file::frames")]
    pub frames: Range<usize>,
    /// Probability that it is one.
    #[serde(default = "sure", deserialize_with = "file::confidence")]
    pub confidence: f64,
}

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

fn sure() -> f64 {
    1.0
}
