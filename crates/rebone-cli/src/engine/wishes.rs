//! What the user wants, in the library's words.

use crate::args::{
    self, ContactDetector, Contacts, LeadingPose, Limits, Method, TravelScale, Wishes,
};
use rebone::{BodyRegion, ContactMode, LimbModes, LimitMode, Options, RootMotion};

/// The options of a retarget; `metres` are those of one unit of source and target.
pub(super) fn options(wishes: &Wishes, metres: [f64; 2]) -> Options {
    Options {
        method: match wishes.method {
            Method::Ik => rebone::Method::Ik,
            Method::Copy => rebone::Method::Copy,
            Method::Bind => rebone::Method::Bind,
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
        solver: wishes.solver,
        root: match wishes.root {
            args::RootMotion::World => RootMotion::World,
            args::RootMotion::InPlace => RootMotion::InPlace,
            args::RootMotion::RootBone => RootMotion::RootBone,
        },
        travel: match wishes.travel {
            TravelScale::LegLength => rebone::TravelScale::LegLength,
            TravelScale::Metric => rebone::TravelScale::Metric(metres),
        },
        ground: wishes.ground,
        contacts: match wishes.contacts {
            Contacts::Off => ContactMode::Off,
            Contacts::Soft => ContactMode::Soft,
            Contacts::Feet => ContactMode::Feet,
            Contacts::All => ContactMode::All,
            Contacts::Lock => ContactMode::Lock,
        },
        contact_detector: match wishes.contact_detector {
            ContactDetector::Displacement => rebone::ContactDetector::Displacement,
            ContactDetector::Threshold => rebone::ContactDetector::Threshold,
        },
        floor: wishes.floor,
        leading_pose: match wishes.leading_pose {
            LeadingPose::Keep => rebone::LeadingPose::Keep,
            LeadingPose::Drop => rebone::LeadingPose::Drop,
        },
    }
}

/// The same part for the library.
pub(super) fn part(part: args::Part) -> BodyRegion {
    match part {
        args::Part::Upper => BodyRegion::Upper,
        args::Part::Lower => BodyRegion::Lower,
        args::Part::Hips => BodyRegion::Hips,
        args::Part::Trunk => BodyRegion::Trunk,
        args::Part::Head => BodyRegion::Head,
        args::Part::Arms => BodyRegion::Arms,
        args::Part::Hands => BodyRegion::Hands,
        args::Part::Legs => BodyRegion::Legs,
    }
}
