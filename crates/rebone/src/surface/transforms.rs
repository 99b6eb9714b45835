//! Transforms of the segments of a body in a frame.

use super::gaps::MAX_GAP_METRES;
use super::pair::SurfacePair;
use super::probes::Probe;
use nalgebra::Vector3;
use rebone_body::body::surface::FieldTransform;
use rebone_body::body::surface::Surface;
use rebone_body::body::{Anatomy, BodySegment, Side};
use rebone_skeleton::{JointId, WorldPose};
use std::sync::Arc;

/// Added to the normal of an arm's plane, square metres, along the elbow's own axis: a straight arm has no plane.
const HINGE_SHARE: f64 = 0.003;
/// Way that a finger that bends can go out of the flat hand, metres.
const FINGER_METRES: f64 = 0.05;

/// An arm in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArmPose {
    /// Shoulder, elbow and wrist.
    pub(crate) joints: [Vector3<f64>; 3],
    /// Unit vector about which the elbow bends.
    pub(crate) hinge: Vector3<f64>,
}

/// Segments of a body in a frame: inner world, metres of a 1.7 m body.
#[derive(Clone, Debug)]
pub(crate) struct BodyTransforms {
    /// In the order of [`BodySegment::ALL`].
    pub(crate) fields: [Option<FieldTransform>; BodySegment::ALL.len()],
    pub(crate) arms: [ArmPose; 2],
    /// Places of each hand's probes in the axes of its field, moved by its fingers; `None` far from body and floor, and without
    /// fingers.
    hands: [Option<Arc<[Vector3<f64>]>>; 2],
}

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

impl BodyTransforms {
    fn of(anatomy: &Anatomy, surface: &Surface, world: &WorldPose) -> Self {
        let fields = surface.transforms(world);
        let unit = anatomy.metres_per_unit();
        let arms = Side::BOTH.map(|side| {
            let arm = &anatomy.body.arms[side.index()];
            let place = |joint: JointId| world.positions[joint.index()];
            let joints = [place(arm.upper), place(arm.lower), arm.wrist.at(world, unit)];
            let rotation = &world.rotations[arm.upper.index()];
            let own_axis = anatomy.anatomical(arm.upper, rotation) * Vector3::x();
            let normal = (joints[1] - joints[0]).cross(&(joints[2] - joints[1]));
            ArmPose { joints, hinge: hinge(&normal, &own_axis) }
        });
        Self { fields, arms, hands: [None, None] }
    }

    /// Returns the place of a probe of a body in the axes of its field.
    pub(crate) fn place_of(&self, probe: &Probe, body: usize) -> Vector3<f64> {
        let hand = match probe.segment {
            BodySegment::Hand(side) => self.hands[side.index()].as_ref(),
            _ => None,
        };
        hand.map_or(probe.places[body], |places| places[probe.index])
    }
}

/// Returns the axis about which an elbow bends, given the normal of the arm's plane and the elbow's own axis. An elbow that is
/// bent a little backwards has the opposite normal, and bends about the same axis.
fn hinge(normal: &Vector3<f64>, own_axis: &Vector3<f64>) -> Vector3<f64> {
    let alike = normal.dot(own_axis) / normal.norm().max(1e-9);
    let axis = normal * (2.0 * alike).clamp(-1.0, 1.0) + own_axis * HINGE_SHARE;
    axis / axis.norm().max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_elbow_bends_about_one_axis_whichever_way_it_is_bent() {
        let own = Vector3::x();
        for bend in [-0.2, -0.01, 0.0, 0.01, 0.2] {
            let found = hinge(&Vector3::new(bend, 0.1 * bend, 0.0), &own);
            assert!(found.x > 0.99, "{bend}: {found}");
        }
        let aside = hinge(&Vector3::new(0.0, 0.1, 0.0), &own);
        assert!((aside - own).norm() < 1e-9, "{aside}");
    }
}
