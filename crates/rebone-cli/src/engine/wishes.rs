//! What the user wants, in the library's words.

use crate::args::{
    self, ContactRule, Contacts, Limits, ReferenceFrame, Root, Stride, Transfer, Wishes,
};
use rebone::{Keep, LimbModes, LimitMode, Options, Part, RootMotion};

/// The options of a retarget; `metres` are those of one unit of source and target.
pub(super) fn options(wishes: &Wishes, metres: [f64; 2]) -> Options {
    Options {
        transfer: match wishes.method {
            Transfer::Ik => rebone::Transfer::Ik,
            Transfer::Copy => rebone::Transfer::Copy,
            Transfer::Bind => rebone::Transfer::Bind,
        },
        limbs: LimbModes {
            arms: wishes.arms.unwrap_or(wishes.limbs).0,
            legs: wishes.legs.unwrap_or(wishes.limbs).0,
        },
        limits: match wishes.limits {
            Limits::Source => LimitMode::Source,
            Limits::Human => LimitMode::Human,
            Limits::Strict => LimitMode::Strict,
        },
        method: wishes.solver,
        root: match wishes.root {
            Root::World => RootMotion::World,
            Root::InPlace => RootMotion::InPlace,
            Root::GroundJoint => RootMotion::GroundJoint,
        },
        stride: match wishes.stride {
            Stride::Scaled => rebone::Stride::Scaled,
            Stride::World => rebone::Stride::World(metres),
        },
        ground: wishes.ground,
        contacts: match wishes.contacts {
            Contacts::Off => Keep::Off,
            Contacts::Soft => Keep::Soft,
            Contacts::Feet => Keep::Feet,
            Contacts::All => Keep::All,
            Contacts::Lock => Keep::Lock,
        },
        contact_rule: match wishes.contact_rule {
            ContactRule::Displacement => rebone::ContactRule::Displacement,
            ContactRule::Classic => rebone::ContactRule::Classic,
        },
        floor: wishes.floor,
        reference_frame: match wishes.reference_frame {
            ReferenceFrame::Keep => rebone::ReferenceFrame::Keep,
            ReferenceFrame::Drop => rebone::ReferenceFrame::Drop,
        },
    }
}

/// The same part for the library.
pub(super) fn part(part: args::Part) -> Part {
    match part {
        args::Part::Upper => Part::Upper,
        args::Part::Lower => Part::Lower,
        args::Part::Hips => Part::Hips,
        args::Part::Trunk => Part::Trunk,
        args::Part::Head => Part::Head,
        args::Part::Arms => Part::Arms,
        args::Part::Hands => Part::Hands,
        args::Part::Legs => Part::Legs,
    }
}
