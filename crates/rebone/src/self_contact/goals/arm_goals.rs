//! Goals of the parts of an arm, and the body with its arms turned for which they are.

use crate::self_contact::arm::{ArmPart, TurnedArm};
use crate::self_contact::goals::twist::TwistQuadratic;
use crate::surface::BodyTransforms;
use nalgebra::Vector3;
use rebone_body::body::{BodySegment, Side};

/// The target with its arms turned.
pub(crate) struct TurnedBody {
    pub(crate) arms: [TurnedArm; 2],
    pub(crate) at: BodyTransforms,
    /// The point about which twists are.
    pub(crate) origin: Vector3<f64>,
}

/// Goals of the parts of one arm, each against what does not move with the arms and against the parts of the other arm.
pub(crate) struct ArmGoals(pub(crate) [[TwistQuadratic; 4]; 3]);

impl ArmGoals {
    pub(crate) fn none() -> Self {
        Self([[TwistQuadratic::zero(); 4]; 3])
    }

    /// Returns the goals of a part against a segment, or against the world.
    pub(crate) fn of(
        &mut self,
        part: ArmPart,
        against: Option<BodySegment>,
        side: Side,
    ) -> &mut TwistQuadratic {
        let other = against.filter(|segment| segment.is_of_arm(side.other()));
        let place = other.and_then(ArmPart::of).map_or(0, |part| 1 + part as usize);
        &mut self.0[part as usize][place]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().flatten().all(|goals| goals.is_empty)
    }

    pub(crate) fn scale(&mut self, by: f64) {
        self.0
            .iter_mut()
            .flatten()
            .filter(|goals| !goals.is_empty)
            .for_each(|goals| goals.scale(by));
    }
}
