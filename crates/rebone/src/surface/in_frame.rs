//! The segments of a pair of surfaces in a frame.

use super::pair::SurfacePair;
use super::transforms::BodyTransforms;
use rebone_body::body::{Anatomy, BodySegment, Side};
use rebone_skeleton::WorldPose;

/// Distance of an arm from the body beyond which it does not matter, metres.
pub(super) const MAX_GAP_METRES: f64 = 0.09;

/// Way that a finger that bends can go out of the flat hand, metres.
const FINGER_METRES: f64 = 0.05;

impl SurfacePair {
    /// Returns the segments of a body, by 0 for the source and 1 for the target, in a pose of the inner world.
    pub(crate) fn transforms(
        &self,
        anatomy: &Anatomy,
        body: usize,
        world: &WorldPose,
    ) -> BodyTransforms {
        self.with_fingers((anatomy, body), world, [false; 2])
    }

    /// Returns the segments of the target in a pose of the inner world, given those of the source in the same frame: hands whose
    /// fingers move their probes there do so here too.
    pub(crate) fn transforms_beside(
        &self,
        source: &BodyTransforms,
        target: &Anatomy,
        world: &WorldPose,
    ) -> BodyTransforms {
        self.with_fingers((target, 1), world, source.hands.each_ref().map(Option::is_some))
    }

    /// Returns the segments of a body, all probes of its hands moved with the hand alone.
    pub(crate) fn rigid_transforms(
        &self,
        anatomy: &Anatomy,
        body: usize,
        world: &WorldPose,
    ) -> BodyTransforms {
        BodyTransforms::of(anatomy, &self.surfaces[body], world)
    }

    /// Returns the segments of a body, with the fingers of hands that are near anything, or that follow those of the source.
    fn with_fingers(
        &self,
        (anatomy, body): (&Anatomy, usize),
        world: &WorldPose,
        follows: [bool; 2],
    ) -> BodyTransforms {
        let mut at = self.rigid_transforms(anatomy, body, world);
        for side in Side::BOTH {
            let hand = BodySegment::Hand(side);
            let own = self.fingers[side.index()].as_ref().zip(at.fields[hand.index()].as_ref());
            let is_near = || {
                let reach = MAX_GAP_METRES + FINGER_METRES;
                self.is_low(body, &at, hand) || !self.near(body, &at, hand, reach).is_empty()
            };
            if let Some((fingers, field)) = own.filter(|_| follows[side.index()] || is_near()) {
                let places = fingers[body].places(self.probes_of(hand), body, (world, field));
                at.hands[side.index()] = Some(places);
            }
        }
        at
    }

    /// Returns whether a segment may be near the floor: lower than the higher foot.
    fn is_low(&self, body: usize, at: &BodyTransforms, segment: BodySegment) -> bool {
        let feet = Side::BOTH.map(BodySegment::Foot).map(|foot| at.fields[foot.index()].as_ref());
        let highest = feet.into_iter().flatten().map(|foot| foot.origin.y).reduce(f64::max);
        let lowest = self.lowest(body, at, segment);
        lowest.is_some_and(|lowest| highest.is_none_or(|foot| lowest < foot + MAX_GAP_METRES))
    }
}
