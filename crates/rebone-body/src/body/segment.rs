//! Parts of a body that move as one.

use super::role::Side;
use std::fmt;

/// A part of the body whose skin moves with one joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(hidden)]
pub enum BodySegment {
    /// From the thigh joints up.
    Pelvis,
    /// The middle of the trunk.
    Belly,
    /// The upper part of the trunk, with the shoulders' skin.
    Chest,
    Neck,
    Head,
    UpperArm(Side),
    Forearm(Side),
    /// The hand with its fingers.
    Hand(Side),
    Thigh(Side),
    Shin(Side),
    Foot(Side),
}

impl BodySegment {
    /// All segments, the trunk first.
    #[doc(hidden)]
    pub const ALL: [Self; 17] = [
        Self::Pelvis,
        Self::Belly,
        Self::Chest,
        Self::Neck,
        Self::Head,
        Self::UpperArm(Side::Left),
        Self::Forearm(Side::Left),
        Self::Hand(Side::Left),
        Self::UpperArm(Side::Right),
        Self::Forearm(Side::Right),
        Self::Hand(Side::Right),
        Self::Thigh(Side::Left),
        Self::Shin(Side::Left),
        Self::Foot(Side::Left),
        Self::Thigh(Side::Right),
        Self::Shin(Side::Right),
        Self::Foot(Side::Right),
    ];

    /// Its place in [`Self::ALL`].
    #[doc(hidden)]
    pub fn index(self) -> usize {
        let arm = |side: Side| 5 + 3 * side.index();
        let leg = |side: Side| 11 + 3 * side.index();
        match self {
            Self::Pelvis => 0,
            Self::Belly => 1,
            Self::Chest => 2,
            Self::Neck => 3,
            Self::Head => 4,
            Self::UpperArm(side) => arm(side),
            Self::Forearm(side) => arm(side) + 1,
            Self::Hand(side) => arm(side) + 2,
            Self::Thigh(side) => leg(side),
            Self::Shin(side) => leg(side) + 1,
            Self::Foot(side) => leg(side) + 2,
        }
    }

    /// Its name in cards: `leftUpperArm`.
    pub(crate) fn card_name(self) -> String {
        camel_case(&self.to_string())
    }

    /// Its name in cards together with that of the other side: `upperArm`.
    pub(crate) fn card_name_of_both(self) -> String {
        let name = self.to_string();
        let part = Side::BOTH.iter().find_map(|side| name.strip_prefix(&format!("{side} ")));
        camel_case(part.unwrap_or(&name))
    }

    /// The segments of an arm, from the shoulder outwards.
    #[doc(hidden)]
    pub fn of_arm(side: Side) -> [Self; 3] {
        [Self::UpperArm(side), Self::Forearm(side), Self::Hand(side)]
    }

    /// Returns whether it belongs to an arm of that side.
    #[doc(hidden)]
    pub fn is_of_arm(self, of: Side) -> bool {
        matches!(self, Self::UpperArm(side) | Self::Forearm(side) | Self::Hand(side) if side == of)
    }
}

impl fmt::Display for BodySegment {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Pelvis => to.write_str("pelvis"),
            Self::Belly => to.write_str("belly"),
            Self::Chest => to.write_str("chest"),
            Self::Neck => to.write_str("neck"),
            Self::Head => to.write_str("head"),
            Self::UpperArm(side) => write!(to, "{side} upper arm"),
            Self::Forearm(side) => write!(to, "{side} forearm"),
            Self::Hand(side) => write!(to, "{side} hand"),
            Self::Thigh(side) => write!(to, "{side} thigh"),
            Self::Shin(side) => write!(to, "{side} shin"),
            Self::Foot(side) => write!(to, "{side} foot"),
        }
    }
}

/// `leftUpperArm` of `left upper arm`.
fn camel_case(text: &str) -> String {
    let mut words = text.split(' ');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| match word.split_at_checked(1) {
        Some((initial, rest)) => name + &initial.to_ascii_uppercase() + rest,
        None => name,
    })
}

/// A set of segments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct SegmentSet(u32);

impl SegmentSet {
    #[doc(hidden)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[doc(hidden)]
    pub fn contains(self, segment: BodySegment) -> bool {
        self.0 & (1 << segment.index()) != 0
    }

    #[doc(hidden)]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[doc(hidden)]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the segments in the order of [`BodySegment::ALL`].
    #[doc(hidden)]
    pub fn iter(self) -> impl Iterator<Item = BodySegment> {
        let rest = |bits: &u32| Some(bits & bits.wrapping_sub(1));
        let all = std::iter::successors(Some(self.0), rest).take_while(|bits| *bits != 0);
        all.map(|bits| BodySegment::ALL[bits.trailing_zeros() as usize])
    }
}

impl FromIterator<BodySegment> for SegmentSet {
    fn from_iter<I: IntoIterator<Item = BodySegment>>(all: I) -> Self {
        all.into_iter().fold(Self::default(), |set, own| Self(set.0 | 1 << own.index()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_the_place_in_the_list() {
        for (index, segment) in BodySegment::ALL.into_iter().enumerate() {
            assert_eq!(segment.index(), index);
        }
    }

    #[test]
    fn cards_name_segments_with_and_without_their_side() {
        let names = |own: BodySegment| [own.card_name(), own.card_name_of_both()];
        assert_eq!(names(BodySegment::UpperArm(Side::Left)), ["leftUpperArm", "upperArm"]);
        assert_eq!(names(BodySegment::Shin(Side::Right)), ["rightShin", "shin"]);
        assert_eq!(names(BodySegment::Belly), ["belly", "belly"]);
    }

    #[test]
    fn a_set_holds_its_segments_in_their_order() {
        let set = |all: &[BodySegment]| all.iter().copied().collect::<SegmentSet>();
        let own = [BodySegment::Pelvis, BodySegment::Head, BodySegment::Foot(Side::Right)];
        let [pelvis, head, foot] = own;
        let held = set(&[foot, pelvis, head]);
        assert_eq!(held.iter().collect::<Vec<_>>(), own);
        assert!(held.contains(BodySegment::Head) && !held.contains(BodySegment::Belly));
        assert!(held.and(set(&[BodySegment::Belly])).is_empty());
        assert_eq!(set(&[foot]).or(set(&[pelvis])).and(held), set(&[pelvis, foot]));
    }
}
