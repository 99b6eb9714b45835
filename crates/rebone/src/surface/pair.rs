//! The surfaces of source and target, and where their segments are in each frame.

use super::Surface;
use super::default_field::breadth;
use super::fingers::FingerProbes;
use super::probes::{Probe, can_touch};
use crate::body::surface::{FieldTransform, Projection, RadialField, SurfacePoint};
use crate::body::{Anatomy, BodySegment, SegmentSet, Side};
use nalgebra::Vector3;
use rebone_skeleton::{JointId, WorldPose};
use std::sync::Arc;

/// Added to the normal of an arm's plane, square metres, along the elbow's own axis: a straight arm has no plane.
const HINGE_SHARE: f64 = 0.003;

/// Breadth of the broadest person, metres of a 1.7 m body: toys have 0.68 and more. Places on the usual surface of a person
/// are far from theirs: hands on the hips of one met behind its back.
const MAX_HUMAN_BREADTH_METRES: f64 = 0.55;
/// Distance of an arm from the body beyond which it does not matter, metres.
const MAX_GAP_METRES: f64 = 0.09;

/// Way that a finger that bends can go out of the flat hand, metres.
const FINGER_METRES: f64 = 0.05;

/// Least distances of an arm from the rest of the body, negative inside, metres of a 1.7 m body; at most 9 cm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ArmGap {
    /// Of the hand alone.
    pub(crate) hand: f32,
    /// Of all of the arm.
    pub(crate) arm: f32,
}

/// An arm in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArmPose {
    /// Shoulder, elbow and wrist.
    pub(crate) joints: [Vector3<f64>; 3],
    /// Unit vector about which the elbow bends.
    pub(crate) hinge: Vector3<f64>,
}

/// Surfaces of source and target, with the probes of both.
#[derive(Clone, Debug)]
pub(crate) struct SurfacePair {
    /// Of source and target.
    surfaces: [Surface; 2],
    /// Probes of the parts of both arms, by the index of their segment.
    probes: Vec<Vec<Probe>>,
    /// The segments that any probe of a part is tested against.
    tested: [SegmentSet; BodySegment::ALL.len()],
    /// Probes that fingers carry, of both hands, each on source and target; `None` where one body has no such fingers.
    fingers: [Option<[FingerProbes; 2]>; 2],
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
    /// Pairs the surfaces of source and target; `None` of a target without skin, or with one that cannot be its own, if its
    /// card states no girth either, and of a source without skin if one of the two is a toy.
    pub(crate) fn of(bodies: [&Anatomy; 2], surfaces: [&Surface; 2]) -> Option<Self> {
        let is_known = surfaces[1].has_skin() || surfaces[1].has_girth();
        is_known.then_some(())?;
        Self::unless_toy(bodies, surfaces, surfaces[0].has_skin())
    }

    /// Pairs the surfaces of source and target to look for contacts; `None` of two of which one has no skin and one is a toy.
    pub(crate) fn to_compare(bodies: [&Anatomy; 2], surfaces: [&Surface; 2]) -> Option<Self> {
        Self::unless_toy(bodies, surfaces, surfaces.iter().all(|own| own.has_skin()))
    }

    /// Pairs surfaces; `None` where they are not known and one of the bodies is a toy, on which the usual surface is wrong.
    fn unless_toy(bodies: [&Anatomy; 2], surfaces: [&Surface; 2], are_known: bool) -> Option<Self> {
        let is_toy = |body: &&Anatomy| breadth(body) > MAX_HUMAN_BREADTH_METRES;
        (are_known || !bodies.iter().any(is_toy)).then_some(())?;
        Self::between(bodies, surfaces)
    }

    /// Pairs two surfaces of any origin; `None` of a body without a chest.
    pub(crate) fn between(bodies: [&Anatomy; 2], surfaces: [&Surface; 2]) -> Option<Self> {
        let mut surfaces = surfaces.map(Surface::clone);
        // What one body lacks cannot be touched on the other.
        for segment in BodySegment::ALL.map(BodySegment::index) {
            if surfaces.iter().any(|surface| surface.fields[segment].is_none()) {
                surfaces.iter_mut().for_each(|surface| surface.fields[segment] = None);
            }
        }
        surfaces[1].fields[BodySegment::Chest.index()].as_ref()?;
        let probes = vec![Vec::new(); BodySegment::ALL.len()];
        let mut pair =
            Self { surfaces, probes, tested: Default::default(), fingers: Default::default() };
        let at_rest = pair.transforms(bodies[1], 1, &bodies[1].t_pose);
        for side in Side::BOTH {
            for part in BodySegment::of_arm(side) {
                let is_free = |point: SurfacePoint, other: BodySegment| {
                    let Some(place) = pair.place(1, &at_rest, (part, point)) else { return false };
                    let seen = pair.project(1, &at_rest, other, &place);
                    can_touch(part, side, other) && seen.is_some_and(|seen| seen.distance > 0.0)
                };
                if let [Some(a), Some(b)] = [0, 1].map(|body| pair.field(body, part)) {
                    let probes = Probe::of_part(part, [a, b], is_free);
                    let tested = probes.iter().map(|probe| probe.tested);
                    pair.tested[part.index()] = tested.fold(SegmentSet::default(), SegmentSet::or);
                    pair.probes[part.index()] = probes;
                }
            }
        }
        let is_skinned = |hand| [0, 1].map(|body| pair.surfaces[body].is_skinned(hand));
        let at_rest = [pair.transforms(bodies[0], 0, &bodies[0].t_pose), at_rest];
        pair.fingers = Side::BOTH.map(|side| {
            let hand = BodySegment::Hand(side);
            let places = [0, 1].map(|body| {
                let place = |probe: &Probe| pair.probe_place(body, &at_rest[body], probe);
                Vec::from_iter(pair.probes_of(hand).iter().filter_map(place))
            });
            FingerProbes::of_both(bodies, side, &places, is_skinned(hand))
        });
        Some(pair)
    }

    /// Returns whether the surface of the source is the usual one, for want of a skin: arms and hands within 1 cm, trunk, head
    /// and legs within 3.
    pub(crate) fn is_guessed(&self) -> bool {
        !self.surfaces[0].has_skin()
    }

    /// Returns whether the surface of a body is known at a segment, by its skin or by a card: nothing is inside one of a
    /// source that is not.
    pub(crate) fn is_known(&self, body: usize, segment: BodySegment) -> bool {
        self.surfaces[body].is_skinned(segment) || self.surfaces[body].girths().contains(segment)
    }

    /// Returns the segments that arms go no deeper into than the source's: all if the source has a skin, else those whose girth
    /// a card states.
    pub(crate) fn cleared(&self) -> SegmentSet {
        match self.is_guessed() {
            true => self.surfaces[0].girths().or(self.surfaces[1].girths()),
            false => BodySegment::ALL.into_iter().collect(),
        }
    }

    /// Returns the probes of a part of an arm.
    pub(crate) fn probes_of(&self, part: BodySegment) -> &[Probe] {
        &self.probes[part.index()]
    }

    /// Returns where a probe is on a body.
    pub(crate) fn probe_place(
        &self,
        body: usize,
        at: &BodyTransforms,
        probe: &Probe,
    ) -> Option<Vector3<f64>> {
        let place = at.place_of(probe, body);
        Some(at.fields[probe.segment.index()].as_ref()?.outward(&place))
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
    pub(crate) fn project(
        &self,
        body: usize,
        at: &BodyTransforms,
        segment: BodySegment,
        place: &Vector3<f64>,
    ) -> Option<Projection> {
        let field = self.field(body, segment)?;
        Some(field.project(&at.fields[segment.index()]?.inward(place)))
    }

    /// Returns a point as a segment sees it; `None` where it is farther off than `reach` from all of the segment.
    pub(crate) fn project_near(
        &self,
        body: usize,
        at: &BodyTransforms,
        (segment, reach): (BodySegment, f64),
        place: &Vector3<f64>,
    ) -> Option<Projection> {
        let field = self.field(body, segment)?;
        let inward = at.fields[segment.index()].as_ref()?.inward(place);
        field.is_within(&inward, reach).then(|| field.project(&inward))
    }

    /// Returns the segments that a part of an arm is tested against and may be nearer to than `reach`, by the cylinders with
    /// round ends around them.
    pub(crate) fn near(
        &self,
        body: usize,
        at: &BodyTransforms,
        part: BodySegment,
        reach: f64,
    ) -> SegmentSet {
        let own = self.field(body, part).zip(at.fields[part.index()].as_ref());
        let Some((field, own)) = own else { return SegmentSet::default() };
        let ends = field.ends().map(|end| own.outward(&end));
        let middle = own.outward(&field.middle());
        let (length, reach) = (field.length, field.thickness() + reach);
        let is_near = |segment: &BodySegment| {
            let other = self.field(body, *segment).zip(at.fields[segment.index()].as_ref());
            other.is_some_and(|(field, at)| {
                // Most segments are far off: the balls around both come first.
                let most = length + field.bound + reach;
                (middle - at.outward(&field.middle())).norm_squared() < most * most
                    && field.is_within_capsule(ends.map(|end| at.inward(&end)), reach)
            })
        };
        self.tested[part.index()].iter().filter(is_near).collect()
    }

    /// Returns a height that no point of a segment is below, by the ball around it.
    pub(crate) fn lowest(
        &self,
        body: usize,
        at: &BodyTransforms,
        segment: BodySegment,
    ) -> Option<f64> {
        let field = self.field(body, segment)?;
        Some(at.fields[segment.index()]?.outward(&field.middle()).y - field.bound)
    }

    /// Returns the field of a segment.
    pub(crate) fn field(&self, body: usize, segment: BodySegment) -> Option<&RadialField> {
        self.surfaces[body].fields[segment.index()].as_ref()
    }

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

    /// Returns how far both arms are from the rest of the body.
    pub(crate) fn arm_gaps(&self, body: usize, at: &BodyTransforms) -> [ArmGap; 2] {
        Side::BOTH.map(|side| {
            let gap = |part| self.gap(body, at, part) as f32;
            let [upper, forearm, hand] = BodySegment::of_arm(side).map(gap);
            ArmGap { hand, arm: upper.min(forearm).min(hand) }
        })
    }

    /// Returns the least distance of a part of an arm from the rest of the body.
    fn gap(&self, body: usize, at: &BodyTransforms, part: BodySegment) -> f64 {
        let near = self.near(body, at, part, MAX_GAP_METRES);
        self.least_distance(body, at, (part, near), MAX_GAP_METRES)
    }

    /// Returns the least distance of a part of an arm from some segments, negative inside, at most `most`.
    pub(crate) fn least_distance(
        &self,
        body: usize,
        at: &BodyTransforms,
        (part, segments): (BodySegment, SegmentSet),
        most: f64,
    ) -> f64 {
        let mut least = most;
        if segments.is_empty() {
            return least;
        }
        for probe in self.probes_of(part) {
            let Some(place) = self.probe_place(body, at, probe) else { continue };
            for segment in segments.and(probe.tested).iter() {
                let seen = self.project_near(body, at, (segment, least.max(0.0)), &place);
                least = seen.map_or(least, |seen| least.min(seen.distance));
            }
        }
        least
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
