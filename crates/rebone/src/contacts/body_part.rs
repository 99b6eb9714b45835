//! Parts of the body that can be in contact, with the ground or with each other.

use crate::align::SupportPoint;
use crate::options::ContactMode;
use rebone_body::body::{BodySegment, Limb, Side};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A part of the body that can be in contact: with the ground, those of [`ALL`](Self::ALL), or with a hand.
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
    /// The seat.
    Seat,
    /// The back, by the chest.
    Back,
    /// The head.
    Head,
    /// The lowest part of the trunk.
    Pelvis,
    /// The middle of the trunk.
    Belly,
    /// The upper part of the trunk, with the shoulders.
    Chest,
    /// The neck.
    Neck,
    /// An upper arm.
    UpperArm(Side),
    /// A forearm.
    Forearm(Side),
    /// A thigh.
    Thigh(Side),
    /// A shin.
    Shin(Side),
}

impl BodyPart {
    /// All parts that can be on the ground, feet first.
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

    /// All parts that a hand can touch, the trunk first.
    pub(crate) const TOUCHABLE: [Self; 17] = {
        use Side::{Left, Right};
        [
            Self::Pelvis,
            Self::Belly,
            Self::Chest,
            Self::Neck,
            Self::Head,
            Self::UpperArm(Left),
            Self::UpperArm(Right),
            Self::Forearm(Left),
            Self::Forearm(Right),
            Self::Hand(Left),
            Self::Hand(Right),
            Self::Thigh(Left),
            Self::Thigh(Right),
            Self::Shin(Left),
            Self::Shin(Right),
            Self::Foot(Left),
            Self::Foot(Right),
        ]
    };

    /// The feet.
    pub(crate) const FEET: [Self; 2] = [Self::Foot(Side::Left), Self::Foot(Side::Right)];

    /// Returns the part that a support point belongs to.
    pub(crate) fn of(point: SupportPoint) -> Self {
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

    /// Returns the index in [`Limb::ALL`] of the limb that ends in it; `None` for parts of trunk and limb middles.
    pub(crate) fn limb(self) -> Option<usize> {
        let limb = match self {
            Self::Foot(side) => Limb::Leg(side),
            Self::Hand(side) => Limb::Arm(side),
            _ => return None,
        };
        Limb::ALL.iter().position(|own| *own == limb)
    }

    /// Returns the indices of its points in a list.
    pub(crate) fn points(self, points: &[SupportPoint]) -> Vec<usize> {
        (0..points.len()).filter(|&k| Self::of(points[k]) == self).collect()
    }
}

impl fmt::Display for BodyPart {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        let segment = match *self {
            Self::Knee(side) => return write!(to, "{side} knee"),
            Self::Elbow(side) => return write!(to, "{side} elbow"),
            Self::Seat => return to.write_str("seat"),
            Self::Back => return to.write_str("back"),
            Self::Foot(side) => BodySegment::Foot(side),
            Self::Hand(side) => BodySegment::Hand(side),
            Self::Head => BodySegment::Head,
            Self::Pelvis => BodySegment::Pelvis,
            Self::Belly => BodySegment::Belly,
            Self::Chest => BodySegment::Chest,
            Self::Neck => BodySegment::Neck,
            Self::UpperArm(side) => BodySegment::UpperArm(side),
            Self::Forearm(side) => BodySegment::Forearm(side),
            Self::Thigh(side) => BodySegment::Thigh(side),
            Self::Shin(side) => BodySegment::Shin(side),
        };
        segment.fmt(to)
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
        let others = Self::TOUCHABLE.into_iter().filter(|part| !Self::ALL.contains(part));
        let all: Vec<Self> = Self::ALL.into_iter().chain(others).collect();
        all.iter().find(|part| part.to_string() == name).copied().ok_or_else(|| {
            format!("no part of the body is called {name:?}: expected one of {}", names(&all))
        })
    }
}

/// Lists the names of parts.
pub(super) fn names(parts: &[BodyPart]) -> String {
    parts.iter().map(BodyPart::to_string).collect::<Vec<_>>().join(", ")
}

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
