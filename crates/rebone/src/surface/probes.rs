//! Points of an arm's surface that are tested against the body.

use nalgebra::Vector3;
use rebone_body::body::surface::{RadialField, SurfacePoint};
use rebone_body::body::{BodySegment, SegmentSet, Side};

/// Rows of a hand: from the wrist to the tips.
const HAND_ROWS: [f64; 7] = [2.7, 3.6, 4.5, 5.4, 6.2, 7.0, 7.8];
/// Rows of a forearm.
const FOREARM_ROWS: [f64; 4] = [2.5, 3.5, 4.5, 5.5];
/// Rows of the outer half of an upper arm, with the elbow: near the shoulder an arm is part of the trunk's shape.
const UPPER_ARM_ROWS: [f64; 4] = [4.2, 5.1, 6.0, 6.8];
/// Places around a part.
const AROUND: [f64; 8] = [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0];

/// A point of an arm's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Probe {
    pub(crate) segment: BodySegment,
    /// Index among the probes of its segment.
    pub(super) index: usize,
    pub(crate) point: SurfacePoint,
    /// Its places on source and target in the T pose, in the axes of its field.
    pub(crate) places: [Vector3<f64>; 2],
    /// The segments that it is tested against.
    pub(crate) tested: SegmentSet,
}

impl Probe {
    /// Returns the probes of a part of an arm that are tested against the segments that `is_free` names.
    pub(crate) fn of_part(
        segment: BodySegment,
        fields: [&RadialField; 2],
        is_free: impl Fn(SurfacePoint, BodySegment) -> bool,
    ) -> Vec<Self> {
        let rows = match segment {
            BodySegment::Hand(_) => &HAND_ROWS[..],
            BodySegment::Forearm(_) => &FOREARM_ROWS,
            _ => &UPPER_ARM_ROWS,
        };
        let points =
            rows.iter().flat_map(|&along| AROUND.map(|around| SurfacePoint { along, around }));
        let probe = |(index, point)| {
            let free = BodySegment::ALL.into_iter().filter(|other| is_free(point, *other));
            let tested = free.collect();
            let places = fields.map(|field| field.place(point, 0.0));
            Self { segment, index, point, places, tested }
        };
        points.enumerate().map(probe).collect()
    }
}

/// Returns whether a part of an arm can touch a segment at all: none of its own arm, and no upper arm what it does not reach.
pub(crate) fn can_touch(part: BodySegment, side: Side, other: BodySegment) -> bool {
    let is_beyond = matches!(part, BodySegment::UpperArm(_))
        && matches!(
            other,
            BodySegment::Neck | BodySegment::Head | BodySegment::Foot(_) | BodySegment::Shin(_)
        );
    !other.is_of_arm(side) && !is_beyond
}
