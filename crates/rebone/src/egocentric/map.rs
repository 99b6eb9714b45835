//! Wanted positions of hands and feet on the target, by their egocentric coordinates on the source.

use super::basic_skeleton::{BasicJoint, path};
use super::body::{CalibratedBody, PosedBody, SurfaceComponent};
use super::components::Component;
use super::coordinates::EgocentricCoordinate;
use nalgebra::Vector3;
use rebone_body::body::surface::Surface;
use rebone_body::body::{Anatomy, BodySegment, Limb};
use rebone_skeleton::WorldPose;
use std::sync::Arc;

/// A component that both bodies have, and the kinematic paths from it.
#[derive(Clone, Debug)]
struct Link {
    segment: BodySegment,
    /// Of source and target.
    shapes: [Component; 2],
    /// To the ends of the limbs in the order of [`Limb::ALL`]; `None` to the end of its own limb.
    paths: [Option<Vec<[usize; 2]>>; 4],
}

/// The surfaces of source and target by components, as egocentric coordinates need them.
#[derive(Clone, Debug)]
pub(crate) struct EgocentricMap {
    bodies: [CalibratedBody; 2],
    links: Vec<Link>,
}

impl EgocentricMap {
    /// Calibrates source and target by their surfaces.
    pub(crate) fn of([source, target]: [&Anatomy; 2], surfaces: [Arc<Surface>; 2]) -> Self {
        let [own, other] = surfaces;
        let bodies = [CalibratedBody::new(source, own), CalibratedBody::new(target, other)];
        let links = BodySegment::ALL.into_iter().flat_map(|segment| {
            let [source, target] = bodies.each_ref().map(|body| body.components(segment));
            source.into_iter().zip(target).map(|(source, target)| Link::new(&source, &target))
        });
        Self { links: links.collect(), bodies }
    }

    /// Names the body without a surface of its trunk, if there is one: nothing can be mapped to it.
    pub(crate) fn without_trunk(&self) -> Option<&'static str> {
        let trunk = [BodySegment::Pelvis, BodySegment::Belly, BodySegment::Chest];
        let lacks = |body: &CalibratedBody| !trunk.iter().any(|own| body.has(*own));
        let [source, target] = self.bodies.each_ref().map(lacks);
        match (source, target) {
            (true, _) => Some("source"),
            (_, true) => Some("target"),
            _ => None,
        }
    }

    /// Names the bodies whose surface is not that of a skin.
    pub(crate) fn without_skin(&self) -> impl Iterator<Item = &'static str> {
        let named = ["source", "target"].into_iter().zip(&self.bodies);
        named.filter(|(_, body)| !body.has_skin()).map(|(name, _)| name)
    }

    /// Returns the wanted positions of the ends of all limbs of the target, in the order of [`Limb::ALL`], given both
    /// bodies in the inner world. The surface of the target is where its pose has it.
    pub(crate) fn wanted_ends(&self, source: &WorldPose, target: &WorldPose) -> [Vector3<f64>; 4] {
        let source = self.bodies[0].pose(source);
        let target = self.bodies[1].pose(target);
        let mut ends = [Vector3::zeros(); 4];
        for (index, (end, limb)) in ends.iter_mut().zip(Limb::ALL).enumerate() {
            let joint = BasicJoint::end(limb).index();
            let (mut sum, mut weights) = (Vector3::zeros(), 0.0);
            for link in &self.links {
                let Some((weight, place)) = link.place([&source, &target], index, joint) else {
                    continue;
                };
                sum += place * weight;
                weights += weight;
            }
            *end = if weights > 0.0 { sum / weights } else { target.joints[joint] };
        }
        ends
    }
}

impl Link {
    fn new(source: &SurfaceComponent, target: &SurfaceComponent) -> Self {
        let begin = source.path_begin();
        Self {
            segment: source.segment,
            shapes: [source.shape, target.shape],
            paths: Limb::ALL
                .map(|limb| (!source.is_of(limb)).then(|| path(begin, BasicJoint::end(limb)))),
        }
    }

    /// Returns the importance of the component for the end of a limb, and where the target's end would be by it alone.
    fn place(
        &self,
        [source, target]: [&PosedBody; 2],
        limb: usize,
        joint: usize,
    ) -> Option<(f64, Vector3<f64>)> {
        let path = self.paths[limb].as_ref()?;
        let [from, to] = [source, target].map(|body| body.fields[self.segment.index()]);
        let (from, to) = (from?, to?);
        let seen = self.shapes[0].reference(&from.inward(&source.joints[joint]));
        let (place, normal) = self.shapes[0].point(seen);
        let displacement = source.joints[joint] - from.outward(&place);
        let coordinate = EgocentricCoordinate::new(
            &displacement,
            &(from.rotation * normal),
            path,
            &source.joints,
        );
        let (place, _) = self.shapes[1].point(seen);
        Some((coordinate.weight, to.outward(&place) + coordinate.on_body(path, &target.joints)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hints, analyse};
    use rebone_body::poses;
    use rebone_samples as samples;

    #[test]
    fn a_body_mapped_onto_itself_keeps_its_hands_and_feet() {
        let reach = samples::reach().motion;
        let anatomy = analyse(&reach, &Hints::default()).unwrap();
        let map = EgocentricMap::of([&anatomy; 2], [&anatomy; 2].map(Surface::of));
        let mut world = WorldPose::zeros(&anatomy.skeleton);
        let unit = anatomy.metres_per_unit();
        for pose in reach.clip.poses().step_by(40) {
            poses::update(&mut world, &anatomy.skeleton, &pose);
            world.positions.iter_mut().for_each(|place| *place *= unit);
            let wanted = map.wanted_ends(&world, &world);
            for (wanted, limb) in wanted.iter().zip(Limb::ALL) {
                let off = (wanted - limb.end(&anatomy).at(&world, unit)).norm();
                assert!(off < 1e-12, "{limb:?}: {off:e} m");
            }
        }
    }

    #[test]
    fn a_skeleton_has_its_usual_surface() {
        let walk = analyse(&samples::walk().motion, &Hints::default()).unwrap();
        let map = EgocentricMap::of([&walk; 2], [&walk; 2].map(Surface::of));
        assert_eq!(map.without_skin().collect::<Vec<_>>(), ["source", "target"]);
        assert_eq!(map.without_trunk(), None);
        // Three parts of the trunk, the head with its crown, two bones of each limb.
        assert_eq!(map.links.len(), 3 * 48 + 56 + 8);
    }
}
