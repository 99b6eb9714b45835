//! Segments of a surface as parts of the body that files and reports name.

use crate::contacts::BodyPart;
use rebone_body::body::BodySegment;

/// Returns the part of the body that a segment is.
pub(super) fn part_of(segment: BodySegment) -> BodyPart {
    match segment {
        BodySegment::Pelvis => BodyPart::Pelvis,
        BodySegment::Belly => BodyPart::Belly,
        BodySegment::Chest => BodyPart::Chest,
        BodySegment::Neck => BodyPart::Neck,
        BodySegment::Head => BodyPart::Head,
        BodySegment::UpperArm(side) => BodyPart::UpperArm(side),
        BodySegment::Forearm(side) => BodyPart::Forearm(side),
        BodySegment::Hand(side) => BodyPart::Hand(side),
        BodySegment::Thigh(side) => BodyPart::Thigh(side),
        BodySegment::Shin(side) => BodyPart::Shin(side),
        BodySegment::Foot(side) => BodyPart::Foot(side),
    }
}

/// Returns the segment that a part is; `None` of joints and of what is no segment.
pub(crate) fn segment_of(part: BodyPart) -> Option<BodySegment> {
    BodySegment::ALL.into_iter().find(|segment| part_of(*segment) == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_that_a_hand_can_touch_is_a_segment() {
        let all = BodyPart::TOUCHABLE.map(segment_of);
        assert!(all.iter().all(Option::is_some) && all.len() == BodySegment::ALL.len());
    }
}
