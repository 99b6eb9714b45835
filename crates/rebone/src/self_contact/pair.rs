//! The surfaces of source and target, and where their segments are in each frame.

use super::arm::ArmPose;
use super::probes::{Probe, can_touch};
use crate::align::Plan;
use crate::body::{Anatomy, Side};
use crate::surface::{BodySegment, FieldTransform, Projection, RadialField, Surface, SurfacePoint};
use nalgebra::Vector3;
use rebone_skeleton::{JointId, WorldPose};

/// Added to the normal of an arm's plane, square metres, along the elbow's own axis: a straight arm has no plane.
const HINGE_SHARE: f64 = 0.003;

/// Surfaces of source and target, with the probes of both.
#[derive(Clone, Debug)]
pub(crate) struct SurfacePair {
    /// Of source and target.
    surfaces: [Surface; 2],
    /// Probes of the parts of both arms, by the index of their segment.
    probes: Vec<Vec<Probe>>,
}

/// Segments of a body in a frame: inner world, metres of a 1.7 m body.
#[derive(Clone, Debug)]
pub(crate) struct BodyTransforms {
    /// In the order of [`BodySegment::ALL`].
    pub(super) fields: [Option<FieldTransform>; BodySegment::ALL.len()],
    pub(super) arms: [ArmPose; 2],
}

impl SurfacePair {
    /// Pairs the surfaces of a plan's bodies; `None` where one of them has no skin on its trunk.
    pub(crate) fn of(plan: &Plan) -> Option<Self> {
        let mut surfaces = [&plan.source, &plan.target].map(Surface::of);
        // What one body lacks cannot be touched on the other.
        for segment in BodySegment::ALL.map(BodySegment::index) {
            if surfaces.iter().any(|surface| surface.fields[segment].is_none()) {
                surfaces.iter_mut().for_each(|surface| surface.fields[segment] = None);
            }
        }
        surfaces[1].fields[BodySegment::Chest.index()].as_ref()?;
        let mut pair = Self { surfaces, probes: vec![Vec::new(); BodySegment::ALL.len()] };
        let at_rest = pair.transforms(plan, 1, &plan.target.t_pose);
        for side in Side::BOTH {
            for part in BodySegment::of_arm(side) {
                let is_free = |point: SurfacePoint, other: BodySegment| {
                    let Some(place) = pair.place(1, &at_rest, (part, point)) else { return false };
                    let seen = pair.project(1, &at_rest, other, &place);
                    can_touch(part, side, other) && seen.is_some_and(|seen| seen.distance > 0.0)
                };
                pair.probes[part.index()] = Probe::of_part(part, is_free);
            }
        }
        Some(pair)
    }

    /// Returns the probes of a part of an arm.
    pub(super) fn probes_of(&self, part: BodySegment) -> &[Probe] {
        &self.probes[part.index()]
    }

    /// Returns where a probe is on a body.
    pub(super) fn probe_place(
        &self,
        body: usize,
        at: &BodyTransforms,
        probe: &Probe,
    ) -> Option<Vector3<f64>> {
        self.place(body, at, (probe.segment, probe.point))
    }

    fn place(
        &self,
        body: usize,
        at: &BodyTransforms,
        (segment, point): (BodySegment, SurfacePoint),
    ) -> Option<Vector3<f64>> {
        let field = self.field(body, segment)?;
        Some(at.fields[segment.index()]?.outward(&field.place(point, 0.0)))
    }

    /// Returns a point as a segment of a body sees it; the normal is in the segment's axes.
    pub(super) fn project(
        &self,
        body: usize,
        at: &BodyTransforms,
        segment: BodySegment,
        place: &Vector3<f64>,
    ) -> Option<Projection> {
        let field = self.field(body, segment)?;
        Some(field.project(&at.fields[segment.index()]?.inward(place)))
    }

    /// Returns the segments that a part of an arm may be nearer to than `reach`, by the balls around them.
    pub(super) fn near(
        &self,
        body: usize,
        at: &BodyTransforms,
        part: BodySegment,
        reach: f64,
    ) -> Vec<BodySegment> {
        let Some((centre, radius)) = self.ball(body, at, part) else { return Vec::new() };
        let is_near = |segment: &BodySegment| {
            self.ball(body, at, *segment).is_some_and(|(other, bound)| {
                let most = radius + bound + reach;
                (other - centre).norm_squared() < most * most
            })
        };
        BodySegment::ALL.into_iter().filter(is_near).collect()
    }

    /// Returns the ball around a segment: its centre and its radius.
    pub(super) fn ball(
        &self,
        body: usize,
        at: &BodyTransforms,
        segment: BodySegment,
    ) -> Option<(Vector3<f64>, f64)> {
        let field = self.field(body, segment)?;
        Some((at.fields[segment.index()]?.outward(&field.middle()), field.bound))
    }

    /// Returns the field of a segment.
    pub(super) fn field(&self, body: usize, segment: BodySegment) -> Option<&RadialField> {
        self.surfaces[body].fields[segment.index()].as_ref()
    }

    /// Returns the segments of a body, by 0 for the source and 1 for the target, in a pose of the inner world.
    pub(crate) fn transforms(&self, plan: &Plan, body: usize, world: &WorldPose) -> BodyTransforms {
        let anatomy = [&plan.source, &plan.target][body];
        BodyTransforms::of(anatomy, &self.surfaces[body], world)
    }
}

impl BodyTransforms {
    fn of(anatomy: &Anatomy, surface: &Surface, world: &WorldPose) -> Self {
        let mut fields = [None; BodySegment::ALL.len()];
        for (own, field) in fields.iter_mut().zip(&surface.fields) {
            *own = field.as_ref().map(|field| {
                let joint = field.joint.index();
                field.transform(&world.rotations[joint], &world.positions[joint])
            });
        }
        let unit = anatomy.metres_per_unit();
        let arms = Side::BOTH.map(|side| {
            let arm = &anatomy.body.arms[side.index()];
            let place = |joint: JointId| world.positions[joint.index()];
            let joints = [place(arm.upper), place(arm.lower), arm.wrist.at(world, unit)];
            let rotation = &world.rotations[arm.upper.index()];
            let own_axis = anatomy.anatomical(arm.upper, rotation) * Vector3::x();
            let normal = (joints[1] - joints[0]).cross(&(joints[2] - joints[1]));
            let hinge = normal + own_axis * HINGE_SHARE;
            ArmPose { joints, hinge: hinge / hinge.norm().max(1e-9) }
        });
        Self { fields, arms }
    }
}
