//! E_int: arms inside the body, by the samples of their surface.

use super::body::Forces;
use super::points::Point;
use crate::align::Plan;
use crate::surface::{BodyTransforms, Probe, SurfacePair};
use nalgebra::Vector3;
use rebone_body::body::surface::Projection;
use rebone_body::body::{BodySegment, Side};
use rebone_skeleton::{JointId, WorldPose};

/// The samples of both arms of the target with their geodesic weights.
#[derive(Clone, Debug)]
pub(super) struct Penetration<'a> {
    pair: &'a SurfacePair,
    samples: Vec<Sample<'a>>,
}

/// A sample of an arm's surface.
#[derive(Clone, Debug)]
struct Sample<'a> {
    probe: &'a Probe,
    point: Point,
    /// Weight against each segment: distance along the skeleton over the largest one.
    weights: [f64; BodySegment::ALL.len()],
}

impl<'a> Penetration<'a> {
    /// Of the target of a plan.
    pub(super) fn new(plan: &Plan, pair: &'a SurfacePair) -> Self {
        let parts = Side::BOTH.into_iter().flat_map(BodySegment::of_arm);
        let probes = parts.flat_map(|part| pair.probes_of(part));
        let mut samples: Vec<Sample> = probes
            .filter_map(|probe| {
                let field = pair.field(1, probe.segment)?;
                let point = Point::of_field(field, &probe.places[1]);
                let weights = BodySegment::ALL.map(|segment| distance(plan, pair, &point, segment));
                Some(Sample { probe, point, weights })
            })
            .collect();
        let all = samples.iter().flat_map(|sample| &sample.weights);
        let largest = all.copied().fold(f64::MIN_POSITIVE, f64::max);
        let weights = samples.iter_mut().flat_map(|sample| &mut sample.weights);
        weights.for_each(|weight| *weight /= largest);
        Self { pair, samples }
    }

    /// Returns `Σ w ψ²` of a pose of the target and adds its gradient times `weight`.
    pub(super) fn evaluate(
        &self,
        plan: &Plan,
        world: &WorldPose,
        (weight, forces): (f64, &mut Forces),
    ) -> f64 {
        let at = self.pair.rigid_transforms(&plan.target, 1, world);
        let near = BodySegment::ALL.map(|part| self.pair.near(1, &at, part, 0.0));
        let mut energy = 0.0;
        for Sample { probe, point, weights } in &self.samples {
            let tested = near[probe.segment.index()].and(probe.tested);
            if tested.is_empty() {
                continue;
            }
            let place = point.place(world);
            for segment in tested.iter() {
                let Some((depth, outward)) = self.depth(&at, segment, &place) else { continue };
                let Some(field) = self.pair.field(1, segment) else { continue };
                let share = weights[segment.index()];
                energy += share * depth * depth;
                let by_place = outward * (-2.0 * weight * share * depth);
                point.push(world, forces, &by_place);
                forces.push(world, field.joint, &place, &-by_place);
            }
        }
        energy
    }

    /// Returns the weight of a sample against a segment.
    #[cfg(test)]
    pub(super) fn weight(&self, probe: &Probe, segment: BodySegment) -> Option<f64> {
        let sample = self.samples.iter().find(|own| own.probe == probe)?;
        Some(sample.weights[segment.index()])
    }

    /// Returns the depth of a place below the surface of a segment, along the field's radius, and the gradient of the height
    /// above it.
    fn depth(
        &self,
        at: &BodyTransforms,
        segment: BodySegment,
        place: &Vector3<f64>,
    ) -> Option<(f64, Vector3<f64>)> {
        let seen = self.pair.project_near(1, at, (segment, 0.0), place)?;
        if seen.height >= 0.0 {
            return None;
        }
        let outward = at.fields[segment.index()]?.turned(&gradient(&seen));
        Some((-seen.height, outward))
    }
}

/// The gradient of the height of a point over a field.
fn gradient(seen: &Projection) -> Vector3<f64> {
    seen.normal * (seen.height / seen.distance)
}

/// Returns the distance of a point from the joint of a segment along the skeleton in the T pose.
fn distance(plan: &Plan, pair: &SurfacePair, point: &Point, segment: BodySegment) -> f64 {
    let anatomy = &plan.target;
    let Some(field) = pair.field(1, segment) else { return 0.0 };
    let path = |from: JointId| anatomy.skeleton.path_to_root(from).collect::<Vec<_>>();
    let (from, to) = (path(point.joint), path(field.joint));
    let shared = from.iter().rev().zip(to.iter().rev()).take_while(|(a, b)| a == b).count();
    let length = |path: &[JointId]| {
        let bones = path.windows(2).take(path.len().saturating_sub(shared));
        bones.map(|bone| (anatomy.place(bone[0]) - anatomy.place(bone[1])).norm()).sum::<f64>()
    };
    point.offset.norm() + length(&from) + length(&to)
}
