//! Transforms of the segments of a body in a frame.

use super::probes::Probe;
use nalgebra::Vector3;
use rebone_body::body::surface::FieldTransform;
use rebone_body::body::surface::Surface;
use rebone_body::body::{Anatomy, BodySegment, Side};
use rebone_skeleton::{JointId, WorldPose};
use std::sync::Arc;

/// Added to the normal of an arm's plane, square metres, along the elbow's own axis: a straight arm has no plane.
const HINGE_SHARE: f64 = 0.003;

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
    pub(super) hands: [Option<Arc<[Vector3<f64>]>>; 2],
}

impl BodyTransforms {
    pub(super) fn of(anatomy: &Anatomy, surface: &Surface, world: &WorldPose) -> Self {
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
