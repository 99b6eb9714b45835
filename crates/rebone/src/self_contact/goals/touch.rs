//! Touch: hands near the body keep the place over its surface that they have on the source.

use crate::self_contact::arm::ArmPart;
use crate::self_contact::goals::arm_goals::{ArmGoals, TurnedBody};
use nalgebra::Vector3;
use rebone_body::body::{BodySegment, Side};

/// Number of surfaces that a hand can touch: all segments, and the floor as the last.
pub(crate) const SURFACE_COUNT: usize = BodySegment::ALL.len() + 1;

/// A point of a hand with its wanted place over a segment or over the floor.
pub(crate) struct Touch {
    /// The point, in the axes of the hand's field.
    pub(crate) place: Vector3<f64>,
    /// The segment; the floor if `None`.
    pub(crate) against: Option<BodySegment>,
    /// The wanted place and the normal of the surface there, in the axes of the segment's field or in the world.
    pub(crate) wanted: Vector3<f64>,
    pub(crate) normal: Vector3<f64>,
    /// Vector from where the point goes to the wanted place, in the world.
    pub(crate) left: Vector3<f64>,
    /// Across the surface and along it.
    pub(crate) weights: [f64; 2],
}

/// The way of a point from the pose to its wanted place.
pub(crate) struct Approach {
    /// The way, and the normal at its end, in the world.
    pub(crate) way: Vector3<f64>,
    pub(crate) outward: Vector3<f64>,
    /// Nearness of the point on the source, 0 to 1, and the part of it that is a touch: 0 over a guessed surface.
    pub(crate) near: f64,
    pub(crate) touching: f64,
    /// Share of the touch that is chosen.
    pub(crate) chosen: f64,
    /// Weight of the point relative to one of the palm, 0.3 to 1.
    pub(crate) point_weight: f64,
}

impl Approach {
    /// Returns the part of the way that a point of a nearness does not go: one that would come nearer than the source's is
    /// kept off whole; one that is farther off may stay.
    pub(crate) fn left(&self, near: f64) -> Vector3<f64> {
        let outward = self.way.dot(&self.outward);
        let across = self.outward * outward;
        let left_across = if outward > 0.0 { 0.0 } else { 1.0 - near };
        let left = (self.way - across) * (1.0 - near) + across * left_across;
        left + (self.way - left) * (1.0 - self.chosen)
    }
}

impl Touch {
    /// Adds the touch to the goals of an arm.
    pub(crate) fn push(&self, goals: &mut ArmGoals, side: Side, turned: &TurnedBody) {
        let Some([now, wanted, normal]) = self.places(side, turned) else { return };
        let off = wanted - now - self.left;
        let [across, along] = self.weights;
        let r = now - turned.origin;
        let goals = goals.of(ArmPart::Hand, self.against, side);
        goals.push_along(&r, &normal, off.dot(&normal), across - along);
        if along > 0.0 {
            goals.push_point(&r, &off, along);
        }
    }

    /// Returns where the point is, where it should be, and the normal there, in the world.
    fn places(&self, side: Side, turned: &TurnedBody) -> Option<[Vector3<f64>; 3]> {
        let hand = turned.at.fields[BodySegment::Hand(side).index()].as_ref()?;
        let now = hand.outward(&self.place);
        Some(match self.against.and_then(|own| turned.at.fields[own.index()].as_ref()) {
            Some(at) => [now, at.outward(&self.wanted), at.turned(&self.normal)],
            None => [now, self.wanted, self.normal],
        })
    }

    /// Returns how far the point is from its place.
    pub(crate) fn off(&self, side: Side, turned: &TurnedBody) -> Option<f64> {
        let [now, wanted, _] = self.places(side, turned)?;
        Some((wanted - now).norm())
    }

    /// The weight of the touch in all.
    pub(crate) fn weight(&self) -> f64 {
        self.weights[0]
    }

    /// Returns the index of the touched surface: the segment's, or [`SURFACE_COUNT`] − 1 for the floor.
    pub(crate) fn surface_index(&self) -> usize {
        self.against.map_or(SURFACE_COUNT - 1, BodySegment::index)
    }

    pub(crate) fn scaled(self, share: f64) -> Self {
        Self { weights: self.weights.map(|weight| weight * share), ..self }
    }
}
