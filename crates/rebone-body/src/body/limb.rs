//! Arms and legs as limbs: root, end and length.

use super::anatomy::Anatomy;
use super::parts::Landmark;
use super::role::Side;
use rebone_skeleton::JointId;

/// A limb, whose end a contact may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Limb {
    /// From thigh joint to ankle.
    Leg(Side),
    /// From upper arm joint to wrist.
    Arm(Side),
}

impl Limb {
    /// All limbs, in the order in which lists of them are kept.
    #[doc(hidden)]
    pub const ALL: [Self; 4] = [
        Self::Leg(Side::Left),
        Self::Leg(Side::Right),
        Self::Arm(Side::Left),
        Self::Arm(Side::Right),
    ];

    /// The joint of its upper bone.
    #[doc(hidden)]
    pub fn root(self, anatomy: &Anatomy) -> JointId {
        match self {
            Self::Leg(side) => anatomy.body.legs[side.index()].upper,
            Self::Arm(side) => anatomy.body.arms[side.index()].upper,
        }
    }

    /// Ankle or wrist.
    #[doc(hidden)]
    pub fn end(self, anatomy: &Anatomy) -> Landmark {
        match self {
            Self::Leg(side) => anatomy.body.legs[side.index()].foot.into(),
            Self::Arm(side) => anatomy.body.arms[side.index()].wrist,
        }
    }

    /// The joint of foot or hand.
    #[doc(hidden)]
    pub fn tip(self, anatomy: &Anatomy) -> Option<JointId> {
        match self {
            Self::Leg(side) => Some(anatomy.body.legs[side.index()].foot),
            Self::Arm(side) => anatomy.body.arms[side.index()].hand,
        }
    }

    /// Length of both its bones, metres.
    #[doc(hidden)]
    pub fn length(self, anatomy: &Anatomy) -> f64 {
        let lower = match self {
            Self::Leg(side) => anatomy.body.legs[side.index()].lower,
            Self::Arm(side) => anatomy.body.arms[side.index()].lower,
        };
        let middle = anatomy.place(lower);
        let end = anatomy.point(self.end(anatomy));
        (anatomy.place(self.root(anatomy)) - middle).norm() + (middle - end).norm()
    }
}
