//! The surfaces of source and target, and where their segments are in each frame.

use super::fingers::FingerProbes;
use super::probes::{Probe, can_touch};
use super::transforms::BodyTransforms;
use nalgebra::Vector3;
use rebone_body::body::surface::Surface;
use rebone_body::body::surface::{Projection, RadialField, SurfacePoint};
use rebone_body::body::{Anatomy, BodySegment, SegmentSet, Side};
use rebone_body::breadth;

/// Breadth of the broadest person, metres of a 1.7 m body: toys have 0.68 and more. Places on the usual surface of a person
/// are far from theirs: hands on the hips of one met behind its back.
const MAX_HUMAN_BREADTH_METRES: f64 = 0.55;

/// Surfaces of source and target, with the probes of both.
#[derive(Clone, Debug)]
pub(crate) struct SurfacePair {
    /// Of source and target.
    pub(super) surfaces: [Surface; 2],
    /// Probes of the parts of both arms, by the index of their segment.
    probes: Vec<Vec<Probe>>,
    /// The segments that any probe of a part is tested against.
    tested: [SegmentSet; BodySegment::ALL.len()],
    /// Probes that fingers carry, of both hands, each on source and target; `None` where one body has no such fingers.
    pub(super) fingers: [Option<[FingerProbes; 2]>; 2],
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
        let at_rest = [0, 1].map(|body| pair.transforms(bodies[body], body, &bodies[body].t_pose));
        for side in Side::BOTH {
            BodySegment::of_arm(side).into_iter().for_each(|part| {
                pair.set_probes((part, side), &at_rest[1]);
            });
        }
        pair.fingers = Side::BOTH.map(|side| {
            let hand = BodySegment::Hand(side);
            let places = [0, 1].map(|body| {
                let place = |probe: &Probe| pair.probe_place(body, &at_rest[body], probe);
                Vec::from_iter(pair.probes_of(hand).iter().filter_map(place))
            });
            let is_skinned = [0, 1].map(|body| pair.surfaces[body].is_skinned(hand));
            FingerProbes::of_both(bodies, side, &places, is_skinned)
        });
        Some(pair)
    }

    /// Sets the probes of a part of an arm, each tested against what it is outside of on the target at rest.
    fn set_probes(&mut self, (part, side): (BodySegment, Side), at_rest: &BodyTransforms) {
        let [Some(a), Some(b)] = [0, 1].map(|body| self.field(body, part)) else { return };
        let is_free = |point: SurfacePoint, other: BodySegment| {
            let Some(place) = self.place(1, at_rest, (part, point)) else { return false };
            let seen = self.project(1, at_rest, other, &place);
            can_touch(part, side, other) && seen.is_some_and(|seen| seen.distance > 0.0)
        };
        let probes = Probe::of_part(part, [a, b], is_free);
        let tested = probes.iter().map(|probe| probe.tested);
        self.tested[part.index()] = tested.fold(SegmentSet::default(), SegmentSet::or);
        self.probes[part.index()] = probes;
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
}
