//! Points that joints of the target carry.

use super::body::Forces;
use crate::align::{Plan, SupportPoint};
use nalgebra::Vector3;
use rebone_body::body::surface::{RadialField, SurfacePoint};
use rebone_body::body::{Limb, Side};
use rebone_skeleton::{JointId, WorldPose};

/// A point in the axes of a joint, metres of a 1.7 m body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) joint: JointId,
    pub(super) offset: Vector3<f64>,
}

impl Point {
    /// Of a place in the axes of a field.
    pub(super) fn of_field(field: &RadialField, place: &Vector3<f64>) -> Self {
        Self { joint: field.joint, offset: field.origin + field.joint_from_field * place }
    }

    /// Of a point of the surface.
    pub(super) fn on_surface(field: &RadialField, point: SurfacePoint) -> Self {
        Self::of_field(field, &field.place(point, 0.0))
    }

    /// Returns its place in the world.
    pub(super) fn place(&self, world: &WorldPose) -> Vector3<f64> {
        let index = self.joint.index();
        world.positions[index] + world.rotations[index] * self.offset
    }

    /// Adds the gradient by its place.
    pub(super) fn push(&self, world: &WorldPose, forces: &mut Forces, by_place: &Vector3<f64>) {
        forces.push(world, self.joint, &self.place(world), by_place);
    }
}

/// Returns the ends of the target's limbs in the order of [`Limb::ALL`].
pub(super) fn ends(plan: &Plan) -> [Point; 4] {
    let unit = plan.target.metres_per_unit();
    Limb::ALL.map(|limb| {
        let end = limb.end(&plan.target);
        Point { joint: end.joint, offset: end.offset * unit }
    })
}

/// A point of a sole, with its distance from the skin.
#[derive(Clone, Copy, Debug)]
pub(super) struct SolePoint {
    pub(super) side: Side,
    pub(super) point: Point,
    pub(super) radius: f64,
}

/// Returns heels and toes of the target: the balls of feet without toes.
pub(super) fn sole_points(plan: &Plan) -> Vec<SolePoint> {
    let supports = &plan.supports;
    let find = |wanted: SupportPoint| {
        let at = supports.points.iter().position(|own| *own == wanted)?;
        let own = &supports.target[at];
        Some((Point { joint: own.joint, offset: own.offset }, own.radius))
    };
    let of = |side: Side| {
        let toes = find(SupportPoint::Toes(side)).or_else(|| find(SupportPoint::Ball(side)));
        let found = [find(SupportPoint::Heel(side)), toes].into_iter().flatten();
        found.map(move |(point, radius)| SolePoint { side, point, radius })
    };
    Side::BOTH.into_iter().flat_map(of).collect()
}
