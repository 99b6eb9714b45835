//! Finds skeletons of one group without a comparison with each: by names, then by coordinates of their bones.

use crate::record::fingerprint::RigFingerprint;
use std::collections::HashMap;

/// Largest difference of a coordinate of a unit vector within a group: the chord of 5 degrees, 2 sin(5°/2), rounded up.
const MAX_DIFFERENCE: f64 = 0.0873;

/// Number of skeletons that are compared one by one.
const LEAF_SIZE: usize = 8;

/// Fingerprints, each with an index in the order in which they were added.
#[derive(Debug, Default)]
pub(crate) struct RigIndex<'a> {
    prints: Vec<&'a RigFingerprint>,
    /// Skeletons with the same names and hierarchy.
    of_tree: HashMap<&'a [u8], Node>,
}

/// Skeletons, halved by one coordinate after the other.
#[derive(Debug)]
enum Node {
    Leaf(Vec<usize>),
    Split(Box<Split>),
}

#[derive(Debug)]
struct Split {
    /// Index of the coordinate, as in [`coordinate`].
    coordinate: usize,
    /// Value that parts the halves.
    middle: f64,
    /// Lower and upper half.
    halves: [Node; 2],
    /// Least and largest value of each half.
    bounds: [[f64; 2]; 2],
}

impl<'a> RigIndex<'a> {
    /// Number of fingerprints.
    pub(crate) fn len(&self) -> usize {
        self.prints.len()
    }

    /// A fingerprint that was added.
    pub(crate) fn get(&self, index: usize) -> &'a RigFingerprint {
        self.prints[index]
    }

    /// Adds a fingerprint.
    pub(crate) fn add(&mut self, own: &'a RigFingerprint) {
        let index = self.prints.len();
        self.prints.push(own);
        let mut node = self.of_tree.entry(&own.tree).or_insert_with(|| Node::Leaf(Vec::new()));
        while let Node::Split(split) = node {
            let value = coordinate(own, split.coordinate);
            let half = usize::from(value > split.middle);
            let [least, largest] = split.bounds[half];
            split.bounds[half] = [least.min(value), largest.max(value)];
            node = &mut split.halves[half];
        }
        let Node::Leaf(members) = node else { return };
        members.push(index);
        // Members that cannot be halved are looked at again when there are twice as many.
        if members.len() > LEAF_SIZE && (members.len() - 1).is_power_of_two() {
            let members = members.clone();
            if let Some(split) = Split::of(members, &self.prints) {
                *node = Node::Split(Box::new(split));
            }
        }
    }

    /// All fingerprints of the group of another one, each with its difference, the nearest first.
    pub(crate) fn near(&self, own: &RigFingerprint) -> Vec<(f64, usize)> {
        let mut open: Vec<&Node> = self.of_tree.get(&own.tree[..]).into_iter().collect();
        let mut near = Vec::new();
        while let Some(node) = open.pop() {
            match node {
                Node::Leaf(members) => {
                    let differences =
                        members.iter().map(|&k| Some((self.prints[k].difference(own)?, k)));
                    near.extend(differences.flatten());
                }
                Node::Split(split) => {
                    let value = coordinate(own, split.coordinate);
                    let is_near = |[least, largest]: [f64; 2]| {
                        value >= least - MAX_DIFFERENCE && value <= largest + MAX_DIFFERENCE
                    };
                    let halves = split.halves.iter().zip(split.bounds);
                    open.extend(
                        halves.filter(|(_, bounds)| is_near(*bounds)).map(|(node, _)| node),
                    );
                }
            }
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near
    }
}

impl Split {
    /// Halves skeletons by the coordinate in which they differ most; `None` where they differ too little.
    fn of(members: Vec<usize>, prints: &[&RigFingerprint]) -> Option<Self> {
        let bounds = |coordinate_index: usize| {
            let values = members.iter().map(|&k| coordinate(prints[k], coordinate_index));
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, largest], value| {
                [least.min(value), largest.max(value)]
            })
        };
        let spread = |index: &usize| {
            let [least, largest] = bounds(*index);
            largest - least
        };
        let coordinate_index =
            (0..coordinates(prints[members[0]])).max_by(|a, b| spread(a).total_cmp(&spread(b)))?;
        let [least, largest] = bounds(coordinate_index);
        if largest - least <= MAX_DIFFERENCE {
            return None;
        }
        let middle = (least + largest) / 2.0;
        let value = |k: &usize| coordinate(prints[*k], coordinate_index);
        let (low, high): (Vec<usize>, Vec<usize>) =
            members.iter().partition(|k| value(k) <= middle);
        let of_half = |members: &[usize]| {
            let values = members.iter().map(value);
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], v| [a.min(v), b.max(v)])
        };
        let bounds = [of_half(&low), of_half(&high)];
        let halves = [Node::Leaf(low), Node::Leaf(high)];
        Some(Self { coordinate: coordinate_index, middle, halves, bounds })
    }
}

/// Number of coordinates of a skeleton.
fn coordinates(own: &RigFingerprint) -> usize {
    3 * own.directions.len() + 6 * own.rest_rotations.len()
}

/// A coordinate of a skeleton: of the direction of a bone, or of the axes X and Y of a joint at rest.
fn coordinate(own: &RigFingerprint, index: usize) -> f64 {
    let Some(index) = index.checked_sub(3 * own.directions.len()) else {
        return own.directions[index / 3][index % 3];
    };
    let axis = [nalgebra::Vector3::x(), nalgebra::Vector3::y()][index % 6 / 3];
    (own.rest_rotations[index / 6] * axis)[index % 3]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fingerprint::COMPARISONS;
    use nalgebra::{UnitQuaternion, UnitVector3, Vector3};

    /// Skeletons of one tree with two joints and random rests, some of them less than 5 degrees from others.
    fn random(count: usize, joints: usize) -> Vec<RigFingerprint> {
        let mut state = 7_u64;
        let mut number = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let mut prints: Vec<RigFingerprint> = Vec::new();
        let unit = |vector| UnitVector3::new_normalize(vector).into_inner();
        for k in 0..count {
            let mut vector = || Vector3::new(number(), number(), number());
            let print = match k % 2 {
                0 => RigFingerprint {
                    tree: b"tree".to_vec(),
                    directions: (0..joints).map(|_| unit(vector())).collect(),
                    rest_rotations: (0..joints)
                        .map(|_| UnitQuaternion::new(3.0 * vector()))
                        .collect(),
                },
                _ => {
                    let mut near = prints[k - 1].clone();
                    for k in 0..joints {
                        near.directions[k] = unit(near.directions[k] + 0.06 * vector());
                        near.rest_rotations[k] *= UnitQuaternion::new(0.06 * vector());
                    }
                    near
                }
            };
            prints.push(print);
        }
        prints
    }

    #[test]
    fn all_near_skeletons_are_found() {
        for joints in [1, 2, 20] {
            let prints = random(600, joints);
            let mut index = RigIndex::default();
            prints.iter().for_each(|own| index.add(own));
            let mut pairs = 0;
            for own in &prints {
                let all = prints.iter().enumerate();
                let mut near: Vec<(f64, usize)> =
                    all.filter_map(|(k, other)| Some((other.difference(own)?, k))).collect();
                near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                pairs += near.len() - 1;
                assert_eq!(index.near(own), near);
            }
            assert!(pairs > 100, "{pairs}");
        }
    }

    /// Comparisons of each of these skeletons with those before it that were not found near.
    fn comparisons(prints: &[RigFingerprint]) -> usize {
        let before = COMPARISONS.get();
        let mut index = RigIndex::default();
        for own in prints {
            if index.near(own).is_empty() {
                index.add(own);
            }
        }
        COMPARISONS.get() - before
    }

    #[test]
    fn rests_of_one_tree_are_compared_with_few_others() {
        let prints = random(10_000, 20);
        let made = comparisons(&prints);
        assert!(made < 20 * prints.len(), "{made}");
        // One bone of each is bent in one of some ways.
        let base = &prints[0];
        let bent = |k: usize| {
            let angle = 0.12 + 0.12 * (k / 60 % 12) as f64;
            let axis = [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()][k / 20 % 3];
            let mut own = base.clone();
            own.directions[k % 20] =
                UnitQuaternion::from_axis_angle(&axis, angle) * own.directions[k % 20];
            own
        };
        let prints: Vec<RigFingerprint> = (0..720).map(bent).collect();
        let made = comparisons(&prints);
        assert!(made < 40 * prints.len(), "{made}");
    }
}
