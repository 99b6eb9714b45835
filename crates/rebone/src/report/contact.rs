//! The contacts that a result keeps.

use crate::align::Plan;
use crate::contacts::{Contact, DetectedContacts};
use serde::Serialize;

/// The source's contacts, and how they are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ContactReport {
    /// Heights of what the source moves on, in its file's units, the lowest first: one of a level floor, more of
    /// steps.
    pub levels: Vec<f64>,
    /// Slope of the floor, degrees.
    pub slope: f64,
    /// Probability that the lowest height is that of the floor.
    pub confidence: f64,
    /// The contacts, each part's in the order of time. Frames are those of the source's clip, counted from 0.
    pub contacts: Vec<KeptContact>,
}

/// A contact of the source.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeptContact {
    /// The contact.
    #[serde(flatten)]
    pub contact: Contact,
    /// Largest distance of the part from its target, metres of a 1.7 m body: what the target's limbs cannot
    /// reach. `None` where it is not kept, and of a part at which no limb ends.
    pub slack: Option<f64>,
}

impl ContactReport {
    /// Of contacts by frames from `first` on, and how far each limb's end was from its place in each of those.
    pub(crate) fn new(
        plan: &Plan,
        DetectedContacts { terrain, contacts, .. }: &DetectedContacts,
        slack: &[[f64; 4]],
        first: usize,
    ) -> Self {
        let units = 1.0 / plan.source.metres_per_unit();
        let kept = contacts.iter().map(|contact| {
            let kept = plan.options.contacts.parts().contains(&contact.part);
            let limb = contact.part.limb().filter(|_| kept);
            let most = |limb: usize| {
                slack[contact.frames.clone()].iter().map(|own| own[limb]).fold(0.0, f64::max)
            };
            let frames = contact.frames.start + first..contact.frames.end + first;
            KeptContact { slack: limb.map(most), contact: Contact { frames, ..contact.clone() } }
        });
        Self {
            levels: terrain.levels.iter().map(|level| level * units).collect(),
            slope: libm::acos(terrain.normal.y.clamp(-1.0, 1.0)).to_degrees(),
            confidence: terrain.confidence,
            contacts: kept.collect(),
        }
    }
}
