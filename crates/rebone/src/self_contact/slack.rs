//! Slack: how far hands are from the places of their touches, once the arms are turned.

use super::goals::FrameGoals;
use super::goals::arm_goals::TurnedBody;
use super::goals::quadratic::Variables;
use super::parts::part_of;
use crate::contacts::{BodyPart, Contact};
use crate::surface::{BodyTransforms, SurfacePair};
use rebone_body::body::{BodySegment, Side};
use rebone_body::math::percentile;

/// Share of the length of an arm from which on it is straight.
const STRAIGHT_SHARE: f64 = 0.985;

/// Distance of a hand of the result from the place of a touch in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TouchSlack {
    pub(crate) side: Side,
    pub(crate) segment: BodySegment,
    /// Mean distance of the points of the hand from their places over the segment, metres.
    pub(crate) distance: f64,
    pub(crate) is_straight: bool,
}

/// Slack of a contact over its frames.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactSlack {
    /// Of each frame with a touch, metres.
    distances: Vec<f64>,
    /// Number of those in which the arm is straight.
    straight: usize,
}

impl ContactSlack {
    /// Adds the touches of a frame to the contacts that they are of.
    pub(crate) fn add(
        all: &mut [Self],
        contacts: &[Contact],
        frame: usize,
        touches: &[TouchSlack],
    ) {
        for (contact, slack) in contacts.iter().zip(all) {
            let is_in = contact.frames.contains(&frame);
            let own = touches.iter().filter(|touch| is_in && touch.is_of(contact));
            own.for_each(|touch| slack.push(touch));
        }
    }

    /// Adds a frame.
    fn push(&mut self, touch: &TouchSlack) {
        self.distances.push(touch.distance);
        self.straight += usize::from(touch.is_straight);
    }

    /// Returns the median over all frames, metres; `None` without any.
    pub(crate) fn median(&self) -> Option<f64> {
        (!self.distances.is_empty()).then(|| percentile(self.distances.clone(), 0.5))
    }

    /// Returns whether the arm is straight in most frames.
    pub(crate) fn is_straight(&self) -> bool {
        2 * self.straight > self.distances.len()
    }
}

impl TouchSlack {
    /// Returns whether it is of the parts of a contact.
    fn is_of(&self, contact: &Contact) -> bool {
        let hand = BodyPart::Hand(self.side);
        let on = part_of(self.segment);
        let own = [(hand, on), (on, hand)];
        contact.on.is_some_and(|on| own.contains(&(contact.part, on)))
    }
}

impl SurfacePair {
    /// Returns the slack of all touches of a frame of source and result.
    pub(crate) fn slacks(&self, bodies: [&BodyTransforms; 2]) -> Vec<TouchSlack> {
        FrameGoals::new(self, bodies, None, None).slacks(&Variables::zeros())
    }
}

impl FrameGoals<'_> {
    /// Returns the slack of all touches of a frame, given the variables.
    pub(super) fn slacks(&self, x: &Variables) -> Vec<TouchSlack> {
        let turned = self.turned(x);
        let mut all = Vec::new();
        for side in Side::BOTH {
            for segment in BodySegment::ALL {
                let touches = self.touches(side).iter().filter(|own| own.against == Some(segment));
                let off = touches.filter_map(|own| Some((own.weight(), own.off(side, &turned)?)));
                let [weight, sum] = off.fold([0.0; 2], |[weight, sum], (share, off)| {
                    [weight + share, sum + share * off]
                });
                if weight > 0.0 {
                    let is_straight = is_straight(&turned, side);
                    all.push(TouchSlack { side, segment, distance: sum / weight, is_straight });
                }
            }
        }
        all
    }
}

fn is_straight(turned: &TurnedBody, side: Side) -> bool {
    let [shoulder, elbow, wrist] = turned.arms[side.index()].joints();
    let length = (elbow - shoulder).norm() + (wrist - elbow).norm();
    (wrist - shoulder).norm() > STRAIGHT_SHARE * length
}
