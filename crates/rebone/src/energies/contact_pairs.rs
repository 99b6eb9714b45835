//! E_j2j: pairs of surface samples that touch on the source.

use super::points::Point;
use crate::contacts::{BodyPart, Contact};
use crate::self_contact::segment_of;
use crate::surface::{BodyTransforms, SurfacePair};
use rebone_body::body::{BodySegment, Side};

/// Pairs of a contact that count: the nearest ones.
const PAIRS_PER_CONTACT: usize = 3;
/// Distance of a sample from a segment up to which both can touch, metres.
const NEAR_METRES: f64 = 0.06;

/// Pairs of points of the target that should touch in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ContactPairs(pub(super) Vec<[Point; 2]>);

impl ContactPairs {
    /// Finds the nearest samples of each hand and of what it touches in a frame of the source.
    pub(crate) fn find<'a>(
        pair: &SurfacePair,
        source: &BodyTransforms,
        contacts: impl Iterator<Item = &'a Contact>,
    ) -> Self {
        let hands = contacts.filter_map(|contact| match contact.part {
            BodyPart::Hand(side) => Some((side, segment_of(contact.on?)?)),
            _ => None,
        });
        Self(hands.flat_map(|own| nearest(pair, source, own)).collect())
    }
}

/// Returns the pairs of the samples of a hand that are nearest to a segment, as points of the target.
fn nearest(
    pair: &SurfacePair,
    source: &BodyTransforms,
    (side, segment): (Side, BodySegment),
) -> Vec<[Point; 2]> {
    let hand = BodySegment::Hand(side);
    let Some((own, other)) = pair.field(1, hand).zip(pair.field(1, segment)) else {
        return Vec::new();
    };
    let probes = pair.probes_of(hand).iter();
    let mut seen: Vec<_> = probes
        .filter_map(|probe| {
            let place = pair.probe_place(0, source, probe)?;
            let seen = pair.project_near(0, source, (segment, NEAR_METRES), &place)?;
            Some((seen.distance, probe, seen.point))
        })
        .collect();
    seen.sort_by(|a, b| a.0.total_cmp(&b.0));
    let points = seen.into_iter().take(PAIRS_PER_CONTACT).map(|(_, probe, point)| {
        [Point::of_field(own, &probe.places[1]), Point::on_surface(other, point)]
    });
    points.collect()
}
