//! Chains of segments of the source that drive chains of the target: trunk, neck, bones with twist joints, fingers.

use super::chain_map::{ChainMap, paired, pivot_places};
use nalgebra::{Quaternion, UnitQuaternion};
use rebone_body::body::{Anatomy, Body, Finger, Landmark, Side, finger_tip};
use rebone_skeleton::JointId;

/// A chain of source segments and the chain of target segments that follows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChainLink {
    /// Source joints, one a segment.
    pub(crate) source: Vec<JointId>,
    /// Target joints, one a segment.
    pub(crate) target: Vec<JointId>,
    /// Whether the first segment belongs to the parent of the chain (chest, hand), not to the chain.
    pub(crate) is_attached: bool,
    /// Index of the first target segment in the list of all chains' segments.
    pub(crate) first: usize,
    /// Distribution of the rotations.
    pub(crate) map: ChainMap,
    /// Number of links before this one, of the same target joints, whose segments this one takes the mean with.
    pub(crate) averaged: usize,
}

/// Returns all chains that both bodies have.
pub(crate) fn chains(source: &Anatomy, target: &Anatomy) -> Vec<ChainLink> {
    let mut chains = vec![trunk(source, target)];
    chains.extend(neck(source, target));
    for side in Side::BOTH {
        let (from, to) = (&source.body.arms[side.index()], &target.body.arms[side.index()]);
        let (Some(from_hand), Some(to_hand)) = (from.hand, to.hand) else { continue };
        for (k, to_finger) in to.fingers.iter().enumerate() {
            let leading = leading_fingers(&from.fingers, &to.fingers, k).into_iter();
            let link = |from_finger: &Vec<JointId>| {
                finger(source, target, from_hand, from_finger, to_hand, to_finger)
            };
            let from = chains.len();
            chains.extend(leading.filter_map(link));
            let averaged = (chains.len() - from).saturating_sub(1);
            chains[from..].iter_mut().skip(averaged).for_each(|last| last.averaged = averaged);
        }
    }
    let pairs = bones(&source.body).into_iter().zip(bones(&target.body));
    chains.extend(pairs.filter_map(|(from, to)| twisted(source, &from, target, &to)));
    let mut first = 0;
    for chain in &mut chains {
        chain.first = first;
        first += chain.target.len();
    }
    chains
}

fn trunk(source: &Anatomy, target: &Anatomy) -> ChainLink {
    let places = |anatomy: &Anatomy| {
        let (hips, shoulders) =
            (anatomy.middle(anatomy.hips()), anatomy.middle(anatomy.shoulders()));
        pivot_places(anatomy, &anatomy.body.trunk, hips, shoulders)
    };
    let map = ChainMap::new(&places(source), &places(target));
    link(source.body.trunk.clone(), target.body.trunk.clone(), false, map)
}

/// Pairs the joints of both necks along the line from the midpoint of the shoulders to the head, so that an additional
/// joint on the chest changes nothing.
fn neck(source: &Anatomy, target: &Anatomy) -> Option<ChainLink> {
    let path = |anatomy: &Anatomy| [&[anatomy.body.chest()], &anatomy.body.neck[..]].concat();
    let places = |anatomy: &Anatomy| {
        let (shoulders, head) = (anatomy.middle(anatomy.shoulders()), anatomy.body.head()?);
        Some(pivot_places(anatomy, &path(anatomy), shoulders, anatomy.place(head)))
    };
    let (from, to): (Vec<_>, Vec<_>) =
        paired(&places(source)?, &places(target)?).into_iter().unzip();
    let map = ChainMap::new(
        &neck_places(source, &path(source), &from),
        &neck_places(target, &path(target), &to),
    );
    Some(link(path(source), path(target), true, map))
}

/// Returns the parameters of a neck's pivots: a paired one has its number, one between two its share of their line.
/// Before the first pair only one of the bodies has joints.
fn neck_places(anatomy: &Anatomy, path: &[JointId], paired: &[usize]) -> Vec<f64> {
    let mut places = vec![-1.0; path.len() - 1];
    for (number, pair) in paired.windows(2).enumerate() {
        let [start, end] = [pair[0], pair[1]].map(|pivot| anatomy.place(path[pivot + 1]));
        let ways = pivot_places(anatomy, &path[pair[0]..pair[1] + 2], start, end);
        let own = places[pair[0]..pair[1]].iter_mut().zip(ways);
        own.for_each(|(place, way)| *place = number as f64 + way.clamp(0.0, 1.0));
    }
    if let Some(&head) = paired.last() {
        places[head] = (paired.len() - 1) as f64;
    }
    places
}

/// A bone of a limb: its joint, its end, and the twist joints in line between them.
#[derive(Clone, Copy)]
pub(crate) struct Bone<'a> {
    pub(crate) start: JointId,
    pub(crate) end: Landmark,
    pub(crate) twists: &'a [JointId],
}

/// Returns all eight in a fixed order: of each limb the upper and the lower, left before right, arms before legs.
pub(crate) fn bones(body: &Body) -> Vec<Bone<'_>> {
    let bone = |start, end, twists| Bone { start, end, twists };
    let arms = body.arms.iter().flat_map(|arm| {
        [
            bone(arm.upper, arm.lower.into(), &arm.upper_twist[..]),
            bone(arm.lower, arm.wrist, &arm.lower_twist),
        ]
    });
    let legs = body.legs.iter().flat_map(|leg| {
        [
            bone(leg.upper, leg.lower.into(), &leg.upper_twist[..]),
            bone(leg.lower, leg.foot.into(), &leg.lower_twist),
        ]
    });
    arms.chain(legs).collect()
}

/// Returns the joint at a bone's far end: the last twist joint in line, else the joint itself.
pub(crate) fn distal(joint: JointId, twists: &[JointId]) -> JointId {
    twists.last().copied().unwrap_or(joint)
}

/// Returns the chain of a bone if both bodies have equally many twist joints, one or more, at equal positions to 5
/// percent.
fn twisted(source: &Anatomy, from: &Bone, target: &Anatomy, to: &Bone) -> Option<ChainLink> {
    let near =
        |(&a, &b): (&JointId, &JointId)| (from.along(source, a) - to.along(target, b)).abs() < 0.05;
    let same = !from.twists.is_empty()
        && from.twists.len() == to.twists.len()
        && from.twists.iter().zip(to.twists).all(near);
    let path = |bone: &Bone| [&[bone.start], bone.twists].concat();
    let order: Vec<f64> = (0..from.twists.len()).map(|k| k as f64).collect();
    same.then(|| link(path(from), path(to), false, ChainMap::new(&order, &order)))
}

impl Bone<'_> {
    /// Returns the position of a joint along the bone in the T pose, 0 to 1.
    pub(crate) fn along(&self, anatomy: &Anatomy, joint: JointId) -> f64 {
        let start = anatomy.place(self.start);
        let bone = anatomy.point(self.end) - start;
        let way = (anatomy.place(joint) - start).dot(&bone);
        (way / bone.norm_squared().max(1e-12)).clamp(0.0, 1.0)
    }
}

/// Returns the fingers of the source that a finger of the target follows: one, and all but the thumb where it is a middle finger
/// and the only one beside the thumb, as that of a mitten is called; that of [`leading_finger`] last.
fn leading_fingers<'a>(
    source: &'a [Vec<JointId>],
    target: &[Vec<JointId>],
    of: usize,
) -> Vec<&'a Vec<JointId>> {
    let is_middle = of == Finger::Middle as usize;
    let is_mitten =
        is_middle && target[1..].iter().filter(|finger| !finger.is_empty()).count() == 1;
    let Some(leading) = leading_finger(source, of) else { return Vec::new() };
    let all = source[1..].iter().filter(|finger| is_mitten && !finger.is_empty());
    all.filter(|&finger| finger != leading).chain([leading]).collect()
}

/// Returns the finger of the source that a finger of the target follows: its own, else the nearest one, of two the one nearer
/// to the middle finger. Hands with one chain for all fingers close whole. A thumb follows a thumb only, and leads no finger.
fn leading_finger(fingers: &[Vec<JointId>], of: usize) -> Option<&Vec<JointId>> {
    let is_thumb = |k: usize| k == 0;
    let can_lead = |k: &usize| !fingers[*k].is_empty() && is_thumb(*k) == is_thumb(of);
    let nearest =
        (0..fingers.len()).filter(can_lead).min_by_key(|&k| (k.abs_diff(of), k.abs_diff(2)));
    nearest.map(|k| &fingers[k])
}

/// Returns the chain of a finger: joint by joint for equal numbers of joints, else the curl is distributed by length.
fn finger(
    source: &Anatomy,
    target: &Anatomy,
    from_hand: JointId,
    from: &[JointId],
    to_hand: JointId,
    to: &[JointId],
) -> Option<ChainLink> {
    if from.is_empty() || to.is_empty() {
        return None;
    }
    let reach = |anatomy: &Anatomy, hand: JointId, finger: &[JointId]| {
        finger_tip(anatomy, finger).map(|tip| (tip - anatomy.place(hand)).norm().max(1e-6))
    };
    // Ways count in reaches of the finger where both are known, else in metres of a 1.7 m body.
    let reaches = reach(source, from_hand, from).zip(reach(target, to_hand, to));
    let (from_reach, to_reach) = reaches.unwrap_or((1.0, 1.0));
    let places = |anatomy: &Anatomy, hand: JointId, finger: &[JointId], reach: f64| -> Vec<f64> {
        let way = |&joint: &JointId| (anatomy.place(joint) - anatomy.place(hand)).norm() / reach;
        finger.iter().map(way).collect()
    };
    let (from_places, to_places) = if from.len() == to.len() {
        let order: Vec<f64> = (0..from.len()).map(|k| k as f64).collect();
        (order.clone(), order)
    } else {
        (places(source, from_hand, from, from_reach), places(target, to_hand, to, to_reach))
    };
    let map = ChainMap::new(&from_places, &to_places);
    Some(link([&[from_hand], from].concat(), [&[to_hand], to].concat(), true, map))
}

fn link(source: Vec<JointId>, target: Vec<JointId>, is_attached: bool, map: ChainMap) -> ChainLink {
    ChainLink { source, target, is_attached, first: 0, map, averaged: 0 }
}

/// Computes the rotations of all target segments from the rotations since the T pose of the source's.
///
/// `turns` holds the world turn of each source joint's segment since the T pose.
pub(crate) fn apply(
    chains: &[ChainLink],
    turns: &[UnitQuaternion<f64>],
    segments: &mut [UnitQuaternion<f64>],
) {
    for chain in chains {
        let source = |place: usize| turns[chain.source[place].index()];
        let own = chain.first..chain.first + chain.target.len();
        chain.map.apply(source, &mut segments[own]);
        if chain.averaged > 0 {
            average(segments, chain);
        }
    }
}

/// Replaces the segments of a link by the mean of the links before it that it is averaged with.
fn average(segments: &mut [UnitQuaternion<f64>], chain: &ChainLink) {
    let count = chain.target.len();
    for own in chain.first..chain.first + count {
        let known = segments[own];
        let others = (1..=chain.averaged).map(|back| segments[own - back * count]);
        let toward = |other: UnitQuaternion<f64>| {
            other.coords * if other.coords.dot(&known.coords) < 0.0 { -1.0 } else { 1.0 }
        };
        let sum = others.map(toward).fold(known.coords, |sum, other| sum + other);
        segments[own] = UnitQuaternion::new_normalize(Quaternion::from_vector(sum));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingers_that_the_source_lacks_follow_the_nearest() {
        let leaders = |has: &[usize]| {
            let finger = |k: usize| if has.contains(&k) { vec![JointId(k)] } else { Vec::new() };
            let fingers: Vec<_> = (0..5).map(finger).collect();
            [0, 1, 2, 3, 4].map(|k| leading_finger(&fingers, k).map(|own| own[0].index()))
        };
        assert_eq!(leaders(&[0, 1, 2, 3, 4]), [0, 1, 2, 3, 4].map(Some));
        assert_eq!(leaders(&[1]), [None, Some(1), Some(1), Some(1), Some(1)]);
        assert_eq!(leaders(&[0, 1, 2, 4]), [0, 1, 2, 2, 4].map(Some));
        assert_eq!(leaders(&[0]), [Some(0), None, None, None, None]);
        assert_eq!(leaders(&[]), [None; 5]);
    }

    #[test]
    fn the_only_chain_beside_a_thumb_takes_the_mean_of_all_fingers() {
        let hand = |has: &[usize]| -> Vec<Vec<JointId>> {
            let finger = |k: usize| if has.contains(&k) { vec![JointId(k)] } else { Vec::new() };
            (0..5).map(finger).collect()
        };
        let leaders = |target: &[usize], of: usize| -> Vec<usize> {
            let (source, target) = (hand(&[0, 1, 2, 3, 4]), hand(target));
            let fingers = leading_fingers(&source, &target, of).into_iter();
            fingers.map(|finger| finger[0].index()).collect()
        };
        assert_eq!(leaders(&[0, 2], 2), [1, 3, 4, 2]);
        assert_eq!(leaders(&[0, 2], 0), [0]);
        assert_eq!(leaders(&[0, 1, 2], 2), [2]);
        let bend = |degrees: f64| {
            UnitQuaternion::from_axis_angle(&nalgebra::Vector3::x_axis(), degrees.to_radians())
        };
        let map = ChainMap::new(&[0.0], &[0.0]);
        let chain = |first, averaged| ChainLink {
            first,
            averaged,
            ..link(
                vec![JointId(0), JointId(1 + first / 2)],
                vec![JointId(0), JointId(1)],
                true,
                map.clone(),
            )
        };
        let turns = [0.0, 10.0, 20.0, 60.0].map(bend);
        let mut segments = [UnitQuaternion::identity(); 6];
        apply(&[chain(0, 0), chain(2, 0), chain(4, 2)], &turns, &mut segments);
        assert!(segments[4].angle_to(&bend(0.0)) < 1e-9);
        assert!((segments[5].angle().to_degrees() - 30.0).abs() < 1.0);
    }
}
