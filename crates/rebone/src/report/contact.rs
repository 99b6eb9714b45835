//! The contacts that a result keeps.

use crate::align::Plan;
use crate::contacts::{Contact, DetectedContacts};
use crate::self_contact::ContactSlack;
use serde::Serialize;
use std::ops::Range;

/// Slack of a self-contact from which on its cause is told, metres.
const MIN_SLACK_METRES: f64 = 0.01;

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
    /// The contacts with the ground, then those of hands with other parts, each part's in the order of time. Frames are those of
    /// the source's clip, counted from 0.
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
    ///
    /// Of a self-contact the median distance of the hand from its place over the other part; `None` where it is not kept: its
    /// confidence is below 0.5 and the source has no mesh, its place is more than 50 cm away, or another part is nearer.
    pub slack: Option<f64>,
    /// Cause of the slack of a self-contact of 1 cm and more: "reach" (the arm is straight), "another contact" (of the hand), or
    /// "pose" (the arm would have to turn far).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

impl KeptContact {
    /// Returns whether a contact of a hand with the body is not kept because it is uncertain: its confidence is below 0.5.
    pub fn is_uncertain(&self) -> bool {
        self.contact.on.is_some() && self.slack.is_none() && !self.contact.is_likely()
    }

    /// Tells of self-contacts what is not kept of each, given their slacks.
    pub(crate) fn of_hands(contacts: &[Contact], slacks: &[ContactSlack]) -> Vec<Self> {
        let kept = |(contact, own): (&Contact, &ContactSlack)| {
            let slack = own.median();
            let is_other = |(other, own): (&Contact, &ContactSlack)| {
                let is_same_hand = other.part == contact.part && other.on != contact.on;
                is_same_hand && other.overlaps(contact) && own.median().is_some()
            };
            let reason = slack.filter(|slack| *slack >= MIN_SLACK_METRES).map(|_| {
                match contacts.iter().zip(slacks).any(is_other) {
                    _ if own.is_straight() => "reach",
                    true => "another contact",
                    false => "pose",
                }
            });
            Self { contact: contact.clone(), slack, reason }
        };
        contacts.iter().zip(slacks).map(kept).collect()
    }
}

impl ContactReport {
    /// Of contacts by frames from `first` on, and how far each limb's end was from its place in each of those.
    pub(crate) fn new(
        plan: &Plan,
        DetectedContacts { terrain, contacts, .. }: &DetectedContacts,
        (slack, hands): (&[[f64; 4]], Vec<KeptContact>),
        first: usize,
    ) -> Self {
        let units = 1.0 / plan.source.metres_per_unit();
        let kept = contacts.iter().map(|contact| {
            let kept = plan.options.contacts.parts().contains(&contact.part);
            let limb = contact.part.limb().filter(|_| kept);
            let most = |limb: usize| {
                slack[contact.frames.clone()].iter().map(|own| own[limb]).fold(0.0, f64::max)
            };
            KeptContact { reason: None, slack: limb.map(most), contact: contact.clone() }
        });
        let all = kept.chain(hands).map(|mut own| {
            let Range { start, end } = own.contact.frames;
            own.contact.frames = start + first..end + first;
            own
        });
        Self {
            levels: terrain.levels.iter().map(|level| level * units).collect(),
            slope: libm::acos(terrain.normal.y.clamp(-1.0, 1.0)).to_degrees(),
            confidence: terrain.confidence,
            contacts: all.collect(),
        }
    }
}
